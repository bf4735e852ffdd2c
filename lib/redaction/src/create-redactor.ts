/**
 * Takes credentials out of a text, however the other side wrote them: as they are, percent-encoded, in base64, in hex, in
 * JSON's escapes, in lower case (a host name), or a long piece of one (an answer that was cut in its middle).
 */
import { base64Spellings } from './base64-spellings.ts';

export const REDACTED = '[redacted]';

/** The text without any of the secrets; the same text where there is none. */
export type Redact = (text: string) => string;

/** A shorter secret is not looked for: it would be found in ordinary text. */
const MIN_SECRET = 6;
/** A spelling that is shorter after its ends are cut off would be found in ordinary text too. */
const MIN_SPELLING = 8;
/** Pieces are looked for of secrets that are no words: this long at least, and with a digit. */
const MIN_PIECED = 20;
/** Characters of a secret that a piece holds. */
const PIECE = 12;

const hexOf = (text: string): string => Array.from(text, character => character.charCodeAt(0).toString(16).padStart(2, '0')).join('');

const inJson = (text: string): string => JSON.stringify(text).slice(1, -1);

/** A spelling of a secret, and how many of its characters in a row are too many; undefined where only the whole is looked for. */
interface Spelling {
  readonly text: string;
  readonly piece: number | undefined;
}

function spellingsOf(secret: string): readonly Spelling[] {
  const hex = hexOf(secret);
  const pieced = secret.length >= MIN_PIECED && /\d/.test(secret) && !secret.includes(':');
  const as = (text: string, perCharacter: number): Spelling => ({ text, piece: pieced ? Math.ceil(PIECE * perCharacter) : undefined });
  const encoded = [
    ...[secret.toLowerCase(), inJson(secret), encodeURIComponent(secret)].map(text => as(text, 1)),
    ...[hex, hex.toUpperCase()].map(text => as(text, 2)),
    ...base64Spellings(secret).map(text => as(text, 4 / 3)),
  ];
  return [as(secret, 1), ...encoded.filter(({ text }) => text.length >= MIN_SPELLING)];
}

/** Printable characters whose escape JSON does not need. An escaped backslash is passed over, so that what follows it is no escape. */
const ESCAPED = /\\\\|\\u00([2-6][0-9a-f]|7[0-9a-e])|\\\//gi;
/** Also what was escaped twice: an answer may quote an answer. */
const ESCAPED_TWICE = /\\{1,4}u00([2-6][0-9a-f]|7[0-9a-e])|\\{1,4}\//gi;

const unescaped = (text: string, escapes: RegExp): string =>
  text.replace(escapes, (escape, code: string | undefined) => {
    if (code !== undefined) return inJson(String.fromCharCode(Number.parseInt(code, 16)));
    return escape.endsWith('/') ? '/' : escape;
  });

/** Characters from here on in which both texts agree, forwards or backwards. */
function agreement(text: string, at: number, secret: string, from: number, step: 1 | -1): number {
  let count = 0;
  while (from + count * step >= 0 && from + count * step < secret.length && text.charAt(at + count * step) === secret.charAt(from + count * step)) count += 1;
  return count;
}

/** Takes out the pieces of a spelling that hold this block of it. */
function withoutPieces(text: string, { spelling, piece, from, to }: Block): string {
  const needle = spelling.slice(from, to);
  let left = '';
  let copied = 0;
  for (let at = text.indexOf(needle); at >= 0; at = text.indexOf(needle, at + 1)) {
    const before = Math.min(agreement(text, at - 1, spelling, from - 1, -1), at - copied);
    const length = before + agreement(text, at, spelling, from, 1);
    if (length < piece) continue;
    left += text.slice(copied, at - before) + REDACTED;
    copied = at - before + length;
    at = copied - 1;
  }
  return copied === 0 ? text : left + text.slice(copied);
}

interface Block {
  readonly spelling: string;
  readonly piece: number;
  readonly from: number;
  readonly to: number;
}

/** Every piece holds a whole block, if blocks have half its length. */
function blocksOf({ text, piece }: Spelling): readonly Block[] {
  if (piece === undefined) return [];
  const size = Math.floor(piece / 2);
  return Array.from({ length: Math.floor(text.length / size) }, (_, index) => ({ spelling: text, piece, from: index * size, to: (index + 1) * size }));
}

/** @param secrets printable ASCII. Longer spellings are taken out first. */
export function createRedactor(secrets: readonly string[]): Redact {
  const spellings = secrets.filter(secret => secret.length >= MIN_SECRET).flatMap(spellingsOf);
  const distinct = [...new Map(spellings.map(spelling => [spelling.text, spelling])).values()].sort((left, right) => right.text.length - left.text.length);
  const blocks = distinct.flatMap(blocksOf);
  const plain: Redact = text => {
    let clean = text;
    for (const spelling of distinct) if (clean.includes(spelling.text)) clean = clean.replaceAll(spelling.text, REDACTED);
    for (const block of blocks) clean = withoutPieces(clean, block);
    return clean;
  };
  return text => {
    let clean = plain(text);
    if (!text.includes('\\')) return clean;
    for (const escapes of [ESCAPED, ESCAPED_TWICE]) {
      const open = unescaped(clean, escapes);
      const left = open === clean ? clean : plain(open);
      if (left !== open) clean = left;
    }
    return clean;
  };
}
