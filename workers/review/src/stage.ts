/**
 * What every stage of a review on a forge shares: its ports, the review that it works for, and how a failure becomes a result. A stage
 * does one piece of work and answers with results; it appends to no stream (REV-2).
 */
import { type ErrorCode, type ReviewCoordinates, type ReviewResult, type ReviewWork, ROUND_STATUSES, type WorkFailure } from '@weir/contract';
import { AppError } from '@weir/kernel';
import type { ArtifactStore, ForgeAccount, ForgePort, LeasedWork, PostingClaims, RegisteredRepository, ReviewViews, RunEffect } from '@weir/ports';
import type { Hash, PageRound, ReviewListRow, ReviewPage } from '@weir/review';

/** A forge with the account that reads and posts there for one repository. */
export interface StageForge {
  readonly port: ForgePort;
  readonly repository: RegisteredRepository;
  readonly account: ForgeAccount;
}

export interface StageParts {
  /** Fresh credentials with every call (REV-20). Throws AppError for a review whose repository is no longer registered. */
  readonly forge: (reviewId: string) => Promise<StageForge>;
  readonly views: Pick<ReviewViews<ReviewListRow, ReviewPage>, 'get'>;
  readonly artifacts: ArtifactStore;
  readonly claims: PostingClaims;
  readonly effect: RunEffect;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** From 0 up to, not including, 1. */
  readonly random: () => number;
  readonly hash: Hash;
  /** Waits; rejects when the signal is aborted. */
  readonly sleep: (milliseconds: number, signal: AbortSignal) => Promise<void>;
  /** Nobody reads comments after the round: replies and commands are offered to no one. */
  readonly unattended?: true;
}

/** Leased work whose envelope has been opened. */
export interface StageWork<Work extends ReviewWork = ReviewWork> extends LeasedWork {
  readonly fact: Work;
}

/** The review that a piece of work is about, as its views and the registry have it now. */
export interface StageReview {
  readonly row: ReviewListRow;
  readonly page: ReviewPage;
  readonly coordinates: ReviewCoordinates;
  readonly forge: StageForge;
}

/** Work of one round; the answer to a comment has no round. */
export type RoundWork = Extract<ReviewWork, { readonly round: number; readonly attempt: number }>;
export type Aim = Pick<RoundWork, 'reviewId' | 'round' | 'head' | 'attempt'>;

export interface RoundReview extends StageReview {
  readonly round: PageRound;
}

/** Throws AppError for what a forge, a model or the store refuses; anything else that it throws is a bug. */
export type Stage<Work extends ReviewWork> = (work: StageWork<Work>, review: StageReview, signal: AbortSignal) => Promise<readonly ReviewResult[]>;
export type RoundStage<Work extends RoundWork> = (work: StageWork<Work>, review: RoundReview, signal: AbortSignal) => Promise<readonly ReviewResult[]>;

/** Failures of our own store: the runner gives the work back, and no attempt of the round is spent. */
const STORE_FAILURES: readonly ErrorCode[] = ['DATABASE_UNAVAILABLE', 'DATABASE_CONFLICT'];

/** A failure that becomes a result; an abort, a bug and a failure of our own store do not. */
export const isFailure = (error: unknown): error is AppError => error instanceof AppError && !STORE_FAILURES.includes(error.code);

const TERMINAL: ReadonlySet<string> = new Set(Object.entries(ROUND_STATUSES).flatMap(([word, { terminal }]) => (terminal ? [word] : [])));

export const aimOf = ({ reviewId, round, head, attempt }: Aim): Aim => ({ reviewId, round, head, attempt });

/** A moment as results carry it. */
export const instant = (milliseconds: number): string => new Date(milliseconds).toISOString();

/** Throws Error where the views do not know the review: they are written with its events, so it cannot be. */
export async function reviewOf(parts: Pick<StageParts, 'forge' | 'views'>, reviewId: string): Promise<StageReview> {
  const stored = await parts.views.get(reviewId);
  if (stored === undefined || stored.row.coordinates === null) throw new Error(`The views hold no review ${reviewId}.`);
  return { ...stored, coordinates: stored.row.coordinates, forge: await parts.forge(reviewId) };
}

/** The round that the work is about; undefined when it is over or in a later attempt, so that nothing more is spent on it (REV-6). */
function roundInFlight({ row, page }: Pick<StageReview, 'row' | 'page'>, aim: Aim): PageRound | undefined {
  const round = page.rounds.find(one => one.round === aim.round);
  if (round === undefined || row.round !== aim.round || row.attempt !== aim.attempt) return undefined;
  return TERMINAL.has(round.status) ? undefined : round;
}

/**
 * The `run` of a stage of a round. Work of a round that is over does nothing. A failure with a name becomes WorkFailed: the one retry
 * layer that counts is the pipeline's (REV-20). An abort and a bug are thrown.
 */
export function runStage<Work extends RoundWork>(parts: StageParts, stage: RoundStage<Work>) {
  return async (work: StageWork<Work>, signal: AbortSignal): Promise<readonly ReviewResult[]> => {
    try {
      const review = await reviewOf(parts, work.fact.reviewId);
      const round = roundInFlight(review, work.fact);
      return round === undefined ? [] : await stage(work, { ...review, round }, signal);
    } catch (error) {
      signal.throwIfAborted();
      if (!isFailure(error)) throw error;
      return [workFailed(parts, work.fact, error)];
    }
  };
}

/** What the decision about another attempt needs of a failure. */
export function failureOf({ random }: Pick<StageParts, 'random'>, error: AppError): WorkFailure {
  const seconds = error.retryAfterSeconds;
  return {
    failure: error.code,
    sentence: error.message === '' ? error.code : error.message,
    retry: error.retry,
    retryAfterSeconds: seconds === undefined ? null : Math.max(0, Math.ceil(seconds)),
    jitter: random(),
  };
}

/** A failure as a result. */
export const workFailed = (parts: Pick<StageParts, 'now' | 'random'>, aim: Aim, error: AppError): ReviewResult => ({
  type: 'WorkFailed',
  ...aimOf(aim),
  at: instant(parts.now()),
  ...failureOf(parts, error),
});
