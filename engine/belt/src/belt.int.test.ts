import { BUS_MIGRATIONS, embeddedBus, sqlDeadLetters, sqlLeaseStore } from '@weir/bus-embedded';
import type { Envelope } from '@weir/contract';
import { EVENT_STORE_MIGRATIONS, sqlEventLog, sqlOutbox } from '@weir/event-store';
import { AppError } from '@weir/kernel';
import { migrate } from '@weir/migrator';
import type { BusConsumer, Delivery, EventLog, InlineProjection, SqlPort } from '@weir/ports';
import { verifies } from '@weir/requirements';
import { createPglite } from '@weir/sql-pglite';
import { createPostgres } from '@weir/sql-postgres';
import { freshDatabase } from '@weir/test-infra';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { commandLoop, type CommandRequest, type StreamDecider } from './command-loop.ts';
import { createEnvelopes, type Fact, openEnvelope } from './envelopes.ts';
import { foldStream } from './fold-stream.ts';
import { keyedMutex } from './keyed-mutex.ts';
import { OUTBOX_RELAY, outboxRelay } from './outbox-relay.ts';
import { startProjection } from './projection-runner.ts';
import { retryPolicy } from './retry-policy.ts';
import { sagaHandler } from './saga-runner.ts';
import { startWorkRunner, type WorkKind, type WorkRunner, type WorkRunnerParts } from './work-runner.ts';

const server = await freshDatabase();
const PATIENCE = { timeout: 40_000 };
const WRITERS = 8;
const EACH = 12;

interface Add extends Fact {
  readonly type: 'Add';
  readonly n: number;
}
interface Added extends Fact {
  readonly type: 'Added';
  readonly n: number;
  readonly total: number;
}
/** A sum that never goes above its limit. */
const sum = (limit: number): StreamDecider<Add, number, Added, 'too_much'> => ({
  name: 'sum',
  initialState: 0,
  decide: ({ n }, total) =>
    total + n > limit
      ? { kind: 'refused', code: 'too_much', because: 'it is too much' }
      : { kind: 'accepted', events: [{ type: 'Added', n, total: total + n }] },
  evolve: (_, { total }) => total,
});

const now = (): number => Date.now();
const envelopes = createEnvelopes({ source: '/test', now, upcasts: new Map() });
const command = (stream: string, id: string, n = 1): CommandRequest<Add> => ({
  stream,
  command: { type: 'Add', n },
  cause: envelopes.first({ type: 'Add' }, { id: `${stream} ${id}`, subject: stream }),
});

const logOn = (port: SqlPort, projections: readonly InlineProjection[] = []): EventLog =>
  sqlEventLog(port, { outbox: sqlOutbox(port, { now }), projections, upcast: envelope => envelope });

/** @param ports two of them, as two processes have. */
function beltTests(ports: () => readonly [SqlPort, SqlPort]): void {
  const failures: unknown[] = [];
  const onFailure = (failure: unknown): void => void failures.push(failure);
  const loopOn = (port: SqlPort, limit = Number.MAX_SAFE_INTEGER) =>
    commandLoop({ decider: sum(limit), log: logOn(port), mutex: keyedMutex(), envelopes, messages: () => [] });

  test(`${verifies('REV-2')} eight writers of two processes on one stream: every command takes effect once, and decides on what was before`, async () => {
    const loops = ports().map(port => loopOn(port));
    const commands = Array.from({ length: WRITERS * EACH }, (_, index) => index);
    const outcomes = await Promise.all(
      Array.from({ length: WRITERS }, async (_, writer) => {
        const mine = [];
        for (const index of commands.filter(each => each % WRITERS === writer)) mine.push(await loops[index % 2]?.(command('hot', String(index))));
        return mine;
      }),
    );
    expect(new Set(outcomes.flat().map(result => result?.outcome))).toEqual(new Set(['accepted']));
    expect(await foldStream(logOn(ports()[0]), 'hot', sum(0))).toEqual({ state: commands.length, version: commands.length });
    const events = await logOn(ports()[1]).readStream('hot', 0, 1_000);
    expect(events.map(({ envelope }) => openEnvelope<Added>(envelope).total)).toEqual(commands.map(index => index + 1));
    expect(new Set(events.map(({ envelope }) => envelope.causationid)).size).toBe(commands.length);
  });

  test(`${verifies('REV-2')} a limit holds against commands at once; a refusal is a value, appends nothing, and counts as handled`, async () => {
    const loops = [loopOn(ports()[0], 3), loopOn(ports()[1], 3)] as const;
    const outcomes = await Promise.all(Array.from({ length: 8 }, (_, index) => (index % 2 === 0 ? loops[0] : loops[1])(command('limit', String(index)))));
    expect(outcomes.map(({ outcome }) => outcome).sort()).toEqual([
      ...Array.from({ length: 3 }, () => 'accepted'),
      ...Array.from({ length: 5 }, () => 'refused'),
    ]);
    const refused = { ...command('limit', 'more'), handled: { group: 'limit', messageId: 'more' } };
    expect(await loops[0](refused)).toEqual({ outcome: 'refused', code: 'too_much', because: 'it is too much' });
    expect(await loops[1](refused)).toEqual({ outcome: 'repeated' });
  });

  test(`${verifies('REV-3a')} a read model behind the log follows eight writers and has each event once`, async () => {
    await ports()[0].query('create table belt_totals (n int generated always as identity, stream text, version int)');
    const parts = {
      name: 'belt totals',
      batch: 5,
      idleMs: 5,
      onFailure,
      project: async (session: Parameters<InlineProjection['project']>[0], events: Parameters<InlineProjection['project']>[1]) => {
        for (const { stream, version } of events) await session.query('insert into belt_totals (stream, version) values ($1, $2)', [stream, version]);
      },
    };
    const runners = ports().map(port => startProjection({ ...parts, log: logOn(port) }));
    const loop = loopOn(ports()[0]);
    await Promise.all(Array.from({ length: WRITERS * EACH }, (_, index) => loop(command(`model ${index % WRITERS}`, String(index)))));
    const rows = async () =>
      (await ports()[1].query<{ stream: string; version: number }>("select stream, version from belt_totals where stream like 'model%' order by n")).rows;
    await vi.waitUntil(async () => (await rows()).length >= WRITERS * EACH, PATIENCE);
    await Promise.all(runners.map(runner => runner.stop()));
    for (let stream = 0; stream < WRITERS; stream += 1) {
      const versions = (await rows()).filter(row => row.stream === `model ${stream}`).map(({ version }) => version);
      expect(versions).toEqual(Array.from({ length: EACH }, (_, index) => index + 1));
    }
  });

  /** Two processes: each with a bus, a worker and, in turns, the publisher of the outbox. */
  function stage(kinds: Readonly<Record<string, WorkKind>>) {
    const [one, two] = ports();
    const topology = { commands: ['commands'], saga: ['events'], results: ['results'] };
    const nodes = [one, two].map(port => {
      const outbox = sqlOutbox(port, { now });
      const leases = sqlLeaseStore(port, { now });
      const bus = embeddedBus(port, { topology, now, idleMs: 10, onFailure });
      const relay = outboxRelay({ outbox, bus, idleMs: 10, onFailure });
      const runner: WorkRunnerParts = {
        kinds: { ...kinds, [OUTBOX_RELAY]: relay.kind },
        leases,
        outbox,
        envelopes,
        resultTopic: 'results',
        retry: retryPolicy({ attempts: 2, baseMs: 1, maxMs: 1, random: () => 1 }),
        concurrency: 4,
        leaseMs: 3_000,
        beatMs: 50,
        idleMs: 10,
        now,
        onFailure,
      };
      return { port, outbox, leases, bus, relay, runner };
    });
    return nodes as unknown as readonly [(typeof nodes)[number], (typeof nodes)[number]];
  }
  type Node = ReturnType<typeof stage>[number];
  const join = (node: Node, group: string, handle: (delivery: Delivery) => Promise<void>): Promise<BusConsumer> =>
    node.bus.subscribe({ group, concurrency: 4, retry: () => undefined, handle });

  test(`${verifies('REV-3a', 'REV-4')} command, event, saga, work and result: each once, in order per key, with one correlation`, async () => {
    const worked: string[] = [];
    const nodes = stage({
      double: {
        run: work => {
          worked.push(work.id);
          return Promise.resolve([{ type: 'Doubled', n: Number(work.envelope.data['n']) * 2 } as Fact]);
        },
        gaveUp: () => [],
      },
    });
    const results: Envelope[] = [];
    const consumers: BusConsumer[] = [];
    const runners: WorkRunner[] = [];
    for (const node of nodes) {
      const loop = commandLoop({
        decider: sum(1_000),
        log: logOn(node.port),
        mutex: keyedMutex(),
        envelopes,
        messages: events => events.map(envelope => ({ topic: 'events', key: envelope.subject, envelope })),
      });
      const saga = sagaHandler<Added, Fact>({
        saga: { name: 'doubles', react: ({ n }) => [{ type: 'Double', n } as Fact] },
        route: () => ({ to: 'work', kind: 'double' }),
        group: 'saga',
        database: node.port,
        outbox: node.outbox,
        leases: node.leases,
        envelopes,
        now,
      });
      consumers.push(
        await join(node, 'commands', async ({ envelope, key }) => {
          await loop({ stream: `flow ${key}`, command: envelopes.open(envelope), cause: envelope, handled: { group: 'commands', messageId: envelope.id } });
        }),
        // Handled twice each time, as after a crash between the transaction and the acknowledgement.
        await join(node, 'saga', async delivery => {
          await saga(delivery);
          await saga(delivery);
        }),
        await join(node, 'results', ({ envelope }) => {
          results.push(envelope);
          return Promise.resolve();
        }),
      );
      await node.port.transaction(session => node.leases.offer(session, [node.relay.work(envelopes)]));
      runners.push(startWorkRunner(node.runner));
    }
    const sent = Array.from({ length: 24 }, (_, index) => {
      const key = `k${index % 4}`;
      return { topic: 'commands', key, envelope: envelopes.first({ type: 'Add', n: index } as Fact, { id: `flow-${index}`, subject: key }) };
    });
    await nodes[0].bus.publish(sent);
    await vi.waitUntil(() => results.length >= sent.length, PATIENCE);
    await Promise.all([...runners, ...consumers].map(each => each.stop()));
    expect(results.map(({ correlationid }) => correlationid).sort()).toEqual(sent.map(({ envelope }) => envelope.id).sort());
    expect(results.map(({ data, correlationid }) => [correlationid, data['n']]).sort()).toEqual(
      sent.map(({ envelope }, index) => [envelope.id, index * 2]).sort(),
    );
    expect(new Set(worked).size).toBe(sent.length);
    for (let key = 0; key < 4; key += 1) {
      const events = await logOn(ports()[0]).readStream(`flow k${key}`, 0, 100);
      expect(events.map(({ envelope }) => envelope.data['n'])).toEqual([0, 4, 8, 12, 16, 20].map(n => n + key));
    }
    expect(failures).toEqual([]);
  });

  test(`${verifies('REV-20')} work that fails is tried again, then given up: its result says so, and it is a dead letter`, async () => {
    const attempts: number[] = [];
    const [node] = stage({
      fails: {
        run: work => {
          attempts.push(work.attempt);
          return Promise.reject(new AppError('FORGE_UNAVAILABLE', 'it is away'));
        },
        gaveUp: (work, failure) => [{ type: 'Failed', of: work.id, because: failure instanceof Error ? failure.message : '' } as Fact],
      },
    });
    const results: Envelope[] = [];
    const consumer = await join(node, 'results', ({ envelope }) => {
      results.push(envelope);
      return Promise.resolve();
    });
    const envelope = envelopes.first({ type: 'Fail' }, { id: 'fails', subject: 's' });
    await node.port.transaction(session => node.leases.offer(session, [{ id: 'fails', kind: 'fails', key: 'fails', envelope }, node.relay.work(envelopes)]));
    const runner = startWorkRunner(node.runner);
    await vi.waitUntil(() => results.length === 1, PATIENCE);
    await Promise.all([runner.stop(), consumer.stop()]);
    expect(attempts).toEqual([1, 2]);
    expect(results[0]).toMatchObject({ type: 'Failed', causationid: 'fails', data: { of: 'fails', because: 'it is away' } });
    const letters = await sqlDeadLetters(node.port, { now }).list({ limit: 10 });
    expect(letters.find(({ key }) => key === 'fails')).toMatchObject({ origin: 'work', group: 'fails', attempts: 2, failure: 'FORGE_UNAVAILABLE: it is away' });
    expect(failures).toEqual([]);
  });

  test('a cancel reaches work under way by its heartbeat; a stop hands it back unfinished, and another process goes on', async () => {
    const ended: string[] = [];
    const wait: WorkKind = {
      run: (work, signal) =>
        new Promise((_, reject) => {
          ended.push(`${work.id} begins`);
          signal.addEventListener('abort', () => {
            ended.push(`${work.id} ${String(signal.reason)}`);
            reject(new Error('aborted'));
          });
        }),
      gaveUp: () => [],
    };
    const [one, two] = stage({ wait });
    const offer = (id: string, key: string): Promise<void> =>
      one.port.transaction(session =>
        one.leases.offer(session, [{ id, kind: 'wait', key, envelope: envelopes.first({ type: 'Wait' }, { id, subject: key }) }]),
      );
    const first = startWorkRunner(one.runner);
    await offer('cancelled', 'cancel me');
    await offer('kept', 'keep me');
    await vi.waitUntil(() => ended.length === 2, PATIENCE);
    expect(await two.port.transaction(session => two.leases.cancel(session, 'cancel me'))).toEqual({ removed: [], told: ['cancelled'] });
    await vi.waitUntil(() => ended.includes('cancelled cancelled'), PATIENCE);
    await first.stop();
    expect(ended).toContain('kept stopping');
    const second = startWorkRunner(two.runner);
    await vi.waitUntil(() => ended.filter(each => each === 'kept begins').length === 2, PATIENCE);
    await two.port.transaction(session => two.leases.cancel(session, 'keep me'));
    await vi.waitUntil(() => ended.includes('kept cancelled'), PATIENCE);
    await second.stop();
    expect((await two.port.query("select id from weir_work where kind = 'wait'")).rows).toEqual([]);
    expect(failures).toEqual([]);
  });
}

describe('embedded', () => {
  let port: SqlPort;
  beforeAll(async () => {
    port = await createPglite({ dataFolder: null, onNotice: () => undefined });
    await migrate(port, EVENT_STORE_MIGRATIONS);
    await migrate(port, BUS_MIGRATIONS);
  });
  afterAll(() => port.close());
  beltTests(() => [port, port]);
});

describe.skipIf(server === undefined)('on a PostgreSQL server', () => {
  let ports: readonly [SqlPort, SqlPort];
  beforeAll(async () => {
    const url = server?.url ?? '';
    ports = [createPostgres({ url }), createPostgres({ url })];
    await migrate(ports[0], EVENT_STORE_MIGRATIONS);
    await migrate(ports[0], BUS_MIGRATIONS);
  });
  afterAll(() => Promise.all(ports.map(port => port.close())));
  beltTests(() => ports);
});
