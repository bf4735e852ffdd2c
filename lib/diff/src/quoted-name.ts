/**
 * File names as diff headers write them: bare, or in double quotes with C escapes (git's core.quotePath, GNU diff).
 * Octal escapes are bytes, so a quoted name is rebuilt as bytes and then decoded without loss.
 */
import { decodeLossless, encodeLossless } from './lossless-text.ts';

const ESCAPES: Readonly<Record<string, number>> = { a: 7, b: 8, t: 9, n: 10, v: 11, f: 12, r: 13, '"': 34, '\\': 92 };

export interface QuotedName {
  readonly name: string;
  /** Index after the closing quote. */
  readonly end: number;
}

/** Reads the quoted name that starts at `start`; undefined when there is no well-formed one. */
export const readQuotedName = (text: string, start: number): QuotedName | undefined => {
  if (text[start] !== '"') return undefined;
  const bytes: number[] = [];
  let i = start + 1;
  while (i < text.length && text[i] !== '"') {
    const next = text[i] === '\\' ? readEscape(text, i, bytes) : readBare(text, i, bytes);
    if (next === undefined) return undefined;
    i = next;
  }
  return i < text.length ? { name: decodeLossless(Uint8Array.from(bytes)), end: i + 1 } : undefined;
};

/** Name in an extended header line, which holds nothing else. */
export const readWholeName = (text: string): string => {
  const quoted = readQuotedName(text, 0);
  return quoted !== undefined && quoted.end === text.length ? quoted.name : text;
};

export interface StampedName {
  readonly name: string;
  /** What follows the name's tab: empty from git, a date from `diff -u`. */
  readonly stamp: string;
}

/** Name of a `---` or `+++` line. A bare name ends at the first tab: git adds one after a name with spaces, `diff -u` a date. */
export const readStampedName = (text: string): StampedName => {
  const quoted = readQuotedName(text, 0);
  if (quoted !== undefined && (quoted.end === text.length || text[quoted.end] === '\t')) {
    return { name: quoted.name, stamp: text.slice(quoted.end + 1) };
  }
  const tab = text.indexOf('\t');
  return tab < 0 ? { name: text, stamp: '' } : { name: text.slice(0, tab), stamp: text.slice(tab + 1) };
};

function readEscape(text: string, at: number, bytes: number[]): number | undefined {
  const octal = text.slice(at + 1, at + 4);
  if (/^[0-3][0-7]{2}$/.test(octal)) {
    bytes.push(Number.parseInt(octal, 8));
    return at + 4;
  }
  const byte = ESCAPES[text[at + 1] ?? ''];
  if (byte === undefined) return undefined;
  bytes.push(byte);
  return at + 2;
}

function readBare(text: string, at: number, bytes: number[]): number {
  let end = at;
  while (end < text.length && text[end] !== '"' && text[end] !== '\\') end += 1;
  for (const byte of encodeLossless(text.slice(at, end))) bytes.push(byte);
  return end;
}
