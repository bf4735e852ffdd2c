/** The event log in the database: one row an event, and everything that belongs to an append in its transaction (REV-2, REV-3a). */
import type { Envelope } from '@weir/contract';
import {
  type AppendOutcome,
  type AppendRequest,
  type EventLog,
  type InlineProjection,
  type LogEvent,
  type Outbox,
  retryConflict,
  type SqlPort,
  type SqlSession,
  type Upcast,
} from '@weir/ports';
import { END, readPosition, writePosition } from './log-position.ts';

/** Runs of a transaction that meets another one (a deadlock, a serialization failure). */
const ATTEMPTS = 5;

const APPEND = 'select weir_events_append($1, $2, $3::text[]) as appended';
const HOLD_STREAM = 'select weir_events_hold($1)';

const READ_STREAM = `select stream, version, tx::text as tx_text, position, envelope from weir_events
  where stream = $1 and version > $2 order by version limit $3`;

/** Below the oldest transaction that is still under way nothing can appear any more, so nothing is skipped. */
const READ_ALL = `select stream, version, tx::text as tx_text, position, envelope from weir_events
  where (tx, position) > ($1::xid8, $2::bigint) and tx < pg_snapshot_xmin(pg_current_snapshot())
  order by weir_events.tx, position limit $3`;

const READ_BACK = `select stream, version, tx::text as tx_text, position, envelope from weir_events
  where (tx, position) < ($1::xid8, $2::bigint) and tx < pg_snapshot_xmin(pg_current_snapshot())
  order by weir_events.tx desc, position desc limit $3`;

const ADD_READER = 'insert into weir_readers (reader) values ($1) on conflict do nothing';
const LOCK_READER = 'select tx::text as tx_text, position from weir_readers where reader = $1 for update skip locked';
const MOVE_READER = 'update weir_readers set tx = $2::xid8, position = $3 where reader = $1';
const RESET_READER = `insert into weir_readers (reader) values ($1) on conflict (reader) do update set tx = excluded.tx, position = excluded.position`;

interface EventRow extends Record<string, unknown> {
  readonly stream: string;
  readonly version: number;
  readonly tx_text: string;
  readonly position: string;
  readonly envelope: Envelope;
}

export interface SqlEventLogParts {
  readonly outbox: Outbox;
  /** Run with each append, in this order. */
  readonly projections: readonly InlineProjection[];
  readonly upcast: Upcast;
}

/** Undoes the transaction of an append that must not happen. */
class Undo extends Error {
  readonly outcome: 'conflict' | 'repeated';
  constructor(outcome: 'conflict' | 'repeated') {
    super(outcome);
    this.outcome = outcome;
  }
}

/** `decide`, `alongside` and the projections may run more than once for one append; the transaction before was undone then. */
export function sqlEventLog(database: SqlPort, { outbox, projections, upcast }: SqlEventLogParts): EventLog {
  const toEvent = (row: EventRow): LogEvent => ({
    stream: row.stream,
    version: row.version,
    position: writePosition({ tx: row.tx_text, position: row.position }),
    envelope: upcast(row.envelope),
  });

  async function appendWithin(session: SqlSession, request: AppendRequest): Promise<AppendOutcome> {
    const { stream, expectedVersion, events, messages = [], handled, alongside } = request;
    if (handled !== undefined && !(await outbox.mark(session, handled))) throw new Undo('repeated');
    if (events.length > 0) {
      const texts = events.map(envelope => JSON.stringify(envelope));
      const { rows } = await session.query<{ appended: boolean }>(APPEND, [stream, expectedVersion, texts]);
      if (rows[0]?.appended !== true) throw new Undo('conflict');
      const appended = events.map((envelope, index) => ({ stream, version: expectedVersion + index + 1, envelope }));
      for (const projection of projections) await projection.project(session, appended);
    }
    if (messages.length > 0) await outbox.put(session, messages);
    await alongside?.(session);
    return { outcome: 'appended', version: expectedVersion + events.length };
  }

  async function readStreamOf(session: SqlSession, [stream, afterVersion, limit]: Parameters<EventLog['readStream']>): Promise<readonly LogEvent[]> {
    const { rows } = await session.query<EventRow>(READ_STREAM, [stream, afterVersion, limit]);
    return rows.map(toEvent);
  }

  async function settle(appending: Promise<AppendOutcome>): Promise<AppendOutcome> {
    try {
      return await appending;
    } catch (error) {
      if (error instanceof Undo) return { outcome: error.outcome };
      throw error;
    }
  }

  const together = (work: (session: SqlSession) => Promise<AppendOutcome>): Promise<AppendOutcome> => retryConflict(database, work, ATTEMPTS);

  /** One statement is a transaction by itself, in a third of the time. */
  function append(request: AppendRequest): Promise<AppendOutcome> {
    const alone = projections.length === 0 && request.handled === undefined && request.alongside === undefined && (request.messages ?? []).length === 0;
    return settle(alone ? appendWithin(database, request) : together(session => appendWithin(session, request)));
  }

  function appendExclusively(...[stream, decide]: Parameters<EventLog['appendExclusively']>): Promise<AppendOutcome> {
    return settle(
      together(async session => {
        await session.query(HOLD_STREAM, [stream]);
        return appendWithin(session, { ...(await decide({ readStream: (...page) => readStreamOf(session, page) })), stream });
      }),
    );
  }

  async function readFrom(session: SqlSession, after: readonly [tx: string, position: string], limit: number): Promise<readonly LogEvent[]> {
    const { rows } = await session.query<EventRow>(READ_ALL, [...after, limit]);
    return rows.map(toEvent);
  }

  async function followWithin(session: SqlSession, [reader, limit, apply]: Parameters<EventLog['follow']>): Promise<number> {
    await session.query(ADD_READER, [reader]);
    const { rows } = await session.query<{ tx_text: string; position: string }>(LOCK_READER, [reader]);
    const [checkpoint] = rows;
    if (checkpoint === undefined) return 0;
    const events = await readFrom(session, [checkpoint.tx_text, checkpoint.position], limit);
    const last = events.at(-1);
    if (last === undefined) return 0;
    await apply(session, events);
    const { tx, position } = readPosition(last.position);
    await session.query(MOVE_READER, [reader, tx, position]);
    return events.length;
  }

  return {
    append,
    appendExclusively,
    readStream: (...page) => readStreamOf(database, page),
    readAll: (after, limit) => {
      const { tx, position } = readPosition(after);
      return readFrom(database, [tx, position], limit);
    },
    readBack: async (before, limit) => {
      const { tx, position } = before === undefined ? END : readPosition(before);
      const { rows } = await database.query<EventRow>(READ_BACK, [tx, position, limit]);
      return rows.map(toEvent);
    },
    follow: (...step) => retryConflict(database, session => followWithin(session, step), ATTEMPTS),
    rewind: (reader, clear) =>
      retryConflict(
        database,
        async session => {
          await session.query(RESET_READER, [reader]);
          await clear(session);
        },
        ATTEMPTS,
      ),
  };
}
