import { expect, test } from 'vitest';
import { retryAfterSeconds } from './retry-after.ts';

const now = Date.parse('2026-01-01T00:00:00Z');

test.each([
  [{ 'retry-after': '7' }, 7],
  [{ 'retry-after': ' 1.2 ' }, 2],
  [{ 'retry-after': '0' }, 0],
  [{ 'retry-after': '-5' }, 0],
  [{ 'retry-after': '999999999' }, 86_400],
  [{ 'retry-after': 'Thu, 01 Jan 2026 00:01:30 GMT' }, 90],
  [{ 'retry-after': 'Wed, 31 Dec 2025 00:00:00 GMT' }, 0],
  [{ 'retry-after-ms': '1500', 'retry-after': '9' }, 2],
  [{ 'retry-after': 'soon' }, undefined],
  [{ 'retry-after': '' }, undefined],
  [{}, undefined],
])('%j is %s', (headers, seconds) => {
  expect(retryAfterSeconds(headers, now)).toBe(seconds);
});
