/**
 * Tells running streams that their virtual key was revoked (MOD-17), by anybody in any process. It asks the store in turns: a
 * revocation is seen at most one pause and one question after it was written. While nobody streams, nobody asks.
 */
import type { VirtualKeyStore } from '@weir/ports';

export interface KeyWatchSettings {
  readonly store: Pick<VirtualKeyStore, 'revokedAmong'>;
  /** Between two questions, in milliseconds. */
  readonly pauseMs: number;
  /** Runs the work once, later, and gives back what calls it off. */
  readonly schedule: (work: () => void, afterMs: number) => () => void;
  /** The store did not answer: streams go on, and revocations are seen when it answers again. */
  readonly onUnreadable: (error: unknown) => void;
}

export interface KeyWatch {
  /**
   * Calls back once when the key is revoked or gone.
   * @returns what ends the watch; calling it again changes nothing.
   */
  watch(keyId: string, onRevoked: () => void): () => void;
  /** Tells the streams of this process at once; for a revocation that was made here. */
  revoked(keyId: string): void;
}

export function createKeyWatch({ store, pauseMs, schedule, onUnreadable }: KeyWatchSettings): KeyWatch {
  const watchers = new Map<string, Set<() => void>>();
  let callOff: (() => void) | undefined;
  let asking = false;

  function revoked(keyId: string): void {
    const told = watchers.get(keyId) ?? [];
    watchers.delete(keyId);
    for (const tell of told) tell();
    rest();
  }

  async function ask(): Promise<void> {
    asking = true;
    try {
      for (const keyId of await store.revokedAmong([...watchers.keys()])) revoked(keyId);
    } catch (error) {
      onUnreadable(error);
    } finally {
      asking = false;
      next();
    }
  }

  function next(): void {
    if (watchers.size === 0 || asking || callOff !== undefined) return;
    callOff = schedule(() => {
      callOff = undefined;
      void ask();
    }, pauseMs);
  }

  function rest(): void {
    if (watchers.size > 0) return;
    callOff?.();
    callOff = undefined;
  }

  return {
    watch(keyId, onRevoked) {
      // A function of its own for each watch: the same callback may watch twice.
      const tell = (): void => onRevoked();
      watchers.set(keyId, (watchers.get(keyId) ?? new Set<() => void>()).add(tell));
      next();
      return () => {
        const others = watchers.get(keyId);
        others?.delete(tell);
        if (others?.size === 0) watchers.delete(keyId);
        rest();
      };
    },
    revoked,
  };
}
