/**
 * What every SQL database has to do, run by each adapter. `open` gives the same empty database each time it is called;
 * every test makes tables with names of its own.
 */
import { retryConflict } from './retry-conflict.ts';
import { failureCode, failureMessage, type SuiteTools } from './suite-tools.ts';
import type { SqlPort } from './sql.port.ts';

/** `database` is open for the whole suite; `reopen` gives a second, own port that a test may close. */
export interface SqlSuiteSubject {
  readonly database: () => SqlPort;
  readonly reopen: () => Promise<SqlPort>;
}

export function sqlSuite(subject: SqlSuiteSubject, tools: SuiteTools): void {
  valueTests(subject, tools);
  statementTests(subject, tools);
  transactionTests(subject, tools);
  nestedUseTests(subject, tools);
  concurrencyTests(subject, tools);
  failureTests(subject, tools);
  closingTests(subject, tools);
}

/** [title, SQL type, parameter, what arrives]. */
const ROUND_TRIPS: readonly (readonly [string, string, unknown, unknown])[] = [
  ['true', 'boolean', true, true],
  ['false', 'boolean', false, false],
  ['a null', 'text', null, null],
  ['a small integer', 'int', -5, -5],
  ['a bigint as text', 'bigint', 9_007_199_254_740_993n, '9007199254740993'],
  ['a bigint from a number', 'bigint', 12, '12'],
  ['a bigint from text', 'bigint', '-9223372036854775808', '-9223372036854775808'],
  ['a numeric as text, with its scale', 'numeric(20,4)', '12345678901234.5600', '12345678901234.5600'],
  ['a double', 'float8', 0.1, 0.1],
  ['a double that is not a number', 'float8', Number.NaN, Number.NaN],
  ['an infinite double', 'float8', Number.NEGATIVE_INFINITY, Number.NEGATIVE_INFINITY],
  ['text with quotes, backslashes and line ends', 'text', `a'b"c\\d\r\n\t$1`, `a'b"c\\d\r\n\t$1`],
  ['text beyond the basic plane', 'text', 'é 漢 😀', 'é 漢 😀'],
  ['an empty text', 'text', '', ''],
  ['json', 'jsonb', { a: [1, null, { b: '"' }], c: 1.5 }, { a: [1, null, { b: '"' }], c: 1.5 }],
  ['a json array as text', 'jsonb', '[1,"2",[]]', [1, '2', []]],
  ['a json null', 'json', 'null', null],
  ['bytes', 'bytea', Uint8Array.of(0, 1, 127, 128, 255), Uint8Array.of(0, 1, 127, 128, 255)],
  ['no bytes', 'bytea', new Uint8Array(0), new Uint8Array(0)],
  ['a moment from a Date', 'timestamptz', new Date('2026-01-02T03:04:05.678Z'), '2026-01-02T03:04:05.678Z'],
  ['a moment from ISO text', 'timestamptz', '2026-01-02T03:04:05.000Z', '2026-01-02T03:04:05.000Z'],
  ['a moment with an offset', 'timestamptz', '2026-01-02T03:04:05.5+02:00', '2026-01-02T01:04:05.500Z'],
  ['a moment with microseconds', 'timestamptz', '2026-01-02T03:04:05.000001Z', '2026-01-02T03:04:05.000001Z'],
  ['the end of time', 'timestamptz', 'infinity', 'infinity'],
  ['a day', 'date', '2026-02-28', '2026-02-28'],
  ['a uuid', 'uuid', '00000000-0000-4000-8000-000000000001', '00000000-0000-4000-8000-000000000001'],
  ['an array of integers', 'int[]', [1, null, 3], [1, null, 3]],
  ['an array of texts', 'text[]', ['', 'NULL', 'a,b', '{c}', 'd"e\\f', null, ' g '], ['', 'NULL', 'a,b', '{c}', 'd"e\\f', null, ' g ']],
  ['an empty array', 'text[]', [], []],
  ['a nested array', 'int[]', [[1, 2], [3, 4]], [[1, 2], [3, 4]]], // biome-ignore format: one row, one line
  ['an array of json', 'jsonb[]', [{ a: 1 }, { a: '}' }], [{ a: 1 }, { a: '}' }]],
  ['an array of bytes', 'bytea[]', [Uint8Array.of(1, 2)], [Uint8Array.of(1, 2)]],
  ['an array of bigints', 'bigint[]', [1n, 9_007_199_254_740_993n], ['1', '9007199254740993']],
  ['an array of moments', 'timestamptz[]', ['2026-01-02T03:04:05.000Z'], ['2026-01-02T03:04:05.000Z']],
  ['an array with bounds of its own', 'int[]', '[0:1]={7,8}', [7, 8]],
];

function valueTests({ database }: SqlSuiteSubject, { test, expect }: SuiteTools): void {
  for (const [title, type, parameter, arrives] of ROUND_TRIPS) {
    test(`${title} goes in as ${type} and comes back`, async () => {
      const { rows } = await database().query(`select $1::${type} as value`, [parameter]);
      expect(rows).toEqual([{ value: arrives }]);
    });
  }
  for (const [title, value] of [
    ['undefined', undefined],
    ['a function', () => 1],
    ['a date that is none', new Date(Number.NaN)],
  ] as const) {
    test(`a parameter that is ${title} is refused before it is sent`, async () => {
      expect(await failureCode(database().query('select $1::text', [value]))).toBe('DATABASE_REFUSED');
    });
  }
}

function statementTests({ database }: SqlSuiteSubject, { test, expect }: SuiteTools): void {
  test('rows and counts follow the kind of the statement', async () => {
    const sql = database();
    expect(await sql.query('create table suite_counts (id int primary key, name text)')).toEqual({ rows: [], count: 0 });
    expect((await sql.query("insert into suite_counts values (1, 'a'), (2, 'b'), (3, 'c')")).count).toBe(3);
    expect(await sql.query('update suite_counts set name = $1 where id > 1 returning id', ['x'])).toEqual({ rows: [{ id: 2 }, { id: 3 }], count: 2 });
    expect(await sql.query('select id from suite_counts where false')).toEqual({ rows: [], count: 0 });
    expect((await sql.query('select id from suite_counts')).count).toBe(0);
    expect((await sql.query('delete from suite_counts')).count).toBe(3);
    expect((await sql.query('delete from suite_counts')).count).toBe(0);
  });

  test('one call runs one statement, with and without parameters', async () => {
    const sql = database();
    expect(await failureCode(sql.query('select 1; select 2'))).toBe('DATABASE_REFUSED');
    expect(await failureCode(sql.query('select $1::int; select 2', [1]))).toBe('DATABASE_REFUSED');
    expect(await failureCode(sql.query('select 1\0; drop table nothing'))).toBe('DATABASE_REFUSED');
    expect((await sql.query('select 1 as one;')).rows).toEqual([{ one: 1 }]);
    expect(await sql.query('')).toEqual({ rows: [], count: 0 });
  });

  test('100,000 rows arrive whole, one more is refused, and the connection lives on', async () => {
    const sql = database();
    const { rows } = await sql.query<{ n: number }>("select n, repeat('x', 50) as text from generate_series(1, 100000) n");
    expect([rows.length, rows.at(-1)?.n]).toEqual([100_000, 100_000]);
    expect(await failureCode(sql.query('select n from generate_series(1, 100001) n'))).toBe('DATABASE_REFUSED');
    expect(await failureCode(sql.query('select n from generate_series(1, 1000000) n'))).toBe('DATABASE_REFUSED');
    expect((await sql.query('select 1 as one')).rows).toEqual([{ one: 1 }]);
  });

  test('a long text and many parameters arrive whole', async () => {
    const long = 'ä'.repeat(1_000_000);
    expect((await database().query('select length($1::text) as n, $1::text = $2::text as same', [long, long])).rows).toEqual([{ n: 1_000_000, same: true }]);
    const ids = Array.from({ length: 50_000 }, (_, index) => index);
    expect((await database().query('select count(*) as n from unnest($1::int[]) id where id % 2 = 0', [ids])).rows).toEqual([{ n: '25000' }]);
  });
}

function transactionTests({ database }: SqlSuiteSubject, { test, expect }: SuiteTools): void {
  test('a transaction commits when its work resolves, with the value of the work', async () => {
    const sql = database();
    await sql.query('create table suite_commit (id int)');
    const answer = await sql.transaction(async session => {
      await session.query('insert into suite_commit values (1)');
      return (await session.query('select id from suite_commit')).rows;
    });
    expect(answer).toEqual([{ id: 1 }]);
    expect((await sql.query('select id from suite_commit')).rows).toEqual([{ id: 1 }]);
  });

  test('a transaction without a statement gives the value of its work, and one whose first statement is refused leaves nothing open', async () => {
    const sql = database();
    expect(await sql.transaction(() => Promise.resolve('nothing to do'))).toBe('nothing to do');
    expect(await failureCode(sql.transaction(session => session.query('select nonsense')))).toBe('DATABASE_REFUSED');
    // Refused inside a transaction that somebody left open.
    expect((await sql.query('select 1 as one')).rows).toEqual([{ one: 1 }]);
  });

  test('a transaction rolls back when its work rejects, with the error of the work', async () => {
    const sql = database();
    await sql.query('create table suite_rollback (id int)');
    const failed = sql.transaction(async session => {
      await session.query('insert into suite_rollback values (1)');
      throw new Error('changed my mind');
    });
    expect(await failureMessage(failed)).toBe('changed my mind');
    expect((await sql.query('select id from suite_rollback')).rows).toEqual([]);
  });

  test('a failed statement dooms the transaction, also when the work goes on', async () => {
    const sql = database();
    await sql.query('create table suite_doomed (id int primary key)');
    const doomed = sql.transaction(async session => {
      await session.query('insert into suite_doomed values (1)');
      expect(await failureCode(session.query('insert into suite_doomed values (1)'))).toBe('DATABASE_REFUSED');
      return 'went on';
    });
    expect((await failureMessage(doomed)).includes('23505')).toBe(true);
    expect((await sql.query('select id from suite_doomed')).rows).toEqual([]);
  });

  test('a savepoint saves the transaction from a failed statement', async () => {
    const sql = database();
    await sql.query('create table suite_savepoint (id int primary key)');
    await sql.transaction(async session => {
      await session.query('insert into suite_savepoint values (1)');
      await session.query('savepoint before');
      expect(await failureCode(session.query('insert into suite_savepoint values (1)'))).toBe('DATABASE_REFUSED');
      await session.query('rollback to savepoint before');
      await session.query('insert into suite_savepoint values (2)');
    });
    expect((await sql.query('select id from suite_savepoint order by id')).rows).toEqual([{ id: 1 }, { id: 2 }]);
  });

  test('statements that the work starts together run one after another', async () => {
    const sql = database();
    await sql.query('create table suite_together (id int)');
    await sql.transaction(async session => {
      await Promise.all(Array.from({ length: 20 }, (_, id) => session.query('insert into suite_together values ($1)', [id])));
    });
    expect((await sql.query('select count(*)::int as n from suite_together')).rows).toEqual([{ n: 20 }]);
  });

  test('a constraint that is checked at the end rolls everything back', async () => {
    const sql = database();
    await sql.query('create table suite_deferred (id int primary key, parent int references suite_deferred deferrable initially deferred)');
    expect(await failureCode(sql.transaction(session => session.query('insert into suite_deferred values (1, 9)')))).toBe('DATABASE_REFUSED');
    expect((await sql.query('select id from suite_deferred')).rows).toEqual([]);
  });

  test('only `transaction` opens one and only its work ends one', async () => {
    const sql = database();
    await sql.query('create table suite_control (id int)');
    expect(await failureCode(sql.query('begin'))).toBe('DATABASE_REFUSED');
    expect(await failureCode(sql.query('/* hidden */ start transaction'))).toBe('DATABASE_REFUSED');
    const ended = sql.transaction(async session => {
      await session.query('insert into suite_control values (1)');
      await session.query('rollback');
      await session.query('insert into suite_control values (2)');
    });
    expect(await failureCode(ended)).toBe('DATABASE_REFUSED');
    expect((await sql.query('select id from suite_control')).rows).toEqual([]);
  });
}

function nestedUseTests({ database }: SqlSuiteSubject, { test, expect }: SuiteTools): void {
  test('a query on the port from inside a transaction is refused instead of waiting for itself', async () => {
    const sql = database();
    const codes = await sql.transaction(async session => [
      await failureCode(sql.query('select 1')),
      await failureCode(sql.transaction(() => session.query('select 1'))),
      await failureCode(sql.close()),
    ]);
    expect(codes).toEqual(['DATABASE_REFUSED', 'DATABASE_REFUSED', 'DATABASE_REFUSED']);
  });

  test('work that outlives its transaction may use the port again, its session no more', async () => {
    const sql = database();
    let open = (): void => undefined;
    const gate = new Promise<void>(resolve => {
      open = resolve;
    });
    const [outliving, late] = await sql.transaction(async session => {
      const port = gate.then(() => sql.query('select 1 as one'));
      const old = gate.then(() => failureCode(session.query('select 1')));
      return await Promise.resolve([{ port }, { old }] as const);
    });
    open();
    expect((await outliving.port).rows).toEqual([{ one: 1 }]);
    expect(await late.old).toBe('DATABASE_REFUSED');
  });
}

function concurrencyTests({ database }: SqlSuiteSubject, { test, expect }: SuiteTools): void {
  test('nobody sees a transaction half done', async () => {
    const sql = database();
    await sql.query('create table suite_isolation (id int)');
    const writer = sql.transaction(async session => {
      await session.query('insert into suite_isolation values (1)');
      for (let step = 0; step < 20; step += 1) await session.query('select 1');
      await session.query('insert into suite_isolation values (2)');
    });
    const seen = await Promise.all(Array.from({ length: 10 }, async () => (await sql.query('select id from suite_isolation')).rows.length));
    await writer;
    expect(seen.filter(count => count !== 0 && count !== 2)).toEqual([]);
  });

  test('increments under a row lock are never lost', async () => {
    const sql = database();
    await sql.query('create table suite_locked (n int)');
    await sql.query('insert into suite_locked values (0)');
    await Promise.all(
      Array.from({ length: 20 }, () =>
        sql.transaction(async session => {
          const { rows } = await session.query<{ n: number }>('select n from suite_locked for update');
          await session.query('update suite_locked set n = $1', [(rows[0]?.n ?? 0) + 1]);
        }),
      ),
    );
    expect((await sql.query('select n from suite_locked')).rows).toEqual([{ n: 20 }]);
  });

  test('serializable transactions that meet are run again until all have counted', async () => {
    const sql = database();
    await sql.query('create table suite_serial (n int)');
    await sql.query('insert into suite_serial values (0)');
    const increment = (): Promise<unknown> =>
      retryConflict(
        sql,
        async session => {
          await session.query('set transaction isolation level serializable');
          const { rows } = await session.query<{ n: number }>('select n from suite_serial');
          return session.query('update suite_serial set n = $1', [(rows[0]?.n ?? 0) + 1]);
        },
        50,
      );
    await Promise.all(Array.from({ length: 5 }, increment));
    expect((await sql.query('select n from suite_serial')).rows).toEqual([{ n: 5 }]);
  });

  test('1,000 queries at once all get their own answer', async () => {
    const sql = database();
    const answers = await Promise.all(Array.from({ length: 1_000 }, async (_, n) => (await sql.query<{ n: number }>('select $1::int as n', [n])).rows[0]?.n));
    expect(answers).toEqual(Array.from({ length: 1_000 }, (_, n) => n));
  });
}

/** [title, statement, parameters, SQL state]; a value that is a secret stands in each. */
const REFUSALS: readonly (readonly [string, string, readonly unknown[], string])[] = [
  ['a syntax error', "selec 'hunter2'", [], '42601'],
  ['an unknown table', "select 'hunter2' from suite_nowhere", [], '42P01'],
  ['a unique value', 'insert into suite_refusals values ($1, 1)', ['hunter2'], '23505'],
  ['a null', "insert into suite_refusals values ('hunter2 other', null)", [], '23502'],
  ['a check', "insert into suite_refusals values ('hunter2 third', -1)", [], '23514'],
  ['a text that is no number', 'select $1::int', ['hunter2'], '22P02'],
  ['a text that is no json', 'select $1::jsonb', ['{"hunter2"'], '22P02'],
  ['a NUL character', 'select $1::text', ['hunter2\0'], '22021'],
  ['a division by zero', 'select 1 / $1::int', [0], '22012'],
  ['too few parameters', 'select $1::text, $2::text', ['hunter2'], '08P01'],
];

function failureTests({ database }: SqlSuiteSubject, { test, expect }: SuiteTools): void {
  test('refusals name their SQL state, never the values, and the next statement works', async () => {
    const sql = database();
    await sql.query('create table suite_refusals (name text primary key, size int not null check (size > 0))');
    await sql.query("insert into suite_refusals values ('hunter2', 1)");
    for (const [title, statement, parameters, state] of REFUSALS) {
      const message = await failureMessage(sql.query(statement, parameters));
      expect(message.includes(state), `${title}: ${message}`).toBe(true);
      expect(message.includes('hunter2'), message).toBe(false);
      expect(await failureCode(sql.query(statement, parameters)), title).toBe('DATABASE_REFUSED');
      expect((await sql.query('select 1 as one')).rows).toEqual([{ one: 1 }]);
    }
  });

  test('a refusal keeps no error with values as its cause', async () => {
    const refused = database().query("select 'hunter2'::int");
    const error: unknown = await refused.catch((failure: unknown) => failure);
    expect(error instanceof Error && error.cause === undefined).toBe(true);
  });
}

function closingTests({ reopen }: SqlSuiteSubject, { test, expect }: SuiteTools): void {
  test('closing waits for what is underway, refuses what comes later, and can be asked twice', async () => {
    const sql = await reopen();
    const underway = Array.from({ length: 20 }, (_, n) => sql.query('select $1::int as n', [n]));
    const transaction = sql.transaction(async session => {
      for (let step = 0; step < 10; step += 1) await session.query('select 1');
      return 'committed';
    });
    const closed = sql.close();
    expect(await failureCode(sql.query('select 1'))).toBe('DATABASE_UNAVAILABLE');
    expect(await failureCode(sql.transaction(session => session.query('select 1')))).toBe('DATABASE_UNAVAILABLE');
    await closed;
    expect((await Promise.all(underway)).length).toBe(20);
    expect(await transaction).toBe('committed');
    await sql.close();
  });
}
