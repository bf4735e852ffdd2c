import { verifies } from '@weir/requirements';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { partitionUsage, type ReportedUsage, type UsagePartition } from './partition-usage.ts';
import { USAGE_RULE } from './usage-rules.ts';

const { openai, anthropic, gemini } = USAGE_RULE;

test.each<[string, ReportedUsage, (typeof USAGE_RULE)[keyof typeof USAGE_RULE], UsagePartition]>([
  [
    'cached and reasoning tokens inside the counts',
    { input: 100, cachedInput: 80, output: 50, reasoning: 30, total: 150 },
    openai,
    { kind: 'parts', parts: { input: 20, cached_input: 80, output: 20, reasoning: 30 } },
  ],
  [
    'cache writes inside the input',
    { input: 194, cachedInput: 0, cacheWrite: 100, output: 2, reasoning: 0, total: 196 },
    openai,
    { kind: 'parts', parts: { input: 94, cache_write: 100, output: 2 } },
  ],
  [
    'caches beside the input, and no total to check',
    { input: 10, cachedInput: 900, cacheWrite: 200, output: 5 },
    anthropic,
    { kind: 'parts', parts: { input: 10, cached_input: 900, cache_write: 200, output: 5 } },
  ],
  [
    'a made-up total without the caches is not held against them',
    { input: 10, cachedInput: 900, output: 5, total: 15 },
    anthropic,
    { kind: 'parts', parts: { input: 10, cached_input: 900, output: 5 } },
  ],
  ['thoughts beside the output, unnamed', { input: 20, output: 198, total: 623 }, gemini, { kind: 'parts', parts: { input: 20, output: 198, reasoning: 405 } }],
  [
    'thoughts beside the output, named',
    { input: 20, output: 198, reasoning: 405, total: 623 },
    gemini,
    { kind: 'parts', parts: { input: 20, output: 198, reasoning: 405 } },
  ],
  [
    'thoughts inside the output at the same vendor',
    { input: 20, output: 603, reasoning: 405, total: 623 },
    gemini,
    { kind: 'parts', parts: { input: 20, output: 198, reasoning: 405 } },
  ],
  ['no total at all', { input: 7, output: 3 }, openai, { kind: 'parts', parts: { input: 7, output: 3 } }],
  ['a call that used nothing', { input: 0, output: 0, total: 0 }, openai, { kind: 'parts', parts: { input: 0, output: 0 } }],
  ['an output that was never reported', { input: 7, output: null }, openai, { kind: 'unknown', tokens: null }],
  ['a total alone', { total: 9 }, openai, { kind: 'unknown', tokens: 9 }],
])(`${verifies('REV-29')} %s`, (_, reported, rule, partition) => {
  expect(partitionUsage(reported, rule)).toEqual(partition);
});

test.each<[string, ReportedUsage]>([
  ['a total that is not the sum', { input: 100, output: 50, total: 151 }],
  ['more cached than input', { input: 10, cachedInput: 11, output: 1, total: 11 }],
  ['more reasoning than output', { input: 10, output: 1, reasoning: 2, total: 11 }],
  ['a negative count', { input: -1, output: 12, total: 11 }],
  ['half a token', { input: 10.5, output: 0.5, total: 11 }],
  ['a count beyond all bounds', { input: 2e9, output: 1, total: 11 }],
  ['not a number', { input: Number.NaN, output: 1, total: 11 }],
])(`${verifies('REV-29')} %s contradicts, and is given up with the total`, (_, reported) => {
  const { total, ...rest } = reported;
  expect(partitionUsage({ ...rest, total }, openai)).toMatchObject({ kind: 'contradictory', tokens: total, reason: expect.any(String) });
});

test(`${verifies('REV-29')} a call without usage is unknown, never nothing`, () => {
  for (const rule of Object.values(USAGE_RULE)) {
    expect(partitionUsage(null, rule)).toEqual({ kind: 'unknown', tokens: null });
    expect(partitionUsage({}, rule)).toEqual({ kind: 'unknown', tokens: null });
  }
});

test(`${verifies('REV-29')} the parts always add up to what the vendor counts, whatever it reports`, () => {
  const count = fc.option(fc.oneof(fc.nat(200), fc.integer(), fc.double()), { nil: undefined });
  const reported = fc.record({ input: count, cachedInput: count, cacheWrite: count, output: count, reasoning: count, total: count });
  fc.assert(
    fc.property(reported, fc.constantFrom('openai', 'gemini', 'anthropic'), (usage, name) => {
      const answer = partitionUsage(usage, USAGE_RULE[name]);
      if (answer.kind !== 'parts') return answer.tokens === null || answer.tokens === usage.total;
      const parts = Object.values(answer.parts);
      const sum = parts.reduce((left, right) => left + right, 0);
      if (!parts.every(part => Number.isInteger(part) && part >= 0)) return false;
      if (name === 'anthropic') return sum === (usage.input ?? 0) + (usage.cachedInput ?? 0) + (usage.cacheWrite ?? 0) + (usage.output ?? 0);
      return usage.total === undefined ? sum === (usage.input ?? 0) + (usage.output ?? 0) : sum === usage.total;
    }),
    { numRuns: 2_000 },
  );
});
