/**
 * Who may come in (MOD-17, MOD-23). A key that was found is kept for a moment, so that not every call asks the store twice, and for
 * longer where the store does not answer. What it may spend, and whether it was revoked, is asked again when its budget is reserved.
 */
import type { VirtualKey } from '@weir/contract';
import { virtualKeyState } from '@weir/model-routes';
import type { GatewayFailure } from '@weir/wire';
import type { GatewayWorld } from './gateway-world.ts';
import { whenUnavailable } from './when-unavailable.ts';

/** How long a found key is good without asking. */
const FRESH_MS = 2_000;
/** How long it is good while the store cannot be asked. */
const STALE_MS = 600_000;
/** Keys that are kept; the one that was found longest ago goes first. */
const MAX_KEPT = 1_000;
/** A longer text is no key, and is not hashed. */
const MAX_PRESENTED_CHARS = 512;

export type KeyCheck = { readonly key: VirtualKey } | { readonly failure: GatewayFailure };

export interface KeyDoor {
  /** @param presented what the client sent as its key; undefined when it sent none. */
  check(presented: string | undefined): Promise<KeyCheck>;
}

export const invalidKey = (message: string): GatewayFailure => ({ code: 'invalid_api_key', class: 'invalid_key', message });

const unreadable = (): GatewayFailure => ({
  code: 'key_store_unavailable',
  class: 'transient',
  message: 'The virtual key cannot be checked now. Try again later.',
});

export function createKeyDoor({ stores: { keys }, hash, now }: Pick<GatewayWorld, 'stores' | 'hash' | 'now'>): KeyDoor {
  const kept = new Map<string, { readonly key: VirtualKey; readonly at: number }>();

  function keep(digest: string, key: VirtualKey): VirtualKey {
    kept.delete(digest);
    kept.set(digest, { key, at: now() });
    const [oldest] = kept.keys();
    if (kept.size > MAX_KEPT && oldest !== undefined) kept.delete(oldest);
    return key;
  }

  async function find(digest: string): Promise<VirtualKey | 'none' | 'unreadable'> {
    const known = kept.get(digest);
    const age = known === undefined ? Number.POSITIVE_INFINITY : now() - known.at;
    if (known !== undefined && age < FRESH_MS) return known.key;
    const found = await whenUnavailable<VirtualKey | 'unreadable' | undefined>(
      () => keys.find(digest),
      () => 'unreadable',
    );
    if (found === 'unreadable') return known !== undefined && age < STALE_MS ? known.key : 'unreadable';
    if (found !== undefined) return keep(digest, found);
    kept.delete(digest);
    return 'none';
  }

  return {
    async check(presented) {
      if (presented === undefined || presented === '') return { failure: invalidKey('No virtual key was sent.') };
      if (presented.length > MAX_PRESENTED_CHARS) return { failure: invalidKey('There is no such virtual key.') };
      const key = await find(hash(presented));
      if (key === 'unreadable') return { failure: unreadable() };
      if (key === 'none') return { failure: invalidKey('There is no such virtual key.') };
      const state = virtualKeyState(key, now());
      return state === 'active' ? { key } : { failure: invalidKey(`This virtual key is ${state}.`) };
    },
  };
}
