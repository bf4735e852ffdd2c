/** When a failed round is tried again (REV-20): at most three attempts, counted in the stream, with exponential backoff and jitter. */

export const MAX_ATTEMPTS = 3;
const FIRST_DELAY_SECONDS = 20;
/** A server that asks for more is not waited for: the longest limits are those of an hour, which our own count holds a minute longer. */
export const MAX_DELAY_SECONDS = 3_660;

export interface FailedAttempt {
  readonly attempt: number;
  readonly retry: 'never' | 'later';
  /** What the other side asked for; null when it did not say. */
  readonly retryAfterSeconds: number | null;
  /** In [0, 1). */
  readonly jitter: number;
}

/** Whole seconds until the next attempt; null when there is none. */
export function retryDelay({ attempt, retry, retryAfterSeconds, jitter }: FailedAttempt): number | null {
  if (retry === 'never' || attempt >= MAX_ATTEMPTS) return null;
  const own = Math.ceil(FIRST_DELAY_SECONDS * 2 ** (attempt - 1) * (0.5 + jitter));
  const delay = Math.max(own, retryAfterSeconds ?? 0);
  return delay > MAX_DELAY_SECONDS ? null : delay;
}
