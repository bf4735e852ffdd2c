/** The filters of the list of reviews, as they stand in the address and as the API takes them. */
import { ROUND_STATUSES, type RoundStatus } from '@weir/contract';
import { readText } from './search-text.ts';

export const REVIEW_VIEWS = ['all', 'needs-me', 'in-flight', 'ended', 'archived'] as const;
export type ReviewView = (typeof REVIEW_VIEWS)[number];

export interface ReviewsFilter {
  readonly view?: ReviewView;
  readonly status?: RoundStatus;
  readonly repository?: string;
  readonly text?: string;
}

export function readReviewsFilter(search: Record<string, unknown>): ReviewsFilter {
  const { view, status, ...texts } = readText(search, ['view', 'status', 'repository', 'text']);
  const known = REVIEW_VIEWS.find(one => one === view && one !== 'all');
  return {
    ...texts,
    ...(known !== undefined && { view: known }),
    ...(status !== undefined && Object.hasOwn(ROUND_STATUSES, status) && { status: status as RoundStatus }),
  };
}

const statuses = (wanted: (row: (typeof ROUND_STATUSES)[RoundStatus]) => boolean): string =>
  Object.entries(ROUND_STATUSES)
    .flatMap(([status, row]) => (wanted(row) ? [status] : []))
    .join(',');

/** Which statuses a view shows follows from the contract's list, so a new one is in its place by itself. */
const VIEW_STATUSES: Readonly<Record<ReviewView, string>> = {
  all: '',
  archived: '',
  'needs-me': statuses(({ tone }) => tone === 'wait' || tone === 'bad'),
  'in-flight': statuses(({ terminal }) => !terminal),
  ended: statuses(({ terminal }) => terminal),
};

export const reviewsQuery = ({ view = 'all', status, repository, text }: ReviewsFilter) => ({
  status: status ?? VIEW_STATUSES[view],
  archived: view === 'archived',
  repository,
  text,
});
