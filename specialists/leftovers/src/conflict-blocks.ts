/**
 * Finds the marker lines that an unfinished merge leaves in a text (`git merge`, zdiff3 and diff3 included).
 * A line of seven equals signs is also a heading in Markdown and reStructuredText, so it counts only between the other markers.
 */
import type { TextLine, TextRun } from './changed-text.ts';

export interface ConflictBlock {
  readonly first: TextLine;
  readonly last: TextLine;
  /** The marker lines that the change itself adds, at least one. */
  readonly added: readonly TextLine[];
  /** True when start, separator and end are all there. */
  readonly complete: boolean;
}

type Marker = 'start' | 'base' | 'separator' | 'end';

// Seven characters, then a label; a banner such as `<<<<<<< title >>>>>>>` or a quoted mail of depth seven is no marker.
const MARKERS: readonly (readonly [Marker, RegExp])[] = [
  ['start', /^<{7}(?: [^\s<>][^<>]*)?\r?$/],
  ['base', /^\|{7}(?: [^|]*)?\r?$/],
  ['separator', /^={7}\r?$/],
  ['end', /^>{7}(?: [^\s<>][^<>]*)?\r?$/],
];

/** Labels are commits, branches, paths and subjects; a longer line is no marker. */
const MAX_MARKER_CHARS = 400;

function markerOf(text: string): Marker | null {
  if (text.length < 7 || text.length > MAX_MARKER_CHARS) return null;
  return MARKERS.find(([, pattern]) => pattern.test(text))?.[0] ?? null;
}

const hasLabel = (line: TextLine): boolean => line.text.trim().length > 7;

const blockOf = (markers: readonly TextLine[], complete: boolean): ConflictBlock | null => {
  const [first] = markers;
  const last = markers.at(-1);
  const added = markers.filter(marker => marker.added);
  return first && last && added.length > 0 ? { first, last, added, complete } : null;
};

/** Markers that belong together as far as they are there: start, base, separator, end. */
function groups(run: TextRun): readonly (readonly (TextLine & { readonly marker: Marker })[])[] {
  const found: (TextLine & { readonly marker: Marker })[][] = [];
  let open: (TextLine & { readonly marker: Marker })[] = [];
  for (const line of run) {
    const marker = markerOf(line.text);
    if (marker === null) continue;
    if (marker === 'start' || open.at(-1)?.marker === 'end') {
      found.push(open);
      open = [];
    }
    open.push({ ...line, marker });
  }
  return [...found, open];
}

/**
 * Blocks with a marker line that the change adds. A group without start, separator and end counts, as not complete,
 * when a start or end marker with a label stands in it.
 */
export function conflictBlocks(run: TextRun): readonly ConflictBlock[] {
  return groups(run).flatMap(markers => {
    const kinds = new Set(markers.map(marker => marker.marker));
    const complete = kinds.has('start') && kinds.has('separator') && kinds.has('end');
    const labelled = markers.filter(marker => (marker.marker === 'start' || marker.marker === 'end') && hasLabel(marker));
    const block = complete ? blockOf(trimSeparators(markers), true) : blockOf(labelled, false);
    return block === null ? [] : [block];
  });
}

/** Drops what stands before the start marker: a heading's underline above a conflict is not part of it. */
function trimSeparators<T extends { readonly marker: Marker }>(markers: readonly T[]): readonly T[] {
  return markers.slice(markers.findIndex(marker => marker.marker === 'start'));
}
