/** The pages of the list that a person has asked for, renewed by the feed, in an order that stays until new rows are asked for. */
import { type InfiniteData, useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { apiPath, readApi } from '../api/call-api.ts';
import type { ReviewList, ReviewRow, ReviewTotals } from '../api/resources.ts';
import { type ReviewsFilter, reviewsQuery } from './reviews-filter.ts';
import { stableRows } from './stable-rows.ts';

const PAGE = 50;

interface ReviewRows {
  readonly shown: readonly ReviewRow[];
  readonly waiting: number;
  readonly totals: ReviewTotals | undefined;
  readonly more: { readonly busy: boolean; readonly load: () => void } | null;
  readonly error: unknown;
  readonly showNew: () => void;
  readonly retry: () => void;
}

/** Which filter the order is of, and the ids in their order; null until rows were seen. */
interface Seen {
  readonly of: string;
  readonly ids: readonly string[];
}

const rowsOf = (data: InfiniteData<ReviewList> | undefined): readonly ReviewRow[] => {
  const all = data?.pages.flatMap(page => page.items) ?? [];
  return [...new Map(all.map(row => [row.id, row])).values()];
};

export function useReviewRows(filter: ReviewsFilter): ReviewRows {
  const wanted = reviewsQuery(filter);
  const of = apiPath('/reviews', wanted);
  const query = useInfiniteQuery({
    queryKey: ['reviews', of, 'pages'],
    queryFn: ({ pageParam, signal }) => readApi<ReviewList>('/reviews', { query: { ...wanted, limit: PAGE, cursor: pageParam }, signal }),
    initialPageParam: '',
    getNextPageParam: page => page.next,
  });
  const [seen, setSeen] = useState<Seen | null>(null);
  const fresh = rowsOf(query.data);
  const order = seen?.of === of ? seen.ids : null;
  const { shown, waiting } = stableRows(order, fresh);
  const ids = shown.map(row => row.id);
  // The order is kept while rendering, as React asks for state that follows from what is read.
  if (query.data !== undefined && (order === null || ids.length !== order.length || ids.some((id, at) => id !== order[at]))) setSeen({ of, ids });
  return {
    shown,
    waiting,
    totals: query.data?.pages[0]?.totals,
    more: query.hasNextPage ? { busy: query.isFetchingNextPage, load: () => void query.fetchNextPage() } : null,
    error: query.error,
    showNew: () => setSeen(null),
    retry: () => void query.refetch(),
  };
}
