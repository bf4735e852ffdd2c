/** Bounds attempts to sign in, by address, in the memory of this process. */
import { AppError } from '@weir/kernel';

const WINDOW_MS = 60_000;
const MAX_ATTEMPTS = 20;
const MAX_ADDRESSES = 10_000;

/** @returns counts one attempt. It throws AppError TOO_MANY_REQUESTS. */
export function createSignInLimit(now: () => number): (address: string) => void {
  const windows = new Map<string, { readonly since: number; attempts: number }>();
  const tooMany = (): AppError => new AppError('TOO_MANY_REQUESTS', 'There are too many attempts to sign in.', { retryAfterSeconds: WINDOW_MS / 1_000 });
  return address => {
    const at = now();
    const held = windows.get(address);
    if (held !== undefined && at - held.since < WINDOW_MS) {
      held.attempts += 1;
      if (held.attempts > MAX_ATTEMPTS) throw tooMany();
      return;
    }
    if (windows.size >= MAX_ADDRESSES) for (const [one, { since }] of windows) if (at - since >= WINDOW_MS) windows.delete(one);
    if (windows.size >= MAX_ADDRESSES) throw tooMany();
    windows.set(address, { since: at, attempts: 1 });
  };
}
