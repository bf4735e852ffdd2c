/** Time, timers and digests of this process, as the engine takes them. */
import { createHash } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';

export const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

export const schedule = (work: () => void, afterMs: number): (() => void) => {
  const timer = setTimeout(work, afterMs);
  return () => clearTimeout(timer);
};

/** Rejects with the signal's own reason. */
export async function sleep(milliseconds: number, signal: AbortSignal): Promise<void> {
  try {
    await wait(milliseconds, undefined, { signal });
  } catch (error) {
    throw signal.aborted ? signal.reason : error;
  }
}
