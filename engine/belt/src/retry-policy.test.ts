import { AppError } from '@weir/kernel';
import { verifies } from '@weir/requirements';
import { expect, test } from 'vitest';
import { retryPolicy } from './retry-policy.ts';

const policy = (random: number) => retryPolicy({ attempts: 3, baseMs: 1_000, maxMs: 3_000, random: () => random });
const unavailable = new AppError('FORGE_UNAVAILABLE', 'gone');

test(`${verifies('REV-20')} a passing failure is tried three times, with a pause that doubles and jitters`, () => {
  expect([1, 2, 3, 4].map(attempt => policy(1)(unavailable, attempt))).toEqual([1_000, 2_000, undefined, undefined]);
  expect([1, 2].map(attempt => policy(0)(unavailable, attempt))).toEqual([500, 1_000]);
});

test(`${verifies('REV-20')} a permanent failure and a bug are given up at once`, () => {
  expect(policy(1)(new AppError('FORGE_FORBIDDEN', 'no'), 1)).toBeUndefined();
  expect(policy(1)(new TypeError('a bug'), 1)).toBeUndefined();
  expect(policy(1)('text', 1)).toBeUndefined();
});

test(`${verifies('REV-20')} the other side's word about the pause is kept`, () => {
  expect(policy(1)(new AppError('FORGE_RATE_LIMITED', 'wait', { retryAfterSeconds: 90 }), 1)).toBe(90_000);
});

test(`${verifies('REV-20')} a database that is away is waited for, with a bounded pause`, () => {
  expect(policy(1)(new AppError('DATABASE_UNAVAILABLE', 'away'), 1_000_000)).toBe(3_000);
});
