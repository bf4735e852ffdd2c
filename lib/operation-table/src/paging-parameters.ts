/**
 * Finds the query parameters of a row that move a walk and size its pages. A descriptor's own names come first.
 */
import type { OperationRow, PaginationStyle } from './operation-row.ts';

const MOVERS: Readonly<Record<PaginationStyle, readonly string[]>> = {
  none: [],
  link: ['page'],
  page: ['page'],
  cursor: ['cursor', 'after', 'page_token'],
  since: ['since'],
  offset: ['offset', 'startIndex', '$skip'],
  start: ['start'],
  'next-url': [],
};

const SIZERS = ['per_page', 'limit', 'pagelen', 'page_size', 'count', '$top', 'first'];

export interface PagingParameters {
  readonly parameter: string | undefined;
  readonly perPage: string | undefined;
}

/** Names of the row's own query parameters; undefined where it has none. */
export const pagingParameters = (row: OperationRow, described: { readonly page?: string; readonly perPage?: string } = {}): PagingParameters => {
  const names = new Set(row.parameters.filter(parameter => parameter.in === 'query').map(parameter => parameter.name));
  const pick = (wanted: string | undefined, usual: readonly string[]): string | undefined =>
    [...(wanted === undefined ? [] : [wanted]), ...usual].find(name => names.has(name));
  return { parameter: pick(described.page, MOVERS[row.pagination]), perPage: pick(described.perPage, SIZERS) };
};
