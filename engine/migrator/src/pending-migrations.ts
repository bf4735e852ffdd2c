/** Which files of a set are still to run, or the sentence that says why none may. Pure: no database, no files. */

export interface Migration {
  /** `0001-audit-log`: unique in its set, sorted like the set. */
  readonly name: string;
  /** One or more statements of PostgreSQL's SQL. */
  readonly sql: string;
}

/** The files of one package. Sets do not depend on each other, so each keeps an order of its own. */
export interface MigrationSet {
  readonly set: string;
  readonly migrations: readonly Migration[];
}

/** What the database remembers of a migration that has run. */
export interface MigrationRecord {
  readonly name: string;
  readonly checksum: string;
}

export type PendingMigrations = { readonly pending: readonly Migration[] } | { readonly refusal: string };

/**
 * The files that have run have to be the first files of the set, unchanged and in the same order.
 * @param checksum of a file's text.
 */
export function pendingMigrations({ set, migrations }: MigrationSet, done: readonly MigrationRecord[], checksum: (sql: string) => string): PendingMigrations {
  const unordered = migrations.find(({ name }, index) => index > 0 && name <= (migrations[index - 1]?.name ?? ''));
  if (unordered !== undefined)
    return { refusal: `The migrations of ${set} are not sorted by unique names: ${unordered.name} stands after a name that is not smaller.` };
  for (const [index, record] of done.entries()) {
    const file = migrations[index];
    if (file?.name === record.name) {
      if (checksum(file.sql) !== record.checksum)
        return { refusal: `Migration ${set}/${file.name} was changed after it ran here. Undo the change; a change of the schema is a new file.` };
    } else {
      return { refusal: misplaced(set, migrations, record, file) };
    }
  }
  return { pending: migrations.slice(done.length) };
}

function misplaced(set: string, migrations: readonly Migration[], record: MigrationRecord, file: Migration | undefined): string {
  if (migrations.some(({ name }) => name === record.name)) {
    return `Migration ${set}/${file?.name ?? ''} is new but stands before ${record.name}, which has run here. New files come last.`;
  }
  if (file === undefined) {
    return `The database has migration ${set}/${record.name}, which this program does not know: a newer version of it was here. Run that version, or restore a backup.`;
  }
  return `Migration ${set}/${record.name} has run here, but its file is missing. Restore it unchanged.`;
}
