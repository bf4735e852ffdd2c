/**
 * Appends a second: our event log beside the same statements without our code, on PostgreSQL and on the embedded database, with 16
 * writers on streams of their own. The goal is at least 0.8. Further lines: an append with a projection and a message; one stream that
 * all writers want.
 * Run: npx tsx bench/ingest/append.bench.ts
 */
import { commandLoop, createEnvelopes, keyedMutex } from '@weir/belt';
import type { Envelope } from '@weir/contract';
import { EVENT_STORE_MIGRATIONS, sqlEventLog, sqlOutbox } from '@weir/event-store';
import { migrate } from '@weir/migrator';
import type { EventLog, InlineProjection, SqlPort } from '@weir/ports';
import { createPglite } from '@weir/sql-pglite';
import { createPostgres } from '@weir/sql-postgres';
import { findPostgres, startPostgres } from '@weir/test-infra';
import { Pool } from 'pg';

const WRITERS = 16;
const EACH = 40;
const WARM_UP_ROUNDS = 1;
const ROUNDS = 7;
const GOAL = 0.8;

const envelopes = createEnvelopes({ source: '/bench', now: Date.now, upcasts: new Map() });
const fact = { type: 'Happened', commit: 'b'.repeat(40), title: 'x'.repeat(200), files: Array.from({ length: 10 }, (_, index) => `src/file-${index}.ts`) };
let runs = 0;

/** Appends a second of all writers together; each call of `append` gets a stream of its writer, and its version. */
async function perSecond(append: (stream: string, version: number) => Promise<unknown>): Promise<number> {
  const run = (runs += 1);
  const start = performance.now();
  await Promise.all(
    Array.from({ length: WRITERS }, async (_, writer) => {
      for (let version = 0; version < EACH; version += 1) await append(`run ${run} writer ${writer}`, version);
    }),
  );
  return (WRITERS * EACH * 1_000) / (performance.now() - start);
}

type Task = Parameters<typeof perSecond>[0];

async function compare(tasks: Readonly<Record<string, Task>>): Promise<Readonly<Record<string, number>>> {
  const samples = new Map<string, number[]>(Object.keys(tasks).map(name => [name, []]));
  for (let round = 0; round < WARM_UP_ROUNDS + ROUNDS; round += 1) {
    for (const [name, task] of Object.entries(tasks)) {
      const rate = await perSecond(task);
      if (round >= WARM_UP_ROUNDS) samples.get(name)?.push(rate);
    }
  }
  return Object.fromEntries([...samples].map(([name, rates]) => [name, rates.sort((left, right) => left - right)[Math.floor(ROUNDS / 2)] ?? Number.NaN]));
}

const eventOf = (stream: string, version: number): Envelope => envelopes.first(fact, { id: `${stream} ${version}`, subject: stream });

const APPEND = 'select weir_events_append($1, $2, $3::text[])';
const PROJECT = 'insert into bench_last values ($1, $2) on conflict (stream) do update set version = excluded.version';
const PUT = 'insert into weir_outbox (due_at, topic, key, envelope) values (0, $1, $2, $3)';

type Statement = readonly [text: string, values: unknown[]];

/** The same statements without our code: one alone, and several in one transaction. */
interface Bare {
  readonly alone: (statement: Statement) => Promise<unknown>;
  readonly together: (statements: readonly Statement[]) => Promise<unknown>;
}

const lastOf: InlineProjection = {
  name: 'last',
  project: async (session, events) => {
    const { stream, version } = events.at(-1) ?? { stream: '', version: 0 };
    await session.query(PROJECT, [stream, version]);
  },
};

function tasksOf(database: SqlPort, bare: Bare): Readonly<Record<string, Task>> {
  const outbox = sqlOutbox(database, { now: Date.now });
  const logWith = (projections: readonly InlineProjection[]): EventLog => sqlEventLog(database, { outbox, projections, upcast: envelope => envelope });
  const [log, projected] = [logWith([]), logWith([lastOf])];
  const hot = commandLoop({
    decider: { name: 'hot', initialState: 0, decide: () => ({ kind: 'accepted', events: [fact] }), evolve: (count: number) => count + 1 },
    log,
    mutex: keyedMutex(),
    envelopes,
    messages: () => [],
  });
  return {
    alone: (stream, version) => log.append({ stream, expectedVersion: version, events: [eventOf(stream, version)] }),
    bareAlone: (stream, version) => bare.alone([APPEND, [stream, version, [JSON.stringify(eventOf(stream, version))]]]),
    whole: (stream, version) => {
      const envelope = eventOf(stream, version);
      return projected.append({ stream, expectedVersion: version, events: [envelope], messages: [{ topic: 't', key: stream, envelope }] });
    },
    bareWhole: (stream, version) => {
      const text = JSON.stringify(eventOf(stream, version));
      return bare.together([
        [APPEND, [stream, version, [text]]],
        [PROJECT, [stream, version + 1]],
        [PUT, ['t', stream, text]],
      ]);
    },
    hot: (stream, version) => hot({ stream: stream.slice(0, stream.indexOf(' writer')), command: undefined, cause: eventOf(stream, version) }),
  };
}

async function report(name: string, database: SqlPort, bare: Bare): Promise<void> {
  await migrate(database, EVENT_STORE_MIGRATIONS);
  await database.query('create table bench_last (stream text primary key, version int)');
  const rates = await compare(tasksOf(database, bare));
  const rate = (task: string): string => `${Math.round(rates[task] ?? 0)}/s`;
  const ratios = [
    ['append', 'alone', 'bareAlone'],
    ['with projection and message', 'whole', 'bareWhole'],
  ].map(([what = '', ours = '', same = '']) => {
    const ratio = (rates[ours] ?? 0) / (rates[same] ?? 1);
    if (ratio < GOAL) process.exitCode = 1;
    return `${what} ${rate(ours)}, the same SQL ${rate(same)}, ratio ${ratio.toFixed(2)}`;
  });
  process.stdout.write(`${name}: ${ratios.join('; ')} (goal ${GOAL}); one stream, decided ${rate('hot')}\n`);
}

async function onPostgres(): Promise<void> {
  const programs = findPostgres();
  if (programs === undefined) {
    process.stdout.write('SKIPPED: no PostgreSQL server is installed; as root, tests/infra/install-postgres.sh installs one\n');
    return;
  }
  const server = await startPostgres(programs);
  const url = server.createDatabase('bench');
  const database = createPostgres({ url, poolSize: WRITERS });
  const pool = new Pool({ connectionString: url, max: WRITERS });
  // An idle connection that the stopping server ends tells it as an error.
  pool.on('error', () => undefined);
  await report('PostgreSQL', database, {
    alone: ([text, values]) => pool.query(text, values),
    together: async statements => {
      const client = await pool.connect();
      await client.query('begin');
      for (const [text, values] of statements) await client.query(text, values);
      await client.query('commit');
      client.release();
    },
  });
  await pool.end();
  await database.close();
  await server.stop();
}

/** Its one thread is asked through the SQL port in both, so this shows what the event log adds. */
async function onPglite(): Promise<void> {
  const database = await createPglite({ dataFolder: null, onNotice: () => undefined });
  await report('embedded', database, {
    alone: ([text, values]) => database.query(text, values),
    together: statements =>
      database.transaction(async session => {
        for (const [text, values] of statements) await session.query(text, values);
      }),
  });
  await database.close();
}

await onPostgres();
await onPglite();
