/** The page of one review: each round with its stages and times, what was read, and how it ended. A fold; plain JSON. */
import type { DiffFacts, ReadingCounts, ReviewEvent, RoundCause, RoundStatus } from '@weir/contract';
import { type AnswerLedger, foldAnswers } from './answer-ledger.ts';
import { fold, type Folds } from './handlers.ts';

export interface PageRound {
  readonly round: number;
  readonly head: string;
  readonly previousHead: string | null;
  readonly cause: RoundCause;
  readonly by: string | null;
  readonly observe: boolean;
  readonly attempt: number;
  readonly status: RoundStatus;
  /** When each status began, in order; a second attempt goes through them again. */
  readonly steps: readonly { readonly status: RoundStatus; readonly at: string }[];
  readonly diff: DiffFacts | null;
  readonly missing: readonly { readonly source: string; readonly reason: string }[];
  readonly headline: string | null;
  readonly complete: boolean | null;
  readonly reading: ReadingCounts | null;
  /** New findings that open ones track (REV-23). */
  readonly tracked: number;
  readonly content: string | null;
  readonly summary: string | null;
  /** Why it ended as it did; null for an end that needs no reason. */
  readonly reason: string | null;
}

export interface ReviewPage {
  readonly reviewId: string;
  readonly archived: boolean;
  /** Oldest first. */
  readonly rounds: readonly PageRound[];
  /** What comments were answered, oldest first. */
  readonly answers: AnswerLedger;
}

type OfRound = Extract<ReviewEvent, { round: number; attempt: number }>;

const step = (round: PageRound, status: RoundStatus, at: string, rest: Partial<PageRound> = {}): PageRound => ({
  ...round,
  ...rest,
  status,
  steps: [...round.steps, { status, at }],
});

const to =
  (status: RoundStatus) =>
  ({ at }: OfRound, round: PageRound): PageRound =>
    step(round, status, at);

const ROUND: Folds<OfRound, PageRound> = {
  RoundBegan: to('fetching'),
  DiffRecorded: ({ at, diff }, round) => step(round, 'gathering', at, { diff }),
  ContextRecorded: ({ at, missing }, round) => step(round, 'generating', at, { missing }),
  FindingsRecorded: ({ headline, complete, reading, tracked, content }, round) => ({ ...round, headline, complete, reading, tracked, content }),
  PostingBegan: to('posting'),
  RoundPosted: ({ summary }, round) => ({ ...round, summary }),
  RoundCompleted: to('completed'),
  RoundObserved: to('observed'),
  RoundRefused: ({ at, measurement }, round) => step(round, 'refused', at, { reason: measurement }),
  RoundFailed: ({ at, sentence }, round) => step(round, 'failed', at, { reason: sentence }),
  RoundRetried: ({ at, attempt, sentence }, round) => step(round, 'queued', at, { attempt, reason: sentence }),
  RoundCancelled: ({ at, because }, round) => step(round, 'cancelled', at, { reason: because }),
  RoundSuperseded: ({ at, by }, round) => step(round, 'superseded', at, { reason: by }),
};

const requested = ({ round, head, previousHead, cause, by, observe, attempt, at }: Extract<ReviewEvent, { type: 'RoundRequested' }>): PageRound => ({
  round,
  head,
  previousHead,
  cause,
  by,
  observe,
  attempt,
  status: 'queued',
  steps: [{ status: 'queued', at }],
  diff: null,
  missing: [],
  headline: null,
  complete: null,
  reading: null,
  tracked: 0,
  content: null,
  summary: null,
  reason: null,
});

export function reviewPage(page: ReviewPage | undefined, event: ReviewEvent): ReviewPage {
  const known = page ?? { reviewId: event.reviewId, archived: false, rounds: [], answers: [] };
  if (event.type === 'RoundRequested') return { ...known, rounds: [...known.rounds, requested(event)] };
  if (event.type === 'ReviewArchived' || event.type === 'ReviewRestored') return { ...known, archived: event.type === 'ReviewArchived' };
  if (!('attempt' in event && 'round' in event)) return { ...known, answers: foldAnswers(known.answers, event) };
  return { ...known, rounds: known.rounds.map(round => (round.round === event.round ? fold(ROUND, event, round) : round)) };
}
