import { BUS_MIGRATIONS, sqlRetryStore } from '@weir/bus-embedded';
import { migrate } from '@weir/migrator';
import type { SqlPort } from '@weir/ports';
import { sampleEnvelope } from '@weir/ports/suites';
import { createPostgres } from '@weir/sql-postgres';
import { freePort, freshDatabase, type KafkaBroker, requireKafka, selfSigned, startKafka } from '@weir/test-infra';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import type { KafkaAccess } from './kafka-access.ts';
import { kafkaBus, type KafkaBus } from './kafka.bus.ts';

const server = await freshDatabase();
const jars = requireKafka();
const TOPIC = 'guarded';
const [tls, stranger] = [selfSigned('localhost'), selfSigned('localhost')];
const [user, password] = ['weir', 'the password of the brokers'];
const START_MS = 180_000;

describe.skipIf(server === undefined || jars === undefined)('a broker over TLS that asks who it is', () => {
  let port: SqlPort;
  let broker: KafkaBroker;
  beforeAll(async () => {
    port = createPostgres({ url: server?.url ?? '' });
    await migrate(port, BUS_MIGRATIONS);
    broker = await startKafka(jars ?? '', { tls, user, password });
  }, START_MS);
  afterAll(async () => {
    await port.close();
    await broker.stop();
  });

  const busOf = (access: Partial<KafkaAccess>): KafkaBus =>
    kafkaBus({
      ...{ brokers: [broker.securedAddress ?? ''], tls: { ca: tls.certificate }, clientId: 'test', partitions: 1, ...access },
      topology: { [TOPIC]: [TOPIC] },
      retries: sqlRetryStore(port, { now: Date.now, onFailure: () => undefined }),
      onFailure: () => undefined,
    });
  const saslBy = (mechanism: 'plain' | 'scram-sha-512', secret = password) => ({ mechanism, username: user, password: secret });

  test.each(['plain', 'scram-sha-512'] as const)('by %s it takes messages and gives them', async mechanism => {
    const bus = busOf({ sasl: saslBy(mechanism) });
    expect(await bus.answers()).toBe(true);
    await bus.publish([{ topic: TOPIC, key: 'k', envelope: sampleEnvelope(mechanism) }]);
    const seen: string[] = [];
    const handle = ({ envelope }: { readonly envelope: { readonly id: string } }): Promise<void> => Promise.resolve(void seen.push(envelope.id));
    const consumer = await bus.subscribe({ group: TOPIC, concurrency: 1, retry: () => undefined, handle });
    await vi.waitUntil(() => seen.includes(mechanism), { timeout: 30_000 });
    await consumer.stop();
    await bus.close();
  });

  test.each<[string, Partial<KafkaAccess>]>([
    ['who tells another password', { sasl: saslBy('plain', 'a guess') }],
    ['who tells another password by a challenge', { sasl: saslBy('scram-sha-512', 'a guess') }],
    ['who does not tell who asks', {}],
    ['who trusts another authority', { tls: { ca: stranger.certificate }, sasl: saslBy('plain') }],
    ['who trusts the public authorities alone', { tls: { ca: null }, sasl: saslBy('plain') }],
    ['who speaks in clear text', { tls: null, sasl: saslBy('scram-sha-512') }],
  ])('%s gets no answer', async (_, access) => {
    const bus = busOf(access);
    expect(await bus.answers()).toBe(false);
    await bus.close();
  });

  test('a publication that is refused is unavailable, without the password in the message', async () => {
    const bus = busOf({ sasl: saslBy('plain', 'a guess') });
    const failure: unknown = await bus.publish([{ topic: TOPIC, key: 'k', envelope: sampleEnvelope('refused') }]).catch((error: unknown) => error);
    expect(failure).toMatchObject({ code: 'KAFKA_UNAVAILABLE' });
    expect(String(failure)).not.toContain('a guess');
    await bus.close();
  });

  test('nobody at the address is no answer', async () => {
    const bus = busOf({ brokers: [`127.0.0.1:${await freePort()}`], tls: null });
    expect(await bus.answers()).toBe(false);
    await bus.close();
  });
});
