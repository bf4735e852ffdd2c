/**
 * What a decision about a review needs to know of it. absent -> idle <-> reviewing; an idle review can be archived and restored.
 * In flight a round goes queued -> fetching -> gathering -> generating -> posting, and back to queued when it is tried again.
 */
import type { ChangeCard, ReviewCoordinates, ReviewEvent, ReviewEventOf, Stage } from '@weir/contract';
import { type AnswerLedger, foldAnswers } from './answer-ledger.ts';
import { EMPTY_LEDGER, type FindingLedger, foldFindings } from './finding-ledger.ts';
import { fold, type Folds } from './handlers.ts';

export interface Flight {
  readonly round: number;
  readonly head: string;
  readonly attempt: number;
  readonly stage: 'queued' | Stage;
  readonly observe: boolean;
  readonly coordinates: ReviewCoordinates;
  /** The change was a draft when the round was asked for. */
  readonly draft: boolean;
}

/** What outlives a round. */
interface Known {
  readonly rounds: number;
  /** Head of the last round that was asked for and not cancelled; the same head starts nothing again. */
  readonly reviewedHead: string | null;
  /** Head of the last round that came to its end, which the next compares with. */
  readonly previousHead: string | null;
  /** The last round that posted; null while none has. */
  readonly postedRound: number | null;
  readonly change: ChangeCard | null;
  readonly noticeGiven: boolean;
  readonly ledger: FindingLedger;
  readonly answers: AnswerLedger;
}

export type ReviewState =
  | { readonly phase: 'absent' }
  | ({ readonly phase: 'idle'; readonly archived: boolean } & Known)
  | ({ readonly phase: 'reviewing'; readonly flight: Flight } & Known);

export type PresentReview = Exclude<ReviewState, { phase: 'absent' }>;

export const NEW_REVIEW: PresentReview = {
  phase: 'idle',
  archived: false,
  rounds: 0,
  reviewedHead: null,
  previousHead: null,
  postedRound: null,
  change: null,
  noticeGiven: false,
  ledger: EMPTY_LEDGER,
  answers: [],
};

const knownOf = ({ rounds, reviewedHead, previousHead, postedRound, change, noticeGiven, ledger, answers }: PresentReview): Known => ({
  rounds,
  reviewedHead,
  previousHead,
  postedRound,
  change,
  noticeGiven,
  ledger,
  answers,
});

export const isArchived = (state: ReviewState): boolean => state.phase === 'idle' && state.archived;

/** Some forges give a prefix of a commit where others give it whole. */
export const sameCommit = (a: string, b: string): boolean => a.startsWith(b) || b.startsWith(a);

/** The last round that came to its end read this head. */
export const isRead = ({ previousHead }: PresentReview, head: string): boolean => previousHead !== null && sameCommit(previousHead, head);

function take(state: PresentReview, event: ReviewEventOf<'RoundRequested'>): PresentReview {
  const { round, head, attempt, observe, coordinates } = event;
  const flight: Flight = { round, head, attempt, stage: 'queued', observe, coordinates, draft: event.change.draft };
  return { ...knownOf(state), phase: 'reviewing', rounds: round, reviewedHead: head, change: event.change, flight };
}

function move(state: PresentReview, event: { readonly round: number; readonly attempt: number }, stage: Flight['stage']): PresentReview {
  if (state.phase !== 'reviewing' || state.flight.round !== event.round) return state;
  return { ...state, flight: { ...state.flight, stage, attempt: event.attempt } };
}

function end(state: PresentReview, event: { readonly round: number }, rest: Partial<Known> = {}): PresentReview {
  if (state.phase !== 'reviewing' || state.flight.round !== event.round) return state;
  return { ...knownOf(state), ...rest, phase: 'idle', archived: false };
}

const archive = (state: PresentReview, archived: boolean): PresentReview => (state.phase === 'idle' ? { ...state, archived } : state);

const stop = (event: { readonly round: number }, state: PresentReview): PresentReview => end(state, event);
const finish = (event: { readonly round: number; readonly head: string }, state: PresentReview): PresentReview =>
  end(state, event, { previousHead: event.head });

/** A late delivery of an old head gives way to the head that had its round already. */
const overtake = (event: ReviewEventOf<'RoundSuperseded'>, state: PresentReview): PresentReview =>
  end(state, event, isRead(state, event.by) ? { reviewedHead: state.previousHead } : {});

/** The review's course; what it has found, and what it has answered, are their ledgers'. */
const COURSE: Folds<ReviewEvent, PresentReview> = {
  RoundRequested: (event, state) => take(state, event),
  RoundBegan: (event, state) => move(state, event, 'fetching'),
  DiffRecorded: (event, state) => move(state, event, 'gathering'),
  ContextRecorded: (event, state) => move(state, event, 'generating'),
  PostingBegan: (event, state) => move(state, event, 'posting'),
  RoundRetried: (event, state) => move(state, event, 'queued'),
  RoundPosted: (event, state) => ({ ...state, postedRound: event.round }),
  RoundCompleted: finish,
  RoundObserved: finish,
  RoundRefused: stop,
  RoundFailed: stop,
  RoundSuperseded: overtake,
  RoundCancelled: (event, state) => end(state, event, { reviewedHead: null }),
  ChangeNoted: (event, state) => ({ ...state, change: event.change }),
  ReviewArchived: (_, state) => archive(state, true),
  ReviewRestored: (_, state) => archive({ ...state, noticeGiven: false }, false),
  AnswerGranted: ({ kind }, state) => ({ ...state, noticeGiven: state.noticeGiven || kind === 'archived_notice' }),
};

/** Total: an event that does not fit leaves the course as it is. */
export function evolve(state: ReviewState, event: ReviewEvent): ReviewState {
  const present = state.phase === 'absent' ? NEW_REVIEW : state;
  return { ...fold(COURSE, event, present), ledger: foldFindings(present.ledger, event), answers: foldAnswers(present.answers, event) };
}
