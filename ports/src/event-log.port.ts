import type { Envelope } from '@weir/contract';
import type { HandledMark, OutboxMessage } from './outbox.port.ts';
import type { SqlSession } from './sql.port.ts';

/** A place in the log, opaque: only a log makes one and compares it. A reader keeps it as its checkpoint; it fits into an address and a header. */
export type LogPosition = string;

export interface LogEvent {
  readonly stream: string;
  /** Its number in the stream, from 1 and without gaps. */
  readonly version: number;
  readonly position: LogPosition;
  /** Brought to the present schema version. */
  readonly envelope: Envelope;
}

/**
 * A read model that is written with the events, or not at all: it runs in the transaction of the append. Its failure undoes the
 * append. Only the handed session may be used.
 */
export interface InlineProjection {
  readonly name: string;
  project(session: SqlSession, events: readonly NewLogEvent[]): Promise<void>;
}

/** An event that is being appended; its place in the log is known when the transaction has ended. */
export type NewLogEvent = Omit<LogEvent, 'position'>;

export interface AppendRequest {
  readonly stream: string;
  /** The version that the decision was made on; 0 for a stream that does not exist. */
  readonly expectedVersion: number;
  /** None is allowed: then the rest is written for itself, and the version is not checked. */
  readonly events: readonly Envelope[];
  /** To be published once the transaction has ended. */
  readonly messages?: readonly OutboxMessage[];
  /** The message that led to this append; once handled, it appends nothing again. */
  readonly handled?: HandledMark;
  /** More writes of the same transaction (a scan cursor, a leased work); a failure undoes everything. */
  readonly alongside?: (session: SqlSession) => Promise<void>;
}

export type AppendOutcome =
  /** `version` of the stream after the append. */
  | { readonly outcome: 'appended'; readonly version: number }
  /** Another append was first; nothing is written. Load again and decide again. */
  | { readonly outcome: 'conflict' }
  /** The message of the mark was handled before; nothing is written. */
  | { readonly outcome: 'repeated' };

/**
 * The event log (REV-2, REV-3a): append-only streams with one global order. Events, projections, messages, the mark and what runs
 * alongside are committed together or not at all. Methods throw the failures of SqlPort, EnvelopeUnreadable for an event that this
 * program is too old for, and whatever a projection throws.
 */
export interface EventLog {
  append(request: AppendRequest): Promise<AppendOutcome>;
  /**
   * Holds back every other writer of the stream, in all processes, while `decide` reads it and decides: the append cannot conflict.
   * Slower; for a writer that others were faster than. `decide` reads through what it is handed, and nothing else.
   */
  appendExclusively(stream: string, decide: (log: Pick<EventLog, 'readStream'>) => Promise<Omit<AppendRequest, 'stream'>>): Promise<AppendOutcome>;
  /** Events of the stream after a version, in order; fewer than `limit` at its end. */
  readStream(stream: string, afterVersion: number, limit: number): Promise<readonly LogEvent[]>;
  /**
   * Events after a position in the global order, `undefined` from the start. Never skips one: events of a transaction become
   * visible when no older transaction is under way, so a long transaction on the same server holds every reader back.
   */
  readAll(after: LogPosition | undefined, limit: number): Promise<readonly LogEvent[]>;
  /** Events before a position, the newest first, `undefined` from the end: only what `readAll` shows too. */
  readBack(before: LogPosition | undefined, limit: number): Promise<readonly LogEvent[]>;
  /**
   * One step of the reader of this name: the next events, what `apply` writes and the new checkpoint in one transaction.
   * @returns the number of events; 0 at the end of the log, and when another process is at this reader's step.
   */
  follow(reader: string, limit: number, apply: (session: SqlSession, events: readonly LogEvent[]) => Promise<void>): Promise<number>;
  /** The reader begins again from the start; `clear` empties what it wrote, in the same transaction. */
  rewind(reader: string, clear: (session: SqlSession) => Promise<void>): Promise<void>;
}
