import type { DiffFile, DiffLine, FileKind } from '@weir/diff';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Finding } from '@weir/contract';
import { verifies } from '@weir/requirements';
import { specialist } from './index.ts';
import { parseSql } from './sql-statement.ts';

/** A change of one file; each line begins with `+`, `-` or a space, as in a diff. */
function changed(path: string, lines: readonly string[], kind: FileKind = 'modified', start = 10): DiffFile {
  let old = start;
  let next = start;
  const parsed: DiffLine[] = lines.map(line => {
    const text = line.slice(1);
    if (line.startsWith('+')) return { kind: 'added', old: null, new: next++, text };
    if (line.startsWith('-')) return { kind: 'removed', old: old++, new: null, text };
    return { kind: 'context', old: old++, new: next++, text };
  });
  const hunk = { oldStart: start, oldLines: old - start, newStart: start, newLines: next - start, lines: parsed };
  const paths = { oldPath: kind === 'added' ? null : path, newPath: path };
  const rest = { oldMode: null, newMode: null, binary: false, submodule: false, oldNoEol: false, newNoEol: false, problem: null };
  return { ...paths, kind, ...rest, hunks: [hunk] };
}
const added = (path: string, text: string): DiffFile =>
  changed(
    path,
    text.split('\n').map(line => `+${line}`),
    'added',
    1,
  );

async function run(files: readonly DiffFile[], heads: Readonly<Record<string, string>> | null = null) {
  const reader = heads === null ? {} : { readHead: (path: string) => Promise.resolve(heads[path]) };
  const shown = files.filter(file => specialist.review?.appliesTo(file.newPath ?? ''));
  const result = await specialist.review?.check?.({ files: shown, signal: { aborted: false }, ...reader });
  for (const finding of result?.findings ?? []) Finding.parse(finding);
  return { findings: result?.findings ?? [], partial: result?.partial ?? [] };
}
const brief = async (file: DiffFile, heads: Readonly<Record<string, string>> | null = null) =>
  (await run([file], heads)).findings.map(found => `${found.rule.slice(11)} ${found.severity} ${found.line}-${found.endLine}`);

// path, text of an added file, expected `rule severity line-endLine` in order
type Case = readonly [path: string, text: string, ...expected: string[]];
const PG = 'db/postgres/migrations/001_a.sql';
const MY = 'db/mysql/migrations/001_a.sql';
const ANY = 'migrations/001_a.sql';

const drops: readonly Case[] = [
  [ANY, 'DROP TABLE users;', 'drop-table blocker 1-1'],
  [ANY, 'drop table if exists public."Users", orders cascade;', 'drop-table blocker 1-1', 'drop-table blocker 1-1'],
  [ANY, 'CREATE TEMP TABLE t AS SELECT 1;\nDROP TABLE t;'],
  [ANY, 'DROP TABLE IF EXISTS users;\nCREATE TABLE users (id int);', 'drop-table major 1-1'],
  [
    'prisma/migrations/1_a/migration.sql',
    'CREATE TABLE "new_User" (id int);\nINSERT INTO "new_User" SELECT * FROM "User";\nDROP TABLE "User";\nALTER TABLE "new_User" RENAME TO "User";',
  ],
  [ANY, 'DROP VIEW v;\nDROP INDEX i;\nDROP TYPE t;\nDROP FUNCTION f;\nDROP TRIGGER t ON users;\nDROP TEMPORARY TABLE x;'],
  [ANY, 'DROP DATABASE app;', 'drop-database blocker 1-1'],
  [ANY, 'DROP SCHEMA billing CASCADE;', 'drop-database blocker 1-1'],
  [PG, 'DROP SCHEMA billing;'],
  [MY, 'DROP SCHEMA billing;', 'drop-database blocker 1-1'],
  [ANY, 'TRUNCATE TABLE sessions;', 'truncate blocker 1-1'],
  [ANY, 'TRUNCATE a, b RESTART IDENTITY CASCADE;', 'truncate blocker 1-1'],
  [ANY, 'CREATE TABLE a (id int);\nTRUNCATE a;'],
  [ANY, 'ALTER TABLE users DROP COLUMN phone;', 'drop-column major 1-1'],
  [ANY, 'ALTER TABLE users\n  DROP COLUMN IF EXISTS phone,\n  DROP fax CASCADE;', 'drop-column major 2-2', 'drop-column major 3-3'],
  [MY, 'ALTER TABLE `users` DROP `phone`;', 'drop-column major 1-1'],
  [ANY, 'ALTER TABLE users DROP CONSTRAINT c;\nALTER TABLE users DROP PRIMARY KEY;\nALTER TABLE users DROP INDEX i, DROP FOREIGN KEY k;'],
  [ANY, 'ALTER TABLE users ALTER COLUMN a DROP NOT NULL;\nALTER TABLE users ALTER COLUMN a DROP DEFAULT;'],
  [
    'prisma/migrations/1_a/migration.sql',
    '/*\n  You are about to drop the column `age` on the `User` table.\n*/\nALTER TABLE "User" DROP COLUMN "age",\nADD COLUMN "age" INTEGER;',
    'drop-column major 4-4',
  ],
  [ANY, 'ALTER TABLE users ADD COLUMN tmp int;\nALTER TABLE users DROP COLUMN tmp;'],
  ['migrations/001_a.down.sql', 'DROP TABLE users;'],
  ['migrations/2024_a/down.sql', 'DROP TABLE users;'],
  ['db/U1__undo.sql', 'DROP TABLE users;'],
  ['migrations/001_a.sql', '-- +goose Up\nSELECT 1;\n-- +goose Down\nDROP TABLE users;'],
  ['migrations/001_a.sql', '-- migrate:up\nSELECT 1;\n-- migrate:down\nDROP TABLE users;'],
  ['migrations/001_a.sql', '--liquibase formatted sql\n--changeset a:1\nSELECT 1;\n--rollback DROP TABLE users;'],
  ['src/queries.sql', 'DROP TABLE users;'],
  ['db/schema.sql', 'DROP TABLE users;'],
  ['test/migrations/001_a.sql', 'DROP TABLE users;'],
  ['V2__drop.sql', 'DROP TABLE users;', 'drop-table blocker 1-1'],
  ['supabase/migrations/20240101000000_a.sql', 'DROP TABLE users;', 'drop-table blocker 1-1'],
];

const rows: readonly Case[] = [
  [ANY, "UPDATE users SET plan = 'free';", 'update-without-where major 1-1'],
  [ANY, "UPDATE users AS u\nSET plan = 'a;b'\n;", 'update-without-where major 1-2'],
  [ANY, 'UPDATE users SET a = (SELECT x FROM y WHERE y.id = users.id);', 'update-without-where major 1-1'],
  [ANY, "UPDATE users SET plan = 'free' WHERE plan IS NULL;\nUPDATE users JOIN orders ON a = b SET c = 1;\nUPDATE users SET a = 1 LIMIT 100;"],
  [ANY, "ALTER TABLE users ADD COLUMN plan text;\nUPDATE users SET plan = 'free';", 'update-without-where minor 2-2'],
  [ANY, 'CREATE TABLE t (id int);\nUPDATE t SET id = 1;\nDELETE FROM t;'],
  [ANY, 'INSERT INTO t VALUES (1) ON CONFLICT (id) DO UPDATE SET a = 1;\nINSERT INTO t VALUES (1) ON DUPLICATE KEY UPDATE a = 1;'],
  [ANY, 'WITH x AS (SELECT 1)\nUPDATE users SET a = 1 FROM x;', 'update-without-where major 2-2'],
  [ANY, 'WITH gone AS (DELETE FROM a RETURNING *) INSERT INTO b SELECT * FROM gone;'],
  [ANY, 'DELETE FROM sessions;', 'delete-without-where major 1-1'],
  [ANY, 'DELETE FROM sessions WHERE true;\nDELETE FROM a USING b WHERE a.id = b.id;\nDELETE FROM t LIMIT 10;'],
  [PG, 'CREATE FUNCTION f() RETURNS void AS $$\nBEGIN\n  DELETE FROM sessions;\n  UPDATE a SET b = 1;\nEND;\n$$ LANGUAGE plpgsql;'],
  [PG, "DO $do$ BEGIN DROP TABLE x; END $do$;\nSELECT 'DROP TABLE x;';\n-- DROP TABLE x;\n/* DROP TABLE x; /* nested */; DROP TABLE y; */"],
  [MY, 'DELIMITER //\nCREATE PROCEDURE p() BEGIN DELETE FROM t; UPDATE t SET a = 1; END//\nDELIMITER ;\nDELETE FROM s;', 'delete-without-where major 4-4'],
  [
    ANY,
    'CREATE TRIGGER t AFTER INSERT ON a BEGIN\n  UPDATE b SET c = CASE WHEN 1 THEN 2 END;\n  DELETE FROM d;\nEND;\nDELETE FROM s;',
    'delete-without-where major 5-5',
  ],
  [
    'migrations/001_a.sql',
    '-- +goose Up\n-- +goose StatementBegin\nBEGIN; DELETE FROM t; END;\n-- +goose StatementEnd\nDELETE FROM s;',
    'delete-without-where major 5-5',
  ],
  [MY, "SELECT 'it\\'s; DELETE FROM t;';\nDELETE FROM s;", 'delete-without-where major 2-2'],
  [PG, "SELECT E'it\\'s; DELETE FROM t;', 'a\\';\nDELETE FROM s;", 'delete-without-where major 2-2'],
  [PG, 'COPY t FROM stdin;\n1\tDELETE FROM x;\n\\.\n\nDELETE FROM s;', 'delete-without-where major 5-5'],
];

const columns: readonly Case[] = [
  [PG, 'ALTER TABLE users ADD COLUMN plan text NOT NULL;', 'not-null-without-default major 1-1'],
  [PG, 'ALTER TABLE ONLY public.users\n  ADD COLUMN a int,\n  ADD b varchar(20)\n    NOT NULL;', 'not-null-without-default major 3-4'],
  [PG, "ALTER TABLE users ADD COLUMN plan text NOT NULL DEFAULT 'free';\nALTER TABLE users ADD COLUMN a int;"],
  [PG, 'CREATE TABLE users (id int);\nALTER TABLE users ADD COLUMN plan text NOT NULL;'],
  [MY, 'ALTER TABLE `users` ADD COLUMN `a` INT NOT NULL AFTER `b`;', 'not-null-without-default minor 1-1'],
  [MY, 'ALTER TABLE users ADD (a INT NOT NULL, b INT);', 'not-null-without-default minor 1-1'],
  [ANY, 'PRAGMA foreign_keys = 1;\nALTER TABLE users ADD COLUMN a INT NOT NULL;', 'not-null-without-default major 2-2'],
  [PG, 'ALTER TABLE users ADD COLUMN a int GENERATED ALWAYS AS (b + 1) STORED NOT NULL;', 'volatile-default major 1-1'],
  [PG, 'ALTER TABLE users ADD COLUMN id bigserial NOT NULL;', 'volatile-default major 1-1'],
  [PG, 'ALTER TABLE users ADD COLUMN t uuid NOT NULL DEFAULT gen_random_uuid();', 'volatile-default major 1-1'],
  [
    PG,
    'ALTER TABLE users ADD COLUMN t timestamptz DEFAULT clock_timestamp(), ADD r float DEFAULT (random() * 2);',
    'volatile-default major 1-1',
    'volatile-default major 1-1',
  ],
  [PG, "ALTER TABLE users ADD COLUMN t timestamptz NOT NULL DEFAULT now(), ADD COLUMN u timestamp DEFAULT CURRENT_TIMESTAMP, ADD c jsonb DEFAULT '{}'::jsonb;"],
  [MY, 'ALTER TABLE users ADD COLUMN t CHAR(36) DEFAULT (uuid());'],
  [PG, 'ALTER TABLE users ADD COLUMN code text UNIQUE;', 'constraint-without-not-valid major 1-1'],
  [PG, 'ALTER TABLE users ALTER COLUMN email SET NOT NULL;', 'set-not-null major 1-1'],
  [PG, 'ALTER TABLE users VALIDATE CONSTRAINT c;\nALTER TABLE users ALTER email SET NOT NULL;'],
  [PG, 'ALTER TABLE users ALTER COLUMN email SET NOT NULL;\nALTER TABLE users DROP CONSTRAINT email_present;'],
  [PG, 'ALTER TABLE events ALTER COLUMN id TYPE bigint;', 'change-column-type major 1-1'],
  [PG, 'ALTER TABLE events ALTER id SET DATA TYPE uuid USING id::uuid;', 'change-column-type major 1-1'],
  [PG, 'ALTER TABLE "User" ALTER COLUMN "role" TYPE "Role_new" USING ("role"::text::"Role_new");', 'change-column-type major 1-1'],
  [
    PG,
    'ALTER TABLE a ALTER b TYPE text;\nALTER TABLE a ALTER b TYPE varchar(255);\nALTER TABLE a ALTER b TYPE numeric(12, 2);\nALTER TABLE a ALTER b TYPE timestamptz;\nALTER TABLE a ALTER b TYPE text USING b::text;',
  ],
  [PG, "ALTER TABLE a ALTER b TYPE timestamptz USING b AT TIME ZONE 'UTC';", 'change-column-type major 1-1'],
  [ANY, 'ALTER TABLE users RENAME COLUMN mail TO email;', 'rename major 1-1'],
  [ANY, 'ALTER TABLE users RENAME mail TO email;', 'rename major 1-1'],
  [ANY, 'ALTER TABLE users RENAME TO people;', 'rename major 1-1'],
  [MY, 'RENAME TABLE a TO b,\n c TO d;', 'rename major 1-1', 'rename major 2-2'],
  [MY, 'ALTER TABLE a CHANGE COLUMN b c INT;', 'rename major 1-1'],
  [MY, 'ALTER TABLE a CHANGE b b BIGINT;\nALTER TABLE a RENAME INDEX x TO y;\nALTER TABLE a MODIFY b BIGINT NOT NULL;'],
  [PG, 'ALTER TABLE a RENAME CONSTRAINT x TO y;\nALTER INDEX x RENAME TO y;\nALTER VIEW v RENAME TO w;\nALTER TYPE t RENAME VALUE x TO y;'],
];

const locks: readonly Case[] = [
  [PG, 'CREATE INDEX i ON users (email);', 'index-without-concurrently major 1-1'],
  [PG, 'CREATE UNIQUE INDEX IF NOT EXISTS i\n  ON public.users USING btree (email)\n  WHERE deleted IS NULL;', 'index-without-concurrently major 1-3'],
  [ANY, 'CREATE INDEX i ON users (email);', 'index-without-concurrently minor 1-1'],
  [MY, 'CREATE INDEX i ON users (email);'],
  ['db/migrations/001_a.sql', 'PRAGMA foreign_keys=off;\nCREATE INDEX i ON users (email);'],
  [PG, 'CREATE INDEX CONCURRENTLY i ON users (email);\nCREATE INDEX i ON ONLY parted (email);'],
  [PG, 'CREATE TABLE users (id int);\nCREATE INDEX i ON users (id);\nALTER TABLE users ADD PRIMARY KEY (id);'],
  [PG, 'CREATE MATERIALIZED VIEW v AS SELECT 1;\nCREATE UNIQUE INDEX i ON v (id);'],
  [PG, 'BEGIN;\nCREATE INDEX CONCURRENTLY i ON users (email);\nCOMMIT;\nDROP INDEX CONCURRENTLY j;', 'concurrently-in-transaction blocker 2-2'],
  ['migrations/001_a.sql', '-- +goose Up\nCREATE INDEX CONCURRENTLY i ON users (email);', 'concurrently-in-transaction blocker 2-2'],
  ['migrations/001_a.sql', '-- +goose NO TRANSACTION\n-- +goose Up\nCREATE INDEX CONCURRENTLY i ON users (email);'],
  ['migrations/001_a.sql', '-- migrate:up\nDROP INDEX CONCURRENTLY i;', 'concurrently-in-transaction blocker 2-2'],
  ['migrations/001_a.sql', '-- migrate:up transaction:false\nDROP INDEX CONCURRENTLY i;'],
  [PG, 'ALTER TABLE a ADD CONSTRAINT f FOREIGN KEY (b) REFERENCES c (id) ON DELETE CASCADE;', 'constraint-without-not-valid major 1-1'],
  [PG, 'ALTER TABLE a ADD CONSTRAINT f FOREIGN KEY (b) REFERENCES c (id) NOT VALID, ADD CHECK (x > 0);', 'constraint-without-not-valid major 1-1'],
  [PG, 'ALTER TABLE a ADD CONSTRAINT u UNIQUE (b);', 'constraint-without-not-valid major 1-1'],
  [PG, 'ALTER TABLE a ADD CONSTRAINT u UNIQUE USING INDEX i;\nALTER TABLE a ADD CONSTRAINT p PRIMARY KEY USING INDEX j;'],
  [MY, 'ALTER TABLE a ADD CONSTRAINT f FOREIGN KEY (b) REFERENCES c (id);\nALTER TABLE a ADD UNIQUE KEY u (b), ADD INDEX i (c), ADD KEY k (d);'],
  ['prisma/migrations/1/migration.sql', 'CREATE TABLE "A" (id int);\nALTER TABLE "A" ADD CONSTRAINT "f" FOREIGN KEY ("b") REFERENCES "B"("id");'],
  [PG, 'VACUUM FULL events;', 'blocking-maintenance major 1-1'],
  [PG, 'VACUUM (FULL, ANALYZE) events;', 'blocking-maintenance major 1-1'],
  [PG, 'VACUUM ANALYZE events;'],
  [PG, 'CLUSTER events USING i;', 'blocking-maintenance major 1-1'],
  [PG, 'REINDEX TABLE events;', 'blocking-maintenance major 1-1'],
  [PG, 'REINDEX TABLE CONCURRENTLY events;\nREINDEX (CONCURRENTLY) INDEX i;'],
  [PG, 'LOCK TABLE events IN ACCESS EXCLUSIVE MODE;', 'blocking-maintenance major 1-1'],
  [PG, 'LOCK TABLE events IN ROW EXCLUSIVE MODE;'],
  [MY, 'LOCK TABLES `a` WRITE;\nUNLOCK TABLES;'],
];

const RAILS = 'db/migrate/20240101000000_a.rb';
const ALEMBIC = 'alembic/versions/0123abcd4567_a.py';
const KNEX = 'migrations/20240101000000_a.js';
const code: readonly Case[] = [
  [RAILS, 'def change\n  drop_table :users\nend', 'drop-table blocker 2-2'],
  [RAILS, 'def change\n  remove_column :users, :phone, :string\nend', 'drop-column major 2-2'],
  [RAILS, 'def change\n  rename_column :users, :a, :b\nend', 'rename major 2-2'],
  [RAILS, 'def change\n  add_index :users, :email,\n    unique: true\nend', 'index-without-concurrently minor 2-3'],
  [RAILS, 'disable_ddl_transaction!\ndef change\n  add_index :users, :email, algorithm: :concurrently\nend'],
  [RAILS, 'def change\n  create_table :users do |t|\n  end\n  add_index :users, :email\nend'],
  [
    RAILS,
    'def up\n  add_column :users, :a, :string, null: false\n  add_column :users, :b, :string, null: false, default: ""\nend',
    'not-null-without-default major 2-2',
  ],
  [RAILS, 'def change\n  change_column_null :users, :a, false\n  change_column_null :users, :b, true\nend', 'set-not-null minor 2-2'],
  [RAILS, 'def change\n  safety_assured { remove_column :users, :a }\n  safety_assured do\n    drop_table :users\n  end\nend'],
  [RAILS, 'def up\nend\ndef down\n  drop_table :users\nend'],
  [RAILS, 'def up\n  execute <<~SQL\n    DELETE FROM users;\n  SQL\n  execute "TRUNCATE a"\nend', 'delete-without-where major 3-3', 'truncate blocker 5-5'],
  [ALEMBIC, "def upgrade():\n    op.drop_table('users')\n\ndef downgrade():\n    op.drop_column('a', 'b')", 'drop-table blocker 2-2'],
  [
    ALEMBIC,
    "def upgrade():\n    op.drop_column('users', 'a')\n    op.alter_column('users', 'b', new_column_name='c')",
    'drop-column major 2-2',
    'rename major 3-3',
  ],
  [ALEMBIC, "def upgrade():\n    op.add_column('users', sa.Column('a', sa.String(), nullable=False))", 'not-null-without-default major 2-2'],
  [ALEMBIC, "def upgrade():\n    op.add_column('users', sa.Column('a', sa.String(), nullable=False, server_default=''))"],
  [
    ALEMBIC,
    "def upgrade():\n    op.create_table(\n        'users',\n    )\n    op.create_index('i', 'users', ['a'])\n    op.create_index(op.f('j'), 'orders', ['a'])",
    'index-without-concurrently minor 6-6',
  ],
  [
    ALEMBIC,
    'def upgrade():\n    op.execute("UPDATE users "\n               "SET a = 1")\n    op.execute("""\n      DELETE FROM b\n    """)\n    # op.execute("DELETE FROM c")',
    'update-without-where major 2-3',
    'delete-without-where major 5-5',
  ],
  [
    'app/migrations/0002_a.py',
    "operations = [\n    migrations.RemoveField('a', 'b'),\n    migrations.DeleteModel('c'),\n    migrations.RunSQL('TRUNCATE d', reverse_sql='DROP TABLE e'),\n]",
    'drop-column major 2-2',
    'drop-table blocker 3-3',
    'truncate blocker 4-4',
  ],
  [
    KNEX,
    "exports.up = async knex => {\n  await knex.schema.dropTable('users');\n  await knex.raw('DELETE FROM a');\n};\nexports.down = async knex => knex.schema.dropTable('b');",
    'drop-table blocker 2-2',
    'delete-without-where major 3-3',
  ],
  [
    'src/migrations/1700000000000-A.ts',
    'export class A {\n  public async up(queryRunner: QueryRunner) {\n    await queryRunner.query(`ALTER TABLE "users" DROP COLUMN "a"`);\n    await queryRunner.dropColumn("users", "b");\n  }\n  public async down(queryRunner: QueryRunner) {\n    await queryRunner.query(`DROP TABLE x`);\n  }\n}',
    'drop-column major 3-3',
    'drop-column major 4-4',
  ],
  [
    KNEX,
    "exports.up = knex => knex.schema.alterTable('users', table => {\n  table.dropColumn('a');\n  table.renameColumn('b', 'c');\n});",
    'drop-column major 2-2',
    'rename major 3-3',
  ],
  [
    'database/migrations/2024_01_01_000000_a.php',
    "public function up() {\n  Schema::dropIfExists('users');\n  DB::statement('TRUNCATE ' . 'a');\n}\npublic function down() {\n  Schema::drop('b');\n}",
    'drop-table blocker 2-2',
    'truncate blocker 3-3',
  ],
  ['lib/migrations/migrator.js', "knex.schema.dropTable('x')"],
];

for (const [group, cases] of Object.entries({ drops, rows, columns, locks, code }))
  test.each(cases.map(([path, text, ...expected]) => ({ path, text, expected })))(
    `${verifies('SPEC-6')} ${group}: $path $text`,
    async ({ path, text, expected }) => {
      expect((await brief(added(path, text))).sort()).toEqual([...expected].sort());
    },
  );

test(`${verifies('SPEC-6')} only statements with an added line count, read whole where the file is at hand`, async () => {
  const head = 'CREATE TABLE fresh (id int);\nALTER TABLE users\n  ADD COLUMN a text\n  NOT NULL;\nDROP TABLE old;\nDROP TABLE fresh;\n';
  const file = changed(
    PG,
    [' ALTER TABLE users', '   ADD COLUMN a text', '-  ;', '+  NOT NULL;', ' DROP TABLE old;', '+DROP TABLE fresh;', ' '],
    'modified',
    2,
  );
  expect(await brief(file, { [PG]: head })).toEqual(['not-null-without-default major 4-4']);
  expect((await run([file], { [PG]: head })).partial).toEqual([]);
});

test(`${verifies('SPEC-6')} a bare diff of a known migration is one step milder, and says that it is partial`, async () => {
  const { findings, partial } = await run([changed(PG, ['+DROP TABLE users;', ' SELECT 1;'])]);
  expect(findings.map(found => found.severity)).toEqual(['major']);
  expect(partial).toEqual([{ path: PG, reason: expect.stringContaining('only hunks are shown') }]);
});

test(`${verifies('SPEC-6')} a statement that a hunk cuts is not judged but named`, async () => {
  const cutEnd = await run([changed(PG, [' SELECT 1;', '+ALTER TABLE users ADD COLUMN a text NOT NULL'])]);
  const cutStart = await run([changed(PG, ['+  DROP COLUMN a;', ' SELECT 1;'])]);
  const untouched = await run([changed(PG, ['   DROP COLUMN a;', '+SELECT 1;'])]);
  const reason = 'the edge of a hunk cuts a statement, so it is not judged';
  expect([cutEnd, cutStart]).toEqual([
    { findings: [], partial: [{ path: PG, reason }] },
    { findings: [], partial: [{ path: PG, reason }] },
  ]);
  expect(untouched).toEqual({ findings: [], partial: [] });
});

test(`${verifies('SPEC-6')} lines of code whose direction is not shown are named`, async () => {
  const { findings, partial } = await run([changed(RAILS, ['   add_column :a, :b, :text', '+  drop_table :users', ' end'])]);
  expect(findings).toEqual([]);
  expect(partial).toHaveLength(1);
});

test(`${verifies('SPEC-6')} a table that an earlier new migration creates is new, one that a later creates is not`, async () => {
  const create = added('migrations/002_a.sql', 'CREATE TABLE users (id int);');
  const later = await run([create, added('migrations/003_b.sql', 'DROP TABLE users;')]);
  const earlier = await run([create, added('migrations/001_b.sql', 'DROP TABLE users;')]);
  expect(later.findings).toEqual([]);
  expect(earlier.findings.map(found => found.severity)).toEqual(['blocker']);
});

test.each([
  ['prisma/migrations/1_a/migration.sql', 'prisma/migrations/migration_lock.toml', 'provider = "postgresql"', ['major']],
  ['prisma/migrations/1_a/migration.sql', 'prisma/migrations/migration_lock.toml', 'provider = "sqlite"', []],
  ['drizzle/0001_a.sql', 'drizzle/meta/_journal.json', '{ "version": "7", "dialect": "mysql" }', []],
  [RAILS, 'config/database.yml', 'default:\n  adapter: postgresql', ['major']],
  [RAILS, 'config/database.yml', 'default:\n  adapter: mysql2', []],
])(`${verifies('SPEC-6')} the dialect of %s is read from %s: %s`, async (path, toolFile, text, expected) => {
  const migration = path.endsWith('.rb') ? 'def change\n  add_index :users, :email\nend' : 'CREATE INDEX i ON users (email);';
  const { findings } = await run([added(path, migration)], { [toolFile]: text });
  expect(findings.map(found => found.severity)).toEqual(expected);
});

test(`${verifies('SPEC-6')} the migrations of a change share what they show of their dialect`, async () => {
  const { findings } = await run([added('migrations/001_a.sql', 'CREATE INDEX i ON users (email);'), added('migrations/002_b.sql', 'SELECT a::jsonb;')]);
  expect(findings.map(found => found.severity)).toEqual(['major']);
});

test(`${verifies('SPEC-6')} a stopped check names the files that it did not read`, async () => {
  const result = await specialist.review?.check?.({ files: [added(PG, 'DROP TABLE x;')], signal: { aborted: true } });
  expect(result?.findings).toEqual([]);
  expect(result?.partial.map(entry => entry.path)).toEqual([PG]);
});

test(`${verifies('SPEC-6')} every rule is a full row, and its own examples behave as they say`, async () => {
  for (const rule of specialist.review?.rules ?? []) {
    expect((await run([added(PG, rule.bad)])).findings.map(found => found.rule)).toContain(rule.id);
    expect((await run([added(PG, rule.good)])).findings).toEqual([]);
    for (const field of [rule.title, rule.why, rule.fix, rule.limits]) expect(field.length).toBeGreaterThan(10);
  }
});

const piece = fc.constantFrom(
  ...["'", '"', '`', '$$', '$a$', '/*', '*/', '--', '#', '\\', '\n', ';', '(', ')', ',', '[', ']', '.', 'E', '=', '\udc80', ' '],
  ...'ALTER TABLE|ADD COLUMN|DROP|UPDATE|SET|DELETE FROM|NOT NULL|DEFAULT|users|CREATE|INDEX|ON|TYPE|BEGIN|END|DELIMITER|GO|RENAME|TO|WITH|COPY|STDIN'
    .split('|')
    .map(word => ` ${word} `),
  ...['execute <<~SQL\n', 'op.execute("', 'knex.raw(`', 'def up\n', 'def down\n', '-- +goose Up\n', '-- +goose StatementBegin\n'],
);
const hostile = fc.array(piece, { maxLength: 200 }).map(parts => parts.join(''));

test(`${verifies('SPEC-6')} no text makes it throw, and every finding is on an added line`, async () => {
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(PG, MY, ANY, RAILS, ALEMBIC, KNEX), hostile, hostile, async (path, text, before) => {
      const start = before.split('\n').length + 1;
      const lines = text.split('\n');
      const file = changed(
        path,
        lines.map(line => `+${line}`),
        'modified',
        start,
      );
      for (const heads of [null, { [path]: `${before}\n${text}` }])
        for (const found of (await run([file], heads)).findings) {
          expect(found.line).toBeGreaterThanOrEqual(start);
          expect(found.endLine).toBeGreaterThanOrEqual(found.line);
          expect(found.endLine).toBeLessThan(start + lines.length);
        }
    }),
    { numRuns: 400 },
  );
});

test(`${verifies('SPEC-6')} statements keep their lines, whatever the text`, () => {
  fc.assert(
    fc.property(hostile, fc.boolean(), (text, escapes) => {
      let last = 1;
      for (const { line, endLine } of parseSql(text, escapes).statements) {
        expect(line).toBeGreaterThanOrEqual(last);
        expect(endLine).toBeGreaterThanOrEqual(line);
        last = line;
      }
      expect(last).toBeLessThanOrEqual(text.split('\n').length);
    }),
  );
});

// Quadratic work on so much text would run into the timeout of the test; `hostile-input.heavy.test.ts` takes a million characters.
test.each(["'", '"', '`', '$$', '/*', '[a', '#', 'x#', '(', ','])(`${verifies('SPEC-6')} a text of %j is read in linear time`, async unit => {
  for (const path of [PG, MY]) expect((await run([added(path, unit.repeat(100_000))])).partial).toEqual([]);
});

const RAILS_FILE = 'db/migrate/20240101000000_x.rb';
const railsClass = (body: string, head = '') => `class X < ActiveRecord::Migration[7.0]\n${head}  def change\n    ${body}\n  end\nend`;
const CONCURRENT = 'add_index :users, :a, algorithm: :concurrently';

test.each<Case>([
  [MY, 'CREATE TABLE a_new LIKE a;\nINSERT INTO a_new SELECT * FROM a;\nRENAME TABLE a TO a_old, a_new TO a;\nDROP TABLE a_old;'],
  [PG, 'CREATE TABLE a_new (id int);\nALTER TABLE a RENAME TO a_old;\nALTER TABLE a_new RENAME TO a;\nDROP TABLE a_old;'],
  [MY, 'RENAME TABLE a TO a_old;\nDROP TABLE a_old;', 'rename major 1-1', 'drop-table blocker 2-2'],
  [MY, 'CREATE TABLE a_new (id int);\nRENAME TABLE a TO a_old, a_new TO b;\nDROP TABLE a_old;', 'rename major 2-2', 'drop-table blocker 3-3'],
  [RAILS_FILE, railsClass(CONCURRENT), 'concurrently-in-transaction blocker 3-3'],
  [RAILS_FILE, railsClass('remove_index :users, :a, algorithm: :concurrently'), 'concurrently-in-transaction blocker 3-3'],
  [RAILS_FILE, railsClass('execute "CREATE INDEX CONCURRENTLY i ON users (a)"'), 'concurrently-in-transaction blocker 3-3'],
  [RAILS_FILE, railsClass(CONCURRENT, '  disable_ddl_transaction!\n')],
  [
    'app/migrations/0002_x.py',
    'class Migration(migrations.Migration):\n    operations = [AddIndexConcurrently("a", i)]',
    'concurrently-in-transaction blocker 2-2',
  ],
  ['app/migrations/0002_x.py', 'class Migration(migrations.Migration):\n    atomic = False\n    operations = [AddIndexConcurrently("a", i)]'],
])('swapped tables and the transactions of frameworks (%#)', async (path, text, ...expected) => {
  expect(await brief(added(path, text))).toEqual(expected);
});

test('a table that another folder of migrations creates is not taken for this one', async () => {
  const create = added('billing/migrations/001_a.sql', 'CREATE TABLE users (id int);');
  const drop = (path: string) => added(path, 'DROP TABLE users;');
  expect((await run([create, drop('shop/migrations/002_a.sql')])).findings.map(finding => finding.rule)).toEqual(['migrations/drop-table']);
  expect((await run([create, drop('billing/migrations/002_a.sql')])).findings).toEqual([]);
  const prisma = [added('prisma/migrations/1_a/migration.sql', 'CREATE TABLE users (id int);'), drop('prisma/migrations/2_b/migration.sql')];
  expect((await run(prisma)).findings).toEqual([]);
});

test('a file full of risks has 200 findings and says how many there are', async () => {
  const { findings, partial } = await run([added(ANY, 'DROP TABLE users;\n'.repeat(300))]);
  expect(findings).toHaveLength(200);
  expect(partial).toEqual([{ path: ANY, reason: '300 risks; the first 200 are listed' }]);
});
