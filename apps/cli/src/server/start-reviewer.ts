/** The part of a process that does the work of reviews: leased rows, any number of processes. */
import { type Envelopes, retryPolicy, startWorkRunner, type WorkKind, type WorkRunner } from '@weir/belt';
import type { ReviewResult, ReviewWork } from '@weir/contract';
import { AppError } from '@weir/kernel';
import type { LeasedWork, LeaseStore, Outbox } from '@weir/ports';
import { type StageParts, type StageWork, workFailed } from '@weir/review-workers';
import type { ServerLog } from './server-log.ts';
import type { ServerMetrics } from './server-metrics.ts';
import { RESULTS } from './topology.ts';

/** What does each kind of work. */
export type ReviewWorkers = {
  readonly [Type in ReviewWork['type']]?: (work: StageWork<Extract<ReviewWork, { type: Type }>>, signal: AbortSignal) => Promise<readonly ReviewResult[]>;
};

export interface ReviewerParts {
  readonly workers: ReviewWorkers;
  readonly leases: LeaseStore;
  readonly outbox: Outbox;
  readonly envelopes: Envelopes;
  readonly time: Pick<StageParts, 'now' | 'random'>;
  readonly leaseMs: number;
  /** Pieces of work under way at a time. */
  readonly concurrency: number;
  readonly log: ServerLog;
  readonly metrics: Pick<ServerMetrics, 'work'>;
}

const BEAT_MS = 2_000;
const IDLE_MS = 250;
/** Our own store alone is retried here; what a forge or a model refuses is counted by the pipeline (REV-20). */
const RETRIES = { attempts: 3, baseMs: 500, maxMs: 30_000 };

export function startReviewer(parts: ReviewerParts): WorkRunner {
  const { workers, leases, outbox, envelopes, time, leaseMs, concurrency, log } = parts;
  return startWorkRunner({
    ...{ leases, outbox, envelopes, leaseMs, concurrency },
    kinds: Object.fromEntries(Object.entries(workers).map(([kind, run]) => [kind, workKind(parts, kind, run as AnyWorker)])),
    resultTopic: RESULTS,
    retry: retryPolicy({ ...RETRIES, random: time.random }),
    beatMs: Math.min(BEAT_MS, Math.floor(leaseMs / 3)),
    idleMs: IDLE_MS,
    now: time.now,
    onFailure: log.failure,
  });
}

type AnyWorker = (work: StageWork, signal: AbortSignal) => Promise<readonly ReviewResult[]>;

function workKind({ envelopes, time, log, metrics }: ReviewerParts, kind: string, run: AnyWorker): WorkKind {
  const stageWork = (work: LeasedWork): StageWork => ({ ...work, fact: envelopes.open<ReviewWork>(work.envelope) });
  return {
    async run(work, signal) {
      const began = time.now();
      const results = await run(stageWork(work), signal);
      metrics.work(kind, results.at(-1)?.type ?? 'none', (time.now() - began) / 1_000);
      return results;
    },
    gaveUp(work, failure) {
      log.bug(failure);
      metrics.work(kind, 'gave_up', 0);
      return givenUp(time, stageWork(work).fact);
    },
  };
}

/** A round or an answer whose work is a dead letter ends; its sentence names no inside. */
function givenUp(time: ReviewerParts['time'], work: ReviewWork): readonly ReviewResult[] {
  const failure = new AppError('WORK_GIVEN_UP', `${work.type} was given up; it is among the dead letters.`);
  if ('attempt' in work && 'round' in work) return [workFailed(time, work, failure)];
  if (!('comment' in work)) return [];
  const { reviewId, comment, attempt } = work;
  const at = new Date(time.now()).toISOString();
  const { code, message } = failure;
  return [{ type: 'AnswerWorkFailed', reviewId, comment, attempt, at, failure: code, sentence: message, retry: 'never', retryAfterSeconds: null, jitter: 0 }];
}
