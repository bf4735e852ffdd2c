/**
 * What the diff reader reports while it reads: a file's head, its hunks and lines, its end.
 * Nothing here is kept by the reader, so a sink decides what a diff of any size costs in memory.
 */
import type { DiffFile, Hunk, LineKind } from './diff-model.ts';

/** All that a section's header says. `kind` is final: it is reported when the first hunk, or the section's end, is reached. */
export type FileHead = Pick<DiffFile, 'oldPath' | 'newPath' | 'kind' | 'oldMode' | 'newMode' | 'binary' | 'submodule'>;

/** What is known only at the section's end. */
export type FileTail = Pick<DiffFile, 'oldNoEol' | 'newNoEol' | 'problem'>;

/** The numbers of a hunk header. In a combined diff the old side is the first parent. */
export type HunkRange = Omit<Hunk, 'lines'>;

export interface DiffSink {
  startFile(head: FileHead): void;
  startHunk(range: HunkRange): void;
  /** Numbers are 1-based; null where the line is not on that side. The text has neither prefix nor line feed. */
  line(kind: LineKind, oldNumber: number | null, newNumber: number | null, text: string): void;
  endFile(tail: FileTail): void;
}
