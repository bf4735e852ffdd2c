import { verifies } from '@weir/requirements';
import { expect, test } from 'vitest';
import { createKeyWatch } from './key-watch.ts';
import { memoryModelStores } from './memory.model-stores.ts';
import { hashVirtualKey, newVirtualKeySecret } from './virtual-key-secret.ts';

/** A clock that a test turns: what is scheduled runs when it says so. */
function bench(answer?: (ids: readonly string[]) => Promise<readonly string[]>) {
  const { keys } = memoryModelStores({ now: () => 5 });
  const waiting = new Set<() => void>();
  const asked: (readonly string[])[] = [];
  const errors: unknown[] = [];
  const watch = createKeyWatch({
    store: {
      revokedAmong: ids => {
        asked.push(ids);
        return (answer ?? keys.revokedAmong)(ids);
      },
    },
    pauseMs: 1_000,
    schedule: work => {
      waiting.add(work);
      return () => void waiting.delete(work);
    },
    onUnreadable: error => void errors.push(error),
  });
  /** The pause ends, and the store answers. */
  const turn = async (): Promise<void> => {
    for (const work of [...waiting]) {
      waiting.delete(work);
      work();
    }
    await new Promise(resolve => setImmediate(resolve));
  };
  return { keys, watch, waiting, asked, errors, turn };
}

const newKey = (id: string) => ({
  ...{ id, hash: newVirtualKeySecret().hash, label: id, holder: { kind: 'run', id: 'r' } as const },
  ...{ budgetMillicents: null, budgetCalls: null, allowedRoutes: null, createdAt: 1, expiresAt: null },
});

test(`${verifies('MOD-17')} a revocation by anybody ends every stream of the key within one pause, and no other`, async () => {
  const { keys, watch, asked, turn } = bench();
  for (const id of ['a', 'b']) await keys.create(newKey(id));
  const ended: string[] = [];
  for (const stream of ['a 1', 'a 2', 'b 1']) watch.watch(stream.charAt(0), () => void ended.push(stream));
  await turn();
  expect([ended, asked]).toEqual([[], [['a', 'b']]]);
  await keys.revoke('a');
  await turn();
  expect(ended).toEqual(['a 1', 'a 2']);
  await turn();
  expect([ended.length, asked.at(-1)]).toEqual([2, ['b']]);
});

test(`${verifies('MOD-17')} a key that is gone ends its streams; a revocation made here ends them at once`, async () => {
  const { keys, watch, waiting, turn } = bench();
  const ended: string[] = [];
  watch.watch('nobody', () => void ended.push('nobody'));
  await turn();
  expect(ended).toEqual(['nobody']);
  await keys.create(newKey('a'));
  watch.watch('a', () => void ended.push('a'));
  watch.revoked('a');
  watch.revoked('a');
  expect([ended, waiting.size]).toEqual([['nobody', 'a'], 0]);
});

test(`${verifies('MOD-17')} while nobody streams nobody asks, and a stream that ended is not told`, async () => {
  const { keys, watch, waiting, asked, turn } = bench();
  await keys.create(newKey('a'));
  const ended: string[] = [];
  const same = (): void => void ended.push('a');
  const unwatch = [watch.watch('a', same), watch.watch('a', same)];
  expect(waiting.size).toBe(1);
  unwatch[0]?.();
  unwatch[0]?.();
  expect(waiting.size).toBe(1);
  unwatch[1]?.();
  expect(waiting.size).toBe(0);
  await keys.revoke('a');
  await turn();
  expect([ended, asked]).toEqual([[], []]);
});

test(`${verifies('MOD-17')} one question is under way at a time, and a store that fails is asked again`, async () => {
  const open: ((error: Error) => void)[] = [];
  const { watch, waiting, asked, errors, turn } = bench(() => new Promise((_, reject) => void open.push(reject)));
  const unwatch = watch.watch('a', () => undefined);
  await turn();
  watch.watch('b', () => undefined);
  expect([asked.length, waiting.size]).toEqual([1, 0]);
  open[0]?.(new Error('down'));
  await turn();
  expect([errors.length, waiting.size + asked.length]).toEqual([1, 2]);
  unwatch();
  await turn();
  expect(asked.at(-1)).toEqual(['b']);
});

test(`${verifies('MOD-17')} a key has 256 random bits, and only its hash leaves`, () => {
  const made = Array.from({ length: 100 }, newVirtualKeySecret);
  expect(new Set(made.map(({ secret }) => secret)).size).toBe(100);
  for (const { secret, hash } of made) {
    expect(secret).toMatch(/^weir_vk_[A-Za-z0-9_-]{43}$/);
    expect(hash).toMatch(/^[0-9a-f]{64}$/);
    expect(hashVirtualKey(secret)).toBe(hash);
  }
  expect(hashVirtualKey('')).not.toBe(hashVirtualKey(' '));
});
