/**
 * Finds a file's diff lines by number. Numbers inside a hunk are dense on each side, so a look-up is a search over the
 * hunks' starts and one addition.
 */
import type { DiffFile, DiffLine } from './diff-model.ts';

export type DiffSide = 'old' | 'new';

/** The lines of one hunk on one side, numbered without gaps from `first` to `last`. */
export interface SideSpan {
  readonly first: number;
  readonly last: number;
  /** 0-based index of the hunk in the file. */
  readonly hunk: number;
  /** Index in the hunk's lines, for each number from `first` on. */
  readonly positions: Uint32Array;
}

/** Built once a file. Spans are in the order of their numbers; a hunk without lines on a side has none there. */
export interface LineIndex {
  readonly file: DiffFile;
  readonly old: readonly SideSpan[];
  readonly new: readonly SideSpan[];
}

export const indexFile = (file: DiffFile): LineIndex => ({ file, old: spansOf(file, 'old'), new: spansOf(file, 'new') });

/** The diff line with this number on this side; undefined when no hunk shows it. */
export const lineAt = (index: LineIndex, side: DiffSide, number: number): DiffLine | undefined => {
  const spans = index[side];
  const span = spans[firstSpanFrom(spans, number)];
  const position = span?.positions[number - span.first];
  return span === undefined || position === undefined ? undefined : index.file.hunks[span.hunk]?.lines[position];
};

/** Index of the first span that ends at this number or after it; the number of spans when none does. */
export const firstSpanFrom = (spans: readonly SideSpan[], number: number): number => {
  let low = 0;
  let high = spans.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((spans[middle]?.last ?? 0) < number) low = middle + 1;
    else high = middle;
  }
  return low;
};

function spansOf(file: DiffFile, side: DiffSide): SideSpan[] {
  const spans = file.hunks.flatMap((_, hunk) => spanOf(file, hunk, side));
  return spans.sort((left, right) => left.first - right.first);
}

/** What was read counts, not what the header promises: a hunk can be cut. */
function spanOf(file: DiffFile, hunk: number, side: DiffSide): SideSpan[] {
  const lines = file.hunks[hunk]?.lines ?? [];
  const positions = new Uint32Array(lines.reduce((count, line) => count + (line[side] === null ? 0 : 1), 0));
  let filled = 0;
  for (let i = 0; i < lines.length; i += 1) {
    if (lines[i]?.[side] === null) continue;
    positions[filled] = i;
    filled += 1;
  }
  const first = lines[positions[0] ?? 0]?.[side] ?? null;
  return first === null || filled === 0 ? [] : [{ first, last: first + filled - 1, hunk, positions }];
}
