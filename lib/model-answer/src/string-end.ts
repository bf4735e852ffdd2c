/**
 * Decides whether a quote ends a string. Models forget to escape quotes, so a quote counts as the end
 * only if what follows could follow a string at this place. Each decision looks ahead a bounded distance.
 */
import { afterBlank, afterComment, LOOK_AHEAD } from './text-cursor.ts';

/** Where a string stands: as a key, as the value of a key, in a list, or alone. */
export type StringPlace = 'key' | 'member' | 'item';

/** Longest key that is taken for one. */
const MAX_KEY = 80;

/** Opening quotes with the quotes that close them. */
const CLOSING: Readonly<Record<string, string>> = { '"': '"', "'": "'", '`': '`', '“': '”“', '”': '”“', '„': '“”', '‘': '’‘', '’': '’‘' };

export const closingQuotes = (char: string | undefined): string | undefined => (char === undefined ? undefined : CLOSING[char]);

/** Index after blanks and comments, looking ahead a bounded distance. Right behind a quote no comment starts, since code such as `"a"//b` is quoted too. */
function lookPast(text: string, at: number): number {
  const limit = Math.min(text.length, at + LOOK_AHEAD);
  let next = afterBlank(text, at, limit);
  while (text[next] === '/' && closingQuotes(text[next - 1]) === undefined) {
    const past = next + afterComment(text.slice(next, limit), 0);
    if (past === next) return next;
    next = afterBlank(text, past, limit);
  }
  return next;
}

/** A bare key, and a quoted one of one line; both bounded, so that any look ahead is. */
const BARE_KEY = new RegExp(`[\\w$-]{1,${MAX_KEY}}`, 'y');
const restOfKey = (closing: string): RegExp => new RegExp(`[^\\n${closing}]{0,${MAX_KEY}}[${closing}]`, 'y');
const QUOTED_KEYS: Readonly<Record<string, RegExp>> = Object.fromEntries(Object.entries(CLOSING).map(([quote, closing]) => [quote, restOfKey(closing)]));

/** Index behind the key that starts at `at`, its quotes included; undefined when no key stands there. */
export function keyEnd(text: string, at: number): number | undefined {
  const quoted = QUOTED_KEYS[text[at] ?? ''];
  const pattern = quoted ?? BARE_KEY;
  pattern.lastIndex = quoted === undefined ? at : at + 1;
  return pattern.test(text) ? pattern.lastIndex : undefined;
}

/** True when a key and its colon stand at `at`. */
export function keyStandsAt(text: string, at: number): boolean {
  const end = keyEnd(text, at);
  return end !== undefined && text[afterBlank(text, end, end + LOOK_AHEAD)] === ':';
}

/** What may follow the comma after a value of an object. */
function memberFollows(text: string, at: number): boolean {
  const char = text[at];
  return char === undefined || char === '}' || char === ']' || char === '{' || char === ',' || keyStandsAt(text, at);
}

/** What may follow the comma after an item of a list. */
const itemFollows = (char: string | undefined): boolean => char === undefined || /[\]}{["'`“‘\w-]/.test(char);

/** True when the bracket at `at` can be a closing one: outside it the JSON goes on, or ends. */
function bracketCloses(text: string, at: number, depth: number): boolean {
  const brace = lookPast(text, at + 1);
  const next = text[brace];
  if (next === undefined || next === ',' || next === '}' || next === ']') return true;
  if (depth === 1) return closingQuotes(next) === undefined || next === '`';
  return next === '{' && keyStandsAt(text, lookPast(text, brace + 1));
}

/** True when the quote at `at` ends a string that stands at `place`, `depth` brackets deep. */
export function endsString(text: string, at: number, place: StringPlace, depth: number): boolean {
  const next = lookPast(text, at + 1);
  const char = text[next];
  if (char === undefined) return true;
  if (place === 'key') return char === ':';
  if (char === ',') {
    const after = lookPast(text, next + 1);
    return place === 'member' ? memberFollows(text, after) : itemFollows(text[after]);
  }
  if (char === '}' || char === ']') return bracketCloses(text, next, depth);
  if (char === '+') return closingQuotes(text[lookPast(text, next + 1)]) !== undefined;
  return missingComma(text, at, next, place);
}

/** True when the next member or item starts at `next` although no comma stands before it. */
function missingComma(text: string, at: number, next: number, place: StringPlace): boolean {
  if (place === 'member' && closingQuotes(text[next]) !== undefined && keyStandsAt(text, next)) return true;
  if (!text.slice(at, next).includes('\n')) return false;
  return place === 'member' ? keyStandsAt(text, next) : closingQuotes(text[next]) !== undefined;
}
