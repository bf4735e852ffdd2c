/**
 * What a comment gets back: an answer, a text, a notice, or nothing (REV-26, REV-28). The turns of a thread are counted here; what
 * answers cost is the gate's affair, and no mention lifts that.
 */
import type { AnswerKind, ReviewCommandOf, ReviewEvent } from '@weir/contract';
import { type AnswerRow, answerTo, grantedIn, turnsIn } from './answer-ledger.ts';
import { accept, type Outcome, refuse } from './decision.ts';
import { retryDelay } from './retry.policy.ts';
import { isArchived, NEW_REVIEW, type PresentReview, type ReviewState } from './review-state.ts';

type Answer = Outcome<ReviewEvent>;
type Asked = Omit<ReviewCommandOf<'NoteQuestion'>, 'type'>;

/** Answers of the model in one thread (REV-26). */
export const MAX_TURNS = 4;

function grant(asked: Asked, { answers }: PresentReview, kind: AnswerKind, lifted = false): Answer {
  const { reviewId, at, comment, by, finding, thread, coordinates, change } = asked;
  const turn = grantedIn(answers, asked, kind).length + 1;
  return accept<ReviewEvent>({ type: 'AnswerGranted', reviewId, at, comment, kind, by, finding, thread, turn, attempt: 1, lifted, coordinates, change });
}

/** One notice for a thread; one that could not be posted was none. */
function answerQuestion(command: ReviewCommandOf<'RequestAnswer'>, state: PresentReview): Answer {
  const spent = turnsIn(state.answers, command) >= MAX_TURNS;
  if (!spent || command.mentioned) return grant(command, state, 'question', spent);
  const told = grantedIn(state.answers, command, 'turn_notice').some(row => row.state !== 'failed');
  return told ? refuse('turns_spent') : grant(command, state, 'turn_notice');
}

/** A review that has had no round yet begins with the answer. */
export function requestAnswer(command: ReviewCommandOf<'RequestAnswer'>, state: ReviewState): Answer {
  const present = state.phase === 'absent' ? NEW_REVIEW : state;
  if (isArchived(present)) return refuse('archived');
  if (answerTo(present.answers, command.comment) !== undefined) return accept();
  return command.kind === 'question' ? answerQuestion(command, present) : grant(command, present, command.kind);
}

/** The first question to an archived review gets one fixed notice; every later one gets none. */
export function noteQuestion(command: ReviewCommandOf<'NoteQuestion'>, state: PresentReview): Answer {
  if (!isArchived(state)) return accept();
  return state.noticeGiven ? refuse('archived') : grant(command, state, 'archived_notice');
}

type OfAnswer = ReviewCommandOf<'RecordAnswer' | 'RefuseAnswer' | 'FailAnswer'>;

/** Runs a decision about an answer that is on its way, for the attempt that the command names. */
function underWay(command: OfAnswer, { answers }: PresentReview, decide: (row: AnswerRow) => Answer): Answer {
  const row = answerTo(answers, command.comment);
  return row === undefined || row.state !== 'granted' || row.attempt !== command.attempt ? refuse('stale') : decide(row);
}

/** The part that every event of an answer has. */
const ofAnswer = ({ reviewId, at }: OfAnswer, { comment, kind, finding, thread, attempt }: AnswerRow) => ({
  reviewId,
  at,
  comment,
  kind,
  finding,
  thread,
  attempt,
});

export const recordAnswer = (command: ReviewCommandOf<'RecordAnswer'>, state: PresentReview): Answer =>
  underWay(command, state, row => accept<ReviewEvent>({ type: 'AnswerPosted', ...ofAnswer(command, row), posted: command.posted }));

/** An event on its thread; the round's status stays as it is (REV-31). */
export const refuseAnswer = (command: ReviewCommandOf<'RefuseAnswer'>, state: PresentReview): Answer =>
  underWay(command, state, row =>
    accept<ReviewEvent>({ type: 'AnswerRefused', ...ofAnswer(command, row), code: command.code, measurement: command.measurement }),
  );

/** Tries again while the budget lasts (REV-20), but not what an archived review was asked before (REV-28). */
export const failAnswer = (command: ReviewCommandOf<'FailAnswer'>, state: PresentReview): Answer =>
  underWay(command, state, row => {
    const { failure, sentence } = command;
    const of = ofAnswer(command, row);
    const retired = isArchived(state) && row.kind !== 'archived_notice';
    const delaySeconds = retired ? null : retryDelay(command);
    return delaySeconds === null
      ? accept<ReviewEvent>({ type: 'AnswerFailed', ...of, failure, sentence })
      : accept<ReviewEvent>({ type: 'AnswerRetried', ...of, attempt: row.attempt + 1, turn: row.turn, failure, sentence, delaySeconds });
  });
