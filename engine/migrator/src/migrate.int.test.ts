import type { SqlPort } from '@weir/ports';
import { createPglite } from '@weir/sql-pglite';
import { createPostgres } from '@weir/sql-postgres';
import { freshDatabase } from '@weir/test-infra';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { migrate } from './migrate.ts';

const database = await freshDatabase();

const SCRIPT = `
-- a comment with a ; and a quote '
create table pets (id int primary key, name text not null default 'it''s; a name');
create function shout(word text) returns text language plpgsql as $$
begin
  return upper(word) || ';';
end
$$;
/* a second comment; */
insert into pets (id) values (1), (2);
create index pets_by_name on pets (name);
`;

const set = (name: string, ...scripts: string[]): { set: string; migrations: { name: string; sql: string }[] } => ({
  set: name,
  migrations: scripts.map((sql, index) => ({ name: `000${index + 1}-step`, sql })),
});

interface Subject {
  readonly sql: () => SqlPort;
  /** A second process; on the embedded database, which one process alone may open, the same port. */
  readonly other: () => SqlPort;
}

function migratorTests({ sql, other }: Subject): void {
  test('a script of many statements runs as it is written, and running again changes nothing', async () => {
    expect(await migrate(sql(), set('pets', SCRIPT))).toEqual(['0001-step']);
    expect((await sql().query("select id, name, shout('a') as loud from pets order by id")).rows).toEqual([
      { id: 1, name: "it's; a name", loud: 'A;' },
      { id: 2, name: "it's; a name", loud: 'A;' },
    ]);
    expect(await migrate(sql(), set('pets', SCRIPT))).toEqual([]);
    expect(await migrate(sql(), set('pets', SCRIPT.replaceAll('\n', '\r\n'), 'alter table pets add column age int'))).toEqual(['0002-step']);
  });

  test('a file that fails is undone wholly, names itself, and the files before it stay', async () => {
    const broken = set('broken', 'create table kept (id int)', 'create table half (id int); insert into half values (1); insert into nowhere values (2)');
    await expect(migrate(sql(), broken)).rejects.toMatchObject({
      code: 'DATABASE_REFUSED',
      message: expect.stringMatching(/broken\/0002-step failed and was undone.*42P01/),
    });
    expect((await sql().query("select to_regclass('kept')::text as kept, to_regclass('half')::text as half")).rows).toEqual([{ kept: 'kept', half: null }]);
    expect((await sql().query("select name from weir_migrations where set = 'broken'")).rows).toEqual([{ name: '0001-step' }]);
    expect(await migrate(sql(), set('broken', 'create table kept (id int)', 'create table half (id int)'))).toEqual(['0002-step']);
  });

  test('a changed and a missing file are refused, and nothing runs', async () => {
    await migrate(sql(), set('fixed', 'create table fixed (id int)'));
    await expect(migrate(sql(), set('fixed', 'create table fixed (id bigint)', 'create table never (id int)'))).rejects.toMatchObject({
      code: 'DATABASE_REFUSED',
      message: expect.stringContaining('fixed/0001-step was changed'),
    });
    await expect(migrate(sql(), set('fixed'))).rejects.toMatchObject({ message: expect.stringContaining('does not know') });
    expect((await sql().query("select to_regclass('never')::text as never")).rows).toEqual([{ never: null }]);
  });

  test('a script that holds the words of the quotation runs', async () => {
    await migrate(sql(), set('quoted', 'create table quoted as select $script$a$script$::text as a, $block$b$block$::text as b'));
    expect((await sql().query('select a, b from quoted')).rows).toEqual([{ a: 'a', b: 'b' }]);
  });

  test('processes that start at once run each file once', async () => {
    const files = set('once', 'create table once (n int); insert into once values (0)', 'update once set n = n + 1', 'update once set n = n + 10');
    const ran = await Promise.all([migrate(sql(), files), migrate(other(), files), migrate(sql(), files), migrate(other(), files)]);
    expect(ran.flat().sort()).toEqual(['0001-step', '0002-step', '0003-step']);
    expect((await sql().query('select n from once')).rows).toEqual([{ n: 11 }]);
  });
}

describe('embedded', () => {
  let port: SqlPort;
  beforeAll(async () => {
    port = await createPglite({ dataFolder: null, onNotice: () => undefined });
  });
  afterAll(() => port.close());
  migratorTests({ sql: () => port, other: () => port });
});

describe.skipIf(database === undefined)('on a PostgreSQL server', () => {
  let ports: readonly [SqlPort, SqlPort];
  beforeAll(() => {
    const url = database?.url ?? '';
    ports = [createPostgres({ url, statementTimeoutMs: 0 }), createPostgres({ url, statementTimeoutMs: 0 })];
  });
  afterAll(() => Promise.all(ports.map(port => port.close())));
  migratorTests({ sql: () => ports[0], other: () => ports[1] });
});
