import type { Envelope } from '@weir/contract';

export interface BusMessage {
  readonly topic: string;
  /** Messages of one key arrive in their order, one at a time in each group; different keys run in parallel (REV-4). */
  readonly key: string;
  /** Its id is the id of the message. */
  readonly envelope: Envelope;
}

/** Which group of consumers reads which topics. Known to every process, so that a message waits for a group that has not started. */
export type BusTopology = Readonly<Record<string, readonly string[]>>;

export interface Delivery extends BusMessage {
  /** From 1. Counted in the store, so a restart does not reset it. */
  readonly attempt: number;
  /** Aborted when the delivery has gone to another consumer, which is then at work on it; and at the end of a stop that waited too long. */
  readonly signal: AbortSignal;
}

/**
 * What happens after a failed attempt. Pure, so that an adapter decides nothing.
 * @returns milliseconds until the next attempt, during which the key waits; `undefined` for the dead letters.
 */
export type RetryPolicy = (failure: unknown, attempt: number) => number | undefined;

export interface Subscription {
  /** A group of the topology; each message is handled by one consumer of it. */
  readonly group: string;
  /** Deliveries under way at the same time, each of another key. */
  readonly concurrency: number;
  readonly retry: RetryPolicy;
  /** Resolves when the message is handled. May see a message again (REV-3a: mark it in the transaction of its effects). */
  handle(delivery: Delivery): Promise<void>;
}

export interface BusConsumer {
  /** Takes nothing more, waits for the deliveries under way, and hands its keys to the other consumers of the group. */
  stop(): Promise<void>;
}

/**
 * Carries facts at least once, ordered per key. After a failed attempt the rest of its key waits behind it, other keys go on; a
 * message that is given up goes to the dead letters and its key goes on. Throws the failures of SqlPort, or the broker's.
 */
export interface Bus {
  /** Resolves when the messages are stored. Published twice, a message may arrive twice. */
  publish(messages: readonly BusMessage[]): Promise<void>;
  subscribe(subscription: Subscription): Promise<BusConsumer>;
}

export interface DeadLetter {
  readonly id: string;
  /** Where it was given up: the group of the bus, or the kind of the work. */
  readonly origin: 'bus' | 'work';
  readonly group: string;
  readonly topic: string;
  readonly key: string;
  readonly envelope: Envelope;
  readonly attempts: number;
  /** The last failure, as text. */
  readonly failure: string;
  /** Milliseconds since 1970. */
  readonly diedAt: number;
}

/**
 * What a broker cannot keep: messages whose key waits after a failure, until they are handled or given up. In the database, beside the
 * dead letters, so that other keys of the same partition go on. Throws the failures of SqlPort.
 */
export interface RetryStore {
  /** Puts it behind what waits of its key in the group. False, and nothing kept, when nothing waits. */
  follow(group: string, message: BusMessage): Promise<boolean>;
  /** After a failed first attempt, of a key of which nothing waits: for the next attempt after that time; undefined is for the dead letters. */
  keep(group: string, message: BusMessage, failed: { readonly failure: unknown; readonly delayMs: number | undefined }): Promise<void>;
  /**
   * Counts that a message is begun which another process may have begun before, and `end` forgets it.
   * @returns false when it was begun too often without an end: its handler ends the process each time, and it is among the dead letters now.
   */
  begin(group: string, message: BusMessage): Promise<boolean>;
  end(group: string, message: BusMessage): Promise<void>;
  /** Hands over what waits and is due: key by key, over all processes of the group. */
  subscribe(subscription: Subscription): Promise<BusConsumer>;
}

/** What could not be processed, until someone replays or drops it; in the database also where the bus is a broker. */
export interface DeadLetters {
  /** Newest first. `before` is the id of the last one of the page before. */
  list(page: { readonly limit: number; readonly before?: string }): Promise<readonly DeadLetter[]>;
  /** Hands it to its group again, behind what waits there now, with fresh attempts. False when it is not there any more. */
  replay(id: string): Promise<boolean>;
  drop(id: string): Promise<boolean>;
}
