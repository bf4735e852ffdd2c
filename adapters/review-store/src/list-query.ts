/**
 * The question for one page of the list. Each wanted status and each side of the archive is read from its own range of an index, so
 * that a page costs the same however many reviews there are.
 */
import { AppError } from '@weir/kernel';
import type { ReviewFilter } from '@weir/ports';

/** The last row of the page before. */
export interface ListPlace {
  /** Milliseconds since 1970, as text. */
  readonly updatedAt: string;
  readonly reviewId: string;
}

const CURSOR = /^(\d{1,16})\.([\x21-\x7e]{1,255})$/;

export const writeCursor = ({ updatedAt, reviewId }: ListPlace): string => `${updatedAt}.${reviewId}`;

/** Throws USAGE for what no list has given. */
export function readCursor(text: string): ListPlace {
  const [, updatedAt, reviewId] = CURSOR.exec(text) ?? [];
  if (updatedAt === undefined || reviewId === undefined) throw new AppError('USAGE', 'The place in the list is none that a list has given.');
  return { updatedAt, reviewId };
}

/** A pattern of `like` in which no sign of the text has a meaning. */
const pattern = (text: string): string =>
  `%${text
    .toLowerCase()
    .replaceAll('\0', '')
    .replaceAll(/[\\%_]/g, '\\$&')}%`;

export interface ListQuery {
  readonly statement: string;
  readonly parameters: readonly unknown[];
}

export function listQuery(filter: ReviewFilter, { limit, after }: { readonly limit: number; readonly after: ListPlace | null }): ListQuery {
  const parameters: unknown[] = [limit, filter.archived === undefined ? [false, true] : [filter.archived]];
  const parameter = (value: unknown): string => `$${parameters.push(value)}`;
  const conditions = ['review.archived = side.archived'];
  if (filter.repository !== undefined) conditions.push(`review.repository = ${parameter(filter.repository)}`);
  if (filter.change !== undefined) conditions.push(`review.change_number = ${parameter(filter.change)}`);
  if (filter.blockers === true) conditions.push('review.open_blockers > 0');
  if (filter.text !== undefined) conditions.push(`review.words like ${parameter(pattern(filter.text))}`);
  if (after !== null) conditions.push(`(review.updated_at, review.review_id) < (${parameter(after.updatedAt)}::bigint, ${parameter(after.reviewId)}::text)`);
  let asked = 'unnest($2::boolean[]) as side (archived)';
  if (filter.status !== undefined) {
    asked += ` cross join unnest(${parameter([...new Set(filter.status)])}::text[]) as asked (status)`;
    conditions.push('review.status = asked.status');
  }
  const statement = `select found.* from ${asked} cross join lateral (
    select review.review_id, review.updated_at, review.list_row from weir_reviews review
    where ${conditions.join(' and ')} order by review.updated_at desc, review.review_id desc limit $1
  ) as found order by found.updated_at desc, found.review_id desc limit $1`;
  return { statement, parameters };
}
