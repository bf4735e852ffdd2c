import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { BUS_MIGRATIONS, sqlDeadLetters, sqlRetryStore } from '@weir/bus-embedded';
import { migrate } from '@weir/migrator';
import type { BusTopology, Delivery, SqlPort } from '@weir/ports';
import { BUS_SUITE_TOPOLOGY, busSuite, sampleEnvelope } from '@weir/ports/suites';
import { verifies } from '@weir/requirements';
import { createPostgres } from '@weir/sql-postgres';
import { freshDatabase, type KafkaBroker, requireKafka, startKafka } from '@weir/test-infra';
import { Kafka, logLevel } from 'kafkajs';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { throughBrokerAway } from './broker-away.fixture.ts';
import { kafkaBus, type KafkaBus, type KafkaBusParts } from './kafka.bus.ts';

const server = await freshDatabase();
const jars = requireKafka();
const PARTITIONS = 4;
/** Java on a busy machine. */
const START_MS = 180_000;

describe.skipIf(server === undefined || jars === undefined)('on a Kafka broker, with PostgreSQL beside it', () => {
  let broker: KafkaBroker;
  let ports: readonly [SqlPort, SqlPort];
  let buses: readonly [KafkaBus, KafkaBus];
  const failures: unknown[] = [];
  const now = (): number => Date.now();
  const onFailure = (failure: unknown): void => void failures.push(failure);

  const open = (port: SqlPort, topology: BusTopology = BUS_SUITE_TOPOLOGY, changes: Partial<KafkaBusParts> = {}): KafkaBus =>
    kafkaBus({
      brokers: [broker.address],
      clientId: 'test',
      topology,
      partitions: PARTITIONS,
      retries: sqlRetryStore(port, { now, onFailure, idleMs: 20 }),
      sessionMs: 6_000,
      graceMs: 5_000,
      onFailure,
      ...changes,
    });

  beforeAll(async () => {
    const url = server?.url ?? '';
    ports = [createPostgres({ url }), createPostgres({ url })];
    await migrate(ports[0], BUS_MIGRATIONS);
    broker = await startKafka(jars ?? '');
    buses = [open(ports[0]), open(ports[1])];
  }, START_MS);
  afterAll(async () => {
    await Promise.all(buses.map(bus => bus.close()));
    await Promise.all(ports.map(port => port.close()));
    await broker.stop();
  });

  const letters = () => sqlDeadLetters(ports[0], { now, deliver: (group, message) => buses[0].deliver(group, message) });

  busSuite({ buses: () => buses, deadLetters: letters }, { test: (title, run) => void test(`${verifies('REV-4', 'REV-20')} ${title}`, run), expect });

  test('no failure was told so far', () => {
    // A broker that has just started reads its groups first; a member waits for that.
    const others = failures.filter(failure => !String(failure).includes('coordinator'));
    expect(others).toEqual([]);
  });

  test('a broker that runs answers', async () => {
    expect(await Promise.all([buses[0].answers(), buses[0].answers()])).toEqual([true, true]);
  });

  test('a topic that nobody reads is refused, with all of the call', async () => {
    const message = { topic: 'nobody', key: 'k', envelope: sampleEnvelope('nobody-1') };
    await expect(buses[0].publish([message])).rejects.toThrow('reads the topic nobody');
  });

  test('a topic with another number of partitions than declared is refused, since keys would move', async () => {
    const other = open(ports[0], BUS_SUITE_TOPOLOGY, { partitions: PARTITIONS + 1 });
    const message = { topic: 'whole', key: 'k', envelope: sampleEnvelope('whole-partitions') };
    await expect(other.publish([message])).rejects.toMatchObject({ code: 'CONFIG_INVALID', message: expect.stringContaining('has 4 partitions, and 5') });
  });

  test('many large messages are published in several requests, in order, and arrive', async () => {
    const bus = open(ports[0], { large: ['large'] });
    const text = 'x'.repeat(300_000);
    const ids = Array.from({ length: 12 }, (_, index) => `large-${index}`);
    const seen: string[] = [];
    const handle = ({ envelope }: Delivery): Promise<void> => {
      if (envelope.data['text'] === text || envelope.data['text'] === text.repeat(20)) seen.push(envelope.id);
      return Promise.resolve();
    };
    await bus.publish(ids.map(id => ({ topic: 'large', key: 'k', envelope: sampleEnvelope(id, { data: { text } }) })));
    await bus.publish([{ topic: 'large', key: 'k', envelope: sampleEnvelope('largest', { data: { text: text.repeat(20) } }) }]);
    const huge = { topic: 'large', key: 'k', envelope: sampleEnvelope('too large', { data: { text: text.repeat(60) } }) };
    await expect(bus.publish([huge])).rejects.toMatchObject({ code: 'INPUT_TOO_LARGE' });
    const consumer = await bus.subscribe({ group: 'large', concurrency: 1, retry: () => undefined, handle });
    await vi.waitUntil(() => seen.length >= 13, { timeout: 30_000 });
    await consumer.stop();
    await bus.close();
    expect(seen).toEqual([...ids, 'largest']);
  });

  test('what is no message of this program is told, and passed', async () => {
    const bus = open(ports[0], { foreign: ['foreign'] });
    const at = failures.length;
    await bus.publish([{ topic: 'foreign', key: 'k', envelope: sampleEnvelope('foreign-1') }]);
    const producer = new Kafka({ brokers: [broker.address], logLevel: logLevel.NOTHING }).producer();
    await producer.connect();
    await producer.send({ topic: 'weir.foreign', messages: [{ key: 'k', value: 'no json', headers: { topic: 'foreign' } }, { value: null }] });
    await producer.disconnect();
    await bus.publish([{ topic: 'foreign', key: 'k', envelope: sampleEnvelope('foreign-2') }]);
    const seen: string[] = [];
    const handle = ({ envelope }: Delivery): Promise<void> => Promise.resolve(void seen.push(envelope.id));
    const consumer = await bus.subscribe({ group: 'foreign', concurrency: 1, retry: () => undefined, handle });
    await vi.waitUntil(() => seen.includes('foreign-2'), { timeout: 30_000 });
    await consumer.stop();
    await bus.close();
    expect(failures.slice(at).length).toBeGreaterThanOrEqual(2);
  });

  test('a handler that takes too long is told when its keys go to others, and its message is theirs', async () => {
    const bus = open(ports[0], { slow: ['slow'] }, { graceMs: 200 });
    let told = false;
    const slow = await bus.subscribe({
      group: 'slow',
      concurrency: 1,
      retry: () => undefined,
      handle: ({ signal }) =>
        new Promise(resolve => {
          signal.addEventListener('abort', () => {
            told = true;
            resolve();
          });
        }),
    });
    await bus.publish([{ topic: 'slow', key: 'k', envelope: sampleEnvelope('slow-1') }]);
    const seen: string[] = [];
    // Whichever partitions go to the second member, the first one joins anew, and both read again from what is committed.
    const handle = ({ envelope }: Delivery): Promise<void> => Promise.resolve(void seen.push(envelope.id));
    await vi.waitUntil(async () => (await lag(broker, 'weir.slow')) === 1, { timeout: 30_000 });
    const other = await bus.subscribe({ group: 'slow', concurrency: 1, retry: () => undefined, handle });
    await vi.waitUntil(() => told, { timeout: 30_000 });
    await slow.stop();
    await vi.waitUntil(() => seen.includes('slow-1'), { timeout: 30_000 });
    await other.stop();
    await bus.close();
  });

  test(`${verifies('REV-20')} a message that ends its process each time ends among the dead letters, and the next of its key is handled`, async () => {
    const bus = open(ports[0], { poison: ['poison'] });
    const claims = async (): Promise<number | undefined> =>
      (await ports[0].query<{ claims: number }>("select claims from weir_bus_begun where message_id = 'poison'")).rows[0]?.claims;
    await bus.publish(['poison', 'after'].map(id => ({ topic: 'poison', key: 'k', envelope: sampleEnvelope(id) })));
    const [first] = (await once(poisonProcess(broker.address, server?.url ?? ''), 'exit', { signal: AbortSignal.timeout(60_000) })) as [number | null];
    expect([first, await claims()]).toEqual([null, 1]);
    await ports[0].query('update weir_bus_begun set claims = 9');
    await once(poisonProcess(broker.address, server?.url ?? ''), 'exit');
    expect(await claims()).toBe(10);
    const last = poisonProcess(broker.address, server?.url ?? '');
    const [word] = (await once(last.stdout ?? last, 'data')) as [Buffer];
    expect(word.toString().trim()).toBe('after');
    await ended(last, 'SIGKILL');
    const [letter] = await letters().list({ limit: 1 });
    expect(letter).toMatchObject({
      origin: 'bus',
      group: 'poison',
      key: 'k',
      attempts: 10,
      envelope: { id: 'poison' },
      failure: expect.stringContaining('10 times'),
    });
    expect(await claims()).toBeUndefined();
    await letters().drop(letter?.id ?? '');
    await bus.close();
  }, 180_000);

  test('processes of a group share the keys: one at a time and in order, when one joins, one leaves and one is killed', async () => {
    const bus = open(ports[0], { crowd: ['crowd'] });
    await ports[0].query('create table crowd_busy (key text primary key, pid int not null)');
    await ports[0].query('create table crowd_seen (position bigint primary key generated always as identity, id text unique, key text, pid int)');
    await ports[0].query('create table crowd_overlaps (key text)');
    const handledCount = async (): Promise<number> => Number((await ports[0].query<{ n: string }>('select count(*) as n from crowd_seen')).rows[0]?.n);
    const begin = (): ChildProcess => crowdProcess(broker.address, server?.url ?? '');
    const flow = (async () => {
      for (let index = 0; index < CROWD; index += 1) {
        await bus.publish([{ topic: 'crowd', key: `k${index % CROWD_KEYS}`, envelope: sampleEnvelope(`crowd-${index}`) }]);
        await new Promise(resolve => setTimeout(resolve, 10));
      }
    })();
    const until = (number: number): Promise<void> =>
      vi.waitUntil(async () => (await handledCount()) >= number, { timeout: 60_000, interval: 50 }).then(() => undefined);
    const first = begin();
    await until(CROWD * 0.1);
    const second = begin();
    await until(CROWD * 0.4);
    await ended(first, 'SIGTERM');
    const third = begin();
    await until(CROWD * 0.7);
    await ended(second, 'SIGKILL');
    await flow;
    await until(CROWD);
    await ended(third, 'SIGTERM');
    await bus.close();
    const { rows } = await ports[0].query<{ id: string; key: string; pid: number }>('select id, key, pid from crowd_seen order by position');
    expect(new Set(rows.map(({ pid }) => pid))).toEqual(new Set([first.pid, second.pid, third.pid]));
    expect((await ports[0].query('select * from crowd_overlaps')).rows).toEqual([]);
    for (let key = 0; key < CROWD_KEYS; key += 1) {
      const expected = Array.from({ length: CROWD / CROWD_KEYS }, (_, index) => `crowd-${index * CROWD_KEYS + key}`);
      expect(rows.filter(row => row.key === `k${key}`).map(({ id }) => id)).toEqual(expected);
    }
  }, 180_000);

  test('a broker that dies and comes back loses nothing, doubles nothing and breaks no order', async () => {
    const bus = open(ports[0], { away: ['away'] });
    const { published, handled } = await throughBrokerAway({ bus, topic: 'away', broker, awayMs: 3_000 });
    expect(handled).toEqual(published);
    await bus.close();
  }, 120_000);
});

/** A process of its own that handles the group `poison`: its message ends it, the other is said. */
const POISON_PROGRAM = `
  import { sqlRetryStore } from '@weir/bus-embedded';
  import { createPostgres } from '@weir/sql-postgres';
  import { kafkaBus } from '@weir/bus-kafka';
  const [address, url] = process.argv.slice(1);
  const onFailure = () => undefined;
  const retries = sqlRetryStore(createPostgres({ url }), { now: Date.now, onFailure });
  const bus = kafkaBus({ brokers: [address], clientId: 'poison', topology: { poison: ['poison'] }, partitions: ${PARTITIONS}, retries, sessionMs: 3000, onFailure });
  const handle = async ({ envelope }) => envelope.id === 'poison' ? process.kill(process.pid, 'SIGKILL') : console.log(envelope.id);
  await bus.subscribe({ group: 'poison', concurrency: 1, retry: () => undefined, handle });
`;

function poisonProcess(address: string, url: string): ChildProcess {
  return spawn(process.execPath, ['--import', 'tsx', '--input-type=module', '-e', POISON_PROGRAM, address, url], {
    cwd: import.meta.dirname,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
}

const CROWD = 800;
const CROWD_KEYS = 10;

/** A process of its own that handles the group `crowd`, fails now and then, and writes down who was at work on a key at the same time. */
const CROWD_PROGRAM = `
  import { sqlRetryStore } from '@weir/bus-embedded';
  import { createPostgres } from '@weir/sql-postgres';
  import { kafkaBus } from '@weir/bus-kafka';
  const [address, url] = process.argv.slice(1);
  const port = createPostgres({ url });
  const onFailure = failure => String(failure).includes('coordinator') || console.error(process.pid, failure);
  const retries = sqlRetryStore(port, { now: Date.now, onFailure, idleMs: 20, leaseMs: 3000 });
  const bus = kafkaBus({ brokers: [address], clientId: 'crowd', topology: { crowd: ['crowd'] }, partitions: ${PARTITIONS}, retries, sessionMs: 3000, onFailure });
  const alive = pid => { try { return process.kill(pid, 0); } catch { return false; } };
  async function handle({ key, envelope, attempt }) {
    const { count } = await port.query('insert into crowd_busy values ($1, $2) on conflict do nothing', [key, process.pid]);
    if (count === 0) {
      const { rows } = await port.query('select pid from crowd_busy where key = $1', [key]);
      if (rows[0] === undefined || alive(rows[0].pid)) await port.query('insert into crowd_overlaps values ($1)', [key]);
      await port.query('update crowd_busy set pid = $2 where key = $1', [key, process.pid]);
    }
    await new Promise(resolve => setTimeout(resolve, 15));
    const fails = envelope.id.endsWith('7') && attempt === 1;
    if (!fails) await port.query('insert into crowd_seen (id, key, pid) values ($1, $2, $3) on conflict do nothing', [envelope.id, key, process.pid]);
    await port.query('delete from crowd_busy where key = $1', [key]);
    if (fails) throw new Error('once more');
  }
  const consumer = await bus.subscribe({ group: 'crowd', concurrency: 8, retry: () => 30, handle });
  process.once('SIGTERM', async () => { await consumer.stop(); await port.close(); process.exit(0); });
`;

function crowdProcess(address: string, url: string): ChildProcess {
  return spawn(process.execPath, ['--import', 'tsx', '--input-type=module', '-e', CROWD_PROGRAM, address, url], {
    cwd: import.meta.dirname,
    stdio: ['ignore', 'inherit', 'inherit'],
  });
}

async function ended(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  const gone = once(child, 'exit');
  child.kill(signal);
  await gone;
}

/** Messages of a topic that its group has not committed. */
async function lag(broker: KafkaBroker, topic: string): Promise<number> {
  const admin = new Kafka({ brokers: [broker.address], logLevel: logLevel.NOTHING }).admin();
  await admin.connect();
  const [ends, [group]] = await Promise.all([admin.fetchTopicOffsets(topic), admin.fetchOffsets({ groupId: topic, topics: [topic] })]);
  await admin.disconnect();
  const committed = (group?.partitions ?? []).reduce((sum, { offset }) => sum + Math.max(0, Number(offset)), 0);
  return ends.reduce((sum, { offset }) => sum + Number(offset), 0) - committed;
}
