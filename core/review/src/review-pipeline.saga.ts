/**
 * The timetable of a round and of an answer: which event asks for which work, and which result for which command. Whether anything may happen
 * is decided elsewhere.
 */
import type { ReviewCommand, ReviewEvent, ReviewResult, ReviewWork } from '@weir/contract';

type Rows<M extends { readonly type: string }, Next> = { readonly [Type in M['type']]?: (message: Extract<M, { type: Type }>) => Next };

const of = ({ reviewId, round, head, attempt }: { reviewId: string; round: number; head: string; attempt: number }) => ({ reviewId, round, head, attempt });

const ofAnswer = ({
  reviewId,
  comment,
  attempt,
  kind,
  finding,
  thread,
  turn,
}: Omit<Extract<ReviewWork, { type: 'AnswerComment' }>, 'type' | 'delaySeconds'>) => ({
  reviewId,
  comment,
  attempt,
  kind,
  finding,
  thread,
  turn,
});

const WORK: Rows<ReviewEvent, ReviewWork> = {
  RoundRequested: event => ({ type: 'FetchDiff', ...of(event), delaySeconds: 0 }),
  RoundRetried: event => ({ type: 'FetchDiff', ...of(event), delaySeconds: event.delaySeconds }),
  DiffRecorded: event => ({ type: 'GatherContext', ...of(event) }),
  ContextRecorded: event => ({ type: 'GenerateReview', ...of(event), context: event.context }),
  PostingBegan: event => ({ type: 'PostRound', ...of(event), content: event.content }),
  RoundCancelled: ({ reviewId, round, head }) => ({ type: 'AbortRound', reviewId, round, head }),
  AnswerGranted: event => ({ type: 'AnswerComment', ...ofAnswer(event), delaySeconds: 0 }),
  AnswerRetried: event => ({ type: 'AnswerComment', ...ofAnswer(event), delaySeconds: event.delaySeconds }),
};

const COMMANDS: Required<Rows<ReviewResult, ReviewCommand>> = {
  FetchBegun: result => ({ ...result, type: 'BeginRound' }),
  DiffFetched: result => ({ ...result, type: 'RecordDiff' }),
  ContextGathered: result => ({ ...result, type: 'RecordContext' }),
  ReviewGenerated: result => ({ ...result, type: 'RecordFindings' }),
  CommentsPosted: result => ({ ...result, type: 'RecordPosted' }),
  HeadMoved: result => ({ ...result, type: 'SupersedeRound' }),
  ChangeEnded: result => ({ ...result, type: 'NoteChangeEnd' }),
  WorkRefused: result => ({ ...result, type: 'RefuseRound' }),
  WorkFailed: result => ({ ...result, type: 'FailRound' }),
  CommentAnswered: result => ({ ...result, type: 'RecordAnswer' }),
  AnswerWorkRefused: result => ({ ...result, type: 'RefuseAnswer' }),
  AnswerWorkFailed: result => ({ ...result, type: 'FailAnswer' }),
};

/** Work that an event asks for; none for most. A supersede asks for no abort: the worker reads the head itself (REV-7). */
export function workAfter(event: ReviewEvent): readonly ReviewWork[] {
  const row = WORK[event.type] as ((event: ReviewEvent) => ReviewWork) | undefined;
  return row === undefined ? [] : [row(event)];
}

/** The command that a result becomes. */
export const commandAfter = (result: ReviewResult): ReviewCommand => (COMMANDS[result.type] as (result: ReviewResult) => ReviewCommand)(result);
