/** What every store of leased work has to do. Tests share one store, each with kinds and keys of its own. */
import type { DeadLetters } from './bus.port.ts';
import { sampleEnvelope } from './envelope-sample.ts';
import type { Lease, LeasedWork, LeaseStore, NewWork } from './lease-store.port.ts';
import type { SqlPort, SqlSession } from './sql.port.ts';
import { failureMessage, type SuiteTools } from './suite-tools.ts';

export interface LeaseSuiteSubject {
  readonly database: () => SqlPort;
  /** Two of them over one database, as two processes have. */
  readonly stores: (now: () => number) => readonly [LeaseStore, LeaseStore];
  readonly deadLetters: () => DeadLetters;
}

const START = 1_000_000;
const LEASE_MS = 30_000;

const work = (kind: string, id: string, changes: Partial<NewWork> = {}): NewWork => ({
  id: `${kind} ${id}`,
  kind,
  key: `${kind} key`,
  envelope: sampleEnvelope(`${kind} ${id}`, { data: { nul: '\0' } }),
  readyAt: START,
  ...changes,
});
const none = (): Promise<void> => Promise.resolve();
const byId = (claimed: readonly LeasedWork[]): string[] => claimed.map(({ id }) => id).sort();

export function leaseStoreSuite({ database, stores, deadLetters }: LeaseSuiteSubject, tools: SuiteTools): void {
  const clock = { at: START };
  const stage: Stage = {
    database,
    deadLetters,
    clock,
    open: () => {
      clock.at = START;
      return stores(() => clock.at);
    },
    offer: (store, ...items) => database().transaction(session => store.offer(session, items)),
    claim: async (store, kind, limit = 10) => store.claim({ kinds: [kind], limit, leaseMs: LEASE_MS }),
  };
  claimTests(stage, tools);
  fenceTests(stage, tools);
  endTests(stage, tools);
  cancelTests(stage, tools);
}

interface Stage extends Pick<LeaseSuiteSubject, 'database' | 'deadLetters'> {
  readonly clock: { at: number };
  readonly open: () => readonly [LeaseStore, LeaseStore];
  readonly offer: (store: LeaseStore, ...items: readonly NewWork[]) => Promise<void>;
  readonly claim: (store: LeaseStore, kind: string, limit?: number) => Promise<readonly LeasedWork[]>;
}

function claimTests({ open, offer, claim, clock, database }: Stage, { test, expect }: SuiteTools): void {
  test('work is claimed by one, as it was offered; offering it again keeps it one', async () => {
    const [one, two] = open();
    const item = work('claim', '1');
    await offer(one, item);
    await offer(two, { ...item, key: 'other' });
    const [claimed] = await claim(two, 'claim');
    const { id, kind, key, envelope, attempt, abandoned } = claimed ?? {};
    expect({ id, kind, key, envelope, attempt, abandoned }).toEqual({
      id: item.id,
      kind: 'claim',
      key: item.key,
      envelope: item.envelope,
      attempt: 1,
      abandoned: 0,
    });
    expect(await claim(one, 'claim')).toEqual([]);
  });

  test('of many that claim at once each work goes to one', async () => {
    const both = open();
    await offer(both[0], ...Array.from({ length: 30 }, (_, index) => work('crowd', String(index))));
    const claims = await Promise.all(Array.from({ length: 8 }, (_, index) => claim(index % 2 === 0 ? both[0] : both[1], 'crowd', 3)));
    const claimed = claims.flat();
    expect([claimed.length, new Set(claimed.map(({ id }) => id)).size, new Set(claimed.map(({ fence }) => fence)).size]).toEqual([24, 24, 24]);
  });

  test('only ready work of the kinds asked for is claimed, the longest ready first; none of a transaction that is undone', async () => {
    const [one, two] = open();
    const undone = database().transaction(async session => {
      await one.offer(session, [work('ready', 'undone')]);
      throw new Error('undone');
    });
    expect(await failureMessage(undone)).toBe('undone');
    await offer(one, work('ready', 'later', { readyAt: START + 5 }), work('ready', 'old', { readyAt: START - 5 }), work('ready', 'now'), work('unready', '1'));
    expect(byId(await claim(two, 'ready', 1))).toEqual(['ready old']);
    expect(byId(await claim(two, 'ready'))).toEqual(['ready now']);
    clock.at += 5;
    expect(byId(await claim(two, 'ready'))).toEqual(['ready later']);
  });
}

function fenceTests({ open, offer, claim, clock }: Stage, { test, expect }: SuiteTools): void {
  test('a lease ends by itself, a heartbeat prolongs it, and the newest fence is the greatest', async () => {
    const [one, two] = open();
    await offer(one, work('beat', '1'));
    const [first] = await claim(one, 'beat');
    clock.at += LEASE_MS - 1;
    expect(await one.heartbeat(lease(first), LEASE_MS)).toBe('held');
    clock.at += LEASE_MS - 1;
    expect(await claim(two, 'beat')).toEqual([]);
    clock.at += 1;
    const [second] = await claim(two, 'beat');
    expect([second?.attempt, second?.abandoned]).toEqual([1, 1]);
    expect(BigInt(second?.fence ?? 0) > BigInt(first?.fence ?? 0)).toBe(true);
  });

  test('who has lost its lease writes nothing any more', async () => {
    const [one, two] = open();
    await offer(one, work('lost', '1'));
    const old = lease((await claim(one, 'lost'))[0]);
    clock.at += LEASE_MS;
    const held = lease((await claim(two, 'lost'))[0]);
    let ran = 0;
    const alongside = (): Promise<void> => {
      ran += 1;
      return Promise.resolve();
    };
    expect(await one.heartbeat(old, LEASE_MS)).toBe('lost');
    expect([await one.complete(old, alongside), await one.bury(old, 'x', alongside), await one.release(old, 0, 'failed'), ran]).toEqual([
      false,
      false,
      false,
      0,
    ]);
    expect(await two.heartbeat(held, LEASE_MS)).toBe('held');
    expect([await two.complete(held, alongside), ran]).toEqual([true, 1]);
    expect(await two.heartbeat(held, LEASE_MS)).toBe('lost');
    expect(await two.complete(held, alongside)).toBe(false);
  });
}

const lease = (claimed: LeasedWork | undefined): Lease => ({ id: claimed?.id ?? '', fence: claimed?.fence ?? '0' });

function endTests({ open, offer, claim, clock, database, deadLetters }: Stage, { test, expect }: SuiteTools): void {
  test('the end of a work and its result are committed together, or neither is', async () => {
    const [one, two] = open();
    await database().query('create table suite_results (id text)');
    await offer(one, work('result', '1'));
    const [claimed] = await claim(one, 'result');
    const insert = async (session: SqlSession): Promise<void> => {
      await session.query("insert into suite_results values ('r')");
    };
    const broken = one.complete(lease(claimed), async session => {
      await insert(session);
      throw new Error('the result is broken');
    });
    expect(await failureMessage(broken)).toBe('the result is broken');
    expect((await database().query('select id from suite_results')).rows.length).toBe(0);
    expect(await two.heartbeat(lease(claimed), LEASE_MS)).toBe('held');
    expect(await one.complete(lease(claimed), insert)).toBe(true);
    expect((await database().query('select id from suite_results')).rows.length).toBe(1);
  });

  test('a failed work comes again at its time with the next attempt; one that is handed back keeps its attempt', async () => {
    const [one, two] = open();
    await offer(one, work('again', '1'));
    expect(await one.release(lease((await claim(one, 'again'))[0]), clock.at + 100, 'failed')).toBe(true);
    expect(await claim(two, 'again')).toEqual([]);
    clock.at += 100;
    const [second] = await claim(two, 'again');
    expect([second?.attempt, second?.abandoned]).toEqual([2, 0]);
    await two.release(lease(second), clock.at, 'unfinished');
    const [third] = await claim(one, 'again');
    expect([third?.attempt, third?.abandoned]).toEqual([2, 0]);
  });

  test('a work that is given up is a dead letter, with its result; a replay offers it again', async () => {
    const [one, two] = open();
    const item = work('buried', '1');
    await offer(one, item);
    let ran = 0;
    const buried = await one.bury(lease((await claim(one, 'buried'))[0]), new Error('no use\0'), () => {
      ran += 1;
      return Promise.resolve();
    });
    expect([buried, ran]).toEqual([true, 1]);
    const letter = (await deadLetters().list({ limit: 100 })).find(({ origin, group }) => origin === 'work' && group === 'buried');
    expect([letter?.key, letter?.attempts, letter?.failure.includes('no use')]).toEqual([item.key, 1, true]);
    expect(letter?.envelope).toEqual(item.envelope);
    expect(await deadLetters().replay(letter?.id ?? '')).toBe(true);
    clock.at = Number.MAX_SAFE_INTEGER - LEASE_MS;
    const [again] = await claim(two, 'buried');
    expect([again?.id, again?.attempt]).toEqual([item.id, 1]);
    await two.complete(lease(again), none);
  });
}

function cancelTests({ open, offer, claim, clock, database }: Stage, { test, expect }: SuiteTools): void {
  const cancel = (store: LeaseStore, key: string): ReturnType<LeaseStore['cancel']> => database().transaction(session => store.cancel(session, key));

  test('a cancel takes away what nobody holds and tells who holds the rest; other keys go on', async () => {
    const [one, two] = open();
    await offer(one, work('cancel', 'held'));
    const held = lease((await claim(one, 'cancel'))[0]);
    await offer(one, work('cancel', 'waiting'), work('cancel', 'later', { readyAt: START + 9 }), work('cancel', 'other', { key: 'another key' }));
    const { removed, told } = await cancel(two, 'cancel key');
    expect([[...removed].sort(), told]).toEqual([['cancel later', 'cancel waiting'], ['cancel held']]);
    expect(await one.heartbeat(held, LEASE_MS)).toBe('cancelled');
    expect(byId(await claim(two, 'cancel'))).toEqual(['cancel other']);
    expect(await one.complete(held, none)).toBe(true);
    expect(await cancel(two, 'cancel key')).toEqual({ removed: [], told: [] });
  });

  test('cancelled work is not claimed again when its holder has died, or has handed it back', async () => {
    const [one, two] = open();
    await offer(one, work('dying', 'dead'), work('dying', 'back'));
    const claimed = await claim(one, 'dying');
    await cancel(two, 'dying key');
    await one.release(lease(claimed.find(({ id }) => id === 'dying back')), clock.at, 'failed');
    clock.at += LEASE_MS;
    expect(await claim(two, 'dying')).toEqual([]);
    await offer(two, work('dying', 'dead'));
    expect(byId(await claim(two, 'dying'))).toEqual(['dying dead']);
  });
}
