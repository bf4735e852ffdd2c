/** A process that dies between claiming and acknowledging: what it had comes to another one, takes effect once, and in order (REV-3a, REV-4). */
import { fork } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { BUS_MIGRATIONS, embeddedBus, sqlLeaseStore } from '@weir/bus-embedded';
import { EVENT_STORE_MIGRATIONS } from '@weir/event-store';
import { migrate } from '@weir/migrator';
import type { LeasedWork } from '@weir/ports';
import { sampleEnvelope, sampleEnvelopes } from '@weir/ports/suites';
import { freshDatabase } from '@weir/test-infra';
import { afterAll, expect, test, vi } from 'vitest';
import { CRASH_LEASE_MS, CRASH_TOPOLOGY, openDatabase, takeEffect } from './bus-crash.fixture.ts';
import { verifies } from './index.ts';

const FIXTURE = path.join(import.meta.dirname, 'bus-crash.fixture.ts');
const PATIENCE = { timeout: 40_000 };
const server = await freshDatabase();
const folder = mkdtempSync(path.join(tmpdir(), 'weir-bus-crash-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

interface Said {
  readonly message: string;
  readonly fence: string;
}

function killInTheMiddle(address: string, point: string): Promise<Said> {
  return new Promise((resolve, reject) => {
    let said: Said | undefined;
    const child = fork(FIXTURE, [address, point], { execArgv: ['--import', 'tsx'], stdio: 'inherit' });
    child.on('error', reject);
    child.on('message', message => {
      said = message as Said;
      child.kill('SIGKILL');
    });
    child.on('exit', () => (said === undefined ? reject(new Error('the process ended by itself')) : resolve(said)));
  });
}

const databases: readonly (readonly [string, string | undefined])[] = [
  ['embedded', folder],
  ['PostgreSQL', server?.url],
];
const cases = databases.flatMap(([name, address]) =>
  address === undefined ? [] : ['before the effect', 'after the effect'].map(point => [name, point, address] as const),
);

test.each(cases)(
  `${verifies('REV-3a', 'REV-4')} %s: killed %s, a message is delivered again, takes effect once, and the key goes on in its order`,
  async (_, point, address) => {
    const before = await openDatabase(address);
    await migrate(before, EVENT_STORE_MIGRATIONS);
    await migrate(before, BUS_MIGRATIONS);
    await before.query('create table if not exists crash_effects (n int generated always as identity, id text)');
    const envelopes = sampleEnvelopes(point, 3);
    const parts = { topology: CRASH_TOPOLOGY, now: Date.now, idleMs: 10, onFailure: console.error };
    await embeddedBus(before, parts).publish(envelopes.map(envelope => ({ topic: 'crash', key: 'k', envelope })));
    await before.transaction(session =>
      sqlLeaseStore(before, { now: Date.now }).offer(session, [{ id: point, kind: 'crash', key: point, envelope: sampleEnvelope(point) }]),
    );
    await before.close();

    const said = await killInTheMiddle(address, point);
    expect(said.message).toBe(envelopes[0]?.id);

    const database = await openDatabase(address);
    const attempts: string[] = [];
    const consumer = await embeddedBus(database, parts).subscribe({
      group: 'crash',
      concurrency: 2,
      retry: () => undefined,
      handle: async ({ envelope, attempt }) => {
        attempts.push(`${envelope.id} ${attempt}`);
        await takeEffect(database, envelope.id);
      },
    });
    await vi.waitUntil(() => attempts.length === 3, PATIENCE);
    await consumer.stop();
    expect(attempts).toEqual(envelopes.map(({ id }) => `${id} 1`));
    const { rows } = await database.query<{ id: string }>('select id from crash_effects where id like $1 order by n', [`${point}%`]);
    expect(rows.map(({ id }) => id)).toEqual(envelopes.map(({ id }) => id));

    const leases = sqlLeaseStore(database, { now: Date.now });
    const again: LeasedWork[] = [];
    await vi.waitUntil(async () => again.push(...(await leases.claim({ kinds: ['crash'], limit: 1, leaseMs: CRASH_LEASE_MS * 100 }))) > 0, PATIENCE);
    expect(again).toMatchObject([{ id: point, attempt: 1, abandoned: 1 }]);
    const nothing = (): Promise<void> => Promise.resolve();
    expect(await leases.complete({ id: point, fence: said.fence }, nothing)).toBe(false);
    expect(await leases.complete(again[0]!, nothing)).toBe(true);
    await database.close();
  },
);
