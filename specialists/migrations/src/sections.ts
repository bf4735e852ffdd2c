/**
 * What comments say to a migration tool: which part goes forth and which back, and whether a transaction is around it.
 * Tools: goose, sql-migrate, micrate, dbmate, node-pg-migrate, MyBatis Migrations, Play evolutions; Rails and Django for code.
 */
import type { MigrationKind } from './migration-path.ts';
import type { SqlComment } from './sql-token.ts';

const UP = /^(?:\+(?:goose|migrate|micrate)\s+up\b|migrate:up\b|up migration\b|-*\s*!ups\b)/i;
const DOWN = /^(?:\+(?:goose|migrate|micrate)\s+down\b|migrate:down\b|down migration\b|-*\s*!downs\b|\/{0,2}\s*@undo\b)/i;

/** How many of the marks, sorted by line, stand before the line; a binary search, since a hostile script has many of both. */
function countBefore(marks: readonly { readonly line: number }[], line: number): number {
  let low = 0;
  let high = marks.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((marks[middle]?.line ?? Infinity) < line) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Answers for a line whether it belongs to a part for the way back, which is not judged. */
export function rollbackLines(comments: readonly SqlComment[]): (line: number) => boolean {
  const marks = comments.flatMap(({ line, text }) => (UP.test(text) ? [{ line, down: false }] : DOWN.test(text) ? [{ line, down: true }] : []));
  return line => marks[countBefore(marks, line) - 1]?.down ?? false;
}

/** Tools that wrap each script in a transaction unless a comment says otherwise. */
const WRAPPING: readonly { readonly marks: RegExp; readonly unless: RegExp; readonly says: string }[] = [
  { marks: /^\+goose\s+up\b/i, unless: /^\+goose\s+no\s+transaction\b/i, says: 'goose runs a migration in one unless it says `-- +goose NO TRANSACTION`' },
  {
    marks: /^\+migrate\s+up\b/i,
    unless: /^\+migrate\s+up\b.*\bnotransaction\b/i,
    says: 'sql-migrate runs a migration in one unless it says `-- +migrate Up notransaction`',
  },
  {
    marks: /^migrate:up\b/i,
    unless: /^migrate:up\b.*\btransaction\s*:\s*false\b/i,
    says: 'dbmate runs a migration in one unless it says `-- migrate:up transaction:false`',
  },
];

/** Why the whole script runs in a transaction, as the end of a sentence; null when that is not certain. */
export function wrappingTransaction(comments: readonly SqlComment[]): string | null {
  const wrapping = WRAPPING.find(({ marks }) => comments.some(comment => marks.test(comment.text)));
  return wrapping === undefined || comments.some(comment => wrapping.unless.test(comment.text)) ? null : wrapping.says;
}

/** Frameworks that wrap each migration in code, on databases that can, unless its class says otherwise. */
const WRAPPING_CODE: readonly { readonly kind: MigrationKind; readonly marks: RegExp; readonly unless: RegExp; readonly says: string }[] = [
  {
    kind: 'ruby',
    marks: /<\s{0,4}ActiveRecord::Migration\b/,
    unless: /^\s*disable_ddl_transaction!/m,
    says: 'Rails runs a migration in one unless it says `disable_ddl_transaction!`',
  },
  {
    kind: 'python',
    marks: /^class Migration\(migrations\.Migration\)/m,
    unless: /^\s*atomic\s*=\s*False\b/m,
    says: 'Django runs a migration in one unless it says `atomic = False`',
  },
];

/** The same for the whole source of a migration in code. */
export const wrappingCode = (source: string, kind: MigrationKind): string | null =>
  WRAPPING_CODE.find(row => row.kind === kind && row.marks.test(source) && !row.unless.test(source))?.says ?? null;
