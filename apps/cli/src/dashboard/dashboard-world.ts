/** What the API of the dashboard reads and does its work with: the same stores and commands that the command line has. */
import type { ApiAnswer, ApiCall, ApiCaller, DeadLetters } from '@weir/ports';
import { AppError } from '@weir/kernel';
import type { LoadedSettings } from '../composition/load-settings.ts';
import type { Storage } from '../composition/open-storage.ts';
import type { OperatorReviews } from '../server/operator-reviews.ts';
import type { ProviderBook } from '../server/provider-book.ts';
import type { ReviewStores } from '../server/review-stores.ts';

export interface DashboardWorld {
  readonly stores: Pick<ReviewStores, 'registry' | 'artifacts' | 'views' | 'deliveries' | 'log' | 'acknowledgements'>;
  readonly models: Pick<Storage['models'], 'config' | 'credentials' | 'ledger'>;
  readonly deadLetters: DeadLetters;
  readonly reviews: OperatorReviews;
  readonly providers: Pick<ProviderBook, 'forgeOf'>;
  readonly settings: LoadedSettings;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

/** What a call asks of a list, as `pageQuery` has read it. */
export interface Paged {
  readonly cursor?: string;
  readonly limit: number;
}

export const isoOf = (milliseconds: number): string => new Date(milliseconds).toISOString();

/** Throws SIGN_IN_REQUIRED, which the server has asked before. */
export function callerOf({ principal }: ApiCall): ApiCaller {
  if (principal === null) throw new AppError('SIGN_IN_REQUIRED', 'Nobody is signed in.');
  return principal;
}

export const pageAnswer = (items: readonly unknown[], next: string | null): ApiAnswer => ({ body: { items, next }, next });

const OFFSET = /^\d{1,9}$/;

/** A page of rows that are all at hand; the cursor counts those before it. Throws REQUEST_INVALID. */
export function listAnswer(rows: readonly unknown[], { cursor = '0', limit }: Paged): ApiAnswer {
  if (!OFFSET.test(cursor)) throw badCursor();
  const end = Number(cursor) + limit;
  return pageAnswer(rows.slice(Number(cursor), end), end < rows.length ? String(end) : null);
}

export const badCursor = (): AppError => new AppError('REQUEST_INVALID', 'The cursor is none that this list has given.');
