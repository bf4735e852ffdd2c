/**
 * Judges database migrations: what loses data, what stops a running program, what fails on a table with rows.
 * SQL first; of migrations in code, the SQL that they hand over and the calls that are certain.
 */
import type { Finding } from '@weir/contract';
import { type DiffFile, pathOf } from '@weir/diff';
import type { CheckContext, CheckResult, PartialReading, Specialist } from '@weir/specialist-kit';
import { type Dialect, dialectFiles, dialectOfFile } from './dialect.ts';
import { type Migration, readMigration } from './migration.ts';
import { migrationFindings } from './migration-findings.ts';
import { migrationKindOf } from './migration-path.ts';
import { migrationText } from './migration-text.ts';
import { DATA_RULES } from './rules-data.ts';
import { LOCK_RULES } from './rules-locks.ts';

/** Findings of one file; what lies beyond is counted, and one remark more says nothing new. */
const MAX_FINDINGS_PER_FILE = 200;

const isJudged = (file: DiffFile): boolean => file.kind !== 'deleted' && !file.binary && !file.submodule && migrationKindOf(pathOf(file)) !== null;

async function statedDialect(path: string, readHead: CheckContext['readHead']): Promise<Dialect> {
  for (const file of readHead === undefined ? [] : dialectFiles(path)) {
    const dialect = dialectOfFile((await readHead?.(file)) ?? '');
    if (dialect !== 'unknown') return dialect;
  }
  return 'unknown';
}

/** The one dialect that the change's migrations agree on, for those that do not show theirs. */
function commonDialect(migrations: readonly Migration[]): Dialect {
  const known = new Set(migrations.map(migration => migration.dialect).filter(dialect => dialect !== 'unknown'));
  return known.size === 1 ? ([...known][0] ?? 'unknown') : 'unknown';
}

async function readAll(context: CheckContext): Promise<{ readonly migrations: readonly Migration[]; readonly partial: readonly PartialReading[] }> {
  const migrations: Migration[] = [];
  const partial: PartialReading[] = [];
  for (const file of context.files.filter(isJudged)) {
    if (context.signal.aborted) {
      partial.push({ path: pathOf(file), reason: 'the check of migrations was stopped before this file' });
      continue;
    }
    const stated = await statedDialect(pathOf(file), context.readHead);
    const migration = readMigration(file, await migrationText(file, context.readHead), stated);
    if (migration !== null) migrations.push(migration);
  }
  return { migrations, partial };
}

/** The folder whose migrations run on one database; Prisma and diesel give each migration a folder of its own. */
function seriesOf(path: string): string {
  const folder = path.slice(0, Math.max(0, path.lastIndexOf('/')));
  return /(?:^|\/)(?:migration|up)\.sql$/.test(path) ? folder.slice(0, Math.max(0, folder.lastIndexOf('/'))) : folder;
}

async function check(context: CheckContext): Promise<CheckResult> {
  const { migrations, partial } = await readAll(context);
  const common = commonDialect(migrations);
  const findings: Finding[] = [];
  const unread: PartialReading[] = [...partial];
  // Tools run migrations in the order of their names; a table that an earlier new one creates is empty for the later ones.
  const created = new Map<string, Set<string>>();
  for (const migration of [...migrations].sort((a, b) => (a.path < b.path ? -1 : 1))) {
    const folder = seriesOf(migration.path);
    const earlier = created.get(folder) ?? new Set<string>();
    created.set(folder, earlier);
    const found = migrationFindings(migration, migration.dialect === 'unknown' ? common : migration.dialect, earlier);
    findings.push(...found.findings.slice(0, MAX_FINDINGS_PER_FILE));
    unread.push(...found.partial);
    if (found.findings.length > MAX_FINDINGS_PER_FILE)
      unread.push({ path: migration.path, reason: `${found.findings.length} risks; the first ${MAX_FINDINGS_PER_FILE} are listed` });
    if (migration.file.kind === 'added') for (const table of migration.creates) earlier.add(table);
  }
  return { findings, partial: unread };
}

export const specialist: Specialist = {
  key: 'migrations',
  title: 'Database migrations',
  routingHint: 'Dangerous schema changes: dropped data, locks and rewrites of large tables, required columns, renames, statements without WHERE.',
  review: {
    dimensions: ['database migrations'],
    appliesTo: path => migrationKindOf(path) !== null,
    rules: [...Object.values(DATA_RULES), ...Object.values(LOCK_RULES)],
    check,
  },
};
