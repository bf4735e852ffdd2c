import { expect, test } from 'vitest';
import { keyedMutex } from './keyed-mutex.ts';

test('works of one key run one after another in their order, also after a failure; another key does not wait', async () => {
  const mutex = keyedMutex();
  const log: string[] = [];
  let release = (): void => undefined;
  const gate = new Promise<void>(resolve => (release = resolve));
  const step = (key: string, name: string, wait: Promise<void> = Promise.resolve()) =>
    mutex.run(key, async () => {
      log.push(`${name} begins`);
      await wait;
      log.push(`${name} ends`);
      if (name === 'bad') throw new Error('bad');
      return name;
    });
  const works = [step('a', 'first', gate), step('a', 'bad'), step('a', 'last')];
  expect(await step('b', 'other')).toBe('other');
  expect(log).toEqual(['first begins', 'other begins', 'other ends']);
  release();
  expect((await Promise.allSettled(works)).map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  expect(log.slice(3)).toEqual(['first ends', 'bad begins', 'bad ends', 'last begins', 'last ends']);
});
