import type { SqlSession } from './sql.port.ts';

/** A verified delivery as it arrived, for `weir replay`. */
export interface StoredDelivery {
  /** `<registration>/<the forge's id of the delivery>`. */
  readonly id: string;
  readonly registration: string;
  /** What the descriptor reads of the head: lower-case names. */
  readonly headers: Readonly<Record<string, string>>;
  /** Null where it was larger than `MAX_DELIVERY_TEXT`; such a delivery cannot be replayed. */
  readonly body: string | null;
  /** Milliseconds since 1970. */
  readonly arrivedAt: number;
  /** Why no event could be made of it; null where one was. */
  readonly problem: string | null;
}

/** Bytes of a body that is kept; forges send far less but for the largest pushes. */
export const MAX_DELIVERY_TEXT = 1024 * 1024;
/** How long one is kept. */
export const DELIVERY_DAYS = 7;

/** Bodies are encrypted at rest, each bound to its row (REV-39). Throws the failures of SqlPort and of SecretBox. */
export interface DeliveryStore {
  /** In the transaction of what the delivery becomes. Written again under the same id, the first stays. */
  keep(session: SqlSession, delivery: StoredDelivery): Promise<void>;
  find(id: string): Promise<StoredDelivery | undefined>;
  /** Newest first, without bodies. */
  list(limit: number): Promise<readonly Omit<StoredDelivery, 'body' | 'headers'>[]>;
  /** Deletes what arrived before the moment, at most `limit`. @returns how many. */
  sweep(before: number, limit: number): Promise<number>;
}
