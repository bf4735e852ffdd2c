/**
 * A tolerant reader of JSON as language models write it: linear in the length of the text, bounded in depth.
 * It never throws; what it had to guess is listed, and what the end of the text cut off is marked.
 */
import type { ArrayNode, Doubt, Ending, Entry, JsonNode, LiteralNode, ObjectNode } from './json-node.ts';
import { readString, unescapeText } from './read-string.ts';
import { closingQuotes, keyEnd, keyStandsAt, type StringPlace } from './string-end.ts';
import { afterBlank, cursorAt, doubt, skipSpace, type TextCursor } from './text-cursor.ts';

/** Brackets inside brackets; a finding needs four. */
const MAX_DEPTH = 64;

const WORDS: Readonly<Record<string, LiteralNode['value']>> = { true: true, false: false, null: null, none: null, nil: null, undefined: null, nan: null };
const NUMBER = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/;

export interface JsonReading {
  readonly node: ObjectNode | ArrayNode;
  readonly doubts: readonly Doubt[];
}

/** Reads the object or list whose bracket stands at `at`. */
export function readJsonAt(text: string, at: number): JsonReading {
  const cursor = cursorAt(text, at);
  const node = text[at] === '{' ? readObject(cursor) : readArray(cursor);
  return { node, doubts: cursor.doubts };
}

function readObject(cursor: TextCursor): ObjectNode {
  const start = cursor.at;
  const entries: Entry[] = [];
  let prose = false;
  cursor.at += 1;
  cursor.depth += 1;
  let ending = endingAt(cursor, '}', ']');
  while (ending === undefined) {
    const entry = readEntry(cursor);
    if (entry !== undefined) entries.push(entry);
    else prose = skipWord(cursor) || prose;
    ending = endingAt(cursor, '}', ']');
  }
  cursor.depth -= 1;
  return { kind: 'object', entries, ending, prose, start, end: cursor.at };
}

function readArray(cursor: TextCursor): ArrayNode {
  const start = cursor.at;
  const items: JsonNode[] = [];
  cursor.at += 1;
  cursor.depth += 1;
  let ending = endingAt(cursor, ']', '}');
  while (ending === undefined) {
    const item = readValue(cursor, 'item');
    if (item !== undefined) items.push(item);
    else skipWord(cursor);
    ending = endingAt(cursor, ']', '}');
  }
  cursor.depth -= 1;
  return { kind: 'array', items, ending, start, end: cursor.at };
}

/** Moves over commas; says how the open bracket ends here, if it does. The parent's bracket is left to the parent. */
function endingAt(cursor: TextCursor, own: string, parents: string): Ending | undefined {
  skipSpace(cursor);
  while (cursor.text[cursor.at] === ',' || cursor.text[cursor.at] === ';') {
    cursor.at += 1;
    skipSpace(cursor);
  }
  const char = cursor.text[cursor.at];
  if (char === undefined) return 'eof';
  if (char === parents) {
    doubt(cursor, 'a closing bracket is missing or one is too many');
    return 'mismatch';
  }
  if (char !== own) return undefined;
  cursor.at += 1;
  return 'closed';
}

/** Reads a key and its value, or a value that stands without a key; undefined when neither is there. */
function readEntry(cursor: TextCursor): Entry | undefined {
  const char = cursor.text[cursor.at];
  if (char === '{' || char === '[') {
    doubt(cursor, 'a value stands where a key has to be');
    const value = readValue(cursor, 'member');
    return value && { key: '', plain: '', quoted: false, value };
  }
  if (!keyStandsAt(cursor.text, cursor.at)) return undefined;
  const quoted = closingQuotes(char) !== undefined;
  const end = keyEnd(cursor.text, cursor.at) ?? cursor.at;
  const key = quoted ? unescapeText(cursor.text.slice(cursor.at + 1, end - 1)) : cursor.text.slice(cursor.at, end);
  const plain = key.toLowerCase().replace(/[\s_-]/g, '');
  cursor.at = afterBlank(cursor.text, end) + 1;
  skipSpace(cursor);
  const value = readValue(cursor, 'member');
  if (value !== undefined) return { key, plain, quoted, value };
  doubt(cursor, 'a key has no value');
  return { key, plain, quoted, value: { kind: 'literal', value: null, start: cursor.at, end: cursor.at } };
}

function readValue(cursor: TextCursor, place: StringPlace): JsonNode | undefined {
  const char = cursor.text[cursor.at];
  if (char === '{' || char === '[') {
    if (cursor.depth < MAX_DEPTH) return char === '{' ? readObject(cursor) : readArray(cursor);
    doubt(cursor, `brackets are nested deeper than ${MAX_DEPTH}, so the rest was not read`);
    cursor.at = cursor.text.length;
    return undefined;
  }
  if (cursor.text.startsWith('```', cursor.at)) return undefined;
  return readJoinedStrings(cursor, place) ?? readBare(cursor);
}

/** One string, or several that `+` joins. */
function readJoinedStrings(cursor: TextCursor, place: StringPlace): JsonNode | undefined {
  const first = readString(cursor, place);
  if (first === undefined) return undefined;
  const parts = [first.text];
  for (;;) {
    const after = cursor.at;
    skipSpace(cursor);
    if (cursor.text[cursor.at] !== '+') {
      cursor.at = after;
      return { ...first, text: parts.join(''), end: after };
    }
    cursor.at += 1;
    skipSpace(cursor);
    const more = readString(cursor, place);
    if (more !== undefined) parts.push(more.text);
  }
}

/** A number, a word such as `null`, or text without quotes up to the next comma, bracket, quote or line end. */
function readBare(cursor: TextCursor): JsonNode | undefined {
  const start = cursor.at;
  const { text } = cursor;
  let end = start;
  while (end < text.length && !',;{}[]"\n'.includes(text[end] ?? '') && !text.startsWith(' //', end) && !text.startsWith(' /*', end)) end += 1;
  const word = text.slice(start, end).trim();
  if (word === '') return undefined;
  cursor.at = end;
  const literal = NUMBER.test(word) ? Number(word) : WORDS[word.toLowerCase()];
  if (literal !== undefined) return { kind: 'literal', value: literal, start, end };
  if (/\s/.test(word)) doubt(cursor, 'text stands without quotes, so its end is a guess');
  return { kind: 'text', text: word, start, end };
}

/** Moves over something that is no JSON, at least one character. True, since it is prose. */
function skipWord(cursor: TextCursor): true {
  doubt(cursor, 'something stands between the values that is not JSON');
  const { text } = cursor;
  cursor.at += 1;
  while (/[^\s,:;{}[\]"'`“”]/.test(text[cursor.at] ?? ' ')) cursor.at += 1;
  return true;
}
