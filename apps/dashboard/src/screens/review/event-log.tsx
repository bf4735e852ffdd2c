/** The review's own stream of events: why it says what it says. */
import { useInfiniteQuery } from '@tanstack/react-query';
import type { JSX } from 'react';
import { apiPath, readApi } from '../../api/call-api.ts';
import type { CursorPage, EventRow as Event } from '../../api/resources.ts';
import { EventRow } from '../../marks/event-row.tsx';
import { Card } from '../../marks/page.tsx';
import { Failure, Loading } from '../../marks/states.tsx';
import { Button } from '../../ui/index.ts';

export function EventLog({ reviewId }: { readonly reviewId: string }): JSX.Element {
  const path = `/reviews/${reviewId}/events`;
  const query = useInfiniteQuery({
    queryKey: ['reviews', apiPath(path)],
    queryFn: ({ pageParam, signal }) => readApi<CursorPage<Event>>(path, { query: { cursor: pageParam }, signal }),
    initialPageParam: '',
    getNextPageParam: page => page.next,
  });
  if (query.isPending) return <Loading rows={4} />;
  if (query.isError) return <Failure error={query.error} onRetry={() => void query.refetch()} />;
  const events = query.data.pages.flatMap(page => page.items);
  return (
    <Card title="Why this review says so" aside={`event log · ${events.length}${query.hasNextPage ? '+' : ''}`}>
      <ol>
        {events.map(event => (
          <EventRow key={event.id} at={event.at} type={event.type} summary={event.summary} />
        ))}
      </ol>
      {query.hasNextPage && (
        <div className="card-foot">
          <Button onClick={() => void query.fetchNextPage()} busy={query.isFetchingNextPage}>
            Show more events
          </Button>
        </div>
      )}
    </Card>
  );
}
