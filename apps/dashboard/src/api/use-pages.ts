/** A list of the API, page by page as a person asks for more; the feed renews what was read. */
import { type InfiniteData, useInfiniteQuery } from '@tanstack/react-query';
import { apiPath, type Query, readApi } from './call-api.ts';
import type { CursorPage } from './resources.ts';

/** The most that one page of the API holds. */
const PAGE = 200;

export interface More {
  readonly busy: boolean;
  readonly load: () => void;
}

export interface Pages<Row> {
  /** Undefined until the first page is there. */
  readonly rows: readonly Row[] | undefined;
  /** Null where no page is behind what was read. */
  readonly more: More | null;
  readonly error: unknown;
  readonly retry: () => void;
}

interface PagesOptions {
  readonly query?: Query;
  /** False: nothing is read. */
  readonly enabled?: boolean;
}

const rowsOf = <Row>(data: InfiniteData<CursorPage<Row>> | undefined): readonly Row[] | undefined => data?.pages.flatMap(page => page.items);

export function usePages<Row>(path: string, { query = {}, enabled = true }: PagesOptions = {}): Pages<Row> {
  const pages = useInfiniteQuery({
    queryKey: [path.split('/')[1] ?? '', apiPath(path, query), 'pages'],
    queryFn: ({ pageParam, signal }) => readApi<CursorPage<Row>>(path, { query: { limit: PAGE, ...query, cursor: pageParam }, signal }),
    initialPageParam: '',
    getNextPageParam: page => page.next,
    enabled,
  });
  return {
    rows: rowsOf(pages.data),
    more: pages.hasNextPage ? { busy: pages.isFetchingNextPage, load: () => void pages.fetchNextPage() } : null,
    error: pages.error,
    retry: () => void pages.refetch(),
  };
}
