/**
 * Brings the tables of one package up to date, once, however many processes start at the same time. Each file runs in a
 * transaction of its own together with its row in `weir_migrations`, so it is there wholly or not at all.
 */
import { createHash } from 'node:crypto';
import { AppError } from '@weir/kernel';
import type { SqlPort, SqlSession } from '@weir/ports';
import { type Migration, type MigrationRecord, type MigrationSet, pendingMigrations } from './pending-migrations.ts';

/** The advisory lock of all Weir migrations in a database: the letters `weir` as a number. */
const LOCK = 0x77656972;

const TABLE = `create table if not exists weir_migrations (
  set text not null,
  name text not null,
  checksum text not null,
  applied_at timestamptz not null default now(),
  primary key (set, name)
)`;

/** Line ends do not count, since git may change them on checkout. */
const checksum = (sql: string): string => createHash('sha256').update(sql.replaceAll('\r\n', '\n')).digest('hex');

/**
 * Running it again changes nothing. On a server, hand a port without a statement timeout: a migration may take long, and
 * so may the wait for another process that migrates.
 * @returns the names of the files that this call ran.
 * @throws AppError DATABASE_REFUSED with the name of the file that fails, or with the reason why no file may run.
 */
export async function migrate(database: SqlPort, set: MigrationSet): Promise<readonly string[]> {
  const applied: string[] = [];
  for (;;) {
    const name = await database.transaction(session => applyNext(session, set));
    if (name === undefined) return applied;
    applied.push(name);
  }
}

async function applyNext(session: SqlSession, set: MigrationSet): Promise<string | undefined> {
  await session.query('select pg_advisory_xact_lock($1)', [LOCK]);
  await session.query(TABLE);
  const { rows } = await session.query<MigrationRecord & Record<string, unknown>>(
    'select name, checksum from weir_migrations where set = $1 order by name collate "C"',
    [set.set],
  );
  const next = pendingMigrations(set, rows, checksum);
  if ('refusal' in next) {
    throw new AppError('DATABASE_REFUSED', next.refusal, { next: 'Use the version of Weir that the sentence points to; nothing has been changed.' });
  }
  const [migration] = next.pending;
  if (migration === undefined) return undefined;
  await runScript(session, set.set, migration);
  await session.query('insert into weir_migrations (set, name, checksum) values ($1, $2, $3)', [set.set, migration.name, checksum(migration.sql)]);
  return migration.name;
}

/** A port runs one statement at a time. PL/pgSQL's EXECUTE takes a whole script, so the database itself finds the ends. */
async function runScript(session: SqlSession, set: string, { name, sql }: Migration): Promise<void> {
  try {
    await session.query(`do ${quoted(`begin execute ${quoted(sql, 'script')}; end`, 'block')}`);
  } catch (cause) {
    if (!(cause instanceof AppError)) throw cause;
    throw new AppError(cause.code, `Migration ${set}/${name} failed and was undone. ${cause.message}`, { cause });
  }
}

/** A dollar quotation with a tag that the text does not hold. */
function quoted(text: string, word: string): string {
  let tag = `$${word}$`;
  for (let count = 1; text.includes(tag); count += 1) tag = `$${word}${count}$`;
  return `${tag}${text}${tag}`;
}
