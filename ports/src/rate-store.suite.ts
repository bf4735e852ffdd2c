/** What every store of the rate governor has to do (PRV-10, PRV-19). */
import type { RateGrant, RateKey, RateRequest, RateStore, ServerLimit } from './rate-store.port.ts';
import type { SuiteTools } from './suite-tools.ts';

export interface RateSuiteSubject {
  /** Two stores over the same memory, as two processes have them; both read the clock. Called inside each test. */
  readonly stores: (now: () => number) => readonly [RateStore, RateStore];
}

const START = Date.parse('2026-01-02T03:04:05.500Z');
const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

const request = (key: RateKey, changes: Partial<RateRequest> = {}): RateRequest => ({
  ...key,
  charges: [{ window: 'points', cost: 1, limit: 10, seconds: 60 }],
  maxConcurrent: 100,
  leaseMs: 5 * MINUTE,
  resource: 'core',
  ...changes,
});

const report = (store: RateStore, key: RateKey, limit: ServerLimit): Promise<void> => store.release(key, 'another', { limit });
const quarantine = (store: RateStore, key: RateKey, quarantineUntil: number): Promise<void> => store.release(key, 'another', { quarantineUntil });
const leaseOf = (grant: RateGrant): string => (grant.granted ? grant.lease : '');

const outcome = (grant: RateGrant): string => (grant.granted ? 'granted' : `${grant.reason} ${grant.waitMs}`);

export function rateStoreSuite({ stores }: RateSuiteSubject, tools: SuiteTools): void {
  const clock = { at: START };
  const open = (): readonly [RateStore, RateStore] => {
    clock.at = START;
    return stores(() => clock.at);
  };
  pointTests(open, clock, tools);
  leaseTests(open, clock, tools);
  announcedTests(open, clock, tools);
  uncountedTests(open, clock, tools);
  runTests(open, clock, tools);
}

type Open = () => readonly [RateStore, RateStore];
type Clock = { at: number };

function pointTests(open: Open, clock: Clock, { test, expect }: SuiteTools): void {
  test('points are spent by all processes together, and come back after a minute', async () => {
    const [one, two] = open();
    const key = { provider: 'points', credential: 'a' };
    const write = request(key, { charges: [{ window: 'points', cost: 5, limit: 10, seconds: 60 }] });
    expect(outcome(await one.acquire(write))).toBe('granted');
    clock.at += 10_000;
    expect(outcome(await two.acquire(write))).toBe('granted');
    // The first second is free again when all of it is more than a minute ago.
    expect(outcome(await one.acquire(write))).toBe('points 50500');
    expect(outcome(await one.acquire(request(key)))).toBe('points 50500');
    clock.at += 50_499;
    expect(outcome(await two.acquire(write))).toBe('points 1');
    clock.at += 1;
    expect(outcome(await two.acquire(write))).toBe('granted');
    expect(outcome(await one.acquire(request(key)))).toBe('points 10000');
  });

  test('an hour may be spent in one burst, is spent by all processes together, and comes back when it is over', async () => {
    const [one, two] = open();
    const key = { provider: 'hour', credential: 'a' };
    const hourly = { window: 'hour', limit: 10, seconds: 60 * 60 };
    const read = request(key, { charges: [{ ...hourly, cost: 1 }] });
    const write = request(key, { charges: [{ ...hourly, cost: 5 }] });
    expect(outcome(await one.acquire(write))).toBe('granted');
    clock.at += 10_000;
    for (let call = 0; call < 5; call += 1) expect(outcome(await (call % 2 === 0 ? one : two).acquire(read))).toBe('granted');
    // The minute in which it was spent is free again when all of it is more than an hour ago.
    const until = Math.floor(START / MINUTE) * MINUTE + MINUTE + 60 * MINUTE;
    expect(outcome(await two.acquire(read))).toBe(`points ${until - clock.at}`);
    clock.at = until - 1;
    expect(outcome(await one.acquire(write))).toBe('points 1');
    clock.at = until;
    expect(outcome(await two.acquire(write))).toBe('granted');
    expect(outcome(await one.acquire(write))).toBe('granted');
    expect((await two.acquire(read)).granted).toBe(false);
  });

  test('no hour holds more than its limit, however the calls fall', async () => {
    const [one, two] = open();
    const key = { provider: 'any hour', credential: 'a' };
    const read = request(key, { charges: [{ window: 'hour', cost: 1, limit: 12, seconds: 60 * 60 }], leaseMs: 1 });
    const granted: number[] = [];
    for (let call = 0; call < 120; call += 1) {
      clock.at += 97_003;
      if ((await (call % 2 === 0 ? one : two).acquire(read)).granted) granted.push(clock.at);
    }
    const most = Math.max(...granted.map(from => granted.filter(at => at >= from && at < from + 60 * MINUTE).length));
    expect(most).toBe(12);
  });

  test('a minute and an hour hold at the same time, and the longer wait is named', async () => {
    const [one] = open();
    const key = { provider: 'both', credential: 'a' };
    const charges = [
      { window: 'points', cost: 1, limit: 2, seconds: 60 },
      { window: 'hour', cost: 1, limit: 3, seconds: 60 * 60 },
    ];
    const read = request(key, { charges });
    for (let call = 0; call < 2; call += 1) expect(outcome(await one.acquire(read))).toBe('granted');
    expect(outcome(await one.acquire(read))).toBe('points 60500');
    clock.at += 60_500;
    expect(outcome(await one.acquire(read))).toBe('granted');
    expect(outcome(await one.acquire(read))).toBe(`points ${Math.floor(START / MINUTE) * MINUTE + 61 * MINUTE - clock.at}`);
  });

  test('a refusal charges nothing, and other providers, credentials and windows are not touched', async () => {
    const [one, two] = open();
    const all = { window: 'points', cost: 10, limit: 10, seconds: 60 };
    const content = { window: 'content', cost: 1, limit: 1, seconds: 60 };
    const key = { provider: 'apart', credential: 'a' };
    expect(outcome(await one.acquire(request(key, { charges: [content] })))).toBe('granted');
    expect((await two.acquire(request(key, { charges: [all, content] }))).granted).toBe(false);
    expect(outcome(await two.acquire(request(key, { charges: [all] })))).toBe('granted');
    expect(outcome(await one.acquire(request({ provider: 'apart', credential: 'b' }, { charges: [all] })))).toBe('granted');
    expect(outcome(await one.acquire(request({ provider: 'apart 2', credential: 'a' }, { charges: [all] })))).toBe('granted');
  });

  test('a cost above the limit counts as the limit', async () => {
    const [one] = open();
    const key = { provider: 'greedy', credential: 'a' };
    expect(outcome(await one.acquire(request(key, { charges: [{ window: 'points', cost: 99, limit: 10, seconds: 60 }] })))).toBe('granted');
    expect((await one.acquire(request(key))).granted).toBe(false);
  });

  test('of many calls at once exactly the limit is granted', async () => {
    const [one, two] = open();
    const key = { provider: 'crowd', credential: 'a' };
    const grants = await Promise.all(Array.from({ length: 40 }, (_, index) => (index % 2 === 0 ? one : two).acquire(request(key))));
    expect(grants.filter(({ granted }) => granted).length).toBe(10);
  });

  test('calls that notify people keep their distance', async () => {
    const [one, two] = open();
    const key = { provider: 'notify', credential: 'a' };
    const notifying = request(key, { notificationIntervalMs: 1_000 });
    expect(outcome(await one.acquire(notifying))).toBe('granted');
    expect(outcome(await two.acquire(notifying))).toBe('notification 1000');
    expect(outcome(await two.acquire(request(key)))).toBe('granted');
    clock.at += 1_000;
    expect(outcome(await two.acquire(notifying))).toBe('granted');
  });
}

function leaseTests(open: Open, clock: Clock, { test, expect }: SuiteTools): void {
  test('slots are limited among the processes, and a released one is free at once', async () => {
    const [one, two] = open();
    const key = { provider: 'slots', credential: 'a' };
    const narrow = request(key, { maxConcurrent: 2 });
    const first = await one.acquire(narrow);
    clock.at += 1_000;
    expect(outcome(await two.acquire(narrow))).toBe('granted');
    expect(outcome(await two.acquire(narrow))).toBe(`concurrency ${5 * MINUTE - 1_000}`);
    await two.release(key, leaseOf(first));
    expect(outcome(await one.acquire(narrow))).toBe('granted');
    expect((await one.acquire(narrow)).granted).toBe(false);
  });

  test('a lease ends by itself when its process has died; releasing twice or too late changes nothing', async () => {
    const [one, two] = open();
    const key = { provider: 'leases', credential: 'a' };
    const narrow = request(key, { maxConcurrent: 1 });
    const dead = await one.acquire(narrow);
    clock.at += 5 * MINUTE;
    expect(outcome(await two.acquire(narrow))).toBe('granted');
    await one.release(key, leaseOf(dead));
    await one.release(key, leaseOf(dead));
    await one.release(key, 'nobody');
    expect((await one.acquire(narrow)).granted).toBe(false);
  });

  test('of many calls at once no more are under way than there are slots', async () => {
    const [one, two] = open();
    const key = { provider: 'crowded slots', credential: 'a' };
    const grants = await Promise.all(Array.from({ length: 20 }, (_, index) => (index % 2 === 0 ? one : two).acquire(request(key, { maxConcurrent: 3 }))));
    const leases = grants.flatMap(grant => (grant.granted ? [grant.lease] : []));
    expect([leases.length, new Set(leases).size]).toEqual([3, 3]);
  });
}

function announcedTests(open: Open, clock: Clock, { test, expect }: SuiteTools): void {
  test('a quarantine stops every call until its end, and a shorter one does not end it', async () => {
    const [one, two] = open();
    const key = { provider: 'quarantine', credential: 'a' };
    await quarantine(one, key, clock.at + MINUTE);
    await quarantine(two, key, clock.at + 1_000);
    expect(outcome(await two.acquire(request(key)))).toBe('quarantine 60000');
    expect(outcome(await two.acquire(request({ ...key, credential: 'b' })))).toBe('granted');
    clock.at += MINUTE;
    expect(outcome(await two.acquire(request(key)))).toBe('granted');
  });

  test('what the provider announces is counted down, and at its end calls wait for the reset', async () => {
    const [one, two] = open();
    const key = { provider: 'announced', credential: 'a' };
    await report(one, key, { resource: 'core', remaining: 2, resetAt: clock.at + MINUTE });
    expect(outcome(await two.acquire(request(key)))).toBe('granted');
    expect(outcome(await one.acquire(request(key)))).toBe('granted');
    expect(outcome(await two.acquire(request(key)))).toBe('server_limit 60000');
    expect(outcome(await two.acquire(request(key, { resource: 'search' })))).toBe('granted');
    clock.at += MINUTE;
    expect(outcome(await two.acquire(request(key)))).toBe('granted');
  });

  test('an answer that was overtaken raises nothing; a new period does', async () => {
    const [one, two] = open();
    const key = { provider: 'overtaken', credential: 'a' };
    const resetAt = clock.at + MINUTE;
    await report(one, key, { resource: 'core', remaining: 0, resetAt });
    await report(two, key, { resource: 'core', remaining: 5, resetAt });
    await report(two, key, { resource: 'core', remaining: 9, resetAt: resetAt - 1 });
    expect((await one.acquire(request(key))).granted).toBe(false);
    await report(two, key, { resource: 'core', remaining: 1, resetAt: resetAt + MINUTE });
    expect((await one.acquire(request(key))).granted).toBe(true);
  });

  test('a refusal names the longest wait', async () => {
    const [one] = open();
    const key = { provider: 'longest', credential: 'a' };
    await quarantine(one, key, clock.at + 1_000);
    await report(one, key, { resource: 'core', remaining: 0, resetAt: clock.at + 9_000 });
    expect(outcome(await one.acquire(request(key)))).toBe('server_limit 9000');
  });
}

function uncountedTests(open: Open, clock: Clock, { test, expect }: SuiteTools): void {
  test('a call that the provider does not count gives back what it took of the announced budget, and its points stay spent', async () => {
    const [one, two] = open();
    const key = { provider: 'uncounted', credential: 'a' };
    const limit = { resource: 'core', remaining: 1, resetAt: clock.at + MINUTE };
    await report(one, key, limit);
    for (let call = 0; call < 10; call += 1) await two.release(key, leaseOf(await one.acquire(request(key))), { uncounted: true, limit });
    expect(outcome(await one.acquire(request(key)))).toBe('points 60500');
  });

  test('nothing is given back twice, after the end of a lease, or into another period', async () => {
    const [one, two] = open();
    const key = { provider: 'given back', credential: 'a' };
    const resetAt = clock.at + 9 * MINUTE;
    await report(one, key, { resource: 'core', remaining: 2, resetAt });
    const first = leaseOf(await one.acquire(request(key)));
    const old = leaseOf(await one.acquire(request(key, { leaseMs: 1_000 })));
    await two.release(key, first, { uncounted: true });
    await two.release(key, first, { uncounted: true });
    clock.at += 1_000;
    await two.release(key, old, { uncounted: true });
    const third = leaseOf(await one.acquire(request(key)));
    expect(outcome(await one.acquire(request(key)))).toBe(`server_limit ${9 * MINUTE - 1_000}`);
    await report(two, key, { resource: 'core', remaining: 0, resetAt: resetAt + MINUTE });
    await two.release(key, third, { uncounted: true });
    expect(outcome(await one.acquire(request(key)))).toBe(`server_limit ${10 * MINUTE - 1_000}`);
  });

  test('where the provider does count it after all, its own word holds', async () => {
    const [one] = open();
    const key = { provider: 'counted', credential: 'a' };
    const limit = { resource: 'core', remaining: 1, resetAt: clock.at + MINUTE };
    await report(one, key, limit);
    await one.release(key, leaseOf(await one.acquire(request(key))), { uncounted: true, limit: { ...limit, remaining: 0 } });
    expect(outcome(await one.acquire(request(key)))).toBe('server_limit 60000');
  });

  test('what a provider calls its budgets is text and nothing else', async () => {
    const [one, two] = open();
    const key = { provider: 'names', credential: 'a' };
    for (const resource of ['__proto__', 'constructor']) {
      expect(outcome(await one.acquire(request(key, { resource })))).toBe('granted');
      await report(one, key, { resource, remaining: 0, resetAt: clock.at + MINUTE });
      expect(outcome(await two.acquire(request(key, { resource })))).toBe('server_limit 60000');
    }
    expect(outcome(await two.acquire(request(key)))).toBe('granted');
  });
}

function runTests(open: Open, clock: Clock, { test, expect }: SuiteTools): void {
  test('all processes of a run share its calls; other runs and providers have their own', async () => {
    const [one, two] = open();
    const call = { provider: 'budget', run: 'one', calls: 2 };
    expect([await one.spend(call), await two.spend(call), await one.spend(call), await two.spend(call)]).toEqual([true, true, false, false]);
    expect([await one.spend({ ...call, run: 'two' }), await one.spend({ ...call, provider: 'another budget' })]).toEqual([true, true]);
    expect([await two.spend({ ...call, calls: 3 }), await two.spend({ ...call, calls: 3 })]).toEqual([true, false]);
  });

  test('of many calls of a run at once exactly its calls are made', async () => {
    const [one, two] = open();
    const call = { provider: 'budget', run: 'crowd', calls: 7 };
    const made = await Promise.all(Array.from({ length: 30 }, (_, index) => (index % 2 === 0 ? one : two).spend(call)));
    expect(made.filter(Boolean).length).toBe(7);
  });

  test('a run is forgotten a day after its last call, and not before', async () => {
    const [one, two] = open();
    const call = { provider: 'budget', run: 'old', calls: 2 };
    await one.spend(call);
    clock.at += DAY - 1;
    expect([await one.spend(call), await one.spend(call)]).toEqual([true, false]);
    clock.at += DAY - 1;
    await one.spend({ ...call, run: 'newer' });
    expect(await one.spend(call)).toBe(false);
    clock.at += 1;
    await one.spend({ ...call, run: 'newest' });
    expect([await two.spend(call), await two.spend(call), await two.spend(call)]).toEqual([true, true, false]);
  });
}
