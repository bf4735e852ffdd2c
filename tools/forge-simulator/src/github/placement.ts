/**
 * GitHub's rules for the place of an inline comment, checked against the diff that git gives.
 * A comment stands on a line of a hunk, or on a position counted from the file's first hunk header, or on a whole file.
 */
import type { ChangedFile, DiffLine } from '../git/changed-file.ts';
import type { Fields } from '../http/fields.ts';
import { lineOn } from '../state/anchor.ts';
import type { Place } from '../state/change.ts';

/** The place, or GitHub's sentences about what is wrong with it. */
export type Placed = { readonly place: Place } | { readonly errors: readonly string[] };

export interface DiffRange {
  readonly base: string;
  readonly commit: string;
  readonly files: readonly ChangedFile[];
}

const THREAD = 'Pull request review thread';
const NO_HUNK = `${THREAD} diff hunk can't be blank`;

export function placeComment(comment: Fields, range: DiffRange): Placed {
  const file = range.files.find(one => one.path === comment.text('path'));
  if (file === undefined) return { errors: [`${THREAD} path is invalid`, NO_HUNK] };
  if (comment.text('subject_type') === 'file') return { place: wholeFile(file, range) };
  if (comment.number('line') !== undefined) return placeLines(comment, file, range);
  const position = comment.number('position');
  if (position === undefined) return { errors: [`${THREAD} line can't be blank`, NO_HUNK] };
  const line = file.lines.find(one => one.position === position);
  return line === undefined
    ? { errors: [`${THREAD} position is invalid`, NO_HUNK] }
    : { place: { ...wholeFile(file, range), ...onLine(line, line.kind === 'removed' ? 'OLD' : 'NEW') } };
}

const sideOf = (word: string | undefined): 'OLD' | 'NEW' => (word === 'LEFT' ? 'OLD' : 'NEW');

function placeLines(comment: Fields, file: ChangedFile, range: DiffRange): Placed {
  const side = sideOf(comment.text('side'));
  const end = lineOn(file, side, comment.number('line') ?? 0);
  const first = comment.number('start_line');
  const startSide = sideOf(comment.text('start_side') ?? comment.text('side'));
  const start = first === undefined ? undefined : lineOn(file, startSide, first);
  const errors = end === undefined ? [`${THREAD} line must be part of the diff`] : [];
  if (first !== undefined) errors.push(...rangeErrors(start, end));
  if (end === undefined) return { errors: [...errors, NO_HUNK] };
  if (errors.length > 0) return { errors };
  const from = start === undefined ? {} : { startSide, startOldLine: start.oldLine, startNewLine: start.newLine };
  return { place: { ...wholeFile(file, range), ...onLine(end, side), ...from } };
}

function rangeErrors(start: DiffLine | undefined, end: DiffLine | undefined): readonly string[] {
  const apart = `${THREAD} start line must be part of the same hunk as the line.`;
  if (end === undefined) return [apart];
  if (start === undefined) return [`${THREAD} start line must be part of the diff`, apart];
  if (start.hunk !== end.hunk) return [apart];
  return start.position < end.position ? [] : [`${THREAD} start line must precede the end line.`];
}

const wholeFile = (file: ChangedFile, range: DiffRange): Place => ({
  path: file.path,
  oldPath: file.oldPath,
  side: 'NEW',
  oldLine: null,
  newLine: null,
  startOldLine: null,
  startNewLine: null,
  startSide: null,
  base: range.base,
  commit: range.commit,
});

const onLine = (line: DiffLine, side: 'OLD' | 'NEW'): Pick<Place, 'side' | 'oldLine' | 'newLine'> => ({ side, oldLine: line.oldLine, newLine: line.newLine });

/** Joins sentences as GitHub does: `a`, `a and b`, `a, b, and c`. */
export function sentences(errors: readonly string[]): string {
  if (errors.length < 3) return errors.join(' and ');
  return `${errors.slice(0, -1).join(', ')}, and ${errors[errors.length - 1]}`;
}
