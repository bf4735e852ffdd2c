/**
 * One changed file as the planner sees it: its header and the pieces that a call may take.
 */
import { type DiffFile, pathOf } from '@weir/diff';
import type { CountTokens } from './estimate-tokens.ts';
import { fileHeader, type Piece, piecesOf } from './render-file.ts';

export interface FileSection {
  readonly file: DiffFile;
  readonly path: string;
  readonly header: string;
  readonly headerTokens: number;
  /** Empty for a file that one line describes: binary, deleted, or without any changed line. */
  readonly pieces: readonly Piece[];
}

const removedLines = (file: DiffFile): number => file.hunks.reduce((sum, hunk) => sum + hunk.oldLines, 0);

/** @param tokensPerCall tokens that one call has for the diff. */
export function fileSection(file: DiffFile, tokensPerCall: number, countTokens: CountTokens): FileSection {
  const gone = file.kind === 'deleted';
  const header = gone ? `${fileHeader(file)} ${removedLines(file)} lines, not shown` : fileHeader(file);
  const headerTokens = countTokens(`${header}\n`);
  const pieces = gone || file.binary ? [] : piecesOf(file, { tokens: tokensPerCall - headerTokens, countTokens });
  return { file, path: pathOf(file), header, headerTokens, pieces };
}

/** The section without the pieces that only remove lines. */
export const withoutRemovals = (section: FileSection): FileSection => ({ ...section, pieces: section.pieces.filter(piece => !piece.removalsOnly) });
