/**
 * The stages of the round in flight. A result counts only for the round, head and attempt that it names, and only in its
 * stage; a redelivery, or the answer of a worker that was overtaken, is refused and changes nothing (REV-6, REV-18).
 */
import type { ReviewCommand, ReviewCommandOf, ReviewEvent, ReviewEventOf } from '@weir/contract';
import { accept, type Outcome, refuse } from './decision.ts';
import { type Flight, isRead, type PresentReview, type ReviewState, sameCommit } from './review-state.ts';
import { retryDelay } from './retry.policy.ts';

type Answer = Outcome<ReviewEvent>;
type Aimed = Extract<ReviewCommand, { round: number; attempt: number }>;

/** The part that every event of the round has. */
export const ofRound = (command: Pick<ReviewCommand, 'reviewId' | 'at'>, { round, head, attempt }: Flight) => ({
  reviewId: command.reviewId,
  at: command.at,
  round,
  head,
  attempt,
});

/** Runs a decision about the flight that the command names, in one of its stages. */
export function inStage(command: Aimed, state: ReviewState, stages: readonly Flight['stage'][], decide: (flight: Flight) => Answer): Answer {
  if (state.phase !== 'reviewing') return refuse('not_in_flight');
  const { flight } = state;
  if (flight.round !== command.round || flight.attempt !== command.attempt || !sameCommit(flight.head, command.head)) return refuse('stale');
  return stages.includes(flight.stage) ? decide(flight) : refuse('wrong_stage', `The round is ${flight.stage}; ${command.type} comes too late or too early.`);
}

export const ANY_STAGE: readonly Flight['stage'][] = ['queued', 'fetching', 'gathering', 'generating', 'posting'];

export const beginRound = (command: ReviewCommandOf<'BeginRound'>, state: ReviewState): Answer =>
  inStage(command, state, ['queued'], flight => accept<ReviewEvent>({ type: 'RoundBegan', ...ofRound(command, flight) }));

/** The word that fetching has begun may arrive after its result. */
export const recordDiff = (command: ReviewCommandOf<'RecordDiff'>, state: ReviewState): Answer =>
  inStage(command, state, ['queued', 'fetching'], flight => accept<ReviewEvent>({ type: 'DiffRecorded', ...ofRound(command, flight), diff: command.diff }));

export const recordContext = (command: ReviewCommandOf<'RecordContext'>, state: ReviewState): Answer =>
  inStage(command, state, ['gathering'], flight =>
    accept<ReviewEvent>({ type: 'ContextRecorded', ...ofRound(command, flight), context: command.context, missing: command.missing }),
  );

/** A round that observes ends here: it posts nothing (REV-9). */
export const recordFindings = (command: ReviewCommandOf<'RecordFindings'>, state: ReviewState): Answer =>
  inStage(command, state, ['generating'], flight => {
    const { headline, complete, reading, findings, verdicts, tracked, content } = command;
    const of = ofRound(command, flight);
    return accept<ReviewEvent>(
      { type: 'FindingsRecorded', ...of, headline, complete, reading, findings, verdicts, tracked, content },
      flight.observe ? { type: 'RoundObserved', ...of } : { type: 'PostingBegan', ...of, content },
    );
  });

/** What was posted is taken in only while its head is current (REV-25). */
export const recordPosted = (command: ReviewCommandOf<'RecordPosted'>, state: ReviewState): Answer =>
  inStage(command, state, ['posting'], flight => {
    const of = ofRound(command, flight);
    const { findings, answers, summary } = command;
    return accept<ReviewEvent>({ type: 'RoundPosted', ...of, findings, answers, summary }, { type: 'RoundCompleted', ...of });
  });

export const refuseRound = (command: ReviewCommandOf<'RefuseRound'>, state: ReviewState): Answer =>
  inStage(command, state, ANY_STAGE, flight =>
    accept<ReviewEvent>({ type: 'RoundRefused', ...ofRound(command, flight), code: command.code, measurement: command.measurement }),
  );

/** Tries again from the diff while the budget lasts (REV-20). */
export const failRound = (command: ReviewCommandOf<'FailRound'>, state: ReviewState): Answer =>
  inStage(command, state, ANY_STAGE, flight => {
    const { failure, sentence } = command;
    const of = ofRound(command, flight);
    const delaySeconds = retryDelay(command);
    return delaySeconds === null
      ? accept<ReviewEvent>({ type: 'RoundFailed', ...of, failure, sentence })
      : accept<ReviewEvent>({ type: 'RoundRetried', ...of, attempt: flight.attempt + 1, failure, sentence, delaySeconds });
  });

type RoundWish = Pick<ReviewEventOf<'RoundRequested'>, 'head' | 'coordinates' | 'change' | 'cause' | 'by' | 'forced' | 'observe'>;

/** The review's next round. */
export function nextRound(command: Pick<ReviewCommand, 'reviewId' | 'at'>, state: PresentReview, wanted: RoundWish): ReviewEventOf<'RoundRequested'> {
  const { reviewId, at } = command;
  return { type: 'RoundRequested', reviewId, at, round: state.rounds + 1, attempt: 1, previousHead: state.previousHead, ...wanted };
}

/**
 * A worker has seen a newer head, perhaps before its delivery came, or because deliveries came out of order: the round ends, and
 * the head that is current gets one, so that neither a lost nor a late delivery leaves it unread. Not where it was read already,
 * nor where the change has become a draft meanwhile.
 */
export const supersedeRound = (command: ReviewCommandOf<'SupersedeRound'>, state: ReviewState): Answer =>
  inStage(command, state, ANY_STAGE, flight => {
    if (state.phase !== 'reviewing' || sameCommit(flight.head, command.current)) return refuse('nothing_new');
    const superseded: ReviewEvent = { type: 'RoundSuperseded', ...ofRound(command, flight), by: command.current };
    const { change } = state;
    const { coordinates, observe, draft } = flight;
    if (change === null || (change.draft && !draft) || isRead(state, command.current)) return accept(superseded);
    return accept<ReviewEvent>(
      superseded,
      nextRound(command, state, { head: command.current, coordinates, change, cause: 'pushed', by: null, forced: false, observe }),
    );
  });
