/**
 * The diff model (REV-20e): files, hunks and lines, each line with both its numbers.
 * Text is a string without its line feed. Bytes that are not UTF-8 are kept as lone surrogates U+DC80..U+DCFF
 * (byte value + 0xDC00), so that every input can be rebuilt; see `decodeLossless`.
 */
export type LineKind = 'context' | 'added' | 'removed';

export interface DiffLine {
  readonly kind: LineKind;
  /** 1-based number on the old side; null where the line is not there. */
  readonly old: number | null;
  /** 1-based number on the new side; null where the line is not there. */
  readonly new: number | null;
  readonly text: string;
}

export interface Hunk {
  readonly oldStart: number;
  readonly oldLines: number;
  readonly newStart: number;
  readonly newLines: number;
  readonly lines: readonly DiffLine[];
}

export type FileKind = 'added' | 'deleted' | 'modified' | 'renamed' | 'copied' | 'mode' | 'unparsed';

export interface DiffFile {
  /** Null where the file has no such side. */
  readonly oldPath: string | null;
  readonly newPath: string | null;
  readonly kind: FileKind;
  /** Six octal digits as git prints them; null where the diff does not say. */
  readonly oldMode: string | null;
  readonly newMode: string | null;
  readonly binary: boolean;
  readonly submodule: boolean;
  /** True when the side ends without a line feed. */
  readonly oldNoEol: boolean;
  readonly newNoEol: boolean;
  readonly hunks: readonly Hunk[];
  /** Why a part of this section could not be read (a cut hunk, a malformed header, a size limit); null when all was. */
  readonly problem: string | null;
}

/** What stands for the path of hunks that no header names. */
const UNNAMED = '(unnamed)';

/** The path that a reader knows the file by: the new one, or the old one of a deleted file. */
export const pathOf = (file: DiffFile): string => file.newPath ?? file.oldPath ?? UNNAMED;
