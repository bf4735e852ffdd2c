/** The log as lists: of one review from its beginning, of all reviews from the end. */
import type { ApiAnswer, ApiCall, LogEvent } from '@weir/ports';
import { badCursor, type DashboardWorld, pageAnswer, type Paged } from './dashboard-world.ts';
import { eventRow } from './review-stream.ts';

/** Events that one page looks through for those that fit; a page may then be short and still have a next one. */
const MAX_LOOKED_AT = 2_000;
const PAGE = 500;
const VERSION = /^\d{1,9}$/;
const POSITION = /^\d{1,20}-\d{1,19}$/;

export async function listReviewEvents({ stores }: DashboardWorld, { params, query }: ApiCall): Promise<ApiAnswer> {
  const { id } = params as { readonly id: string };
  const { cursor = '0', limit } = query as Paged;
  if (!VERSION.test(cursor)) throw badCursor();
  const events = await stores.log.readStream(id, Number(cursor), limit + 1);
  const page = events.slice(0, limit);
  return pageAnswer(page.map(eventRow), events.length > limit ? String(page.at(-1)?.version) : null);
}

interface EventsQuery extends Paged {
  readonly type?: string;
  readonly review?: string;
  readonly correlation?: string;
}

/** A part of the type, in any case; the whole of the rest. */
function fits({ stream, envelope }: LogEvent, { type, review, correlation }: EventsQuery): boolean {
  if (review !== undefined && stream !== review) return false;
  if (correlation !== undefined && envelope.correlationid !== correlation) return false;
  return type === undefined || envelope.type.toLowerCase().includes(type.toLowerCase());
}

export async function listEvents({ stores }: DashboardWorld, { query }: ApiCall): Promise<ApiAnswer> {
  const asked = query as EventsQuery;
  const { cursor, limit } = asked;
  if (cursor !== undefined && !POSITION.test(cursor)) throw badCursor();
  const found: LogEvent[] = [];
  let before = cursor;
  for (let looked = 0; looked < MAX_LOOKED_AT; looked += PAGE) {
    const events = await stores.log.readBack(before, PAGE);
    for (const event of events) {
      before = event.position;
      if (fits(event, asked)) found.push(event);
      if (found.length === limit) return pageAnswer(found.map(eventRow), before);
    }
    if (events.length < PAGE) return pageAnswer(found.map(eventRow), null);
  }
  return pageAnswer(found.map(eventRow), before ?? null);
}
