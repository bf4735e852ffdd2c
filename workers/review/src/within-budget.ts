/** A bound on how long the other side may take (REV-20): what is late counts as not available, and its call is aborted. */
import { AppError } from '@weir/kernel';
import type { StageParts } from './stage.ts';

export interface Budget {
  readonly sleep: StageParts['sleep'];
  readonly milliseconds: number;
  /** What is waited for: `the diff`. */
  readonly what: string;
}

/** Throws AppError FORGE_UNAVAILABLE when time is up, and what the work throws. */
export async function withinBudget<T>({ sleep, milliseconds, what }: Budget, signal: AbortSignal, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const ended = new AbortController();
  const either = AbortSignal.any([signal, ended.signal]);
  const late = sleep(milliseconds, either).then((): never => {
    throw new AppError('FORGE_UNAVAILABLE', `${what} did not arrive within ${Math.ceil(milliseconds / 1000)} s`);
  });
  try {
    return await Promise.race([work(either), late]);
  } finally {
    ended.abort();
  }
}
