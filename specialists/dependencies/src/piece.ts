/**
 * A stretch of a file with its line numbers: the whole file, or what one hunk shows of it.
 * Readers of manifests and lockfiles work on pieces, so that they serve a full checkout and a bare diff alike.
 */
import type { DiffFile, Hunk } from '@weir/diff';

export interface NumberedLine {
  /** 1-based, on the side that the piece belongs to. */
  readonly line: number;
  readonly text: string;
}

export interface Piece {
  /** True for a whole file; false where what stands before and after is unknown. */
  readonly whole: boolean;
  readonly lines: readonly NumberedLine[];
}

export type FileSide = 'new' | 'old';

const withoutReturn = (text: string): string => (text.endsWith('\r') ? text.slice(0, -1) : text);

/** The one piece of a file whose text is known. */
export const wholePiece = (text: string): Piece => {
  const body = text.startsWith('\uFEFF') ? text.slice(1) : text;
  return { whole: true, lines: body.split('\n').map((line, index) => ({ line: index + 1, text: withoutReturn(line) })) };
};

const hunkLines = (hunk: Hunk, side: FileSide): NumberedLine[] => {
  const lines: NumberedLine[] = [];
  for (const line of hunk.lines) {
    const number = line[side];
    if (number !== null) lines.push({ line: number, text: withoutReturn(line.text) });
  }
  return lines;
};

/** What the diff alone shows of one side: all of it for an added or deleted file, else a piece for each hunk. */
export const piecesOfDiff = (file: DiffFile, side: FileSide): readonly Piece[] => {
  const complete = file.kind === (side === 'new' ? 'added' : 'deleted') && file.problem === null;
  if (complete) return [{ whole: true, lines: file.hunks.flatMap(hunk => hunkLines(hunk, side)) }];
  return file.hunks.map(hunk => ({ whole: false, lines: hunkLines(hunk, side) }));
};
