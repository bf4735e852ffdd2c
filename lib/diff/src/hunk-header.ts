/**
 * Hunk headers: `@@ -a,b +c,d @@` and, with n parents, `@@@ -a,b -c,d +e,f @@@` (n + 1 at signs).
 * An omitted count is 1. Whatever follows the closing at signs is a hint for people and is not read.
 */

export interface LineSpan {
  readonly start: number;
  readonly count: number;
}

export interface HunkHeader {
  /** One span a parent; a plain diff has one. */
  readonly parents: readonly [LineSpan, ...LineSpan[]];
  readonly result: LineSpan;
}

const AT = 64;
const ZERO = 48;
const NINE = 57;
const COMMA = 44;

/** Undefined when the line is not a hunk header that can be counted with exactly. */
export const parseHunkHeader = (line: string): HunkHeader | undefined => {
  let ats = 0;
  while (line.charCodeAt(ats) === AT) ats += 1;
  const cursor = { line, at: ats };
  const first = readSpan(cursor, ' -');
  if (ats < 2 || first === undefined) return undefined;
  const parents: [LineSpan, ...LineSpan[]] = [first];
  while (parents.length < ats - 1) {
    const parent = readSpan(cursor, ' -');
    if (parent === undefined) return undefined;
    parents.push(parent);
  }
  const result = readSpan(cursor, ' +');
  if (result === undefined || !line.startsWith(` ${line.slice(0, ats)}`, cursor.at)) return undefined;
  return { parents, result };
};

interface Cursor {
  readonly line: string;
  at: number;
}

function readSpan(cursor: Cursor, sign: ' -' | ' +'): LineSpan | undefined {
  if (!cursor.line.startsWith(sign, cursor.at)) return undefined;
  cursor.at += sign.length;
  const start = readNumber(cursor);
  let count: number | undefined = 1;
  if (cursor.line.charCodeAt(cursor.at) === COMMA) {
    cursor.at += 1;
    count = readNumber(cursor);
  }
  if (start === undefined || count === undefined || !Number.isSafeInteger(start + count)) return undefined;
  return start === 0 && count > 0 ? undefined : { start, count };
}

function readNumber(cursor: Cursor): number | undefined {
  const from = cursor.at;
  let value = 0;
  for (;;) {
    const code = cursor.line.charCodeAt(cursor.at);
    if (!(code >= ZERO && code <= NINE)) break;
    value = value * 10 + code - ZERO;
    cursor.at += 1;
  }
  return cursor.at > from && Number.isSafeInteger(value) ? value : undefined;
}
