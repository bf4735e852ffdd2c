import { expect, test, vi } from 'vitest';
import { pollLoop } from './poll-loop.ts';

const LONG_MS = 1_000_000;

test('steps follow each other at once while there is more, then pause until a wake', async () => {
  const answers = [true, true, false, false];
  const step = vi.fn(() => Promise.resolve(answers.shift() ?? false));
  const loop = pollLoop({ step, idleMs: LONG_MS, onFailure: () => undefined });
  await vi.waitUntil(() => step.mock.calls.length === 3);
  loop.wake();
  await vi.waitUntil(() => step.mock.calls.length === 4);
  await loop.stop();
  expect(step).toHaveBeenCalledTimes(4);
});

test('a wake during a step is not lost', async () => {
  let finish = (): void => undefined;
  const step = vi.fn(() => new Promise<boolean>(resolve => (finish = () => resolve(false))));
  const loop = pollLoop({ step, idleMs: LONG_MS, onFailure: () => undefined });
  loop.wake();
  finish();
  await vi.waitUntil(() => step.mock.calls.length === 2);
  const stopped = loop.stop();
  finish();
  await stopped;
});

test('a failed step is told and the next one comes after the pause', async () => {
  const told: unknown[] = [];
  let calls = 0;
  const loop = pollLoop({
    step: () => {
      calls += 1;
      return calls === 1 ? Promise.reject(new Error('gone')) : Promise.resolve(false);
    },
    idleMs: 1,
    onFailure: failure => told.push(failure),
  });
  await vi.waitUntil(() => calls >= 3);
  await loop.stop();
  expect(told).toEqual([new Error('gone')]);
});

test('a stop waits for the step under way, and none follows', async () => {
  let finish = (): void => undefined;
  const step = vi.fn(() => new Promise<boolean>(resolve => (finish = () => resolve(true))));
  const loop = pollLoop({ step, idleMs: 1, onFailure: () => undefined });
  let stopped = false;
  const stopping = loop.stop().then(() => (stopped = true));
  await Promise.resolve();
  expect(stopped).toBe(false);
  finish();
  await stopping;
  expect(step).toHaveBeenCalledTimes(1);
});
