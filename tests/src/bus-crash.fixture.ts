/** The process that the crash test kills: takes a message and a work, goes as far as it is told, says so, and hangs. */
import { embeddedBus, sqlLeaseStore } from '@weir/bus-embedded';
import { sqlOutbox } from '@weir/event-store';
import type { SqlPort } from '@weir/ports';
import { createPglite } from '@weir/sql-pglite';
import { createPostgres } from '@weir/sql-postgres';

export const CRASH_TOPOLOGY = { crash: ['crash'] };
/** Of lanes and works; the test waits for it to end. */
export const CRASH_LEASE_MS = 600;

export const openDatabase = (address: string): Promise<SqlPort> =>
  address.startsWith('postgres://') ? Promise.resolve(createPostgres({ url: address })) : createPglite({ dataFolder: address, onNotice: () => undefined });

/** The effect of a message, once: a row and the mark in one transaction. */
export async function takeEffect(database: SqlPort, messageId: string): Promise<void> {
  const outbox = sqlOutbox(database, { now: Date.now });
  await database.transaction(async session => {
    if (await outbox.mark(session, { group: 'crash', messageId })) await session.query('insert into crash_effects (id) values ($1)', [messageId]);
  });
}

async function hangInTheMiddle(address: string, point: string): Promise<void> {
  const database = await openDatabase(address);
  const leases = sqlLeaseStore(database, { now: Date.now });
  const [work] = await leases.claim({ kinds: ['crash'], limit: 1, leaseMs: CRASH_LEASE_MS });
  const bus = embeddedBus(database, { topology: CRASH_TOPOLOGY, now: Date.now, leaseMs: CRASH_LEASE_MS, idleMs: 10, onFailure: console.error });
  await bus.subscribe({
    group: 'crash',
    concurrency: 1,
    retry: () => undefined,
    handle: async ({ envelope }) => {
      if (point === 'after the effect') await takeEffect(database, envelope.id);
      process.send?.({ message: envelope.id, fence: work?.fence });
      await new Promise(() => undefined);
    },
  });
}

const [, , address, point] = process.argv;
if (process.send !== undefined && address !== undefined && point !== undefined) await hangInTheMiddle(address, point);
