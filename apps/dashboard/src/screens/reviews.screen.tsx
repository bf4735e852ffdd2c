/** What is being read, and what came of it: one row of 36 px a review, live without jumping, filters in the address. */
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { type JSX, type ReactNode } from 'react';
import type { ReviewRow, ReviewTotals, Spend } from '../api/resources.ts';
import { read } from '../api/use-read.ts';
import { money } from '../format/money.ts';
import { age } from '../format/time.ts';
import { agree, counted, number } from '../format/words.ts';
import { type Column, DataTable } from '../marks/data-table.tsx';
import { Money } from '../marks/money.tsx';
import { Page } from '../marks/page.tsx';
import { PhaseRail, RAIL_WORDS } from '../marks/phase-rail.tsx';
import { StatePill, StatusPill } from '../marks/state-pill.tsx';
import { Empty, Failure, Loading } from '../marks/states.tsx';
import { Tally } from '../marks/tally.tsx';
import { Why } from '../marks/why.tsx';
import { useListKeys } from '../shell/list-keys.ts';
import { useNow } from '../shell/now.ts';
import { useGoTo } from '../shell/use-go-to.ts';
import { useKeys } from '../shell/use-keys.ts';
import { Button } from '../ui/index.ts';
import { FilterBar } from './filter-bar.tsx';
import { useReviewRows } from './use-review-rows.ts';

const route = getRouteApi('/reviews');

const columns = (now: number): readonly Column<ReviewRow>[] => [
  { title: 'State', cell: row => (row.status === null ? <StatePill tone="idle" label="Nothing started" /> : <StatusPill status={row.status} />) },
  {
    title: 'Change',
    kind: 'fill',
    cell: row => (
      <>
        <Link className="row-link" to="/reviews/$reviewId" params={{ reviewId: row.id }}>
          {row.change?.title ?? row.id.slice(0, 12)}
        </Link>{' '}
        <span className="mono ink3">
          {row.repository}
          {row.change !== null && `#${row.change.number}`}
        </span>
      </>
    ),
  },
  { title: RAIL_WORDS, cell: row => row.status !== null && <PhaseRail status={row.status} reached={row.stage} /> },
  { title: 'Open findings', cell: row => <Tally counts={row.open} /> },
  { title: 'Cost', kind: 'right', cell: ({ cost }) => <Money millicents={cost.unpricedCalls > 0 ? null : cost.millicents} /> },
  { title: 'Age', kind: 'right', cell: row => <span className="ink3">{age(Date.parse(row.updatedAt), now)}</span> },
];

function Sentence({ totals, spend }: { readonly totals: ReviewTotals; readonly spend: Spend | undefined }): ReactNode {
  const { needsMe, inFlight, endedToday, openBlockers } = totals;
  return (
    <>
      <b>{needsMe === 0 ? 'No review needs you.' : `${counted(needsMe, 'review')} ${agree(needsMe, 'needs', 'need')} you.`}</b>{' '}
      <Why of="reviews/in_flight">{counted(inFlight, 'review')}</Why> {agree(inFlight, 'is', 'are')} in flight,{' '}
      <Why of="reviews/ended_today">{number(endedToday)}</Why> ended today; <Why of="reviews/open_blockers">{counted(openBlockers, 'blocker')}</Why>{' '}
      {agree(openBlockers, 'is', 'are')} open.
      {spend !== undefined && (
        <>
          {' '}
          Since {spend.since.slice(0, 10)} the calls cost <Why of="spend/total">{money(spend.total.millicents)}</Why>
          {spend.total.unpricedCalls === 0 ? (
            '.'
          ) : (
            <>
              , and{' '}
              <span className="tone-unknown">
                <Why of="spend/unpriced">{counted(spend.total.unpricedCalls, 'call')}</Why>
              </span>{' '}
              {agree(spend.total.unpricedCalls, 'has', 'have')} no price.
            </>
          )}
        </>
      )}
    </>
  );
}

function List({ list }: { readonly list: ReturnType<typeof useReviewRows> }): JSX.Element {
  const now = useNow();
  const goTo = useGoTo();
  const { shown, waiting, showNew, more } = list;
  const { index } = useListKeys(shown.length, at => goTo(`/reviews/${shown[at]?.id}`));
  useKeys({ n: showNew });
  if (shown.length === 0 && waiting === 0)
    return (
      <Empty title="No reviews here.">
        Choose another view, or open a pull request in a registered repository. <Link to="/first-run">First run</Link> shows what is set up.
      </Empty>
    );
  return (
    <div className="card">
      {waiting > 0 && (
        <button type="button" className="new-rows" onClick={showNew}>
          {waiting} new · show (n)
        </button>
      )}
      <DataTable label="Reviews" columns={columns(now)} rows={shown} rowKey={row => row.id} chosen={index} />
      {more !== null && (
        <div className="card-foot">
          <span>{counted(shown.length, 'review')} shown</span>
          <Button onClick={more.load} busy={more.busy}>
            {more.busy ? 'Reading more…' : 'Show more'}
          </Button>
        </div>
      )}
    </div>
  );
}

export function Screen(): JSX.Element {
  const filter = route.useSearch();
  const list = useReviewRows(filter);
  const spend = useQuery(read<Spend>('/spend'));
  return (
    <Page title="Reviews" sentence={list.totals === undefined ? 'Reading the reviews…' : <Sentence totals={list.totals} spend={spend.data} />}>
      <FilterBar filter={filter} totals={list.totals} />
      {list.error !== null && <Failure error={list.error} onRetry={list.retry} />}
      {list.totals === undefined ? list.error === null && <Loading /> : <List list={list} />}
    </Page>
  );
}
