/**
 * One review of one change, from its first request to its retirement: what starts, replaces, cancels and ends a round.
 * The stream is the review's id; the head decides what is new.
 */
import type { ChangeCard, ReviewCommand, ReviewCommandOf, ReviewEvent } from '@weir/contract';
import { accept, type Decider, type Outcome, refuse } from './decision.ts';
import { failAnswer, noteQuestion, recordAnswer, refuseAnswer, requestAnswer } from './conversation.decider.ts';
import { addFinding, dismissFinding, settleThread } from './finding-commands.decider.ts';
import { handle, type Handlers } from './handlers.ts';
import { evolve, isArchived, type PresentReview, type ReviewState, sameCommit } from './review-state.ts';
import {
  ANY_STAGE,
  beginRound,
  failRound,
  inStage,
  nextRound,
  ofRound,
  recordContext,
  recordDiff,
  recordFindings,
  recordPosted,
  refuseRound,
  supersedeRound,
} from './round-stages.decider.ts';

type Answer = Outcome<ReviewEvent>;

/** A command about a review that has to be there. */
const present =
  <Command>(decide: (command: Command, state: PresentReview) => Answer) =>
  (command: Command, state: ReviewState): Answer =>
    state.phase === 'absent' ? refuse('unknown_review') : decide(command, state);

const DECISIONS: Handlers<ReviewCommand, ReviewState, Answer> = {
  RequestRound: (command, state) => tell(requestRound(command, state), command.cause === 'command', command),
  DropRequest: dropRequest,
  BeginRound: beginRound,
  RecordDiff: recordDiff,
  RecordContext: recordContext,
  RecordFindings: recordFindings,
  RecordPosted: recordPosted,
  RefuseRound: refuseRound,
  FailRound: failRound,
  SupersedeRound: supersedeRound,
  CancelRound: present(cancelRound),
  NoteChange: present(noteChange),
  NoteChangeEnd: present(noteChangeEnd),
  ArchiveReview: present(archiveReview),
  RestoreReview: present(restoreReview),
  RequestAnswer: requestAnswer,
  NoteQuestion: present(noteQuestion),
  RecordAnswer: present(recordAnswer),
  RefuseAnswer: present(refuseAnswer),
  FailAnswer: present(failAnswer),
  DismissFinding: present(unlessArchived((command, state) => tell(dismissFinding(command, state), command.comment !== null, command))),
  AddFinding: present(unlessArchived((command, state) => tell(addFinding(command, state), command.comment !== null, command))),
  SettleThread: present(settleThread),
};

export const reviewLifecycle: Decider<ReviewCommand, ReviewEvent, ReviewState> = {
  initial: { phase: 'absent' },
  decide: (command, state) => handle(DECISIONS, command, state),
  evolve,
};

/** An archived review takes no command (REV-28). */
function unlessArchived<Command>(decide: (command: Command, state: PresentReview) => Answer) {
  return (command: Command, state: PresentReview): Answer => (isArchived(state) ? refuse('archived') : decide(command, state));
}

/** Of a command about a review that is there, and whose place is known. */
const NOWHERE = { head: null, coordinates: null, change: null };

/** What a command in a comment is refused for is a line of the timeline: nothing is posted, and somebody waits (REV-27). */
function tell(outcome: Answer, inComment: boolean, command: ReviewCommandOf<'RequestRound' | 'DismissFinding' | 'AddFinding'>): Answer {
  if (outcome.kind === 'accepted' || !inComment || outcome.refusal.code === 'archived') return outcome;
  const { reviewId, at, by } = command;
  const { head, coordinates, change } = command.type === 'RequestRound' ? command : NOWHERE;
  const code = outcome.refusal.code;
  return accept<ReviewEvent>({ type: 'RequestDropped', reviewId, at, code, head, by: typeof by === 'string' ? by : (by?.id ?? null), coordinates, change });
}

function requestRound(command: ReviewCommandOf<'RequestRound'>, state: ReviewState): Answer {
  const { reviewId, at, head, coordinates, change, cause, by, forced, observe } = command;
  const wanted = { head, coordinates, change, cause, by, forced, observe };
  if (change.state !== 'open') return refuse('change_not_open');
  if (state.phase === 'absent') return accept<ReviewEvent>({ type: 'RoundRequested', reviewId, at, round: 1, attempt: 1, previousHead: null, ...wanted });
  if (isArchived(state)) return refuse('archived');
  const same = state.reviewedHead !== null && sameCommit(state.reviewedHead, head);
  if (state.phase === 'idle') return same && !forced ? refuse('already_reviewed') : accept<ReviewEvent>(nextRound(command, state, wanted));
  if (same) return refuse('in_flight');
  return accept<ReviewEvent>({ type: 'RoundSuperseded', ...ofRound(command, state.flight), by: head }, nextRound(command, state, wanted));
}

function dropRequest(command: ReviewCommandOf<'DropRequest'>, state: ReviewState): Answer {
  return isArchived(state) ? refuse('archived') : accept<ReviewEvent>({ ...command, type: 'RequestDropped' });
}

/** Names the head that it cancels: a round that began meanwhile goes on (REV-7). */
function cancelRound(command: ReviewCommandOf<'CancelRound'>, state: PresentReview): Answer {
  if (state.phase !== 'reviewing') return refuse('not_in_flight');
  const { flight } = state;
  if (flight.round !== command.round || !sameCommit(flight.head, command.head)) return refuse('stale');
  return accept<ReviewEvent>({ type: 'RoundCancelled', ...ofRound(command, flight), because: 'operator' });
}

const sameCard = (a: ChangeCard, b: ChangeCard): boolean =>
  a.title === b.title && a.url === b.url && a.state === b.state && a.draft === b.draft && a.author?.id === b.author?.id;

/** A change that is no longer open takes its round with it. */
function noteChange(command: Pick<ReviewCommandOf<'NoteChange'>, 'reviewId' | 'at' | 'change'>, state: PresentReview): Answer {
  const { reviewId, at, change } = command;
  const noted: readonly ReviewEvent[] = state.change !== null && sameCard(state.change, change) ? [] : [{ type: 'ChangeNoted', reviewId, at, change }];
  if (state.phase !== 'reviewing' || change.state === 'open') return accept(...noted);
  return accept<ReviewEvent>(...noted, { type: 'RoundCancelled', ...ofRound(command, state.flight), because: change.state });
}

/** For the round that the worker had: one that began after the change was reopened goes on. */
function noteChangeEnd(command: ReviewCommandOf<'NoteChangeEnd'>, state: PresentReview): Answer {
  return inStage(command, state, ANY_STAGE, () => noteChange(command, state));
}

function archiveReview({ reviewId, at, by }: ReviewCommandOf<'ArchiveReview'>, state: PresentReview): Answer {
  if (state.phase === 'reviewing') return refuse('still_running');
  return state.archived ? refuse('already_archived') : accept<ReviewEvent>({ type: 'ReviewArchived', reviewId, at, by });
}

function restoreReview({ reviewId, at, by }: ReviewCommandOf<'RestoreReview'>, state: PresentReview): Answer {
  return isArchived(state) ? accept<ReviewEvent>({ type: 'ReviewRestored', reviewId, at, by }) : refuse('not_archived');
}
