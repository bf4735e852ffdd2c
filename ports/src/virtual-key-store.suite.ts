/** What every store of virtual keys has to do (MOD-17). */
import type { NewVirtualKey } from '@weir/contract';
import { failureCode, type SuiteTools } from './suite-tools.ts';
import type { ReserveOutcome, VirtualKeyStore } from './virtual-key-store.port.ts';

export interface VirtualKeySuiteSubject {
  /** Two stores over the same keys, as two processes have them; both read the clock. Called inside each test. */
  readonly stores: (now: () => number) => readonly [VirtualKeyStore, VirtualKeyStore];
}

const START = Date.parse('2026-01-02T03:04:05Z');

/** The id's characters, as hex, so that every id has a hash of its own. */
const hashOf = (id: string): string =>
  Array.from(id, character => character.charCodeAt(0).toString(16).padStart(2, '0'))
    .join('')
    .padEnd(64, '0')
    .slice(0, 64);

const newKey = (id: string, changes: Partial<NewVirtualKey> = {}): NewVirtualKey => ({
  id,
  hash: hashOf(id),
  label: `key ${id}`,
  holder: { kind: 'run', id: 'r1' },
  budgetMillicents: null,
  budgetCalls: null,
  allowedRoutes: null,
  createdAt: START,
  expiresAt: null,
  ...changes,
});

const outcome = (answer: ReserveOutcome): string => (answer.granted ? 'granted' : answer.reason);
const FRESH = { revokedAt: null, spentMillicents: 0, reservedMillicents: 0, calls: 0, unpricedCalls: 0 };

type Open = () => readonly [VirtualKeyStore, VirtualKeyStore];
type Clock = { at: number };

export function virtualKeyStoreSuite({ stores }: VirtualKeySuiteSubject, tools: SuiteTools): void {
  const clock = { at: START };
  const open = (): readonly [VirtualKeyStore, VirtualKeyStore] => {
    clock.at = START;
    return stores(() => clock.at);
  };
  rowTests(open, clock, tools);
  budgetTests(open, clock, tools);
  lostTests(open, clock, tools);
  crowdTests(open, tools);
}

function rowTests(open: Open, clock: Clock, { test, expect }: SuiteTools): void {
  test('a key is found by its hash and its id, whole', async () => {
    const [one, two] = open();
    const whole = newKey('row', {
      holder: { kind: 'person', id: 'é' },
      budgetMillicents: 1_000_000_000_000,
      budgetCalls: 7,
      allowedRoutes: [{ modelProvider: 'p', model: 'm' }, { modelProvider: 'q' }],
      expiresAt: START + 1,
    });
    await one.create(whole);
    expect(await two.find(whole.hash)).toEqual({ ...whole, ...FRESH });
    expect(await two.get('row')).toEqual({ ...whole, ...FRESH });
    expect([await two.find(hashOf('nobody')), await two.get('nobody')]).toEqual([undefined, undefined]);
  });

  test('an id and a hash are there once', async () => {
    const [one, two] = open();
    await one.create(newKey('twice'));
    expect(await failureCode(two.create(newKey('twice', { hash: hashOf('other') })))).toBe('KEY_INVALID');
    expect(await failureCode(two.create(newKey('other', { hash: hashOf('twice') })))).toBe('KEY_INVALID');
    expect(await failureCode(two.create(newKey('bad', { hash: 'the key itself' })))).toBe('KEY_INVALID');
  });

  test('keys are listed the newest first, in pages', async () => {
    const [one] = open();
    for (const [id, createdAt] of [
      ['list a', 9_000_000_000_001],
      ['list b', 9_000_000_000_003],
      ['list c', 9_000_000_000_003],
      ['list d', 9_000_000_000_002],
    ] as const) {
      await one.create(newKey(id, { createdAt }));
    }
    const first = await one.list(3);
    expect(first.map(({ id }) => id)).toEqual(['list c', 'list b', 'list d']);
    expect((await one.list(1, 'list d')).map(({ id }) => id)).toEqual(['list a']);
    expect(await one.list(5, 'nobody')).toEqual([]);
  });

  test('a revocation is seen by everybody, and the first one stays', async () => {
    const [one, two] = open();
    await one.create(newKey('revoke a'));
    await one.create(newKey('revoke b'));
    expect(await two.revokedAmong(['revoke a', 'revoke b', 'nobody'])).toEqual(['nobody']);
    expect(await one.revoke('revoke a')).toBe(true);
    clock.at += 5;
    expect(await two.revoke('revoke a')).toBe(true);
    expect(await two.revoke('nobody')).toBe(false);
    expect(await two.revokedAmong(['revoke b', 'revoke a'])).toEqual(['revoke a']);
    expect(await two.revokedAmong([])).toEqual([]);
    expect((await two.get('revoke a'))?.revokedAt).toBe(START);
    expect(outcome(await two.reserve({ keyId: 'revoke a', callRef: 'revoke 1', millicents: 0 }))).toBe('revoked');
  });
}

function budgetTests(open: Open, clock: Clock, { test, expect }: SuiteTools): void {
  test('a key without limits is never refused, and what it spends is counted', async () => {
    const [one, two] = open();
    await one.create(newKey('free'));
    for (const callRef of ['free 1', 'free 2', 'free 3']) expect(outcome(await two.reserve({ keyId: 'free', callRef, millicents: 10 }))).toBe('granted');
    await one.settle('free 1', 4);
    await one.settle('free 2', null);
    expect(await two.get('free')).toEqual({ ...newKey('free'), ...FRESH, spentMillicents: 14, reservedMillicents: 10, calls: 3, unpricedCalls: 1 });
  });

  test('a budget that the calls under way may use up refuses for now, and a spent one for good', async () => {
    const [one, two] = open();
    await one.create(newKey('budget', { budgetMillicents: 100 }));
    const reserve = async (callRef: string, millicents: number): Promise<string> => outcome(await two.reserve({ keyId: 'budget', callRef, millicents }));
    expect([await reserve('budget 1', 60), await reserve('budget 2', 50), await reserve('budget 3', 1)]).toEqual(['granted', 'granted', 'in_flight']);
    expect(await one.settle('budget 1', 40)).toBe(true);
    expect([await reserve('budget 3', 1), await reserve('budget 4', 500), await reserve('budget 5', 1)]).toEqual(['granted', 'granted', 'in_flight']);
    await one.settle('budget 2', 59);
    await one.settle('budget 3', 1);
    expect(await reserve('budget 5', 1)).toBe('spent');
    expect(await one.get('budget')).toEqual({
      ...newKey('budget', { budgetMillicents: 100 }),
      ...FRESH,
      spentMillicents: 100,
      reservedMillicents: 500,
      calls: 4,
    });
  });

  test('a call is reserved and settled once, however often it is asked', async () => {
    const [one, two] = open();
    await one.create(newKey('once', { budgetMillicents: 100 }));
    for (const store of [one, two, one]) expect(outcome(await store.reserve({ keyId: 'once', callRef: 'once 1', millicents: 60 }))).toBe('granted');
    expect((await two.get('once'))?.reservedMillicents).toBe(60);
    expect([await one.settle('once 1', 10), await two.settle('once 1', 10), await two.settle('nobody', 10)]).toEqual([true, false, false]);
    expect(await two.get('once')).toEqual({ ...newKey('once', { budgetMillicents: 100 }), ...FRESH, spentMillicents: 10, calls: 1 });
  });

  test('a limit of calls holds where nothing costs money', async () => {
    const [one] = open();
    await one.create(newKey('calls', { budgetCalls: 2, budgetMillicents: 100 }));
    const answers: string[] = [];
    for (const callRef of ['calls 1', 'calls 2', 'calls 2', 'calls 3']) answers.push(outcome(await one.reserve({ keyId: 'calls', callRef, millicents: 0 })));
    expect(answers).toEqual(['granted', 'granted', 'granted', 'spent']);
  });

  test('an unknown key and an expired one reserve nothing, and a call that had begun is settled', async () => {
    const [one] = open();
    await one.create(newKey('end', { expiresAt: START + 10 }));
    expect(outcome(await one.reserve({ keyId: 'end', callRef: 'end 1', millicents: 5 }))).toBe('granted');
    clock.at = START + 10;
    expect(outcome(await one.reserve({ keyId: 'end', callRef: 'end 2', millicents: 5 }))).toBe('expired');
    expect(outcome(await one.reserve({ keyId: 'nobody', callRef: 'end 3', millicents: 5 }))).toBe('unknown');
    expect(await one.settle('end 1', 5)).toBe(true);
  });
}

function lostTests(open: Open, clock: Clock, { test, expect }: SuiteTools): void {
  test('calls that were reserved long ago and never settled are found, the oldest first', async () => {
    const [one, two] = open();
    await one.create(newKey('lost'));
    // Long before what the other tests reserve.
    for (const [at, callRef] of [
      [30, 'lost c'],
      [10, 'lost b'],
      [10, 'lost a'],
    ] as const) {
      clock.at = at;
      await two.reserve({ keyId: 'lost', callRef, millicents: 1 });
    }
    expect(await one.reservedBefore(31, 10)).toEqual(['lost a', 'lost b', 'lost c']);
    expect(await one.reservedBefore(30, 1)).toEqual(['lost a']);
    await two.settle('lost a', null);
    expect(await one.reservedBefore(30, 10)).toEqual(['lost b']);
    for (const callRef of ['lost b', 'lost c']) await two.settle(callRef, 0);
    expect(await one.reservedBefore(31, 10)).toEqual([]);
  });
}

function crowdTests(open: Open, { test, expect }: SuiteTools): void {
  test('of many calls at once only as many begin as the budget covers', async () => {
    const [one, two] = open();
    await one.create(newKey('crowd', { budgetMillicents: 100 }));
    const answers = await Promise.all(
      Array.from({ length: 40 }, (_, index) => (index % 2 === 0 ? one : two).reserve({ keyId: 'crowd', callRef: `crowd ${index}`, millicents: 10 })),
    );
    expect(answers.filter(({ granted }) => granted).length).toBe(10);
    expect((await two.get('crowd'))?.reservedMillicents).toBe(100);
    await Promise.all(answers.flatMap(({ granted }, index) => (granted ? [one.settle(`crowd ${index}`, 9), two.settle(`crowd ${index}`, 9)] : [])));
    expect(await one.get('crowd')).toEqual({ ...newKey('crowd', { budgetMillicents: 100 }), ...FRESH, spentMillicents: 90, calls: 10 });
  });
}
