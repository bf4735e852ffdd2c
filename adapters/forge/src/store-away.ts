/**
 * A store that does not answer, as a value: the call is denied (PRV-18, PRV-19), since nothing would count it.
 */
import { AppError } from '@weir/kernel';
import { failed, type Outcome } from './provider-failure.ts';

const PASSING: ReadonlySet<string> = new Set<AppError['code']>(['DATABASE_UNAVAILABLE', 'DATABASE_CONFLICT']);

/** The store's own failure may name hosts and users of a database; the caller needs to know only that nothing was sent. Other errors are bugs and pass through. */
export const orStoreAway = <Value>(work: Promise<Value>): Promise<Outcome<Value>> =>
  work.then(
    value => ({ ok: true, value }),
    (error: unknown) => {
      if (!(error instanceof AppError) || !PASSING.has(error.code)) throw error;
      return failed('Denied', 'the store of limits and budgets does not answer, so the call was not sent', {
        ...{ hint: 'Check that the database can be reached, then repeat.', retry: 'later' as const },
      });
    },
  );
