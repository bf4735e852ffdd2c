/**
 * Writes one changed file for a model: a header, and pieces of hunks whose lines carry both their numbers.
 */
import { type DiffFile, type DiffLine, type Hunk, pathOf } from '@weir/diff';
import { neutralised } from './fence.ts';
import { visiblePath, visibleText } from './visible-text.ts';

/** Characters of a line that are shown; the rest is cut, and the file counts as partially read (REV-14). */
export const MAX_LINE_CHARS = 2_000;

/** Whole lines that belong together. A hunk is one piece, or several when it is longer than a call. */
export interface Piece {
  readonly text: string;
  readonly tokens: number;
  /** True when it only removes lines: the first to go when the budget is short (REV-16b). */
  readonly removalsOnly: boolean;
  /** True when a line was cut at its limit. */
  readonly lineCut: boolean;
}

/** A path as the model sees it; a finding names its file in this spelling. */
export const shownPath = (path: string): string => neutralised(visiblePath(path));

const FLAGS: readonly (readonly [applies: (file: DiffFile) => boolean, words: (file: DiffFile) => string])[] = [
  [file => file.kind !== 'modified', file => file.kind],
  [file => (file.kind === 'renamed' || file.kind === 'copied') && file.oldPath !== null, file => `from ${shownPath(file.oldPath ?? '')}`],
  [file => file.oldMode !== file.newMode && file.oldMode !== null && file.newMode !== null, file => `mode ${file.oldMode} to ${file.newMode}`],
  [file => file.binary, () => 'binary'],
  [file => file.submodule, () => 'submodule'],
  [endsWithCr, () => 'lines end in CR LF'],
  [file => file.oldNoEol, () => 'old side ends without a line feed'],
  [file => file.newNoEol, () => 'new side ends without a line feed'],
];

/** First line of a file. */
export function fileHeader(file: DiffFile): string {
  const words = FLAGS.filter(([applies]) => applies(file)).map(([, text]) => text(file));
  return `=== ${shownPath(pathOf(file))}${words.length > 0 ? ` (${words.join(', ')})` : ''}`;
}

/** True when every line ends in a carriage return; it is then left out of the lines and named once. */
function endsWithCr(file: DiffFile): boolean {
  return file.hunks.length > 0 && file.hunks.every(hunk => hunk.lines.every(line => line.text.endsWith('\r')));
}

const SIGN = { context: ' ', added: '+', removed: '-' } as const;

function cutLine(text: string): string {
  const kept = text.slice(0, MAX_LINE_CHARS).replace(/[\ud800-\udbff]$/, '');
  return `${kept}[weir: cut here, ${kept.length} of ${text.length} characters are shown]`;
}

/** One line of a hunk: `10 12  text`, `11 . -text`, `. 13 +text`. */
function lineText(line: DiffLine, crlf: boolean): { readonly text: string; readonly cut: boolean } {
  const plain = crlf ? line.text.slice(0, -1) : line.text;
  const cut = plain.length > MAX_LINE_CHARS;
  return { text: `${line.old ?? '.'} ${line.new ?? '.'} ${SIGN[line.kind]}${neutralised(visibleText(cut ? cutLine(plain) : plain))}`, cut };
}

export interface PieceLimit {
  /** Tokens that a piece may have. */
  readonly tokens: number;
  readonly countTokens: (text: string) => number;
}

/** Pieces of all hunks of a file, in order. A single line that is longer than a piece stands alone and is left to the caller. */
export function piecesOf(file: DiffFile, limit: PieceLimit): readonly Piece[] {
  const crlf = endsWithCr(file);
  return file.hunks.flatMap(hunk => piecesOfHunk(hunk, crlf, limit));
}

function piecesOfHunk(hunk: Hunk, crlf: boolean, { tokens: most, countTokens }: PieceLimit): readonly Piece[] {
  const head = `@@ old ${hunk.oldStart},${hunk.oldLines} new ${hunk.newStart},${hunk.newLines} @@`;
  const headTokens = countTokens(`${head} (continued)\n`);
  const removalsOnly = !hunk.lines.some(line => line.kind === 'added') && hunk.lines.some(line => line.kind === 'removed');
  const pieces: Piece[] = [];
  let lines: string[] = [];
  let tokens = headTokens;
  let lineCut = false;
  const end = (): void => {
    if (lines.length === 0) return;
    pieces.push({ text: [pieces.length === 0 ? head : `${head} (continued)`, ...lines].join('\n'), tokens, removalsOnly, lineCut });
    lines = [];
    tokens = headTokens;
    lineCut = false;
  };
  for (const line of hunk.lines) {
    const { text, cut } = lineText(line, crlf);
    const cost = countTokens(`${text}\n`);
    if (tokens + cost > most) end();
    lines.push(text);
    tokens += cost;
    lineCut ||= cut;
  }
  end();
  return pieces;
}
