/**
 * Collects a streamed diff into the model within limits. What is too large keeps its head and its counts,
 * and says which limit it passed (REV-14).
 */
import type { FileHead } from './diff-events.ts';
import type { DiffFile } from './diff-model.ts';
import { createDiffReader } from './diff-reader.ts';
import { losslessByteLength } from './lossless-text.ts';
import { createModelBuilder } from './model-builder.ts';

/** Both in bytes of line content: each line's text and one line feed. */
export interface DiffLimits {
  /** A file with more keeps no lines. */
  readonly maxFileBytes: number;
  /** Files are kept in order while they fit; one that does not fit leaves room for later, smaller ones. */
  readonly maxDiffBytes: number;
}

export interface CollectedFile {
  readonly file: DiffFile;
  /** Exact also where the lines were not kept. */
  readonly added: number;
  readonly removed: number;
  readonly bytes: number;
}

export interface DiffCollector {
  push(chunk: string): void;
  end(): CollectedFile[];
}

export const collectDiff = (limits: DiffLimits): DiffCollector => {
  const builder = createModelBuilder();
  /** One text for all files: there can be many. */
  const diffProblem = `the diff is larger than the limit of ${limits.maxDiffBytes} bytes in all; the lines of this file are left out`;
  const collected: CollectedFile[] = [];
  let kept = 0;
  let count = { added: 0, removed: 0, bytes: 0 };
  const reader = createDiffReader({
    startFile: head => {
      count = { added: 0, removed: 0, bytes: 0 };
      builder.startFile(detached(head));
    },
    startHunk: range => builder.startHunk(range),
    line: (kind, oldNumber, newNumber, text) => {
      if (kind !== 'context') count[kind] += 1;
      count.bytes += losslessByteLength(text) + 1;
      if (count.bytes <= limits.maxFileBytes && kept + count.bytes <= limits.maxDiffBytes) builder.line(kind, oldNumber, newNumber, text);
      else builder.dropHunks();
    },
    endFile: tail => {
      const tooLarge = count.bytes > limits.maxFileBytes ? fileProblem(count.bytes, limits) : kept + count.bytes > limits.maxDiffBytes ? diffProblem : null;
      if (tooLarge === null) kept += count.bytes;
      builder.endFile({ ...tail, problem: tooLarge ?? tail.problem });
      collected.push(...builder.files.splice(0).map(file => ({ file, added: count.added, removed: count.removed, bytes: count.bytes })));
    },
  });
  return {
    push: chunk => reader.push(chunk),
    end: () => {
      reader.end();
      return collected;
    },
  };
};

const fileProblem = (bytes: number, { maxFileBytes }: DiffLimits): string =>
  `its diff has ${bytes} bytes, more than the limit of ${maxFileBytes} for one file; its lines are left out`;

/** Paths cut from a chunk would keep the whole chunk in memory, and with them a diff of any size. */
function detached(head: FileHead): FileHead {
  const copy = (text: string | null): string | null => (text === null ? null : ` ${text}`.slice(1));
  return { ...head, oldPath: copy(head.oldPath), newPath: copy(head.newPath) };
}
