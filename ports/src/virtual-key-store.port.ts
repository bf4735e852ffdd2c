import type { NewVirtualKey, VirtualKey } from '@weir/contract';

export interface Reservation {
  readonly keyId: string;
  /** A repeat with the same reference reserves nothing more. */
  readonly callRef: string;
  /** What the call may cost; an unmetered one zero. */
  readonly millicents: number;
}

/**
 * `spent`: final. `in_flight`: calls under way may use up the rest; asking again when they have ended may succeed.
 */
export type ReserveRefusal = 'unknown' | 'revoked' | 'expired' | 'spent' | 'in_flight';

export type ReserveOutcome = { readonly granted: true } | { readonly granted: false; readonly reason: ReserveRefusal };

/**
 * Virtual keys and what is left of their budgets (MOD-17), shared by all processes; each method is atomic among them. A budget is
 * soft: a call that begins within it is finished, and what is reserved for the calls under way counts, so that together they
 * go over it by no more than the last one's cost and the error of the estimates. A reservation stays until it is settled: a call whose
 * process has died keeps its estimate until someone settles it as unknown.
 * Times are milliseconds since 1970 by an injected clock. The SQL store throws the failures of SqlPort.
 */
export interface VirtualKeyStore {
  /** Throws AppError KEY_INVALID when the id or the hash exists. */
  create(key: NewVirtualKey): Promise<void>;
  /** By the sha256 of what the client presents, hex. The state is the caller's to check. */
  find(hash: string): Promise<VirtualKey | undefined>;
  get(id: string): Promise<VirtualKey | undefined>;
  /** The newest first, after an id. */
  list(limit: number, after?: string): Promise<readonly VirtualKey[]>;
  /** @returns false when there is no such key; a second time changes nothing. */
  revoke(id: string): Promise<boolean>;
  /** Those of the ids that are revoked or do not exist: asked by whoever streams for them. */
  revokedAmong(ids: readonly string[]): Promise<readonly string[]>;
  reserve(reservation: Reservation): Promise<ReserveOutcome>;
  /**
   * @param millicents null: unknown; what was reserved counts as spent then.
   * @returns false when nothing is reserved for the call: it was settled before, or never reserved.
   */
  settle(callRef: string, millicents: number | null): Promise<boolean>;
  /** Calls that were reserved before a moment and not settled, the oldest first: their processes may have died. */
  reservedBefore(moment: number, limit: number): Promise<readonly string[]>;
}
