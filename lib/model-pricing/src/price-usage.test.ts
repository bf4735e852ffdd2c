import { ChargeLine, MAX_LINE_TOKENS, MAX_RATE, type ModelPrice, PART_TYPES } from '@weir/contract';
import { verifies } from '@weir/requirements';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { lineFault } from './line-fault.ts';
import { UNKNOWN_USAGE } from './partition-usage.ts';
import { costOf, estimateCost, priceUsage } from './price-usage.ts';
import { costOfCall, sumCharges } from './spend-sum.ts';

const METERED: ModelPrice = { mode: 'metered', rates: { input: 250_000, cached_input: 25_000, output: 1_000_000 } };
const UNMETERED: ModelPrice = { mode: 'unmetered' };
const tokens = fc.oneof(fc.nat(300_000), fc.nat(MAX_LINE_TOKENS), fc.constant(MAX_LINE_TOKENS));
const rate = fc.oneof(fc.nat(2_000_000), fc.nat(MAX_RATE), fc.constant(MAX_RATE));
const parts = fc.record(Object.fromEntries(PART_TYPES.map(type => [type, tokens])), { requiredKeys: ['input', 'output'] });

test(`${verifies('REV-29')} one line per token type, with the rate in force`, () => {
  expect(priceUsage({ kind: 'parts', parts: { input: 1_000, cached_input: 2_000, output: 10, reasoning: 5 } }, METERED)).toEqual([
    { tokenType: 'input', tokens: 1_000, rate: 250_000, cost: 250, pricingMode: 'metered' },
    { tokenType: 'cached_input', tokens: 2_000, rate: 25_000, cost: 50, pricingMode: 'metered' },
    { tokenType: 'output', tokens: 10, rate: 1_000_000, cost: 10, pricingMode: 'metered' },
    { tokenType: 'reasoning', tokens: 5, rate: 1_000_000, cost: 5, pricingMode: 'metered' },
  ]);
});

test(`${verifies('REV-29', 'REV-30')} what has no rate, no price or no count is unknown, and never zero`, () => {
  const unknown = { rate: null, cost: null, pricingMode: 'unknown' };
  const written = { kind: 'parts', parts: { input: 1, cache_write: 7, output: 1 } } as const;
  expect(priceUsage(written, METERED)[1]).toEqual({ tokenType: 'cache_write', tokens: 7, ...unknown });
  expect(priceUsage(written, null).map(line => line.cost)).toEqual([null, null, null]);
  expect(priceUsage(UNKNOWN_USAGE, METERED)).toEqual([{ tokenType: 'total', tokens: null, ...unknown }]);
  expect(priceUsage({ kind: 'contradictory', tokens: 9, reason: 'r' }, METERED)).toEqual([{ tokenType: 'total', tokens: 9, ...unknown }]);
});

test(`${verifies('REV-29')} on an unmetered model the cost is an asserted zero, and unknown tokens stay unknown`, () => {
  expect(priceUsage(UNKNOWN_USAGE, UNMETERED)).toEqual([{ tokenType: 'total', tokens: null, rate: null, cost: 0, pricingMode: 'unmetered' }]);
  expect(priceUsage({ kind: 'parts', parts: { input: 5, output: 6 } }, UNMETERED).map(({ cost, pricingMode }) => [cost, pricingMode])).toEqual([
    [0, 'unmetered'],
    [0, 'unmetered'],
  ]);
});

test.each([
  [1, 499_999, 0],
  [1, 500_000, 1],
  [3, 500_000, 2],
  [999_999, 1, 1],
  [1_000_000, MAX_RATE, MAX_RATE],
  [MAX_LINE_TOKENS, MAX_RATE, 1_000_000_000_000],
])(`${verifies('REV-29')} %i tokens at %i cost %i millicents`, (count, price, cost) => {
  expect(costOf(count, price)).toBe(cost);
});

test(`${verifies('REV-29')} no product overflows: the cost is exact to the last millicent`, () => {
  fc.assert(
    fc.property(tokens, rate, (count, price) => {
      const exact = (BigInt(count) * BigInt(price) * 2n + 1_000_000n) / 2_000_000n;
      return BigInt(costOf(count, price)) === exact;
    }),
    { numRuns: 2_000 },
  );
  for (const wrong of [-1, 0.5, Number.NaN, MAX_LINE_TOKENS + 1]) expect(() => costOf(wrong, 1)).toThrow(RangeError);
  expect(() => costOf(1, MAX_RATE + 1)).toThrow(RangeError);
});

test(`${verifies('REV-29')} the books close: no token is lost, and the lines of a call sum to its price`, () => {
  const price = fc.record({ input: rate, output: rate, cached_input: rate, cache_write: rate, reasoning: rate }, { requiredKeys: ['input', 'output'] });
  fc.assert(
    fc.property(parts, price, (usage, rates) => {
      const lines = priceUsage({ kind: 'parts', parts: usage }, { mode: 'metered', rates });
      for (const line of lines) expect([lineFault(ChargeLine.parse(line)), line.tokenType]).toEqual([undefined, line.tokenType]);
      expect(Object.fromEntries(lines.map(line => [line.tokenType, line.tokens]))).toEqual({ ...usage });
      const sum = sumCharges(lines.map(line => ({ callRef: 'c', ...line })));
      const priced = lines.every(line => line.cost !== null);
      expect(sum).toEqual({ calls: 1, unpricedCalls: priced ? 0 : 1, millicents: lines.reduce((total, line) => total + (line.cost ?? 0), 0) });
      expect(costOfCall(lines)).toBe(priced ? sum.millicents : null);
    }),
  );
});

test(`${verifies('REV-29')} in any order of deliveries and retries, with duplicates dropped by call and type, the sum is the same`, () => {
  const call = fc.tuple(fc.nat(20), parts);
  fc.assert(
    fc.property(fc.uniqueArray(call, { selector: ([ref]) => ref, maxLength: 8 }), fc.infiniteStream(fc.nat()), (calls, dice) => {
      const charges = calls.flatMap(([ref, usage]) => priceUsage({ kind: 'parts', parts: usage }, METERED).map(line => ({ callRef: String(ref), ...line })));
      const delivered = [...charges, ...charges].map(charge => ({ charge, place: dice.next().value })).sort((left, right) => left.place - right.place);
      const kept = new Map(delivered.map(({ charge }) => [`${charge.callRef} ${charge.tokenType}`, charge]));
      expect(sumCharges(kept.values())).toEqual(sumCharges(charges));
    }),
  );
});

test(`${verifies('MOD-17')} an estimate is never below what the same tokens can cost`, () => {
  const price = fc.record({ input: rate, output: rate, cached_input: rate, cache_write: rate, reasoning: rate });
  fc.assert(
    fc.property(fc.nat(1_000_000), fc.nat(1_000_000), price, (input, output, rates) => {
      const metered: ModelPrice = { mode: 'metered', rates };
      const most = estimateCost(metered, { inputTokens: input, outputTokens: output });
      for (const kind of ['input', 'cached_input', 'cache_write'] as const) {
        for (const out of ['output', 'reasoning'] as const) {
          expect(costOfCall(priceUsage({ kind: 'parts', parts: { [kind]: input, [out]: output } }, metered))).toBeLessThanOrEqual(most);
        }
      }
    }),
  );
  expect(estimateCost(UNMETERED, { inputTokens: 5, outputTokens: 5 })).toBe(0);
  expect(estimateCost(METERED, { inputTokens: Infinity, outputTokens: -1 })).toBe(costOf(MAX_LINE_TOKENS, 250_000));
});

test(`${verifies('REV-29')} a line that does not fit its own figures is found`, () => {
  const [line] = priceUsage({ kind: 'parts', parts: { input: 1_000, output: 0 } }, METERED);
  if (line === undefined) throw new Error('no line');
  const wrong: readonly Partial<ChargeLine>[] = [
    { cost: 251 },
    { cost: null },
    { tokens: null },
    { tokens: -1 },
    { tokens: 0.5 },
    { rate: null },
    { rate: MAX_RATE + 1 },
    { tokenType: 'total' },
    { pricingMode: 'unknown' },
    { pricingMode: 'unmetered' },
  ];
  expect(lineFault(line)).toBeUndefined();
  for (const change of wrong) expect(lineFault({ ...line, ...change }), JSON.stringify(change)).toMatch(/\.$/);
});
