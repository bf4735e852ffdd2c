/** The list of reviews: rows of the read model with what they cost, and the totals over all of them. */
import { type ApiCost, type ApiReviewRow, type ApiReviewTotals, ROUND_STATUSES, type RoundStatus } from '@weir/contract';
import type { ApiAnswer, ApiCall, LedgerStore, ReviewFilter } from '@weir/ports';
import type { ReviewListRow } from '@weir/review';
import { type DashboardWorld, isoOf, type Paged } from './dashboard-world.ts';

interface ListQuery extends Paged {
  readonly status?: readonly string[];
  readonly archived?: boolean;
  readonly repository?: string;
  readonly text?: string;
}

const NOTHING: ApiCost = { millicents: 0, calls: 0, unpricedCalls: 0 };

/** Cost by review, of one page. */
async function costsOf(ledger: Pick<LedgerStore, 'sumBy'>, rows: readonly ReviewListRow[]): Promise<ReadonlyMap<string, ApiCost>> {
  if (rows.length === 0) return new Map();
  const sums = await ledger.sumBy('review', { reviews: rows.map(({ reviewId }) => reviewId) }, rows.length);
  return new Map(sums.map(({ name, millicents, calls, unpricedCalls }) => [name ?? '', { millicents, calls, unpricedCalls }]));
}

export const repositoryOf = ({ coordinates }: Pick<ReviewListRow, 'coordinates'>): string | null =>
  coordinates === null ? null : `${coordinates.repository.owner}/${coordinates.repository.name}`;

const rowWith = (row: ReviewListRow, cost: ApiCost): ApiReviewRow => ({
  ...{ id: row.reviewId, repository: repositoryOf(row), change: row.change, round: row.round, head: row.head, status: row.status, stage: row.stage ?? null },
  ...{ archived: row.archived, code: row.code, open: row.headline === null ? null : row.open, cost, since: row.since, updatedAt: row.updatedAt },
});

export async function reviewRows({ models }: Pick<DashboardWorld, 'models'>, rows: readonly ReviewListRow[]): Promise<readonly ApiReviewRow[]> {
  const costs = await costsOf(models.ledger, rows);
  return rows.map(row => rowWith(row, costs.get(row.reviewId) ?? NOTHING));
}

const statusesWhere = (wanted: (status: (typeof ROUND_STATUSES)[RoundStatus]) => boolean): readonly string[] =>
  Object.entries(ROUND_STATUSES).flatMap(([status, row]) => (wanted(row) ? [status] : []));
export const RUNNING = statusesWhere(({ terminal }) => !terminal);
export const ENDED = statusesWhere(({ terminal }) => terminal);
const NEEDS_ME = statusesWhere(({ tone }) => tone === 'wait' || tone === 'bad');

/** Midnight, UTC. */
export const today = (now: number): string => `${isoOf(now).slice(0, 10)}T00:00:00.000Z`;

async function totalsOf({ stores, now }: DashboardWorld): Promise<ApiReviewTotals> {
  const { byStatus, openBlockers } = await stores.views.totals(today(now()));
  const count = (statuses: readonly string[] | null, of: 'count' | 'since' = 'count'): number =>
    byStatus.reduce((sum, row) => sum + (statuses === null || (row.status !== null && statuses.includes(row.status)) ? row[of] : 0), 0);
  return { all: count(null), inFlight: count(RUNNING), needsMe: count(NEEDS_ME), ended: count(ENDED), endedToday: count(ENDED, 'since'), openBlockers };
}

export async function listReviews(world: DashboardWorld, { query }: ApiCall): Promise<ApiAnswer> {
  const { cursor, limit, ...asked } = query as ListQuery;
  const filter: ReviewFilter = asked;
  const { rows, next } = await world.stores.views.list(filter, { limit, after: cursor ?? null });
  const [items, totals] = await Promise.all([reviewRows(world, rows), totalsOf(world)]);
  return { body: { items, next, totals }, next };
}
