import { BUS_MIGRATIONS, sqlRetryStore } from '@weir/bus-embedded';
import { migrate } from '@weir/migrator';
import { verifies } from '@weir/requirements';
import { createPostgres } from '@weir/sql-postgres';
import { freshDatabase, requireKafka, startKafka } from '@weir/test-infra';
import { expect, test } from 'vitest';
import { throughBrokerAway } from './broker-away.fixture.ts';
import { kafkaBus } from './kafka.bus.ts';

const server = await freshDatabase();
const jars = requireKafka();
const AWAY_MS = 30_000;

test.skipIf(server === undefined || jars === undefined)(
  `${verifies('REV-4', 'REV-20')} a broker that is gone for 30 s loses nothing, doubles nothing and breaks no order`,
  async () => {
    const port = createPostgres({ url: server?.url ?? '' });
    await migrate(port, BUS_MIGRATIONS);
    const broker = await startKafka(jars ?? '');
    const told: unknown[] = [];
    const onFailure = (failure: unknown): void => void told.push(failure);
    const retries = sqlRetryStore(port, { now: Date.now, onFailure, idleMs: 20 });
    const bus = kafkaBus({ brokers: [broker.address], clientId: 'test', topology: { away: ['away'] }, partitions: 4, retries, sessionMs: 6_000, onFailure });
    const { published, handled, failedPublications } = await throughBrokerAway({ bus, topic: 'away', broker, awayMs: AWAY_MS });
    expect(handled).toEqual(published);
    expect(failedPublications).toBeGreaterThan(0);
    expect(told).toContainEqual(expect.objectContaining({ code: 'KAFKA_UNAVAILABLE', retry: 'later' }));
    await bus.close();
    await port.close();
    await broker.stop();
  },
);
