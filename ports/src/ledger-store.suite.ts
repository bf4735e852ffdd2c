/** What every ledger has to do (REV-29, REV-31). */
import type { Charge, ChargeLine, ModelCall } from '@weir/contract';
import type { CallPlace, LedgerStore, SpendFilter, SpendGroup } from './ledger-store.port.ts';
import { failureName, type SuiteTools } from './suite-tools.ts';

export interface LedgerSuiteSubject {
  /** Two stores over one ledger, as two processes have them. The tests share it, each with runs and windows of its own. */
  readonly stores: () => readonly [LedgerStore, LedgerStore];
}

const call = (callRef: string, changes: Partial<ModelCall> = {}): ModelCall => ({
  callRef,
  at: 1_000,
  capability: 'review',
  modelProvider: 'p',
  model: 'm',
  credentialRef: 'c1',
  forge: null,
  virtualKey: null,
  person: null,
  run: null,
  review: null,
  repository: null,
  ...changes,
});

const input = (cost: number): ChargeLine => ({ tokenType: 'input', tokens: cost, rate: 1_000_000, cost, pricingMode: 'metered' });
const output = (cost: number): ChargeLine => ({ ...input(cost), tokenType: 'output' });
const UNKNOWN: ChargeLine = { tokenType: 'total', tokens: null, rate: null, cost: null, pricingMode: 'unknown' };
const FREE: ChargeLine = { tokenType: 'total', tokens: null, rate: null, cost: 0, pricingMode: 'unmetered' };
const UNPRICED: ChargeLine = { tokenType: 'cached_input', tokens: 3, rate: null, cost: null, pricingMode: 'unknown' };

export function ledgerStoreSuite({ stores }: LedgerSuiteSubject, tools: SuiteTools): void {
  appendTests(stores, tools);
  openTests(stores, tools);
  sumTests(stores, tools);
  windowTests(stores, tools);
}

type Stores = LedgerSuiteSubject['stores'];

function appendTests(stores: Stores, { test, expect }: SuiteTools): void {
  test('the lines of a call are kept as they were written, whoever they belong to', async () => {
    const [one, two] = stores();
    const whole = call('append whole', { forge: 'f', virtualKey: 'k', person: 'é 漢 😀', run: 'append', review: 'v', repository: 'o/r', model: 'a/b:c' });
    expect(await one.append(whole, [output(7), input(5), UNPRICED])).toBe(3);
    expect(await two.charges('append whole')).toEqual([input(5), UNPRICED, output(7)].map(line => ({ ...whole, ...line })));
    expect(await two.charges('nobody')).toEqual([]);
  });

  test('an append that is repeated, by anyone and at once, changes nothing, and the first one stays', async () => {
    const [one, two] = stores();
    const repeated = call('repeat', { run: 'repeat' });
    const counts = await Promise.all(Array.from({ length: 20 }, (_, index) => (index % 2 === 0 ? one : two).append(repeated, [input(5), output(1)])));
    expect(counts.reduce((sum, count) => sum + count, 0)).toBe(2);
    expect(await two.append({ ...repeated, at: 9, credentialRef: 'c2' }, [input(500), output(1)])).toBe(0);
    expect(await one.sum({ run: 'repeat' })).toEqual({ calls: 1, unpricedCalls: 0, millicents: 6 });
    expect((await one.charges('repeat')).map(({ at, credentialRef }) => `${at} ${credentialRef}`)).toEqual(['1000 c1', '1000 c1']);
  });

  test('lines that come in pieces and in any order are all there', async () => {
    const [one, two] = stores();
    await Promise.all([
      one.append(call('pieces', { run: 'pieces' }), [output(2)]),
      two.append(call('pieces', { run: 'pieces' }), [input(1), output(2)]),
      one.append(call('pieces', { run: 'pieces' }), [UNPRICED]),
    ]);
    expect(await one.sum({ run: 'pieces' })).toEqual({ calls: 1, unpricedCalls: 1, millicents: 3 });
  });

  test('a line that does not fit its own figures is refused, and none of its call is written', async () => {
    const [one] = stores();
    const wrong: readonly ChargeLine[] = [
      { ...input(5), cost: 6 },
      { ...input(5), cost: null },
      { ...input(5), tokens: -5 },
      { ...input(5), rate: null },
      { ...input(5), tokens: 2_000_000_000, cost: 2_000_000_000 },
      { ...UNKNOWN, cost: 0 },
      { ...FREE, cost: 1 },
      { ...FREE, cost: null },
      { ...input(5), tokenType: 'total' },
    ];
    for (const line of wrong) {
      expect(await failureName(one.append(call('wrong', { run: 'wrong' }), [output(1), line])), JSON.stringify(line)).toBe('RangeError');
    }
    expect(await failureName(one.append(call('wrong', { run: 'wrong' }), []))).toBe('RangeError');
    expect(await one.charges('wrong')).toEqual([]);
  });

  test('the greatest lines are summed exactly', async () => {
    const [one] = stores();
    const greatest: ChargeLine = { tokenType: 'input', tokens: 1_000_000_000, rate: 1_000_000_000, cost: 1_000_000_000_000, pricingMode: 'metered' };
    for (let index = 0; index < 5; index += 1)
      await one.append(call(`greatest ${index}`, { run: 'greatest' }), [greatest, { ...output(1), rate: 999_999, cost: 1 }]);
    expect(await one.sum({ run: 'greatest' })).toEqual({ calls: 5, unpricedCalls: 0, millicents: 5_000_000_000_005 });
  });
}

function openTests(stores: Stores, { test, expect }: SuiteTools): void {
  test('a call that was opened and never charged is found, and closes with its charge', async () => {
    const [one, two] = stores();
    const opened = (callRef: string, at: number) => ({ ...call(callRef, { at, credentialRef: null, run: 'open' }), unmetered: callRef === 'open b' });
    await one.open(opened('open a', 20));
    await two.open(opened('open b', 10));
    await two.open({ ...opened('open b', 10), at: 99, unmetered: false });
    expect(await one.openBefore(21, 10)).toEqual([opened('open b', 10), opened('open a', 20)]);
    expect(await one.openBefore(20, 10)).toEqual([opened('open b', 10)]);
    expect((await one.openBefore(21, 1)).map(({ callRef }) => callRef)).toEqual(['open b']);
    await one.append(call('open b', { run: 'open' }), [FREE]);
    expect(await two.openBefore(21, 10)).toEqual([opened('open a', 20)]);
    await two.append(call('open a', { run: 'open' }), [UNKNOWN]);
    expect(await two.openBefore(21, 10)).toEqual([]);
    expect(await two.sum({ run: 'open' })).toEqual({ calls: 2, unpricedCalls: 1, millicents: 0 });
  });

  test('a call that is charged does not open again when the messages overtake each other', async () => {
    const [one, two] = stores();
    await one.append(call('overtaken', { at: 5 }), [input(1)]);
    await two.open({ ...call('overtaken', { at: 5 }), unmetered: false });
    expect((await one.openBefore(6, 10)).filter(({ callRef }) => callRef === 'overtaken')).toEqual([]);
  });
}

function sumTests(stores: Stores, { test, expect }: SuiteTools): void {
  test('unknown is never zero: it is counted beside the money, and a free call is known', async () => {
    const [one] = stores();
    await one.append(call('sum a', { run: 'sum' }), [input(5), output(7)]);
    await one.append(call('sum b', { run: 'sum' }), [UNKNOWN]);
    await one.append(call('sum c', { run: 'sum' }), [FREE]);
    await one.append(call('sum d', { run: 'sum' }), [input(1), UNPRICED]);
    expect(await one.sum({ run: 'sum' })).toEqual({ calls: 4, unpricedCalls: 2, millicents: 13 });
    expect(await one.sum({ run: 'nobody' })).toEqual({ calls: 0, unpricedCalls: 0, millicents: 0 });
  });

  test('every filter narrows, and all of them together', async () => {
    const [one] = stores();
    const whole = { run: 'filter', person: 'x', virtualKey: 'k', review: 'v', modelProvider: 'q', capability: 'build' };
    await one.append(call('filter all', { ...whole, at: 50 }), [input(1)]);
    for (const [key, index] of Object.keys(whole).map((name, place) => [name, place] as const)) {
      await one.append(call(`filter ${index}`, { ...whole, at: 50, [key]: 'other' }), [input(10)]);
    }
    expect(await one.sum({ ...whole, since: 50, until: 51 })).toEqual({ calls: 1, unpricedCalls: 0, millicents: 1 });
    expect((await one.sum({ run: 'filter' })).calls).toBe(6);
    expect((await one.sum({ ...whole, since: 51 })).calls).toBe(0);
    expect((await one.sum({ ...whole, until: 50 })).calls).toBe(0);
  });

  test('calls come newest first, whole and page by page, whatever they are asked by', async () => {
    const [one, two] = stores();
    const run = { run: 'calls' };
    await one.append(call('calls a', { ...run, at: 10, repository: 'o/r', review: 'v1' }), [output(2), input(1)]);
    await one.append(call('calls b', { ...run, at: 10, review: 'v2' }), [UNKNOWN]);
    await one.append(call('calls c', { ...run, at: 30, model: 'z' }), [input(5), UNPRICED]);
    await one.append(call('calls d', { ...run, at: 20, review: 'v1' }), [FREE]);
    const refs = async (filter: SpendFilter): Promise<readonly string[]> => {
      const found: string[] = [];
      for (let before: CallPlace | null = null; ; ) {
        const page: readonly (readonly Charge[])[] = await two.calls({ ...run, ...filter }, { limit: 2, before });
        for (const [line] of page) found.push(line?.callRef ?? 'a call without a line');
        const last = page.at(-1)?.[0];
        if (last === undefined) return found;
        before = last;
      }
    };
    expect(await refs({})).toEqual(['calls c', 'calls d', 'calls b', 'calls a']);
    expect([await refs({ repository: 'o/r' }), await refs({ repository: null })]).toEqual([['calls a'], ['calls c', 'calls d', 'calls b']]);
    expect([await refs({ model: 'z' }), await refs({ reviews: ['v1', 'v3'] }), await refs({ unpriced: true })]).toEqual([
      ['calls c'],
      ['calls d', 'calls a'],
      ['calls c', 'calls b'],
    ]);
    expect((await two.calls({ ...run, unpriced: true }, { limit: 1, before: null }))[0]?.length).toBe(2);
    expect(await two.calls({ ...run, model: 'z' }, { limit: 1, before: null })).toEqual([await two.charges('calls c')]);
    expect(await two.sum({ ...run, reviews: ['v1', 'v2'] })).toEqual({ calls: 3, unpricedCalls: 1, millicents: 3 });
  });

  test('groups have what is unpriced first, then the dearest, and add up to the whole', async () => {
    const [one, two] = stores();
    const run = { run: 'groups' };
    await one.append(call('groups a', { ...run, model: 'a' }), [input(5)]);
    await one.append(call('groups b', { ...run, model: 'b' }), [input(9)]);
    await one.append(call('groups c', { ...run, model: 'b', modelProvider: 'q', repository: 'o/r' }), [UNKNOWN]);
    await one.append(call('groups d', { ...run, model: 'd' }), [input(5)]);
    expect(await two.sumBy('model', run, 10)).toEqual([
      { name: 'q/b', calls: 1, unpricedCalls: 1, millicents: 0 },
      { name: 'p/b', calls: 1, unpricedCalls: 0, millicents: 9 },
      { name: 'p/a', calls: 1, unpricedCalls: 0, millicents: 5 },
      { name: 'p/d', calls: 1, unpricedCalls: 0, millicents: 5 },
    ]);
    expect((await two.sumBy('model', run, 1)).map(({ name }) => name)).toEqual(['q/b']);
    expect(await two.sumBy('repository', run, 10)).toEqual([
      { name: 'o/r', calls: 1, unpricedCalls: 1, millicents: 0 },
      { name: null, calls: 3, unpricedCalls: 0, millicents: 19 },
    ]);
    const groups: readonly SpendGroup[] = ['capability', 'modelProvider', 'run', 'person', 'virtualKey', 'review', 'forge', 'credentialRef'];
    for (const group of groups) {
      const rows = await two.sumBy(group, run, 10);
      expect([rows.reduce((sum, row) => sum + row.calls, 0), rows.reduce((sum, row) => sum + row.millicents, 0)], group).toEqual([4, 19]);
    }
  });
}

function windowTests(stores: Stores, { test, expect }: SuiteTools): void {
  test('the charge that fills a limit is found, counted back from the newest', async () => {
    const [one, two] = stores();
    const run = { run: 'window' };
    for (const at of [10, 20, 30, 40]) await one.append(call(`window ${at}`, { ...run, at }), [input(2), output(3)]);
    await one.append(call('window unknown', { ...run, at: 50 }), [UNKNOWN]);
    expect(await two.filledAt(run, 'millicents', 5)).toBe(40);
    expect(await two.filledAt(run, 'millicents', 6)).toBe(30);
    expect(await two.filledAt(run, 'millicents', 20)).toBe(10);
    expect(await two.filledAt(run, 'millicents', 21)).toBe(null);
    expect(await two.filledAt({ ...run, since: 20 }, 'millicents', 16)).toBe(null);
    expect(await two.filledAt(run, 'calls', 1)).toBe(50);
    expect(await two.filledAt(run, 'calls', 5)).toBe(10);
    expect(await two.filledAt(run, 'calls', 6)).toBe(null);
    expect([await two.filledAt(run, 'calls', 0), await two.filledAt(run, 'millicents', 0)]).toEqual([null, null]);
  });
}
