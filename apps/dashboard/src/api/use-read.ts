/** Reads of the API as queries: one key is one address. Events of the feed mark what they change as old. */
import { queryOptions } from '@tanstack/react-query';
import { apiPath, type Query, readApi } from './call-api.ts';

/** @returns options for `useQuery`; the key begins with the resource, so that an event can name it */
export const read = <Answer>(path: string, query: Query = {}) =>
  queryOptions({ queryKey: [path.split('/')[1] ?? '', apiPath(path, query)], queryFn: ({ signal }) => readApi<Answer>(path, { query, signal }) });
