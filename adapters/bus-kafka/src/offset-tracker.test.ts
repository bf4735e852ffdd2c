import { expect, test } from 'vitest';
import { createOffsetTracker } from './offset-tracker.ts';

test('the position never passes a message that has not ended, whatever the order of the ends', () => {
  const tracker = createOffsetTracker();
  expect(tracker.position()).toBeUndefined();
  const [first, second, third] = [7n, 8n, 11n].map(offset => tracker.begin(offset));
  third?.();
  expect([tracker.position(), tracker.size()]).toEqual([undefined, 3]);
  first?.();
  expect([tracker.position(), tracker.size()]).toEqual([8n, 2]);
  second?.();
  expect([tracker.position(), tracker.size()]).toEqual([12n, 0]);
  tracker.begin(12n)();
  expect(tracker.position()).toBe(13n);
});
