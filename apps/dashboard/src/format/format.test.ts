import { verifies } from '@weir/requirements';
import { describe, expect, test } from 'vitest';
import { money, rate } from './money.ts';
import { age, duration } from './time.ts';
import { agree, counted, number } from './words.ts';

describe('money', () => {
  test.each([
    [44_000, '$0.44'],
    [0, '$0.00'],
    [310, '$0.0031'],
    [123_456_700_000, '$1,234,567.00'],
    [-44_000, '−$0.44'],
  ])('%d millicents are %s', (millicents, text) => expect(money(millicents)).toBe(text));
  test(`${verifies('PRO-2')} what has no price is unpriced, never zero`, () => {
    expect(money(null)).toBe('unpriced');
    expect(rate(null)).toBe('unknown');
  });
  test('a rate keeps what cents would lose', () => expect([rate(300_000), rate(7_550)]).toEqual(['$3.00', '$0.0755']));
});

test.each([
  [0, '0s'],
  [59_999, '59s'],
  [60_000, '1m'],
  [3_599_000, '59m'],
  [86_399_000, '23h'],
  [86_400_000, '1d'],
  [-5_000, '0s'],
])('an age of %d ms is %s', (span, text) => expect(age(1_000_000_000_000 - span, 1_000_000_000_000)).toBe(text));

test.each([
  [400, '0.4 s'],
  [27_200, '27.2 s'],
  [185_000, '3 min 5 s'],
  [7_800_000, '2 h 10 min'],
])('%d ms last %s', (ms, text) => expect(duration(ms)).toBe(text));

test('counts agree with their nouns', () => {
  expect([counted(0, 'blocker'), counted(1, 'blocker'), counted(1234, 'reply', 'replies')]).toEqual(['0 blockers', '1 blocker', '1,234 replies']);
  expect([agree(1, 'is', 'are'), agree(0, 'is', 'are')]).toEqual(['is', 'are']);
  expect(number(1_000_000)).toBe('1,000,000');
});
