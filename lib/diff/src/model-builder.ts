/**
 * A sink that builds the diff model. A file's lines can be dropped while it is read, which leaves its head and end.
 */
import type { DiffSink, FileHead, FileTail, HunkRange } from './diff-events.ts';
import type { DiffFile, DiffLine, Hunk } from './diff-model.ts';

export interface ModelBuilder extends DiffSink {
  /** The files that are complete. */
  readonly files: DiffFile[];
  /** Forgets the lines of the file being read, those still to come included. */
  dropHunks(): void;
}

export const createModelBuilder = (): ModelBuilder => {
  const files: DiffFile[] = [];
  let head: FileHead | null = null;
  let hunks: Hunk[] = [];
  let lines: DiffLine[] = [];
  let keeping = true;
  return {
    files,
    startFile: fileHead => {
      head = fileHead;
      hunks = [];
      keeping = true;
    },
    startHunk: (range: HunkRange) => {
      lines = [];
      if (keeping) hunks.push({ oldStart: range.oldStart, oldLines: range.oldLines, newStart: range.newStart, newLines: range.newLines, lines });
    },
    line: (kind, oldNumber, newNumber, text) => {
      if (keeping) lines.push({ kind, old: oldNumber, new: newNumber, text });
    },
    endFile: tail => {
      if (head !== null) files.push(fileFrom(head, tail, hunks));
      head = null;
    },
    dropHunks: () => {
      keeping = false;
      hunks = [];
      lines = [];
    },
  };
};

/** Field by field: spreading costs twice the memory, and there can be many files. */
function fileFrom(head: FileHead, tail: FileTail, hunks: readonly Hunk[]): DiffFile {
  return {
    oldPath: head.oldPath,
    newPath: head.newPath,
    kind: head.kind,
    oldMode: head.oldMode,
    newMode: head.newMode,
    binary: head.binary,
    submodule: head.submodule,
    oldNoEol: tail.oldNoEol,
    newNoEol: tail.newNoEol,
    hunks,
    problem: tail.problem,
  };
}
