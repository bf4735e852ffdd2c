/**
 * A place in the text of an answer, and what was noticed on the way there.
 * All reading functions move one cursor forward; none goes back except for the bounded rescans.
 */
import type { Doubt } from './json-node.ts';

/** Characters that any look ahead may see; bounds the cost of each quote. */
export const LOOK_AHEAD = 256;

export interface TextCursor {
  readonly text: string;
  at: number;
  /** Open brackets around the cursor. */
  depth: number;
  /** How often a string without an end was read again; bounded, so that reading stays linear. */
  rescans: number;
  /** False once no comment end lies ahead, so that it is searched for only once. */
  commentsEnd: boolean;
  readonly doubts: Doubt[];
}

export const cursorAt = (text: string, at: number): TextCursor => ({ text, at, depth: 0, rescans: 0, commentsEnd: true, doubts: [] });

export const doubt = (cursor: TextCursor, what: string): void => {
  cursor.doubts.push({ at: cursor.at, what });
};

/** White space of JSON and of the web: also the no-break space, the BOM and the line separators. */
export const isBlank = (char: string | undefined): boolean =>
  char !== undefined && (char <= ' ' || char === '\u00a0' || char === '\ufeff' || char === '\u2028' || char === '\u2029' || char === '\u3000');

/** Index of the first character from `at` that is not blank; stops at `limit`. */
export function afterBlank(text: string, at: number, limit: number = text.length): number {
  let next = at;
  while (next < limit && isBlank(text[next])) next += 1;
  return next;
}

/** Index after the comment that starts at `at`, or `at` when none does: `//`, `#` to the end of the line, and block comments. */
export function afterComment(text: string, at: number): number {
  const lineComment = text[at] === '#' || text.startsWith('//', at);
  if (!lineComment && !text.startsWith('/*', at)) return at;
  const end = text.indexOf(lineComment ? '\n' : '*/', at + (lineComment ? 0 : 2));
  if (end < 0) return lineComment ? text.length : at;
  return lineComment ? end : end + 2;
}

/** Words of a comment that stands for findings that are not there: `// ... 3 more`. */
const LEFT_OUT = /\.\.\.|…|\b(?:more|omitted|truncated|remaining|rest|skipped|etc)\b/i;
/** Characters of a comment that are looked at. */
const MAX_COMMENT = 200;

/** Moves over blanks and comments. A block comment that never ends is left standing; one that says that something is missing is a doubt. */
export function skipSpace(cursor: TextCursor): void {
  for (;;) {
    cursor.at = afterBlank(cursor.text, cursor.at);
    const block = cursor.text.startsWith('/*', cursor.at);
    if (block && !cursor.commentsEnd) return;
    const next = afterComment(cursor.text, cursor.at);
    if (next === cursor.at) {
      if (block) cursor.commentsEnd = false;
      return;
    }
    if (LEFT_OUT.test(cursor.text.slice(cursor.at, Math.min(next, cursor.at + MAX_COMMENT)))) doubt(cursor, 'a comment says that something was left out');
    cursor.at = next;
  }
}
