/**
 * Runs leased work: claims what is ready, keeps the leases alive, and writes the result together with the end of the work. A cancel
 * reaches it by the next heartbeat, not through the bus.
 */
import { type Lease, type LeasedWork, type LeaseStore, type Outbox, type PollLoop, pollLoop, type RetryPolicy } from '@weir/ports';
import type { Envelopes, Fact } from './envelopes.ts';

/** Leases of one work that ended by themselves; after so many it is given up, since it may be what ends the process. */
const MAX_ABANDONED = 10;

export interface WorkKind {
  /**
   * Does the work; what it returns is published as its result. May run again after a crash. The signal aborts when the work is
   * cancelled, when another process has it, and when this one stops.
   */
  run(work: LeasedWork, signal: AbortSignal): Promise<readonly Fact[]>;
  /** The result of a work that is given up; the work itself becomes a dead letter. */
  gaveUp(work: LeasedWork, failure: unknown): readonly Fact[];
  /** Never given up: a task that runs as long as there is a process for it. */
  readonly endless?: boolean;
}

export interface WorkRunnerParts {
  readonly kinds: Readonly<Record<string, WorkKind>>;
  readonly leases: LeaseStore;
  readonly outbox: Outbox;
  readonly envelopes: Envelopes;
  /** Of the bus, for the results; their key is that of the work. */
  readonly resultTopic: string;
  readonly retry: RetryPolicy;
  readonly concurrency: number;
  readonly leaseMs: number;
  /** Milliseconds between heartbeats, and so until a cancel is seen at most; a third of the lease or less. */
  readonly beatMs: number;
  readonly idleMs: number;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** The store cannot be read or written; it is tried again. */
  readonly onFailure: (failure: unknown) => void;
}

export interface WorkRunner {
  /** Looks for work at once. */
  wake(): void;
  /** Aborts what is under way, hands it back for another process, and resolves when all of it has ended. */
  stop(): Promise<void>;
}

type Ending = { readonly done: true; readonly facts: readonly Fact[] } | { readonly done: false; readonly failure: unknown };
type Stopped = 'cancelled' | 'lost' | 'stopping';

export function startWorkRunner(parts: WorkRunnerParts): WorkRunner {
  const underway = new Map<Promise<void>, (why: Stopped) => void>();

  function start(work: LeasedWork): void {
    const controller = new AbortController();
    const abort = (why: Stopped): void => controller.abort(why);
    const ended: Promise<void> = runOne(parts, work, controller).finally(() => {
      underway.delete(ended);
      loop.wake();
    });
    underway.set(ended, abort);
  }

  async function step(): Promise<boolean> {
    const limit = parts.concurrency - underway.size;
    if (limit === 0) return false;
    const claimed = await parts.leases.claim({ kinds: Object.keys(parts.kinds), limit, leaseMs: parts.leaseMs });
    claimed.forEach(start);
    return claimed.length > 0;
  }

  const loop: PollLoop = pollLoop({ step, idleMs: parts.idleMs, onFailure: parts.onFailure });
  return {
    wake: loop.wake,
    stop: async () => {
      await loop.stop();
      for (const abort of underway.values()) abort('stopping');
      await Promise.all(underway.keys());
    },
  };
}

async function runOne(parts: WorkRunnerParts, work: LeasedWork, controller: AbortController): Promise<void> {
  const { leases, leaseMs, beatMs, onFailure } = parts;
  const beat = async (): Promise<void> => {
    const state = await leases.heartbeat(work, leaseMs);
    if (state !== 'held') controller.abort(state satisfies Stopped);
  };
  const heart = setInterval(() => void beat().catch(onFailure), beatMs);
  const ending = await attempt(parts.kinds[work.kind], work, controller.signal);
  // The lease holds while the end is written; where that fails, it ends by itself and the work is done again.
  await settle(parts, work, ending, controller.signal.aborted ? (controller.signal.reason as Stopped) : undefined).catch(onFailure);
  clearInterval(heart);
}

async function attempt(kind: WorkKind | undefined, work: LeasedWork, signal: AbortSignal): Promise<Ending> {
  if (kind === undefined) return { done: false, failure: new Error(`No worker of this program does ${work.kind}.`) };
  if (work.abandoned >= MAX_ABANDONED && kind.endless !== true) {
    return { done: false, failure: new Error(`Its process ended, or lost its lease, ${work.abandoned} times without an answer.`) };
  }
  try {
    return { done: true, facts: await kind.run(work, signal) };
  } catch (failure) {
    return { done: false, failure };
  }
}

async function settle(parts: WorkRunnerParts, work: LeasedWork, ending: Ending, stopped: Stopped | undefined): Promise<void> {
  const { leases, outbox, envelopes, resultTopic, kinds, now } = parts;
  const lease: Lease = work;
  const publish =
    (facts: readonly Fact[]): Parameters<LeaseStore['complete']>[1] =>
    session =>
      outbox.put(
        session,
        envelopes.following(work.envelope, work.kind, facts).map(envelope => ({ topic: resultTopic, key: work.key, envelope })),
      );

  if (ending.done) {
    await leases.complete(lease, publish(ending.facts));
    return;
  }
  if (stopped === 'lost') return;
  if (stopped === 'cancelled') await leases.complete(lease, publish([]));
  else if (stopped === 'stopping') await leases.release(lease, now(), 'unfinished');
  else {
    const delay = work.abandoned >= MAX_ABANDONED ? undefined : parts.retry(ending.failure, work.attempt);
    if (delay !== undefined) await leases.release(lease, now() + delay, 'failed');
    else if (kinds[work.kind]?.endless === true) await leases.release(lease, now() + parts.leaseMs, 'failed');
    else await leases.bury(lease, ending.failure, publish(kinds[work.kind]?.gaveUp(work, ending.failure) ?? []));
  }
}
