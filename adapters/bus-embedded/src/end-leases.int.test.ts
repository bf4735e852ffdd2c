import { EVENT_STORE_MIGRATIONS } from '@weir/event-store';
import { migrate } from '@weir/migrator';
import { sampleEnvelope } from '@weir/ports/suites';
import { verifies } from '@weir/requirements';
import { createPglite } from '@weir/sql-pglite';
import { expect, test } from 'vitest';
import { endLeases } from './end-leases.ts';
import { BUS_MIGRATIONS } from './migrations.ts';
import { sqlLeaseStore } from './sql.lease-store.ts';
import { sqlQueue } from './sql.queue.ts';

const HOUR_MS = 3_600_000;

test(`${verifies('REV-3a')} what a process held that has died is free at once; what waits for its time goes on waiting`, async () => {
  const database = await createPglite({ dataFolder: null, onNotice: () => undefined });
  for (const set of [EVENT_STORE_MIGRATIONS, BUS_MIGRATIONS]) await migrate(database, set);
  const now = 1_000;
  const queue = sqlQueue(database);
  const message = (key: string) => ({ group: 'g', topic: 't', key, envelope: sampleEnvelope(key) });
  await queue.add([message('held'), message('failed')], now);
  const [first, second] = await queue.claim('g', 2, { now, ms: HOUR_MS });
  const failed = [first, second].find(one => one?.key === 'failed');
  await queue.postpone(failed!, now + HOUR_MS);
  const leases = sqlLeaseStore(database, { now: () => now });
  const work = (id: string, readyAt: number) => ({ id, kind: 'k', key: id, envelope: sampleEnvelope(id), readyAt });
  await database.transaction(session => leases.offer(session, [work('held', now), work('later', now + HOUR_MS)]));
  const claim = () => leases.claim({ kinds: ['k'], limit: 9, leaseMs: HOUR_MS });
  expect((await claim()).map(({ id }) => id)).toEqual(['held']);

  await endLeases(database, now);

  expect(await queue.claim('g', 9, { now, ms: HOUR_MS })).toMatchObject([{ key: 'held', abandoned: 1, failures: 0 }]);
  expect(await claim()).toMatchObject([{ id: 'held', abandoned: 1, attempt: 1 }]);
  await database.close();
});
