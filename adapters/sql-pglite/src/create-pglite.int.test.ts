import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { SqlDatabase } from '@weir/ports';
import { sqlSuite } from '@weir/ports/suites';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createPglite, type PgliteNotice } from './create-pglite.ts';

const ignore = (): void => undefined;

describe('in memory', () => {
  let sql: SqlDatabase;
  const open = (): Promise<SqlDatabase> => createPglite({ dataFolder: null, onNotice: ignore });
  beforeAll(async () => {
    sql = await open();
  });
  afterAll(() => sql.close());

  sqlSuite({ database: () => sql, reopen: open }, { test, expect });

  test('the thread of the process stays free while the database computes', async () => {
    let turns = 0;
    const busy = setInterval(() => (turns += 1), 1);
    await sql.query('select count(*) from generate_series(1, 3000000) n');
    clearInterval(busy);
    expect(turns).toBeGreaterThan(10);
  });
});

describe('the lane ahead', () => {
  let sql: SqlDatabase;
  beforeAll(async () => {
    sql = await createPglite({ dataFolder: null, onNotice: ignore });
  });
  afterAll(() => sql.close());

  test('its work goes before all that waits, and what waits has its turn all the same', async () => {
    const order: string[] = [];
    const ask = (lane: 'ahead' | 'rest', name: string): Promise<unknown> =>
      (lane === 'ahead' ? sql.ahead : sql).query('select 1').then(() => void order.push(name));
    const rest = Array.from({ length: 3 }, (_, index) => ask('rest', `r${index}`));
    const ahead = Array.from({ length: 20 }, (_, index) => ask('ahead', `a${index}`));
    await Promise.all([...rest, ...ahead]);
    const of = (from: number, to: number): string[] => Array.from({ length: to - from }, (_, index) => `a${from + index}`);
    expect(order).toEqual(['r0', ...of(0, 8), 'r1', ...of(8, 16), 'r2', ...of(16, 20)]);
  });

  test('it is closed with the database, and its transactions are guarded like the others', async () => {
    const other = await createPglite({ dataFolder: null, onNotice: ignore });
    await expect(other.ahead.transaction(() => other.query('select 1'))).rejects.toMatchObject({ code: 'DATABASE_REFUSED' });
    await expect(other.transaction(() => other.ahead.query('select 1'))).rejects.toMatchObject({ code: 'DATABASE_REFUSED' });
    await other.close();
    await expect(other.ahead.query('select 1')).rejects.toMatchObject({ code: 'DATABASE_UNAVAILABLE' });
  });
});

describe('on disk', () => {
  let dataFolder: string;
  beforeEach(() => {
    dataFolder = mkdtempSync(path.join(tmpdir(), 'weir-pglite-'));
  });
  afterEach(() => rmSync(dataFolder, { recursive: true, force: true }));

  const holders = (): string[] => readdirSync(path.join(dataFolder, 'holders'));
  test('a database is created once, found again, locked while it is open, and says that it calls no fsync', async () => {
    const notices: PgliteNotice[] = [];
    const onNotice = (notice: PgliteNotice): void => void notices.push(notice);
    const first = await createPglite({ dataFolder, onNotice });
    expect(notices.map(({ step }) => step)).toEqual(['creating', 'durability', 'ready']);
    expect(notices[1]?.sentence).toContain('does not call fsync');
    await first.query('create table kept (id int)');
    await first.query('insert into kept values (1)');
    await expect(createPglite({ dataFolder, onNotice: ignore })).rejects.toMatchObject({
      code: 'DATABASE_LOCKED',
      message: expect.stringContaining(`process ${process.pid}`),
    });
    await first.close();
    expect(holders()).toEqual([]);

    notices.length = 0;
    const second = await createPglite({ dataFolder, onNotice });
    expect(notices.map(({ step }) => step)).toEqual(['opening', 'durability', 'ready']);
    expect((await second.query('select id from kept')).rows).toEqual([{ id: 1 }]);
    await second.close();
  });

  test('a statement that takes too long ends the thread alone; the next work opens the database again', async () => {
    const sql = await createPglite({ dataFolder, onNotice: ignore, statementTimeoutMs: 3_000 });
    await sql.query('create table kept (id int)');
    const [endless, waiting] = [sql.query('select count(*) from generate_series(1, 2000000000) n'), sql.query('insert into kept values (1)')];
    await expect(endless).rejects.toMatchObject({ code: 'DATABASE_UNAVAILABLE', message: expect.stringContaining('longer than 3000 ms') });
    expect((await waiting).count).toBe(1);
    const doomed = sql.transaction(async session => {
      await session.query('insert into kept values (2)');
      await session.query('select count(*) from generate_series(1, 2000000000) n');
    });
    await expect(doomed).rejects.toMatchObject({ code: 'DATABASE_UNAVAILABLE' });
    expect((await sql.query('select id from kept')).rows).toEqual([{ id: 1 }]);
    await sql.close();
  });

  test('a folder that cannot hold a database is unavailable, and gives the lock back', async () => {
    writeFileSync(path.join(dataFolder, 'postgresql'), 'a file where a folder should be');
    await expect(createPglite({ dataFolder, onNotice: ignore })).rejects.toThrow('EEXIST');
    expect(holders()).toEqual([]);
  });
});
