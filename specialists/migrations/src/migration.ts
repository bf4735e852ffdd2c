/** One changed migration, read: its text, the statements that go forth, the calls that stand for statements. */
import { type DiffFile, pathOf } from '@weir/diff';
import { type Direction, directions } from './code-direction.ts';
import { type Dialect, dialectOfName, dialectOfTokens } from './dialect.ts';
import { embeddedSql } from './embedded-sql.ts';
import { type MigrationKind, migrationKindOf } from './migration-path.ts';
import type { TextPart } from './migration-text.ts';
import { CREATE_CALL } from './schema-calls.ts';
import { createdTable } from './script-facts.ts';
import { rollbackLines, wrappingCode, wrappingTransaction } from './sections.ts';
import { parseSql, type SqlStatement } from './sql-statement.ts';
import { tokenizeSql } from './sql-token.ts';
import { tableKey } from './token-reader.ts';

export interface MigrationPart extends TextPart {
  /** Lines of the part, those that do not go forth blanked (code only). */
  readonly lines: readonly string[];
  /** Whether a line's direction is not shown (code only). */
  readonly undirected: readonly number[];
  /** Statements that go forth; lines count from the start of the part. */
  readonly statements: readonly SqlStatement[];
  /** Why each statement runs in a transaction, or null when that is not certain. */
  readonly wrapped: string | null;
}

export interface Migration {
  readonly file: DiffFile;
  readonly path: string;
  readonly kind: MigrationKind;
  readonly dialect: Dialect;
  readonly parts: readonly MigrationPart[];
  /** Keys of the tables that it creates. */
  readonly creates: ReadonlySet<string>;
}

/** Words of a source that name a database, beyond those of its SQL. */
const CODE_HINTS: readonly (readonly [Dialect, RegExp])[] = [
  ['postgres', /postgresql|:concurrently|IndexConcurrently|:jsonb|uuid-ossp|pgcrypto/],
  ['mysql', /\bmysql/i],
];

function dialectOfSource(sql: string, source: string, kind: MigrationKind): Dialect {
  const byTokens = dialectOfTokens(tokenizeSql(sql, false).tokens);
  if (byTokens !== 'unknown' || kind === 'sql') return byTokens;
  return CODE_HINTS.find(([, hint]) => hint.test(source))?.[0] ?? 'unknown';
}

/** Lines that go forth, and the numbers of those of which nobody can say. */
function forthLines(part: TextPart, kind: Exclude<MigrationKind, 'sql'>): Pick<MigrationPart, 'lines' | 'undirected'> {
  const lines = part.text.split('\n');
  const start: Direction = part.whole ? 'up' : 'unknown';
  const direction = directions(lines, kind, start);
  return {
    lines: lines.map((line, index) => (direction[index] === 'up' ? line : '')),
    undirected: direction.flatMap((value, index) => (value === 'unknown' ? [index + part.firstLine] : [])),
  };
}

function readPart(part: TextPart, kind: MigrationKind, dialect: Dialect): MigrationPart {
  const { lines, undirected } = kind === 'sql' ? { lines: part.text.split('\n'), undirected: [] } : forthLines(part, kind);
  const sql = kind === 'sql' ? part.text : embeddedSql(lines.join('\n'), kind);
  const script = parseSql(sql, dialect === 'mysql');
  const isRollback = rollbackLines(script.comments);
  return {
    ...part,
    lines,
    undirected,
    statements: script.statements.filter(statement => !isRollback(statement.line)),
    wrapped: wrappingTransaction(script.comments) ?? (part.whole ? wrappingCode(part.text, kind) : null),
  };
}

function createdBy(parts: readonly MigrationPart[], kind: MigrationKind): ReadonlySet<string> {
  const created = new Set<string>();
  for (const part of parts) {
    for (const statement of part.statements) {
      const table = createdTable(statement);
      if (table !== null) created.add(tableKey(table));
    }
    if (kind !== 'sql') for (const call of part.lines.join('\n').matchAll(CREATE_CALL)) created.add(tableKey(call[1] ?? ''));
  }
  return created;
}

/** The migration that a changed file holds; null for every other file. `stated` is the dialect that a tool's own file says. */
export function readMigration(file: DiffFile, parts: readonly TextPart[], stated: Dialect): Migration | null {
  const path = pathOf(file);
  const kind = migrationKindOf(path);
  if (kind === null) return null;
  const source = parts.map(part => part.text).join('\n');
  const own = dialectOfSource(kind === 'sql' ? source : embeddedSql(source, kind), source, kind);
  const dialect = [stated, own, dialectOfName(path)].find(known => known !== 'unknown') ?? 'unknown';
  const read = parts.map(part => readPart(part, kind, dialect));
  return { file, path, kind, dialect, parts: read, creates: createdBy(read, kind) };
}
