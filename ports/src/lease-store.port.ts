import type { Envelope } from '@weir/contract';
import type { SqlSession } from './sql.port.ts';

/** Long work that any worker may take: a model call, a run, a task that never ends (the publisher of the outbox). */
export interface NewWork {
  /** Offered again under the same id, it stays one. */
  readonly id: string;
  readonly kind: string;
  /** What a cancel names: the review id. Work of one key is not kept in order. */
  readonly key: string;
  readonly envelope: Envelope;
  /** Not before, in milliseconds since 1970. */
  readonly readyAt?: number;
}

export interface LeasedWork extends NewWork {
  /** From 1: one more than the failures so far, counted in the store. */
  readonly attempt: number;
  /** Earlier leases that ended by themselves: the process died, or was too slow. */
  readonly abandoned: number;
  /** Grows with every lease of any work; only the newest one of a work may write. Hand it to what can check it. */
  readonly fence: string;
}

/** Which lease: a worker proves with the fence that it still holds the work. */
export type Lease = Pick<LeasedWork, 'id' | 'fence'>;

export interface WorkClaim {
  readonly kinds: readonly string[];
  readonly limit: number;
  /** The lease ends by itself, also when its process has died; a heartbeat prolongs it. */
  readonly leaseMs: number;
}

/**
 * Leases of long work, shared by all processes of a deployment, outside the bus: long work never blocks a key, and a cancel never waits
 * behind what it cancels. Clocks of the processes have to agree within a second. Throws the failures of SqlPort.
 */
export interface LeaseStore {
  /** In the transaction of the facts that ask for the work. */
  offer(session: SqlSession, work: readonly NewWork[]): Promise<void>;
  /** The longest ready first. */
  claim(claim: WorkClaim): Promise<readonly LeasedWork[]>;
  /** `lost`: another holds it, or it is gone; stop, and write nothing. `cancelled`: stop, then complete. */
  heartbeat(lease: Lease, leaseMs: number): Promise<'held' | 'cancelled' | 'lost'>;
  /** Ends the work; what `alongside` writes (its result) is committed with it. False, and nothing written, when the lease is lost. */
  complete(lease: Lease, alongside: (session: SqlSession) => Promise<void>): Promise<boolean>;
  /** Gives the work back for that time, in milliseconds since 1970; `failed` counts an attempt. */
  release(lease: Lease, readyAt: number, outcome: 'failed' | 'unfinished'): Promise<boolean>;
  /** Ends the work as a dead letter; what `alongside` writes is committed with it. */
  bury(lease: Lease, failure: unknown, alongside: (session: SqlSession) => Promise<void>): Promise<boolean>;
  /**
   * Work of the key that nobody holds is gone at once; work under way learns it from its next heartbeat. Work whose holder has died
   * goes when its lease has ended.
   * @returns the ids of both.
   */
  cancel(session: SqlSession, key: string): Promise<{ readonly removed: readonly string[]; readonly told: readonly string[] }>;
}
