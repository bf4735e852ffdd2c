/** What happened: the log of the deployment, by type, review or chain of causes. */
import { useInfiniteQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { type JSX } from 'react';
import { apiPath, readApi } from '../api/call-api.ts';
import type { CursorPage, EventRow } from '../api/resources.ts';
import { clock, day } from '../format/time.ts';
import { counted } from '../format/words.ts';
import { type Column, DataTable } from '../marks/data-table.tsx';
import { Page } from '../marks/page.tsx';
import { Empty, Failure, Loading } from '../marks/states.tsx';
import { without } from '../shell/without.ts';
import { Button } from '../ui/index.ts';
import type { EventsFilter } from './events-filter.ts';

const route = getRouteApi('/events');
const PAGE = 100;

const COLUMNS: readonly Column<EventRow>[] = [
  { title: 'Position', cell: ({ position }) => <span className="mono ink3">{position}</span> },
  {
    title: 'At',
    cell: ({ at }) => (
      <time className="mono ink3" dateTime={at} title={day(at)}>
        {clock(at)}
      </time>
    ),
  },
  {
    title: 'Event',
    cell: ({ type }) => (
      <Link className="mono row-link" to="/events" search={{ type }}>
        {type}
      </Link>
    ),
  },
  { title: 'Facts', kind: 'fill', cell: ({ summary }) => <span className="ink2">{summary}</span> },
  {
    title: 'Review',
    cell: ({ reviewId }) =>
      reviewId !== null && (
        <Link className="mono" to="/reviews/$reviewId" params={{ reviewId }}>
          {reviewId.slice(0, 8)}
        </Link>
      ),
  },
  {
    title: 'Causes',
    cell: ({ correlation }) =>
      correlation !== null && (
        <Link to="/events" search={{ correlation }} title="All that follows from the same cause">
          chain
        </Link>
      ),
  },
];

function Filters({ filter }: { readonly filter: EventsFilter }): JSX.Element {
  const names = Object.keys(filter) as (keyof EventsFilter)[];
  return (
    <div className="bar">
      <Link className={names.length === 0 ? 'chip on' : 'chip'} to="/events" search={{}}>
        All
      </Link>
      {names.map(name => (
        <Link key={name} className="chip on" to="/events" search={{}}>
          {name} {filter[name]} ×
        </Link>
      ))}
    </div>
  );
}

export function Screen(): JSX.Element {
  const filter = without(route.useSearch(), 'why');
  const query = useInfiniteQuery({
    queryKey: ['events', apiPath('/events', { ...filter })],
    queryFn: ({ pageParam, signal }) => readApi<CursorPage<EventRow>>('/events', { query: { ...filter, limit: PAGE, cursor: pageParam }, signal }),
    initialPageParam: '',
    getNextPageParam: page => page.next,
  });
  const events = query.data?.pages.flatMap(page => page.items);
  const said = events === undefined ? 'Reading the log…' : `${counted(events.length, 'event')}${query.hasNextPage ? ' and more before' : ''}, newest first.`;
  return (
    <Page
      title="Events"
      sentence={
        <>
          <b>{said}</b> Each is a fact that was decided; everything these pages show follows from them.
        </>
      }
    >
      <Filters filter={filter} />
      {query.isError && <Failure error={query.error} onRetry={() => void query.refetch()} />}
      {query.isPending && <Loading />}
      {events?.length === 0 && (
        <Empty title="No event fits.">
          <Link to="/events" search={{}}>
            Show all
          </Link>
          , or wait for a delivery.
        </Empty>
      )}
      {events !== undefined && events.length > 0 && (
        <div className="card">
          <DataTable label="Events" columns={COLUMNS} rows={events} rowKey={({ id }) => id} />
          {query.hasNextPage && (
            <div className="card-foot">
              <span />
              <Button onClick={() => void query.fetchNextPage()} busy={query.isFetchingNextPage}>
                Show more
              </Button>
            </div>
          )}
        </div>
      )}
    </Page>
  );
}
