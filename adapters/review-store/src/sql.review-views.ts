/** The list and the page of each review in the database, folded from the events in the transaction of their append (REV-3a). */
import type { Envelope } from '@weir/contract';
import type { InlineProjection, NewLogEvent, ReviewFilter, ReviewFolds, ReviewViews, SqlPort, SqlSession } from '@weir/ports';
import { listQuery, readCursor, writeCursor } from './list-query.ts';

const LOCK = 'select list_row, page from weir_reviews where review_id = $1 for update';
const GET = 'select list_row, page from weir_reviews where review_id = $1';
const SAVE = `insert into weir_reviews (review_id, forge, origin, repository, change_number, status, archived, updated_at, status_since, open_blockers, words, list_row, page)
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12::json, $13::json)
  on conflict (review_id) do update set forge = excluded.forge, origin = excluded.origin, repository = excluded.repository,
    change_number = excluded.change_number, status = excluded.status, archived = excluded.archived, updated_at = excluded.updated_at,
    status_since = excluded.status_since, open_blockers = excluded.open_blockers, words = excluded.words, list_row = excluded.list_row, page = excluded.page`;
/** Oldest first, from the index of each status. */
const STUCK = `select found.list_row from unnest($1::text[]) as asked (status)
  cross join lateral (
    select list_row, updated_at, review_id from weir_reviews
    where weir_reviews.status = asked.status and archived = false and updated_at < $2 order by updated_at, review_id limit $3
  ) as found order by found.updated_at, found.review_id limit $3`;

const TOTALS = `select status, count(*) as count, count(*) filter (where status_since >= $1) as since, sum(open_blockers) as blockers
  from weir_reviews where archived = false group by status order by status`;

export interface SqlReviewViewsParts<Event, Row, Page> {
  readonly folds: ReviewFolds<Event, Row, Page>;
  /** The event of an envelope of the log. */
  readonly open: (envelope: Envelope) => Event;
}

interface Folded<Row, Page> {
  readonly row: Row;
  readonly page: Page;
}

interface StoredReview<Row, Page> extends Record<string, unknown> {
  readonly list_row: Row;
  readonly page: Page;
}

interface ListedRow<Row> extends Record<string, unknown> {
  readonly review_id: string;
  readonly updated_at: string;
  readonly list_row: Row;
}

/** A column of text cannot hold it. */
const withoutNul = (text: string): string => text.replaceAll('\0', '');

/** The subject of an envelope is its review. */
function byReview(events: readonly NewLogEvent[]): ReadonlyMap<string, readonly NewLogEvent[]> {
  const groups = new Map<string, NewLogEvent[]>();
  for (const event of events) {
    const group = groups.get(event.envelope.subject) ?? [];
    group.push(event);
    groups.set(event.envelope.subject, group);
  }
  return groups;
}

export function sqlReviewViews<Event, Row, Page>(database: SqlPort, { folds, open }: SqlReviewViewsParts<Event, Row, Page>): ReviewViews<Row, Page> {
  async function read(session: SqlSession, statement: string, reviewId: string): Promise<Folded<Row, Page> | undefined> {
    const { rows } = await session.query<StoredReview<Row, Page>>(statement, [reviewId]);
    return rows[0] === undefined ? undefined : { row: rows[0].list_row, page: rows[0].page };
  }

  async function save(session: SqlSession, reviewId: string, { row, page }: Folded<Row, Page>): Promise<void> {
    const { forge, origin, repository, change, status, archived, updatedAt, since, openBlockers, words } = folds.columns(row);
    const columns = [reviewId, forge, origin, repository, change, status, archived, Date.parse(updatedAt), Date.parse(since), openBlockers, withoutNul(words)];
    await session.query(SAVE, [...columns, JSON.stringify(row), JSON.stringify(page)]);
  }

  const projection: InlineProjection = {
    name: 'reviews',
    async project(session, events) {
      for (const [reviewId, ofReview] of byReview(events)) {
        let folded = await read(session, LOCK, reviewId);
        for (const { envelope } of ofReview) {
          const event = open(envelope);
          folded = { row: folds.list(folded?.row, event), page: folds.page(folded?.page, event) };
        }
        if (folded !== undefined) await save(session, reviewId, folded);
      }
    },
  };

  return {
    projection,
    get: reviewId => read(database, GET, reviewId),
    async list(filter: ReviewFilter, { limit, after }) {
      const { statement, parameters } = listQuery(filter, { limit: limit + 1, after: after === null ? null : readCursor(after) });
      const { rows } = await database.query<ListedRow<Row>>(statement, parameters);
      const page = rows.slice(0, limit);
      const last = page.at(-1);
      const next = rows.length <= limit || last === undefined ? null : writeCursor({ updatedAt: last.updated_at, reviewId: last.review_id });
      return { rows: page.map(({ list_row }) => list_row), next };
    },
    async totals(moment) {
      const { rows } = await database.query<{ status: string | null; count: string; since: string; blockers: string }>(TOTALS, [Date.parse(moment)]);
      return {
        byStatus: rows.map(({ status, count, since }) => ({ status, count: Number(count), since: Number(since) })),
        openBlockers: rows.reduce((sum, { blockers }) => sum + Number(blockers), 0),
      };
    },
    async stuck(statuses, updatedBefore, limit) {
      const { rows } = await database.query<{ list_row: Row }>(STUCK, [statuses, Date.parse(updatedBefore), limit]);
      return rows.map(({ list_row }) => list_row);
    },
  };
}
