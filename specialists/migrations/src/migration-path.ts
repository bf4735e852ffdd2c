/**
 * Which paths hold migrations, of what kind, and in which direction they go.
 * Conventions of: Flyway, Liquibase, golang-migrate, goose, dbmate, sqitch, diesel, sqlx, Prisma, Drizzle, Supabase, Rails, Alembic,
 * Django, Knex, TypeORM, Sequelize, node-pg-migrate, Laravel.
 */
export type MigrationKind = 'sql' | 'ruby' | 'python' | 'script' | 'php';

const MIGRATION_FOLDER = /(?:^|\/)(?:migrations?|migrate|db-?migrations?|schema[_-]?migrations?|flyway|liquibase|changelogs?|drizzle|deltas?)\//i;
/** Flyway's versioned and repeatable scripts, timestamped scripts, and `001_name.up.sql`. */
const MIGRATION_NAME = /(?:^|\/)(?:[VB]\d[\d._]*__[^/]+|R__[^/]+|\d{8,17}[_-][^/]+|\d+[_-][^/]*\.up)\.sql$/;
const DATABASE_FOLDER = /(?:^|\/)(?:db|database|sql|deploy)\//i;
const NUMBERED = /(?:^|\/)\d{3,}[._-][^/]+\.sql$/;

/** Dumps and seeds describe a whole database; they are not run against one that is in use. */
const NOT_A_STEP =
  /(?:^|\/)(?:schema|structure|dump|seeds?|init|fixtures?|sample[^/]*|test[^/]*)\.sql$|(?:^|\/)(?:seeds?|fixtures?|__fixtures__|testdata|tests?|__tests__|spec|node_modules|vendor|examples?|docs?)\//i;

const ROLLBACK =
  /[._-](?:down|undo|rollback|revert)\.sql$|(?:^|\/)(?:down|undo|rollback|revert)\.sql$|(?:^|\/)U\d[\d._]*__[^/]+\.sql$|(?:^|\/)(?:revert|rollbacks?|down|verify|undo)\/[^/]+\.sql$/i;

const CODE: readonly (readonly [MigrationKind, RegExp])[] = [
  ['ruby', /(?:^|\/)(?:db\/(?:\w+_)?migrate|migrate|migrations)\/(?:.*\/)?\d{3,}_[^/]+\.rb$/],
  ['python', /(?:^|\/)(?:migrations\/(?:.*\/)?\d{4}_[^/]+|(?:alembic|migrations|versions)\/(?:.*\/)?versions\/[^/]+|versions\/[0-9a-f]{8,}_[^/]+)\.py$/],
  ['script', /(?:^|\/)(?:db-?)?migrations?\/(?:.*\/)?(?:\d{3,}[._-]?[^/]*|Migration\d+[^/]*)\.[cm]?[jt]s$/i],
  ['php', /(?:^|\/)migrations\/(?:.*\/)?(?:\d{4}_\d{2}_\d{2}_|Version\d+)[^/]*\.php$/],
];

/** What kind of migration a path holds, or null for any other file and for scripts that only go back. */
export function migrationKindOf(path: string): MigrationKind | null {
  if (NOT_A_STEP.test(path) || ROLLBACK.test(path)) return null;
  if (/\.sql$/i.test(path)) {
    const isMigration = MIGRATION_FOLDER.test(path) || MIGRATION_NAME.test(path) || (DATABASE_FOLDER.test(path) && NUMBERED.test(path));
    return isMigration ? 'sql' : null;
  }
  return CODE.find(([, pattern]) => pattern.test(path))?.[0] ?? null;
}
