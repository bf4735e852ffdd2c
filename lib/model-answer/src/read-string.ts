/**
 * Reads one string of an answer: any kind of quotes, raw line feeds, escapes that JSON does not know,
 * and quotes inside that should have been escaped.
 */
import type { TextNode } from './json-node.ts';
import { closingQuotes, endsString, type StringPlace } from './string-end.ts';
import { doubt, type TextCursor } from './text-cursor.ts';

/** Strings without an end that are read a second time, each at most over the rest of the text. */
const MAX_RESCANS = 4;
const TRIPLE = '"""';

const ESCAPES: Readonly<Record<string, string>> = {
  n: '\n',
  t: '\t',
  r: '\r',
  b: '\b',
  f: '\f',
  '"': '"',
  "'": "'",
  '\\': '\\',
  '/': '/',
  '`': '`',
  '\n': '\n',
};

/** Resolves escapes. One that JSON does not know keeps its backslash: `\d` stays `\d`. */
export function unescapeText(raw: string): string {
  if (!raw.includes('\\')) return raw;
  return raw.replace(/\\(?:u([0-9a-fA-F]{4})|([\s\S]))/g, (whole: string, hex: string | undefined, char: string | undefined) => {
    if (hex !== undefined) return String.fromCharCode(Number.parseInt(hex, 16));
    return ESCAPES[char ?? ''] ?? whole;
  });
}

const LETTER = /\p{L}/u;
/** An apostrophe between letters: nobody takes it for the end of a string. */
const isApostrophe = (text: string, at: number): boolean => /['’]/.test(text[at] ?? '') && LETTER.test(text[at - 1] ?? '') && LETTER.test(text[at + 1] ?? '');

interface StringEnd {
  /** Index of the closing quote, or the length of the text. */
  readonly at: number;
  /** First quote inside that was not taken for the end. */
  readonly refused: number | null;
  readonly guessed: boolean;
}

function findEnd(cursor: TextCursor, closing: string, place: StringPlace): StringEnd {
  const { text, depth } = cursor;
  let refused: number | null = null;
  let guessed = false;
  for (let at = cursor.at + 1; at < text.length; at += 1) {
    const char = text[at] ?? '';
    if (char === '\\') at += 1;
    else if (closing.includes(char)) {
      if (endsString(text, at, place, depth)) return { at, refused, guessed };
      refused ??= at;
      guessed ||= !isApostrophe(text, at);
    }
  }
  return { at: text.length, refused, guessed };
}

/** Reads the text between triple quotes, as Python writes it. */
function readTriple(cursor: TextCursor): TextNode {
  const start = cursor.at;
  const end = cursor.text.indexOf(TRIPLE, start + TRIPLE.length);
  cursor.at = end < 0 ? cursor.text.length : end + TRIPLE.length;
  return { kind: 'text', text: unescapeText(cursor.text.slice(start + TRIPLE.length, end < 0 ? undefined : end)), start, end: cursor.at };
}

/** Reads the string whose opening quote is at the cursor. Undefined when no quote stands there. */
export function readString(cursor: TextCursor, place: StringPlace): TextNode | undefined {
  const { text, at: start } = cursor;
  const closing = closingQuotes(text[start]);
  if (closing === undefined) return undefined;
  if (text.startsWith(TRIPLE, start)) return readTriple(cursor);
  const found = findEnd(cursor, closing, place);
  let end = found.at;
  if (end === text.length && found.refused !== null && cursor.rescans < MAX_RESCANS) {
    cursor.rescans += 1;
    end = found.refused;
  }
  if (found.guessed) doubt(cursor, 'a string holds quotes that are not escaped, so its end is a guess');
  cursor.at = Math.min(text.length, end + 1);
  return { kind: 'text', text: unescapeText(text.slice(start + 1, end)), start, end: cursor.at };
}
