import type { BusMessage } from './bus.port.ts';
import type { SqlSession } from './sql.port.ts';

export interface OutboxMessage extends BusMessage {
  /** Not published before, in milliseconds since 1970. What was put after it does not wait for it. */
  readonly dueAt?: number;
}

/** A message as one group of consumers has handled it. */
export interface HandledMark {
  readonly group: string;
  readonly messageId: string;
}

/**
 * Messages that are written with the facts that they tell of, and published afterwards, at least once (REV-3a). Methods with a
 * session are part of its transaction. Throws the failures of SqlPort.
 */
export interface Outbox {
  put(session: SqlSession, messages: readonly OutboxMessage[]): Promise<void>;
  /** True and marked, or false: the group has handled this message before, and its effects must not be repeated. */
  mark(session: SqlSession, mark: HandledMark): Promise<boolean>;
  /**
   * Publishes the oldest messages that are due, in the order in which they were put, and then forgets them. One process at a time
   * should do it; where two do, messages are published twice, and the first copies are still in order per key.
   * @returns how many were published; fewer than `limit` when no more are due.
   */
  publish(limit: number, publish: (messages: readonly BusMessage[]) => Promise<void>): Promise<number>;
  /** Forgets marks from before a moment, in milliseconds since 1970; a copy that arrives later would be handled again. */
  forgetMarks(before: number): Promise<void>;
}
