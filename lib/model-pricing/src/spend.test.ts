import { MAX_MILLICENTS } from '@weir/contract';
import { verifies } from '@weir/requirements';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { formatDollars, readDollars } from './dollars.ts';
import { capacityText, capText, decideCap, NO_LIMITS, readSpendLimits, type StoredSpendLimits } from './spend-cap.ts';
import { costOfCall, NO_SPEND, spendText, sumCharges, unknownFirst } from './spend-sum.ts';

test(`${verifies('REV-29')} a call with one unknown line is unpriced, and its known lines still count`, () => {
  const charges = [
    { callRef: 'a', cost: 10 },
    { callRef: 'b', cost: 5 },
    { callRef: 'a', cost: null },
    { callRef: 'a', cost: null },
  ];
  expect(sumCharges(charges)).toEqual({ calls: 2, unpricedCalls: 1, millicents: 15 });
  expect(costOfCall([])).toBe(null);
});

test(`${verifies('REV-29')} unknowns are shown first`, () => {
  const rows = [
    { name: 'b', calls: 1, unpricedCalls: 0, millicents: 5 },
    { name: 'dear', calls: 1, unpricedCalls: 0, millicents: 9 },
    { name: null, calls: 3, unpricedCalls: 2, millicents: 0 },
    { name: 'a', calls: 1, unpricedCalls: 0, millicents: 5 },
  ];
  expect(unknownFirst(rows).map(({ name }) => name)).toEqual([null, 'dear', 'a', 'b']);
  expect(spendText({ calls: 7, unpricedCalls: 2, millicents: 1_234 })).toBe('2 of 7 calls unpriced, the rest $0.01234');
  expect(spendText({ calls: 1, unpricedCalls: 1, millicents: 0 })).toBe('1 call unpriced');
  expect(spendText({ calls: 1, unpricedCalls: 0, millicents: 0 })).toBe('$0.00 for 1 call');
});

test.each([
  ['5', 500_000],
  ['5.00', 500_000],
  ['0.00015', 15],
  [' 12.5 ', 1_250_000],
  ['10000000', MAX_MILLICENTS],
  ['10000000.00001', undefined],
  ['', undefined],
  ['-1', undefined],
  ['1e3', undefined],
  ['1,5', undefined],
  ['$5', undefined],
  ['0.000001', undefined],
])('%j dollars are %s millicents', (text, millicents) => {
  expect(readDollars(text)).toBe(millicents);
});

test('dollars read back what they print', () => {
  expect([500_000, 1_234, 10_000, 0].map(formatDollars)).toEqual(['$5.00', '$0.01234', '$0.10', '$0.00']);
  fc.assert(fc.property(fc.nat(2 ** 30), millicents => readDollars(formatDollars(millicents).slice(1)) === millicents));
});

const HOUR = 3_600_000;
const spend = { calls: 3, unpricedCalls: 1, millicents: 500 };

const stored = (changes: Partial<StoredSpendLimits>): StoredSpendLimits => ({ spend: null, calls: null, window: null, ...changes });

test(`${verifies('REV-31')} unset limits are no limits, and without a limit nothing is refused`, () => {
  expect(readSpendLimits(stored({}))).toEqual({ limits: NO_LIMITS, problems: [] });
  expect(readSpendLimits(stored({ spend: '0.00005', calls: '2', window: '1h' }))).toEqual({
    limits: { millicents: 5, calls: 2, windowMs: HOUR },
    problems: [],
  });
  expect(decideCap(NO_LIMITS, spend)).toEqual({ allowed: true });
  expect(decideCap(NO_LIMITS, 'unreadable')).toEqual({ allowed: true });
});

test.each([
  [{ spend: 'fifty' }, 'caps.spend'],
  [{ spend: '-1' }, 'caps.spend'],
  [{ spend: '1e9' }, 'caps.spend'],
  [{ calls: '1.5' }, 'caps.calls'],
  [{ calls: '10000000000' }, 'caps.calls'],
  [{ window: 'a day' }, 'caps.window'],
  [{ window: '0h' }, 'caps.window'],
  [{ window: '367d' }, 'caps.window'],
  [{ window: '' }, 'caps.window'],
])(`${verifies('REV-31')} the limit %j makes no sense: it is none, and a sentence names it`, (changes, name) => {
  const { limits, problems } = readSpendLimits(stored(changes));
  expect(limits).toEqual(NO_LIMITS);
  expect(problems).toEqual([expect.stringContaining(`${name} cannot be read`)]);
});

test(`${verifies('REV-31')} a limit that is reached refuses, on money and on calls; viewers are told the measurement, not the limit`, () => {
  expect(decideCap({ millicents: 501, calls: 4, windowMs: HOUR }, spend)).toEqual({ allowed: true });
  expect(decideCap({ millicents: 500, calls: null, windowMs: HOUR }, spend)).toEqual({
    allowed: false,
    code: 'CAP_REACHED',
    axis: 'millicents',
    measurement: '$0.005 spent in the last 60 minutes',
    sentence: '$0.005 spent in the last 60 minutes; no more calls are paid for now.',
    operatorSentence: '$0.005 spent in the last 60 minutes; no more calls are paid for now. The limit is $0.005.',
  });
  const calls = decideCap({ millicents: null, calls: 2, windowMs: 24 * HOUR }, spend);
  expect(calls).toMatchObject({ axis: 'calls', sentence: '3 model calls made in the last 24 hours; no more calls are paid for now.' });
  expect(decideCap({ millicents: 0, calls: null, windowMs: HOUR }, NO_SPEND)).toMatchObject({ allowed: false });
});

test(`${verifies('REV-31')} an operator sees how far each limit is used up`, () => {
  expect(capText({ millicents: 1_000, calls: 100, windowMs: 24 * HOUR }, spend)).toBe('$0.005 of $0.01 and 3 of 100 calls in the last 24 hours');
  expect(capText({ millicents: null, calls: 100, windowMs: HOUR }, spend)).toBe('3 of 100 calls in the last 60 minutes');
  expect(capText(NO_LIMITS, spend)).toBe('');
});

test(`${verifies('REV-31')} a ledger that cannot be read allows, and says that the limit is not enforced`, () => {
  expect(decideCap({ millicents: 1, calls: null, windowMs: HOUR }, 'unreadable')).toEqual({ allowed: true, attention: 'CAP_UNENFORCEABLE' });
});

test(`${verifies('REV-31')} when capacity returns is worded as a lower bound`, () => {
  expect(capacityText(Date.parse('2026-01-02T03:00:00Z'), HOUR)).toBe('No capacity before 2026-01-02T04:00:00.000Z, and later if calls are still under way.');
});
