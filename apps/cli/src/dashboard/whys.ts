/** Why a figure is what it is: the events and the calls that it folds, page by page, and nothing else. */
import type { ApiWhy } from '@weir/contract';
import { AppError } from '@weir/kernel';
import type { ApiAnswer, ApiCall, ReviewFilter, SpendFilter } from '@weir/ports';
import type { ReviewListRow } from '@weir/review';
import { chargePage } from './charge-rows.ts';
import { badCursor, type DashboardWorld, isoOf, type Paged } from './dashboard-world.ts';
import { isEnd, REVIEW_FIGURES, type ReviewFigure } from './review-figures.ts';
import { ENDED, RUNNING, today } from './review-rows.ts';
import { type PlacedEvent, streamOf, whyEvent } from './review-stream.ts';
import { NO_NAME, sinceOf } from './spend-reads.ts';

interface WhyQuery extends Paged {
  readonly figure: string;
}
const DAY_MS = 86_400_000;
const OFFSET = /^\d{1,9}$/;

const unknownFigure = (figure: string, known: readonly string[]): AppError =>
  new AppError('NOT_FOUND', `There is no figure ${JSON.stringify(figure.slice(0, 60))}.`, { next: `Choose from: ${known.join(', ')}.` });

const answer = (why: ApiWhy): ApiAnswer => ({ body: why, next: why.next });

function placedOf(events: readonly PlacedEvent[], figure: ReviewFigure): readonly PlacedEvent[] {
  const picked = new Set(figure.picks(events.map(({ event }) => event)));
  return events.filter(({ event }) => picked.has(event));
}

export async function whyReview(world: DashboardWorld, { params, query }: ApiCall): Promise<ApiAnswer> {
  const { id } = params as { readonly id: string };
  const { figure: name, cursor, limit } = query as WhyQuery;
  if (name === 'cost') return whyCost(world, { review: id }, { name, sentence: 'Millicents of all calls for this review that have a price.', cursor, limit });
  const figure = Object.hasOwn(REVIEW_FIGURES, name) ? REVIEW_FIGURES[name] : undefined;
  if (figure === undefined) throw unknownFigure(name, [...Object.keys(REVIEW_FIGURES), 'cost']);
  const events = placedOf(await streamOf(world.stores.log, id), figure);
  if (cursor !== undefined && !OFFSET.test(cursor)) throw badCursor();
  const [from, value] = [Number(cursor ?? 0), figure.value(events.map(({ event }) => event))];
  const next = from + limit < events.length ? String(from + limit) : null;
  return answer({ figure: name, value, sentence: figure.sentence, events: events.slice(from, from + limit).map(whyEvent), charges: [], next });
}

interface ListFigure {
  readonly sentence: string;
  readonly filter: ReviewFilter;
  readonly keeps: (row: ReviewListRow, midnight: string) => boolean;
  /** Events of one review that the figure folds. */
  readonly picks: (events: readonly PlacedEvent[]) => readonly PlacedEvent[];
  readonly value: (world: DashboardWorld) => Promise<number>;
}

const countOf = async (world: DashboardWorld, statuses: readonly string[], of: 'count' | 'since'): Promise<number> => {
  const { byStatus } = await world.stores.views.totals(today(world.now()));
  return byStatus.reduce((sum, row) => sum + (row.status !== null && statuses.includes(row.status) ? row[of] : 0), 0);
};
const last = (events: readonly PlacedEvent[], fits: (one: PlacedEvent) => boolean): readonly PlacedEvent[] => events.filter(fits).slice(-1);

const LIST_FIGURES: Readonly<Record<string, ListFigure>> = {
  in_flight: {
    sentence: 'Reviews with a round in flight: the request of each.',
    filter: { status: RUNNING, archived: false },
    keeps: () => true,
    picks: events => last(events, ({ event }) => event.type === 'RoundRequested'),
    value: world => countOf(world, RUNNING, 'count'),
  },
  ended_today: {
    sentence: 'Reviews whose last round has ended since midnight, UTC: the end of each.',
    filter: { status: ENDED, archived: false },
    keeps: ({ since }, midnight) => Date.parse(since) >= Date.parse(midnight),
    picks: events => last(events, ({ event }) => isEnd(event)),
    value: world => countOf(world, ENDED, 'since'),
  },
  open_blockers: {
    sentence: 'Open blockers of all reviews that are not archived: what found, posted and closed the findings of each.',
    filter: { archived: false, blockers: true },
    keeps: () => true,
    picks: events => placedOf(events, REVIEW_FIGURES['open_blocker'] as ReviewFigure),
    value: async world => (await world.stores.views.totals(today(world.now()))).openBlockers,
  },
};

export async function whyReviews(world: DashboardWorld, { query }: ApiCall): Promise<ApiAnswer> {
  const { figure: name, cursor, limit } = query as WhyQuery;
  const figure = Object.hasOwn(LIST_FIGURES, name) ? LIST_FIGURES[name] : undefined;
  if (figure === undefined) throw unknownFigure(name, Object.keys(LIST_FIGURES));
  const { stores, now } = world;
  const { rows, next } = await stores.views.list(figure.filter, { limit, after: cursor ?? null });
  const kept = rows.filter(row => figure.keeps(row, today(now())));
  const events: PlacedEvent[] = [];
  for (const { reviewId } of kept) events.push(...figure.picks(await streamOf(stores.log, reviewId)));
  return answer({ figure: name, value: await figure.value(world), sentence: figure.sentence, events: events.map(whyEvent), charges: [], next });
}

interface CostFigure extends Paged {
  readonly name: string;
  readonly sentence: string;
  readonly of?: 'millicents' | 'calls' | 'unpricedCalls';
}

async function whyCost(
  { models }: DashboardWorld,
  filter: SpendFilter,
  { name, sentence, of = 'millicents', ...page }: Omit<CostFigure, 'cursor'> & { readonly cursor: string | undefined },
): Promise<ApiAnswer> {
  const { cursor, limit } = page;
  const { charges, next } = await chargePage(models.ledger, filter, { limit, ...(cursor === undefined ? {} : { cursor }) });
  return answer({ figure: name, value: (await models.ledger.sum(filter))[of], sentence, events: [], charges: [...charges], next });
}

const nullable = (name: string): string | null => (name === NO_NAME ? null : name);

/** What a figure of the spend sums; undefined for a figure that is not there. */
function spendFilter(figure: string): { readonly filter: SpendFilter; readonly of: CostFigure['of'] } | undefined {
  const [, group, name = ''] = /^(capability|model|repository):(.{1,280})$/su.exec(figure) ?? [];
  if (group === 'capability') return { filter: { capability: name }, of: 'millicents' };
  if (group === 'repository') return { filter: { repository: nullable(name) }, of: 'millicents' };
  if (group === 'model') {
    const [modelProvider = '', ...model] = name.split('/');
    return { filter: { modelProvider, model: model.join('/') }, of: 'millicents' };
  }
  if (figure === 'total') return { filter: {}, of: 'millicents' };
  if (figure === 'calls') return { filter: {}, of: 'calls' };
  return figure === 'unpriced' ? { filter: { unpriced: true }, of: 'unpricedCalls' } : undefined;
}

const SPEND_SENTENCE: Readonly<Record<NonNullable<CostFigure['of']>, string>> = {
  millicents: 'Millicents of all lines that have a price',
  calls: 'Model calls',
  unpricedCalls: 'Calls with a line that has no known price',
};

export async function whySpend(world: DashboardWorld, { query }: ApiCall): Promise<ApiAnswer> {
  const { figure, days, cursor, limit } = query as WhyQuery & { readonly days: number };
  const found = spendFilter(figure);
  if (found === undefined) throw unknownFigure(figure, ['total', 'calls', 'unpriced', 'capability:…', 'model:…', 'repository:…']);
  const since = sinceOf(world.now(), days * DAY_MS);
  const sentence = `${SPEND_SENTENCE[found.of ?? 'millicents']} since ${isoOf(since)}.`;
  return whyCost(world, { ...found.filter, since }, { name: figure, sentence, of: found.of ?? 'millicents', cursor, limit });
}
