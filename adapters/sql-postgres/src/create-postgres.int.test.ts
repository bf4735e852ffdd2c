import { type AddressInfo, createConnection, createServer, type Server, type Socket } from 'node:net';
import type { SqlPort } from '@weir/ports';
import { sqlSuite } from '@weir/ports/suites';
import { freshDatabase } from '@weir/test-infra';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createPostgres } from './create-postgres.ts';

const database = await freshDatabase();
const url = database?.url ?? 'postgres://nobody@127.0.0.1/none';

describe.skipIf(database === undefined)('on a PostgreSQL server', () => {
  let sql: SqlPort;
  beforeAll(() => {
    sql = createPostgres({ url });
  });
  afterAll(() => sql.close());

  sqlSuite({ database: () => sql, reopen: () => Promise.resolve(createPostgres({ url })) }, { test, expect });

  test('two transactions that wait for each other end as one conflict and one commit', async () => {
    await sql.query('create table deadlock (id int primary key, n int)');
    await sql.query('insert into deadlock values (1, 0), (2, 0)');
    let arrived = 0;
    let meet = (): void => undefined;
    const both = new Promise<void>(resolve => {
      meet = resolve;
    });
    const crossing = (first: number, second: number): Promise<string> =>
      sql.transaction(async session => {
        await session.query('update deadlock set n = n + 1 where id = $1', [first]);
        arrived += 1;
        if (arrived === 2) meet();
        await both;
        await session.query('update deadlock set n = n + 1 where id = $1', [second]);
        return 'committed';
      });
    const ends = await Promise.all([crossing(1, 2), crossing(2, 1)].map(end => end.catch((error: unknown) => error)));
    expect(ends).toContain('committed');
    expect(ends.find(end => end !== 'committed')).toMatchObject({ code: 'DATABASE_CONFLICT', message: expect.stringContaining('40P01'), retry: 'later' });
  });

  test('the lane ahead has connections of its own, and is closed with the database', async () => {
    const narrow = createPostgres({ url, poolSize: 1 });
    let leave = (): void => undefined;
    const left = new Promise<void>(resolve => {
      leave = resolve;
    });
    const held = narrow.transaction(() => left);
    expect((await narrow.ahead.query('select 2 as two')).rows).toEqual([{ two: 2 }]);
    await expect(narrow.ahead.transaction(() => narrow.query('select 1'))).rejects.toMatchObject({ code: 'DATABASE_REFUSED' });
    leave();
    await held;
    await narrow.close();
    await expect(narrow.ahead.query('select 1')).rejects.toMatchObject({ code: 'DATABASE_UNAVAILABLE' });
  });

  test('a serializable transaction that meets another one is a conflict', async () => {
    await sql.query('create table serial (n int)');
    await sql.query('insert into serial values (0)');
    const outer = sql.transaction(async session => {
      await session.query('set transaction isolation level serializable');
      await session.query('select n from serial');
      await new Promise<void>(resolve => overtaken.push(resolve));
      return session.query('update serial set n = n + 1');
    });
    const overtaken: (() => void)[] = [];
    while (overtaken.length === 0) await new Promise(resolve => setTimeout(resolve, 5));
    await sql.query('update serial set n = 7');
    overtaken.forEach(resume => resume());
    await expect(outer).rejects.toMatchObject({ code: 'DATABASE_CONFLICT', message: expect.stringContaining('40001') });
  });

  test('a statement that takes too long is ended by the server, and the connection lives on', async () => {
    const hasty = createPostgres({ url, statementTimeoutMs: 100, poolSize: 1 });
    await expect(hasty.query('select pg_sleep(30)')).rejects.toMatchObject({ code: 'DATABASE_UNAVAILABLE', message: expect.stringContaining('57014') });
    expect((await hasty.query('select 1 as one')).rows).toEqual([{ one: 1 }]);
    await hasty.close();
  });

  test('the text forms hold against other defaults of the user', async () => {
    await sql.query('create role stranger login superuser');
    for (const setting of ["timezone = 'Asia/Tokyo'", "datestyle = 'German'", "bytea_output = 'escape'", 'extra_float_digits = 0']) {
      await sql.query(`alter role stranger set ${setting}`);
    }
    const stranger = createPostgres({ url: url.replace('postgres@', 'stranger@') });
    const { rows } = await stranger.query(
      `select '2026-01-02T03:04:05Z'::timestamptz as at, '\\x00ff'::bytea as bytes, 0.1::float8 + 0.2 as sum, '2026-01-02'::date as day`,
    );
    expect(rows).toEqual([{ at: '2026-01-02T03:04:05.000Z', bytes: Uint8Array.of(0, 255), sum: 0.1 + 0.2, day: '2026-01-02' }]);
    await stranger.close();
  });

  test('connections are at most the size of the pool, and go back without a transaction', async () => {
    const narrow = createPostgres({ url: `${url}?application_name=narrow`, poolSize: 2 });
    await Promise.all(Array.from({ length: 50 }, () => narrow.query('select 1')));
    await narrow.query('begin').catch(() => undefined);
    await narrow.transaction(session => session.query('select nonsense')).catch(() => undefined);
    const { rows } = await sql.query(
      "select count(*)::int as n, count(*) filter (where state <> 'idle')::int as busy from pg_stat_activity where application_name = 'narrow'",
    );
    expect(rows).toEqual([{ n: 2, busy: 0 }]);
    await narrow.close();
  });

  describe('behind a network that fails', () => {
    let proxy: Server;
    let sockets: Socket[];
    let silent: boolean;
    let proxied: SqlPort;

    beforeEach(async () => {
      sockets = [];
      silent = false;
      const target = new URL(url);
      proxy = createServer(near => {
        const far = createConnection(Number(target.port), target.hostname);
        sockets.push(near, far);
        near.on('error', () => undefined);
        far.on('error', () => undefined);
        near.on('data', chunk => silent || far.write(chunk));
        far.on('data', chunk => silent || near.write(chunk));
        near.on('close', () => far.destroy());
        far.on('close', () => near.destroy());
      });
      await new Promise<void>(resolve => proxy.listen(0, '127.0.0.1', resolve));
      const { port } = proxy.address() as AddressInfo;
      proxied = createPostgres({ url: url.replace(target.host, `127.0.0.1:${port}`), poolSize: 1, acquireTimeoutMs: 500, statementTimeoutMs: 200 });
    });
    afterEach(async () => {
      sockets.forEach(socket => socket.destroy());
      await proxied.close();
      proxy.close();
    });
    const cut = (): void => sockets.forEach(socket => socket.destroy());

    test('a connection lost during a statement fails it, and the next work gets a new one', async () => {
      const running = proxied.query('select pg_sleep(10)').catch((error: unknown) => error);
      while (sockets.length === 0) await new Promise(resolve => setTimeout(resolve, 5));
      await new Promise(resolve => setTimeout(resolve, 100));
      cut();
      expect(await running).toMatchObject({ code: 'DATABASE_UNAVAILABLE', retry: 'later' });
      expect((await proxied.query('select 1 as one')).rows).toEqual([{ one: 1 }]);
    });

    test('a connection lost inside a transaction fails it, and nothing of it stays', async () => {
      await sql.query('create table if not exists lost (id int)');
      const doomed = proxied.transaction(async session => {
        await session.query('insert into lost values (1)');
        cut();
        await new Promise(resolve => setTimeout(resolve, 20));
        await session.query('insert into lost values (2)');
      });
      await expect(doomed).rejects.toMatchObject({ code: 'DATABASE_UNAVAILABLE' });
      expect((await sql.query('select id from lost')).rows).toEqual([]);
    });

    test('a connection lost while it waits in the pool is replaced', async () => {
      await proxied.query('select 1');
      cut();
      await new Promise(resolve => setTimeout(resolve, 50));
      expect((await proxied.query('select 1 as one')).rows).toEqual([{ one: 1 }]);
    });

    test('a network that swallows everything fails the statement some seconds after its limit', async () => {
      await proxied.query('select 1');
      silent = true;
      await expect(proxied.query('select 1')).rejects.toMatchObject({ code: 'DATABASE_UNAVAILABLE', message: expect.stringContaining('does not answer') });
      await expect(proxied.query('select 1')).rejects.toMatchObject({ code: 'DATABASE_UNAVAILABLE' });
      silent = false;
      expect((await proxied.query('select 1 as one')).rows).toEqual([{ one: 1 }]);
    });

    test('work that waits too long for a connection is unavailable', async () => {
      const holding = proxied.transaction(async session => {
        await session.query('select 1');
        await new Promise(resolve => setTimeout(resolve, 1_000));
      });
      await expect(proxied.query('select 1')).rejects.toMatchObject({ code: 'DATABASE_UNAVAILABLE' });
      await holding;
    });
  });

  test('the server ending the connection is unavailable', async () => {
    const victim = createPostgres({ url: `${url}?application_name=victim`, poolSize: 1 });
    const running = victim.query('select pg_sleep(30)').catch((error: unknown) => error);
    for (;;) {
      const { count } = await sql.query(
        "with killed as (select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'victim' and query like '%pg_sleep%') select * from killed",
      );
      const { rows } = await sql.query("select 1 from pg_stat_activity where application_name = 'victim'");
      if (rows.length === 0 && count === 0 && (await Promise.race([running, Promise.resolve('running')])) !== 'running') break;
    }
    expect(await running).toMatchObject({ code: 'DATABASE_UNAVAILABLE', message: expect.stringContaining('57P01') });
    await victim.close();
  });

  test.each([
    ['a port where nobody listens', url.replace(/:\d+\//, ':1/')],
    ['an unknown database', url.replace(/[^/]*$/, 'nowhere')],
    ['an unknown user', url.replace('postgres@', 'nobody@')],
    ['a server without TLS', `${url}?sslmode=require`],
  ])('%s is unavailable, without the password in the message', async (_, address) => {
    const broken = createPostgres({ url: address.replace('@', ':hunter2@') });
    const error: unknown = await broken.query('select 1').catch((failure: unknown) => failure);
    expect(error).toMatchObject({ code: 'DATABASE_UNAVAILABLE' });
    expect(String(error)).not.toContain('hunter2');
    await broken.close();
  });
});
