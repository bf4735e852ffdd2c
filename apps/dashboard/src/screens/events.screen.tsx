/** What happened: the log of the deployment, by type, review or chain of causes. */
import { getRouteApi, Link } from '@tanstack/react-router';
import { type JSX } from 'react';
import type { EventRow } from '../api/resources.ts';
import { usePages } from '../api/use-pages.ts';
import { clock, day } from '../format/time.ts';
import { counted } from '../format/words.ts';
import { type Column, DataTable } from '../marks/data-table.tsx';
import { Listed } from '../marks/list-states.tsx';
import { Page } from '../marks/page.tsx';
import { Empty } from '../marks/states.tsx';
import { without } from '../shell/without.ts';
import type { EventsFilter } from './events-filter.ts';

const route = getRouteApi('/events');

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
    cell: ({ reviewId }) => (
      <Link className="mono" to="/reviews/$reviewId" params={{ reviewId }}>
        {reviewId.slice(0, 8)}
      </Link>
    ),
  },
  {
    title: 'Causes',
    cell: ({ correlation }) => (
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
  const pages = usePages<EventRow>('/events', { query: { ...filter } });
  const said =
    pages.rows === undefined ? 'Reading the log…' : `${counted(pages.rows.length, 'event')}${pages.more === null ? '' : ' and more before'}, newest first.`;
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
      <Listed
        pages={pages}
        empty={
          <Empty title="No event fits.">
            <Link to="/events" search={{}}>
              Show all
            </Link>
            , or wait for a delivery.
          </Empty>
        }
      >
        {events => (
          <div className="card">
            <DataTable label="Events" columns={COLUMNS} rows={events} rowKey={({ id }) => id} />
          </div>
        )}
      </Listed>
    </Page>
  );
}
