/** Search and views of the list of reviews. Each is a link, so a filter can be sent to somebody. */
import { Link, useNavigate } from '@tanstack/react-router';
import { type JSX, useEffect, useState } from 'react';
import type { ReviewTotals } from '../api/resources.ts';
import { without } from '../shell/without.ts';
import { Field } from '../ui/index.ts';
import { REVIEW_VIEWS, type ReviewsFilter, type ReviewView } from './reviews-filter.ts';

const LABELS: Readonly<Record<ReviewView, string>> = { all: 'All', 'needs-me': 'Needs me', 'in-flight': 'In flight', ended: 'Ended', archived: 'Archived' };
/** Between the last letter and the question to the server. */
const PAUSE_MS = 200;

const countOf = (view: ReviewView, totals: ReviewTotals | undefined): number | undefined =>
  totals && { all: totals.all, 'needs-me': totals.needsMe, 'in-flight': totals.inFlight, ended: totals.ended, archived: undefined }[view];

function Search({ filter }: { readonly filter: ReviewsFilter }): JSX.Element {
  const navigate = useNavigate({ from: '/reviews' });
  const [text, setText] = useState(filter.text ?? '');
  useEffect(() => {
    const timer = setTimeout(() => {
      if (text === (filter.text ?? '')) return;
      void navigate({ search: before => ({ ...without(before, 'text'), ...(text !== '' && { text }) }), replace: true });
    }, PAUSE_MS);
    return () => clearTimeout(timer);
  }, [text, filter.text, navigate]);
  return <Field label="Search reviews" hideLabel placeholder="repository, #, title, author…" value={text} onChange={setText} maxLength={200} />;
}

export function FilterBar({ filter, totals }: { readonly filter: ReviewsFilter; readonly totals: ReviewTotals | undefined }): JSX.Element {
  const { view: shown = 'all', status, repository } = filter;
  return (
    <div className="bar">
      <div className="search" data-search>
        <Search filter={filter} />
      </div>
      {REVIEW_VIEWS.map(view => (
        <Link
          key={view}
          className={view === shown && status === undefined ? 'chip on' : 'chip'}
          to="/reviews"
          search={before => ({ ...without(before, 'view', 'status'), ...(view !== 'all' && { view }) })}
        >
          {LABELS[view]} {countOf(view, totals)}
        </Link>
      ))}
      {[status, repository].map(
        one =>
          one !== undefined && (
            <Link key={one} className="chip on" to="/reviews" search={before => without(before, 'status', 'repository')}>
              {one} ×
            </Link>
          ),
      )}
      <span className="grow" />
      <span className="hint">j / k move · o open · ? keys</span>
    </div>
  );
}
