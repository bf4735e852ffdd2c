/**
 * Finds the code that a finding quotes, when its line number is off (REV-17): in the nearest hunk, changed lines first.
 */
import type { Anchor } from './anchor-range.ts';
import type { DiffFile, DiffLine, Hunk } from './diff-model.ts';
import type { DiffSide } from './line-index.ts';

/** A quote with fewer non-space characters is on too many lines to mean one (REV-17). */
const QUOTE_CHARACTERS_MIN = 3;
/** A part of a line counts as a quote of it from this length on. */
const PART_CHARACTERS_MIN = 8;
/** Lines of a quote that are compared; the place is clear long before. */
const QUOTE_LINES_MAX = 100;

export interface QuotePlace {
  readonly line: number;
  /** Without a side, the new one is tried before the old one. */
  readonly side?: DiffSide | undefined;
}

/**
 * The lines of the hunk nearest to `near` that hold the quoted code, however it is spaced. Changed lines win over context, since a
 * finding is about the change; context is taken only when no changed line matches. Whole lines win over a part of a line. Among
 * equals the nearest wins, then the earlier. A quote copied with its `+` and `-` marks is found too. Undefined without a match.
 */
export const findQuote = (file: DiffFile, quote: string, near: QuotePlace): Anchor | undefined => {
  const sides: readonly DiffSide[] = near.side === undefined ? ['new', 'old'] : [near.side];
  const hunk = nearestHunk(file.hunks, near.line, sides[0] ?? 'new');
  const lines = file.hunks[hunk]?.lines ?? [];
  const shown = { old: linesOn(lines, 'old'), new: linesOn(lines, 'new') };
  for (const { side, ...search } of searchesFor(quote, sides)) {
    const place = nearest(placesOf(shown[side], search), near.line);
    if (place !== undefined) return { kind: 'anchor', side, ...place, hunk };
  }
  return undefined;
};

interface ShownLine {
  readonly number: number;
  readonly text: string;
  readonly changed: boolean;
}

interface Place {
  readonly line: number;
  readonly endLine: number;
}

interface Search {
  readonly changed: boolean;
  readonly wanted: readonly string[];
  readonly holds: Holds;
}

type Holds = (line: string, wanted: readonly string[], at: number) => boolean;

const isLine: Holds = (line, wanted, at) => line === wanted[at];

const isPartOfLine: Holds = (line, [part = '', ...more]) => more.length === 0 && charactersOf(part) >= PART_CHARACTERS_MIN && line.includes(part);

/** What to look for, best first. */
function searchesFor(quote: string, sides: readonly DiffSide[]): (Search & { side: DiffSide })[] {
  const readings = readingsOf(quote);
  return [true, false].flatMap(changed =>
    readings.flatMap(wanted => [isLine, isPartOfLine].flatMap(holds => sides.map(side => ({ changed, wanted, holds, side })))),
  );
}

const spaced = (text: string): string => text.trim().replace(/\s+/g, ' ');

const charactersOf = (text: string): number => text.replace(/\s+/g, '').length;

/** The quote as it is, then without diff marks. A quote that is too short has no reading. */
function readingsOf(quote: string): string[][] {
  const raw = quote.split('\n', QUOTE_LINES_MAX);
  const marked = raw.map(line => line.replace(/^[+-]/, ''));
  return [raw, marked].map(lines => withoutBlankEnds(lines.map(spaced))).filter(lines => charactersOf(lines.join('')) >= QUOTE_CHARACTERS_MIN);
}

function withoutBlankEnds(lines: readonly string[]): string[] {
  const first = lines.findIndex(line => line !== '');
  const last = lines.findLastIndex(line => line !== '');
  return first < 0 ? [] : lines.slice(first, last + 1);
}

function linesOn(lines: readonly DiffLine[], side: DiffSide): ShownLine[] {
  return lines.flatMap(line => {
    const number = line[side];
    return number === null ? [] : [{ number, text: spaced(line.text), changed: line.kind !== 'context' }];
  });
}

/** Runs of lines that match, with (`changed`) at least one changed line among them, or none. */
function placesOf(shown: readonly ShownLine[], { wanted, holds, changed }: Search): Place[] {
  const places: Place[] = [];
  for (let start = 0; start + wanted.length <= shown.length; start += 1) {
    if (!wanted.every((_, i) => holds(shown[start + i]?.text ?? '', wanted, i))) continue;
    const run = shown.slice(start, start + wanted.length);
    const [first] = run;
    if (first !== undefined && run.some(line => line.changed) === changed) places.push({ line: first.number, endLine: first.number + wanted.length - 1 });
  }
  return places;
}

const distance = (place: Place, line: number): number => Math.max(place.line - line, line - place.endLine, 0);

function nearest(places: readonly Place[], line: number): Place | undefined {
  return places.reduce<Place | undefined>((best, place) => (best === undefined || distance(place, line) < distance(best, line) ? place : best), undefined);
}

/** By the span that the header gives; -1 without hunks. */
function nearestHunk(hunks: readonly Hunk[], line: number, side: DiffSide): number {
  const spans = hunks.map(hunk => {
    const [start, count] = side === 'old' ? [hunk.oldStart, hunk.oldLines] : [hunk.newStart, hunk.newLines];
    return { line: start, endLine: start + Math.max(count, 1) - 1 };
  });
  return spans.reduce((best, span, i) => (best < 0 || distance(span, line) < distance(spans[best] ?? span, line) ? i : best), -1);
}
