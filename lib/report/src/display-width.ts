/**
 * How many terminal cells a text takes: wide East Asian characters and emoji take two, marks take none.
 * Ranges follow Unicode's East Asian Width (W and F), joined where the gaps are unassigned.
 */
const WIDE_RANGES: readonly (readonly [first: number, last: number])[] = [
  [0x1100, 0x115f],
  [0x2329, 0x232a],
  [0x2e80, 0x303e],
  [0x3041, 0x4dbf],
  [0x4e00, 0xa4cf],
  [0xa960, 0xa97c],
  [0xac00, 0xd7a3],
  [0xf900, 0xfaff],
  [0xfe10, 0xfe19],
  [0xfe30, 0xfe6f],
  [0xff01, 0xff60],
  [0xffe0, 0xffe6],
  [0x16fe0, 0x18dff],
  [0x1aff0, 0x1b2ff],
  [0x1f200, 0x1f2ff],
  [0x20000, 0x3fffd],
];
const ASCII = /^[\x20-\x7e]*$/;
const NO_WIDTH = /^[\p{M}\p{Cf}]/u;
const EMOJI = /\p{Emoji_Presentation}|\ufe0f/u;
const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });

const isWide = (code: number): boolean => WIDE_RANGES.some(([first, last]) => code >= first && code <= last);

function cellsOf(grapheme: string): number {
  if (NO_WIDTH.test(grapheme)) return 0;
  return EMOJI.test(grapheme) || isWide(grapheme.codePointAt(0) ?? 0) ? 2 : 1;
}

interface Cell {
  readonly text: string;
  readonly width: number;
}
const cells = (text: string): Cell[] => Array.from(graphemes.segment(text), ({ segment }) => ({ text: segment, width: cellsOf(segment) }));

/** Terminal cells of one line without control characters. */
export const widthOf = (text: string): number => (ASCII.test(text) ? text.length : cells(text).reduce((sum, cell) => sum + cell.width, 0));

/** Fills a text with blanks up to `width` cells. */
export const padTo = (text: string, width: number): string => text + ' '.repeat(Math.max(0, width - widthOf(text)));

function take(from: readonly Cell[], width: number): string[] {
  const taken: string[] = [];
  let left = width;
  for (const cell of from) {
    if (cell.width > left) break;
    left -= cell.width;
    taken.push(cell.text);
  }
  return taken;
}

/** At most `width` cells; what does not fit is cut at the end and marked. */
export const cutEnd = (text: string, width: number): string => (widthOf(text) <= width ? text : `${take(cells(text), width - 1).join('')}…`);

/** At most `width` cells; what does not fit is cut in the middle and marked. The end, where a path has its name, keeps two thirds. */
export function cutMiddle(text: string, width: number): string {
  if (widthOf(text) <= width) return text;
  const all = cells(text);
  const tail = take(all.toReversed(), Math.ceil(((width - 1) * 2) / 3))
    .toReversed()
    .join('');
  return `${take(all, width - 1 - widthOf(tail)).join('')}…${tail}`;
}
