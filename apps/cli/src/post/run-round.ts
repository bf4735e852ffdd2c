/**
 * One round in this process: the decider, the saga and the workers of the server, one after the other, over stores that end with the command
 * (REV-20a). A head that moves on meanwhile is the next run's.
 */
import { randomUUID } from 'node:crypto';
import type { Envelopes } from '@weir/belt';
import type { ReviewCommand, ReviewEvent, ReviewEventOf, ReviewResult, ReviewWork } from '@weir/contract';
import { commandAfter, type Refusal, workAfter } from '@weir/review';
import type { StageParts, StageWork } from '@weir/review-workers';
import type { ReviewWorkers } from '../server/start-reviewer.ts';
import { workKey } from '../server/work-key.ts';
import type { PassingReview } from './passing-review.ts';

export interface RunRoundParts {
  readonly review: PassingReview;
  readonly workers: ReviewWorkers;
  readonly envelopes: Envelopes;
  readonly sleep: StageParts['sleep'];
  readonly onStep: (sentence: string) => void;
}

const ENDS = ['RoundCompleted', 'RoundObserved', 'RoundRefused', 'RoundFailed', 'RoundCancelled', 'RoundSuperseded'] as const;
export type RoundEnd = ReviewEventOf<(typeof ENDS)[number]>;
const isEnd = (event: ReviewEvent): event is RoundEnd => ENDS.some(type => type === event.type);

/** A request that was dropped or refused has no round. */
export type RoundOutcome =
  | { readonly refused: Refusal['code'] }
  /** `posted`: what stands on the forge; null for a round that did not come so far. */
  | { readonly end: RoundEnd; readonly posted: ReviewEventOf<'RoundPosted'> | null };

const STEPS: Readonly<Partial<Record<ReviewWork['type'], string>>> = {
  FetchDiff: 'reading the change',
  GatherContext: 'gathering what people wrote around it',
  GenerateReview: 'reviewing',
  PostRound: 'posting',
};
const SECOND = 1_000;

/** Throws what the stages throw: an abort's reason, a bug. The decider bounds the attempts, and so the loop. */
export async function runRound(parts: RunRoundParts, request: ReviewCommand, signal: AbortSignal): Promise<RoundOutcome> {
  const first = parts.review.execute(request);
  const dropped = first.events.find(event => event.type === 'RequestDropped');
  if (first.refusal !== null || dropped !== undefined) return { refused: first.refusal?.code ?? dropped?.code ?? 'nothing_new' };
  const work = first.events.flatMap(workAfter);
  for (let next = work.shift(); next !== undefined; next = work.shift()) {
    for (const result of await carryOut(parts, next, signal)) {
      const { events } = parts.review.execute(commandAfter(result));
      tellRetry(parts, events);
      const end = events.find(isEnd);
      if (end !== undefined) return { end, posted: events.find(event => event.type === 'RoundPosted') ?? null };
      work.push(...events.flatMap(workAfter));
    }
  }
  throw new Error('The work of a round is done, and the round has not ended.');
}

function tellRetry({ onStep }: RunRoundParts, events: readonly ReviewEvent[]): void {
  const retried = events.find(event => event.type === 'RoundRetried');
  if (retried !== undefined) onStep(`trying again in ${retried.delaySeconds} s: ${retried.sentence}`);
}

type AnyWorker = (work: StageWork, signal: AbortSignal) => Promise<readonly ReviewResult[]>;

async function carryOut({ workers, envelopes, sleep, onStep }: RunRoundParts, fact: ReviewWork, signal: AbortSignal): Promise<readonly ReviewResult[]> {
  const worker = workers[fact.type] as AnyWorker | undefined;
  if (worker === undefined) throw new Error(`Nobody does ${fact.type} here.`);
  if ('delaySeconds' in fact && fact.delaySeconds > 0) await sleep(fact.delaySeconds * SECOND, signal);
  onStep(STEPS[fact.type] ?? fact.type);
  const id = randomUUID();
  const envelope = envelopes.first(fact, { id, subject: fact.reviewId });
  return worker({ fact, envelope, id, kind: fact.type, key: workKey(fact), attempt: 1, abandoned: 0, fence: '1' }, signal);
}
