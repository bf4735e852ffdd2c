/**
 * The built program as four processes on one PostgreSQL and one Kafka, of which a reviewer dies by SIGKILL in the middle: each change is
 * reviewed once, each comment is there once, and each call is charged. `npm run test:distributed` builds the program first.
 */
import { createEnvelopes } from '@weir/belt';
import { sqlOutbox } from '@weir/event-store';
import { chargeLostCalls, sqlModelStores } from '@weir/model-store';
import { createPostgres } from '@weir/sql-postgres';
import { freshDatabase, installProgram, requireKafka, startKafka } from '@weir/test-infra';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { forgeEnd, reviewEnd, SCENARIOS, until, untilDone, untilQuiet } from './crash/crash-lane.fixture.ts';
import { type Deployment, openDeployment, type Place } from './deployment.fixture.ts';
import { verifies } from './index.ts';

const database = await freshDatabase();
const jars = requireKafka();
/** Changes that are opened at a time. */
const CHANGES = 6;

const withDatabase = async <T>(work: (sql: ReturnType<typeof createPostgres>) => Promise<T>): Promise<T> => {
  const sql = createPostgres({ url: database?.url ?? '' });
  try {
    return await work(sql);
  } finally {
    await sql.close();
  }
};

/** Messages that the queue of the database has ever taken: those that wait for a retry. */
const QUEUED = `select coalesce(pg_sequence_last_value(pg_get_serial_sequence('weir_bus_messages', 'position')), 0) as count`;
const queued = (): Promise<unknown> => withDatabase(async sql => (await sql.query<{ count: string }>(QUEUED)).rows[0]?.count);

interface Letter {
  readonly id: string;
  readonly envelope: { readonly id: string };
}

describe.skipIf(database === undefined || jars === undefined)('four processes', () => {
  let deployment: Deployment;
  const releases: (() => unknown)[] = [];
  beforeAll(async () => {
    const [program, broker] = [installProgram(), await startKafka(jars ?? '')];
    releases.push(() => broker.stop(), program.release);
    deployment = await openDeployment(program, database?.url ?? '', broker.address);
    releases.unshift(deployment.close);
  });
  afterAll(async () => {
    for (const release of releases) await release();
  });

  test(`${verifies('REV-3a', 'REV-18', 'REV-29')} a reviewer that is killed in the middle leaves each change reviewed once and each call charged`, async () => {
    const { first, 'follow-up': followUp } = SCENARIOS;
    const pushedLater = await followUp.prepare(deployment, 'pushed-later');
    const branches = Array.from({ length: CHANGES }, (_, index) => `change-${index}`);
    for (const branch of branches) await first.prepare(deployment, branch);
    await untilQuiet(deployment);

    const victim = deployment.places[2] as Place;
    // Its model has answered, and it has kept nothing yet; another call may be under way.
    victim.aim('generate.ask', 'after');
    const opened = await Promise.all(branches.map(branch => first.act(deployment, branch, null)));
    const pushed = await followUp.act(deployment, 'pushed-later', pushedLater);
    expect(await victim.process.ended()).toBe('SIGKILL');

    for (const change of opened) await untilDone(deployment, change, first);
    await untilDone(deployment, pushed, followUp);
    for (const change of opened) {
      expect(await reviewEnd(deployment, change)).toEqual({ rounds: ['completed'], answers: [] });
      expect(forgeEnd(deployment, change)).toEqual(first.right);
    }
    expect(await reviewEnd(deployment, pushed)).toEqual({ rounds: ['completed', 'completed'], answers: [] });
    expect(forgeEnd(deployment, pushed)).toEqual(followUp.right);
    expect(deployment.forge.violations).toEqual([]);
    expect(deployment.places.map(({ process }) => process.running())).toEqual([true, true, false, true]);

    // As the sweeper does three hours later, when no process can have the calls of the killed one any more.
    await withDatabase(sql => chargeLostCalls(sqlModelStores(sql, { now: Date.now }), Date.now()));
    const { requests } = deployment.model;
    expect(requests.filter(({ status }) => status !== 200)).toEqual([]);
    expect(await deployment.weir.ask<{ readonly calls: number }>('ledger', 'sum', [{}])).toMatchObject({ calls: requests.length });
    expect(await deployment.command(['deadletters'])).toBe('No dead letters.\n');
  });

  test(`${verifies('REV-20')} a dead letter that an operator replays reaches the consumers over the broker`, async () => {
    const envelopes = createEnvelopes({ source: '/test', now: Date.now, upcasts: new Map() });
    const fact = { type: 'change.opened', forge: 'github', origin: deployment.forge.url, sealed: 'no ciphertext' };
    const envelope = envelopes.first(fact, { id: 'nobody-can-open-it', subject: 'poison' });
    await withDatabase(sql => sql.transaction(session => sqlOutbox(sql, { now: Date.now }).put(session, [{ topic: 'integration', key: 'poison', envelope }])));
    const letters = async (): Promise<readonly Letter[]> =>
      (JSON.parse(await deployment.command(['deadletters', '--json'])) as { readonly deadLetters: readonly Letter[] }).deadLetters;
    await until(deployment, 'a dead letter', async () => (await letters()).length === 1);
    const [[letter], before] = [await letters(), await queued()];
    await deployment.command(['deadletters', 'replay', letter?.id ?? '']);
    await until(deployment, 'the same message as another letter', async () => (await letters()).some(({ id }) => id !== letter?.id));
    expect((await letters()).map(one => one.envelope.id)).toEqual([envelope.id]);
    expect(await queued()).toBe(before);
    await deployment.command(['deadletters', 'drop', (await letters())[0]?.id ?? '']);
  });
});
