import { migrate } from '@weir/migrator';
import type { Delivery, SqlPort } from '@weir/ports';
import { BUS_SUITE_TOPOLOGY, busSuite, leaseStoreSuite, sampleEnvelope } from '@weir/ports/suites';
import { verifies } from '@weir/requirements';
import { createPglite } from '@weir/sql-pglite';
import { createPostgres } from '@weir/sql-postgres';
import { freshDatabase } from '@weir/test-infra';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { type EmbeddedBus, embeddedBus, type EmbeddedBusParts } from './embedded.bus.ts';
import { BUS_MIGRATIONS } from './migrations.ts';
import { sqlDeadLetters } from './sql.dead-letters.ts';
import { sqlLeaseStore } from './sql.lease-store.ts';
import { sqlRetryStore } from './sql.retry-store.ts';
import { sqlQueue } from './sql.queue.ts';

const server = await freshDatabase();
const LEASE_MS = 30_000;

/** @param ports two of them, as two processes have. */
function busTests(ports: () => readonly [SqlPort, SqlPort]): void {
  const failures: unknown[] = [];
  const now = (): number => Date.now();
  const parts: EmbeddedBusParts = { topology: BUS_SUITE_TOPOLOGY, now, idleMs: 20, onFailure: failure => failures.push(failure) };
  const bus = (changes: Partial<EmbeddedBusParts> = {}): EmbeddedBus => embeddedBus(ports()[0], { ...parts, ...changes });
  const message = (id: string, key = 'k') => ({ topic: 'whole', key, envelope: sampleEnvelope(`whole-${id}`) });
  const never = (): undefined => undefined;

  busSuite(
    { buses: () => [embeddedBus(ports()[0], parts), embeddedBus(ports()[1], parts)], deadLetters: () => sqlDeadLetters(ports()[0], { now }) },
    { test: (title, run) => void test(`${verifies('REV-4', 'REV-20')} ${title}`, run), expect },
  );
  leaseStoreSuite(
    {
      database: () => ports()[0],
      stores: clock => [sqlLeaseStore(ports()[0], { now: clock }), sqlLeaseStore(ports()[1], { now: clock })],
      deadLetters: () => sqlDeadLetters(ports()[0], { now: () => 0 }),
    },
    { test: (title, run) => void test(title, run), expect },
  );

  test('no failure of the queue itself was told so far', () => {
    expect(failures).toEqual([]);
  });

  test('a group gets a message once that is published twice while it waits', async () => {
    const queue = sqlQueue(ports()[0]);
    await bus().publish([message('twice'), message('twice')]);
    await bus().publish([message('twice')]);
    const lease = { now: now(), ms: LEASE_MS };
    const [claimed] = await queue.claim('whole', 9, lease);
    expect(await queue.acknowledge(claimed!, now())).toBe(true);
    expect(await queue.claim('whole', 9, { ...lease, now: now() })).toEqual([]);
  });

  test('a topic that nobody reads is refused, with all of the call', async () => {
    await expect(bus().publish([message('with a stranger'), { ...message('x'), topic: 'nobody' }])).rejects.toThrow('reads the topic nobody');
    expect(await sqlQueue(ports()[0]).claim('whole', 9, { now: now(), ms: LEASE_MS })).toEqual([]);
  });

  test('who has lost its lane can neither acknowledge, postpone nor bury; the new holder can, and the order stays', async () => {
    const queue = sqlQueue(ports()[0]);
    await bus().publish([message('fence 1'), message('fence 2')]);
    const start = now();
    const [old] = await queue.claim('whole', 9, { now: start, ms: LEASE_MS });
    expect(await queue.claim('whole', 9, { now: start + LEASE_MS - 1, ms: LEASE_MS })).toEqual([]);
    const [held] = await queue.claim('whole', 9, { now: start + LEASE_MS, ms: LEASE_MS });
    expect([held?.envelope.id, held?.failures, held?.abandoned]).toEqual(['whole-fence 1', 0, 1]);
    expect([await queue.acknowledge(old!, 0), await queue.postpone(old!, 0), await queue.bury(old!, 0, 'x')]).toEqual([false, false, false]);
    expect([...(await queue.hold('whole', [old!, held!], start + 2 * LEASE_MS))]).toEqual([held!.fence]);
    expect(await queue.acknowledge(held!, start)).toBe(true);
    const [next] = await queue.claim('whole', 9, { now: start, ms: LEASE_MS });
    expect(next?.envelope.id).toBe('whole-fence 2');
    expect([await queue.acknowledge(held!, start), await queue.acknowledge(next!, start)]).toEqual([false, true]);
  });

  test("a broker's message that failed waits, later ones of its key wait behind it, and other keys and groups do not", async () => {
    const store = sqlRetryStore(ports()[0], { now, idleMs: 20, onFailure: failure => failures.push(failure) });
    const failed = { failure: new Error('not yet'), delayMs: 0 };
    expect(await store.follow('whole', message('keep 1', 'r'))).toBe(false);
    await store.keep('whole', message('keep 1', 'r'), { ...failed, delayMs: 60_000 });
    await store.keep('whole', message('keep 1', 'r'), failed);
    expect(await store.follow('whole', message('keep 1', 'r'))).toBe(true);
    expect(await store.follow('whole', message('keep 2', 'r'))).toBe(true);
    expect([await store.follow('whole', message('keep 3', 'another')), await store.follow('early', message('keep 2', 'r'))]).toEqual([false, false]);
    expect(await sqlQueue(ports()[0]).claim('whole', 9, { now: now(), ms: LEASE_MS })).toEqual([]);
    await ports()[0].query("update weir_bus_lanes set ready_at = 0 where key = 'r'");
    const seen: string[] = [];
    const handle = ({ envelope, attempt }: Delivery): Promise<void> => Promise.resolve(void seen.push(`${envelope.id} ${attempt}`));
    const consumer = await store.subscribe({ group: 'whole', concurrency: 2, retry: never, handle });
    await vi.waitUntil(() => seen.length === 2, { timeout: 20_000 });
    await consumer.stop();
    expect(seen).toEqual(['whole-keep 1 2', 'whole-keep 2 1']);
    expect(await store.follow('whole', message('keep 4', 'r'))).toBe(false);
  });

  test("a broker's message that is begun ten times without an end is a dead letter; one that ends is forgotten", async () => {
    const store = sqlRetryStore(ports()[0], { now, onFailure: failure => failures.push(failure) });
    const [poison, good] = [message('poison', 'p'), message('good', 'p')];
    for (let begun = 0; begun < 10; begun += 1) expect(await store.begin('whole', poison)).toBe(true);
    expect([await store.begin('early', poison), await store.begin('whole', good)]).toEqual([true, true]);
    await store.end('whole', good);
    await store.end('early', poison);
    expect(await store.begin('whole', poison)).toBe(false);
    const letters = sqlDeadLetters(ports()[0], { now });
    const [letter] = await letters.list({ limit: 1 });
    expect(letter).toMatchObject({ origin: 'bus', group: 'whole', key: 'p', attempts: 10, failure: expect.stringContaining('10 times') });
    expect((await ports()[0].query('select * from weir_bus_begun')).rows).toEqual([]);
    await letters.drop(letter?.id ?? '');
  });

  test("a broker's message that is given up at once is one dead letter, also when it comes again; a replay goes to the broker", async () => {
    const store = sqlRetryStore(ports()[0], { now, onFailure: failure => failures.push(failure) });
    const given = { failure: new Error('no use'), delayMs: undefined };
    await store.keep('whole', message('given up', 'g'), given);
    await store.keep('whole', message('given up', 'g'), given);
    const delivered: unknown[] = [];
    const letters = sqlDeadLetters(ports()[0], { now, deliver: (group, back) => Promise.resolve(void delivered.push({ group, ...back })) });
    const found = (await letters.list({ limit: 100 })).filter(({ envelope }) => envelope.id === 'whole-given up');
    expect(found).toHaveLength(1);
    expect(found[0]).toMatchObject({ origin: 'bus', group: 'whole', topic: 'whole', key: 'g', attempts: 1, failure: expect.stringContaining('no use') });
    const away = sqlDeadLetters(ports()[0], { now, deliver: () => Promise.reject(new Error('the broker is away')) });
    await expect(away.replay(found[0]!.id)).rejects.toThrow('the broker is away');
    expect([await letters.replay(found[0]!.id), await letters.replay(found[0]!.id)]).toEqual([true, false]);
    expect(delivered).toEqual([{ group: 'whole', ...message('given up', 'g') }]);
  });

  test('an empty lane is swept, and one that has got a message is not', async () => {
    const queue = sqlQueue(ports()[0]);
    await queue.sweep('whole');
    await bus().publish([message('lane', 'a'), message('lane b', 'b')]);
    for (const claimed of await queue.claim('whole', 1, { now: now(), ms: LEASE_MS })) await queue.acknowledge(claimed, now());
    await queue.sweep('whole');
    const { rows } = await ports()[0].query("select waiting from weir_bus_lanes where group_name = 'whole'");
    expect(rows).toEqual([{ waiting: 1 }]);
    for (const claimed of await queue.claim('whole', 9, { now: now(), ms: LEASE_MS })) await queue.acknowledge(claimed, now());
  });

  test('a handler that takes longer than its lease keeps it by heartbeats', async () => {
    let calls = 0;
    const patient = bus({ leaseMs: 300 });
    const handle = async (): Promise<void> => {
      calls += 1;
      await new Promise(resolve => setTimeout(resolve, 1_500));
    };
    const consumers = [
      await patient.subscribe({ group: 'whole', concurrency: 2, retry: never, handle }),
      await bus({ leaseMs: 300 }).subscribe({ group: 'whole', concurrency: 2, retry: never, handle }),
    ];
    await patient.publish([message('slow')]);
    await vi.waitUntil(async () => (await ports()[1].query("select 1 from weir_bus_messages where group_name = 'whole'")).rows.length === 0, {
      timeout: 20_000,
    });
    await Promise.all(consumers.map(consumer => consumer.stop()));
    expect(calls).toBe(1);
  });

  test('a handler is told when its lane has gone to another consumer', async () => {
    const quick = bus({ leaseMs: 150 });
    let told = false;
    let calls = 0;
    const consumer = await quick.subscribe({
      group: 'whole',
      concurrency: 1,
      retry: never,
      handle: async ({ signal }) => {
        calls += 1;
        if (calls > 1) return;
        await ports()[1].query("update weir_bus_lanes set fence = nextval('weir_fences'), ready_at = 0 where group_name = 'whole'");
        await new Promise<void>(resolve => signal.addEventListener('abort', () => resolve()));
        told = true;
      },
    });
    await quick.publish([message('stolen')]);
    await vi.waitUntil(() => calls === 2, { timeout: 20_000 });
    await consumer.stop();
    expect(told).toBe(true);
  });

  test('a message whose process ends each time is given up after ten', async () => {
    const queue = sqlQueue(ports()[0]);
    await bus().publish([message('killer')]);
    let at = now();
    for (let death = 0; death < 10; death += 1) {
      await queue.claim('whole', 1, { now: at, ms: 1 });
      at += 1;
    }
    let calls = 0;
    const consumer = await bus({ now: () => at }).subscribe({
      group: 'whole',
      concurrency: 1,
      retry: () => 1,
      handle: () => {
        calls += 1;
        return Promise.resolve();
      },
    });
    const letters = sqlDeadLetters(ports()[0], { now });
    await vi.waitUntil(async () => (await letters.list({ limit: 1 }))[0]?.envelope.id === 'whole-killer', { timeout: 20_000 });
    await consumer.stop();
    expect([calls, (await letters.list({ limit: 1 }))[0]?.failure]).toEqual([0, expect.stringContaining('10 times')]);
  });
}

describe('embedded', () => {
  let port: SqlPort;
  beforeAll(async () => {
    port = await createPglite({ dataFolder: null, onNotice: () => undefined });
    await migrate(port, BUS_MIGRATIONS);
  });
  afterAll(() => port.close());
  busTests(() => [port, port]);
});

describe.skipIf(server === undefined)('on a PostgreSQL server', () => {
  let ports: readonly [SqlPort, SqlPort];
  beforeAll(async () => {
    const url = server?.url ?? '';
    ports = [createPostgres({ url }), createPostgres({ url })];
    await migrate(ports[0], BUS_MIGRATIONS);
  });
  afterAll(() => Promise.all(ports.map(port => port.close())));
  busTests(() => ports);
});
