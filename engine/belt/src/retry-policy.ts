/** Which failures are tried again, and when (REV-20): exponential backoff with jitter, a bounded number of attempts, counted in the store. */
import { AppError } from '@weir/kernel';
import type { RetryPolicy } from '@weir/ports';

export interface RetryLimits {
  /** Attempts in all; 3 by REV-20. */
  readonly attempts: number;
  /** Pause after the first failure, in milliseconds; doubled each time. */
  readonly baseMs: number;
  readonly maxMs: number;
  /** From 0 to below 1. */
  readonly random: () => number;
}

/** The database's own troubles say nothing about the message; they are waited out, however long. */
const WAITED_OUT: ReadonlySet<string> = new Set(['DATABASE_UNAVAILABLE', 'DATABASE_CONFLICT', 'KAFKA_UNAVAILABLE']);

const SECOND = 1_000;

/**
 * A permanent failure, the last attempt and a bug (whatever is no AppError) give up. The pause is between half of and the whole
 * backoff, and no shorter than what the other side asked for.
 */
export function retryPolicy({ attempts, baseMs, maxMs, random }: RetryLimits): RetryPolicy {
  return (failure, attempt) => {
    if (!(failure instanceof AppError) || failure.retry === 'never') return undefined;
    if (attempt >= attempts && !WAITED_OUT.has(failure.code)) return undefined;
    const backoff = Math.min(maxMs, baseMs * 2 ** (attempt - 1)) * (0.5 + random() / 2);
    return Math.max(Math.round(backoff), (failure.retryAfterSeconds ?? 0) * SECOND);
  };
}
