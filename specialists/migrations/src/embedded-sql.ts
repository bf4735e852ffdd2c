/**
 * Finds the SQL that a migration in Python, Ruby, JavaScript or PHP hands to the database as a string.
 * The result has the same lines as the source, with everything else blanked, so that places need no translation.
 */
import type { MigrationKind } from './migration-path.ts';

type CodeKind = Exclude<MigrationKind, 'sql'>;

/** What stands before the string. The last character of the match is followed by a quote or a heredoc. */
const CALLS: Readonly<Record<CodeKind, RegExp>> = {
  python:
    /(?:\b(?:op|conn|connection|bind|cursor|schema_editor)\.execute|\bRunSQL)\s?\(\s{0,80}(?:(?:sa\.)?text\(\s{0,80}|sql\s?=\s?|\[\s{0,80})?[rRfFuUbB]{0,2}(?=["'])/g,
  ruby: /\bexecute[ (]{1,2}(?=["']|<<[~-]?["']?[A-Z_])/g,
  script: /(?:\.(?:raw|query|sql|execute|addSql|unsafe)\s?\(\s{0,80}|\bsql\s?)(?=["'`])/g,
  php: /(?:\bDB::(?:statement|unprepared|update|delete)|->(?:addSql|exec|query|statement))\s?\(\s{0,80}(?=["'])/g,
};

interface Piece {
  readonly from: number;
  readonly to: number;
}

/** Index after the closing quote of the string at `at`, and its inside; null when it has no end. */
function readString(text: string, at: number, kind: CodeKind): (Piece & { readonly end: number }) | null {
  const one = text[at] ?? '';
  const quote = kind === 'python' && text.startsWith(one.repeat(3), at) ? one.repeat(3) : one;
  const from = at + quote.length;
  for (let index = from; index < text.length; index += 1) {
    if (text[index] === '\\') index += 1;
    else if (text.startsWith(quote, index)) return { from, to: index, end: index + quote.length };
  }
  return null;
}

/** Index of the next string of a concatenation, or -1. */
function nextString(text: string, from: number, kind: CodeKind): number {
  const joined =
    kind === 'php' ? /\s{0,80}\.\s{0,80}(?=["'])/y : kind === 'script' ? /\s{0,80}\+\s{0,80}(?=["'`])/y : /\s{0,80}[+\\]?\s{0,80}[rRfFuU]?(?=["'])/y;
  joined.lastIndex = from;
  return joined.test(text) ? joined.lastIndex : -1;
}

function readHeredoc(text: string, at: number): (Piece & { readonly end: number }) | null {
  const word = /^<<[~-]?["']?([A-Z_]{1,40})/.exec(text.slice(at, at + 50))?.[1];
  const from = text.indexOf('\n', at) + 1;
  if (word === undefined || from === 0) return null;
  const close = new RegExp(`^[ \\t]*${word}\\b`, 'gm');
  close.lastIndex = from;
  const found = close.exec(text);
  return found === null ? null : { from, to: found.index, end: found.index };
}

/** Pieces of the one SQL text that begins at `at`; empty when it has no end. */
function piecesAt(text: string, at: number, kind: CodeKind): readonly (Piece & { readonly end: number })[] {
  if (text.startsWith('<<', at)) {
    const heredoc = readHeredoc(text, at);
    return heredoc === null ? [] : [heredoc];
  }
  const pieces: (Piece & { readonly end: number })[] = [];
  for (let next = at; next >= 0; ) {
    const piece = readString(text, next, kind);
    if (piece === null) break;
    pieces.push(piece);
    next = nextString(text, piece.end, kind);
  }
  return pieces;
}

const blank = (text: string): string => text.replace(/[^\n]/g, ' ');
const unescape = (text: string): string => text.replace(/\\[nrt"'`\\]/g, escape => (/["'`]/.test(escape) ? ` ${escape[1]}` : '  '));

/** The SQL of a source text; every piece of SQL that stands for itself ends with a semicolon. */
export function embeddedSql(text: string, kind: CodeKind): string {
  const out: string[] = [];
  const calls = new RegExp(CALLS[kind]);
  let at = 0;
  for (let found = calls.exec(text); found !== null; found = calls.exec(text)) {
    const pieces = piecesAt(text, found.index + found[0].length, kind);
    // A string without an end reads to the end of the text; one is enough to know that the rest is not understood.
    if (pieces.length === 0) break;
    for (const { from, to } of pieces) {
      out.push(blank(text.slice(at, from)), unescape(text.slice(from, to)));
      at = to;
    }
    const last = pieces.at(-1);
    out.push(';');
    at += 1;
    calls.lastIndex = Math.max(last?.end ?? at, at);
  }
  return out.join('') + blank(text.slice(at));
}
