/**
 * Anchors: places of a diff that a forge accepts a comment on (REV-17). Every line of a hunk is one, context included.
 */
import type { DiffLine } from './diff-model.ts';
import { type DiffSide, firstSpanFrom, type LineIndex, lineAt, type SideSpan } from './line-index.ts';

/** Lines `line` to `endLine` of one side, all in one hunk; both are equal for a single line. */
export interface Anchor {
  readonly kind: 'anchor';
  readonly side: DiffSide;
  readonly line: number;
  readonly endLine: number;
  /** 0-based index of the hunk in the file. */
  readonly hunk: number;
}

export interface Unanchorable {
  readonly kind: 'unanchorable';
  /** A sentence for people. */
  readonly reason: string;
}

/** 1-based, both ends included. `endLine` is `line` when left out; a range that ends before it starts is turned around. */
export interface LineRange {
  readonly line: number;
  readonly endLine?: number | undefined;
  /** Without a side, the new one is searched in all hunks before the old one. */
  readonly side?: DiffSide | undefined;
}

/** The anchor of a range: clipped to the first hunk that it meets, since no forge takes a range across hunks. */
export const anchorRange = (index: LineIndex, range: LineRange): Anchor | Unanchorable => {
  const end = range.endLine ?? range.line;
  if (!isLineNumber(range.line) || !isLineNumber(end)) return unanchorable('Line numbers are whole numbers from 1 on.');
  const first = Math.min(range.line, end);
  const last = Math.max(range.line, end);
  if (range.side !== 'old') {
    const anchor = clipped(index.new, 'new', first, last);
    if (anchor !== undefined) return anchor;
  }
  const anchor = range.side === 'new' ? undefined : clipped(index.old, 'old', first, last);
  return anchor ?? unanchorable(reasonFor(index, range.side, first, last));
};

/** Both numbers of a diff line, as forges want them: GitLab needs both for a context line. */
export interface LineNumbers {
  readonly old: number | null;
  readonly new: number | null;
}

/** Both numbers of an anchor's first and last line; undefined when the anchor is not from this file's diff. */
export const lineInBoth = (index: LineIndex, anchor: Anchor): { readonly start: LineNumbers; readonly end: LineNumbers } | undefined => {
  const start = lineAt(index, anchor.side, anchor.line);
  const end = lineAt(index, anchor.side, anchor.endLine);
  return start === undefined || end === undefined ? undefined : { start: numbersOf(start), end: numbersOf(end) };
};

const isLineNumber = (value: number): boolean => Number.isSafeInteger(value) && value > 0;

const numbersOf = (line: DiffLine): LineNumbers => ({ old: line.old, new: line.new });

const unanchorable = (reason: string): Unanchorable => ({ kind: 'unanchorable', reason });

function clipped(spans: readonly SideSpan[], side: DiffSide, first: number, last: number): Anchor | undefined {
  const span = spans[firstSpanFrom(spans, first)];
  if (span === undefined || span.first > last) return undefined;
  return { kind: 'anchor', side, line: Math.max(first, span.first), endLine: Math.min(last, span.last), hunk: span.hunk };
}

function reasonFor(index: LineIndex, side: DiffSide | undefined, first: number, last: number): string {
  if (index.file.binary) return 'The file is binary, so its diff has no lines.';
  if (index.file.hunks.length === 0)
    return index.file.problem === null ? 'The diff changes no lines of this file.' : `The diff of this file has no lines: ${index.file.problem}.`;
  const lines = first === last ? `Line ${first} is` : `Lines ${first} to ${last} are`;
  return `${lines} not in the diff${side === undefined ? '' : ` on the ${side} side`}.`;
}
