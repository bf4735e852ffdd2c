/**
 * PostgreSQL's text form of an array: `{1,NULL,"a \"b\"",{…}}`, with `[0:2]=` in front where the bounds are unusual.
 * Source: the chapter on arrays of PostgreSQL's manual, 8.15.2 and 8.15.6. Linear in the length of the text.
 */

/** PostgreSQL's own limit of dimensions is 6 (MAXDIM). */
const MAX_DIMENSIONS = 6;

/** @returns undefined when an element cannot travel or the nesting is too deep. */
export function writeSqlArray(values: readonly unknown[], encode: (value: unknown) => string | null | undefined, depth = 1): string | undefined {
  if (depth > MAX_DIMENSIONS) return undefined;
  const parts: string[] = [];
  for (const value of values) {
    const text = Array.isArray(value) ? writeSqlArray(value, encode, depth + 1) : encode(value);
    if (text === undefined) return undefined;
    if (text === null) parts.push('NULL');
    else parts.push(Array.isArray(value) ? text : `"${text.replace(/["\\]/g, '\\$&')}"`);
  }
  return `{${parts.join(',')}}`;
}

interface Element {
  readonly text: string;
  /** A bare NULL is the null value; a quoted one is the text. */
  readonly quoted: boolean;
  readonly next: number;
}

function readQuoted(text: string, start: number): Element {
  let element = '';
  let from = start + 1;
  let at = from;
  while (at < text.length && text.charAt(at) !== '"') {
    if (text.charAt(at) === '\\') {
      element += text.slice(from, at);
      from = at + 1;
      at += 1;
    }
    at += 1;
  }
  return { text: element + text.slice(from, at), quoted: true, next: at + 1 };
}

function readBare(text: string, start: number): Element {
  let at = start;
  while (at < text.length && text.charAt(at) !== ',' && text.charAt(at) !== '}') at += 1;
  return { text: text.slice(start, at), quoted: false, next: at };
}

/** Reads what the database wrote; elements go through `decode`, a bare NULL is null. */
export function readSqlArray(text: string, decode: (element: string) => unknown): unknown[] {
  const whole: unknown[] = [];
  const open: unknown[][] = [whole];
  let at = Math.max(text.indexOf('{'), 0);
  while (at < text.length) {
    const character = text.charAt(at);
    if (character === '{') open.push([]);
    else if (character === '}') open.at(-2)?.push(open.pop());
    else if (character !== ',') {
      const element = character === '"' ? readQuoted(text, at) : readBare(text, at);
      open.at(-1)?.push(!element.quoted && element.text === 'NULL' ? null : decode(element.text));
      at = element.next - 1;
    }
    at += 1;
  }
  const [array] = whole;
  return Array.isArray(array) ? (array as unknown[]) : [];
}
