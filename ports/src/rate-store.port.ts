/** Whose limits: those of one provider for one credential. */
export interface RateKey {
  readonly provider: string;
  /** A name or a digest of the credential, never the credential itself: it is stored. */
  readonly credential: string;
}

/** What a call takes from a sliding window: `points` and `hour` at the provider's cost, `content` for what creates content. */
export interface RateCharge {
  readonly window: string;
  /** A cost above the limit counts as the limit, since it could never be paid otherwise. */
  readonly cost: number;
  /** What the window holds. */
  readonly limit: number;
  /** How far the window reaches back: 60, or 3,600. */
  readonly seconds: number;
}

export interface RateRequest extends RateKey {
  readonly charges: readonly RateCharge[];
  /** Calls of this key under way at the same time, in all processes. */
  readonly maxConcurrent: number;
  /** How long the call may hold its slot; afterwards it is free, also when its process has died. */
  readonly leaseMs: number;
  /** Set for a call that notifies people: milliseconds since the last such call. */
  readonly notificationIntervalMs?: number;
  /** The provider's own budget that the call is counted in (`core`, `search`); the names of `ServerLimit`. */
  readonly resource: string;
}

export type RateRefusal = 'quarantine' | 'server_limit' | 'points' | 'notification' | 'concurrency';

export type RateGrant =
  | { readonly granted: true; readonly lease: string }
  /** Nothing has been charged. Asking again before is of no use; for `concurrency` it is only when the oldest lease ends at the latest. */
  | { readonly granted: false; readonly reason: RateRefusal; readonly waitMs: number };

/** What the provider's headers say about one of its budgets. */
export interface ServerLimit {
  readonly resource: string;
  readonly remaining: number;
  /** Milliseconds since 1970. */
  readonly resetAt: number;
}

/** What the answer of a call leaves behind. */
export interface RateOutcome {
  /** The provider has not counted the call in its own budget, as with a 304: what the grant took there is given back. */
  readonly uncounted?: boolean;
  /** A later answer of the same period never raises what remains, since answers overtake each other; a later period replaces. */
  readonly limit?: ServerLimit;
  /** No call until then, in milliseconds since 1970. A shorter quarantine never ends a longer one. */
  readonly quarantineUntil?: number;
}

/** One more call of a run, which may make `calls` of them at this provider. */
export interface RunCall {
  readonly provider: string;
  readonly run: string;
  readonly calls: number;
}

/**
 * The memory of the rate governor (PRV-10, PRV-19), shared by all processes of a deployment: each method is atomic among
 * them. Times are milliseconds since 1970 by an injected clock; the clocks of the processes have to agree within a second.
 * The SQL store throws the failures of SqlPort.
 */
export interface RateStore {
  acquire(request: RateRequest): Promise<RateGrant>;
  /** Gives the slot back and notes the outcome. Where the lease has ended or was released before, only the outcome is noted. */
  release(key: RateKey, lease: string, outcome?: RateOutcome): Promise<void>;
  /** True and counted, or false and the run has made its calls. A run that makes none for a day is forgotten and begins anew. */
  spend(call: RunCall): Promise<boolean>;
}
