/**
 * What can be asked of a review. A command carries the time and every fact that its decision needs; the decider reads nothing.
 */
import { z } from 'zod';
import { Actor, Commit, Id, ThreadRef } from './capability-parts.ts';
import {
  AnswerKind,
  ChangeCard,
  CommentPlace,
  DiffFacts,
  FindingCoordinates,
  FindingId,
  FindingVerdict,
  PostedFinding,
  ReadingCounts,
  ReviewCoordinates,
  ReviewId,
  RoundCause,
  ThreadAnswer,
  WorkFailure,
} from './review-parts.ts';
import { AnswerRefusalCode, ReviewRefusalCode, RoundRefusalCode } from './review-refusals.ts';

const at = z.iso.datetime();
const ofReview = { reviewId: ReviewId, at };
const aimed = { ...ofReview, round: z.number().int().positive(), head: Commit };
const ofRound = { ...aimed, attempt: z.number().int().positive() };
/** A person's comment. The coordinates are for a review that has had no round. */
const ofComment = { ...ofReview, ...CommentPlace.shape, comment: Id, by: Actor, coordinates: ReviewCoordinates, change: ChangeCard };
const ofAnswer = { ...ofReview, comment: Id, attempt: z.number().int().positive() };
/** Comment in which it was asked for, so that a refusal leaves a line of the timeline; null for the dashboard and the CLI. */
const comment = Id.nullable();

const command = <Type extends string, Shape extends z.ZodRawShape>(type: Type, shape: Shape) => z.strictObject({ type: z.literal(type), ...shape });

export const ReviewCommand = z.discriminatedUnion('type', [
  command('RequestRound', {
    ...ofReview,
    head: Commit,
    coordinates: ReviewCoordinates,
    change: ChangeCard,
    cause: RoundCause,
    by: Id.nullable(),
    forced: z.boolean(),
    observe: z.boolean(),
  }),
  /** What an intake policy turned away and a person should be able to see. */
  command('DropRequest', {
    ...ofReview,
    code: ReviewRefusalCode,
    head: Commit.nullable(),
    by: Id.nullable(),
    coordinates: ReviewCoordinates,
    change: ChangeCard,
  }),
  command('BeginRound', ofRound),
  command('RecordDiff', { ...ofRound, diff: DiffFacts }),
  command('RecordContext', { ...ofRound, context: Id.nullable(), missing: z.array(z.strictObject({ source: z.string().min(1), reason: z.string().min(1) })) }),
  command('RecordFindings', {
    ...ofRound,
    headline: z.string().min(1),
    complete: z.boolean(),
    reading: ReadingCounts,
    findings: z.array(FindingCoordinates),
    verdicts: z.array(FindingVerdict),
    tracked: z.number().int().nonnegative(),
    content: Id.nullable(),
  }),
  command('RecordPosted', { ...ofRound, findings: z.array(PostedFinding), answers: z.array(ThreadAnswer), summary: Id.nullable() }),
  command('RefuseRound', { ...ofRound, code: RoundRefusalCode, measurement: z.string() }),
  command('FailRound', { ...ofRound, ...WorkFailure.shape }),
  /** A worker has read another head than the round's (REV-6). */
  command('SupersedeRound', { ...ofRound, current: Commit }),
  command('CancelRound', { ...aimed, by: Id }),
  /** The change was edited, drafted, closed or merged. */
  command('NoteChange', { ...ofReview, change: ChangeCard }),
  /** A worker has read that the change of the round is no longer open (REV-7). */
  command('NoteChangeEnd', { ...ofRound, change: ChangeCard }),
  command('ArchiveReview', { ...ofReview, by: Id }),
  command('RestoreReview', { ...ofReview, by: Id }),
  /** `mentioned`: the comment names Weir's account, which lifts the cap of turns (REV-26). */
  command('RequestAnswer', { ...ofComment, kind: AnswerKind.extract(['question', 'help', 'description']), mentioned: z.boolean() }),
  /** A person asks or commands something of an archived review (REV-28). */
  command('NoteQuestion', ofComment),
  command('RecordAnswer', { ...ofAnswer, posted: Id }),
  command('RefuseAnswer', { ...ofAnswer, code: AnswerRefusalCode, measurement: z.string() }),
  command('FailAnswer', { ...ofAnswer, ...WorkFailure.shape }),
  command('DismissFinding', { ...ofReview, finding: FindingId, by: Actor, content: Id, comment }),
  /** `thread`: the person's own, on the lines of the finding; null for none. */
  command('AddFinding', { ...ofReview, finding: FindingCoordinates.omit({ id: true }), by: Actor, content: Id, comment, thread: ThreadRef.nullable() }),
  command('SettleThread', { ...ofReview, finding: FindingId, resolved: z.boolean(), by: Actor }),
]);
export type ReviewCommand = z.infer<typeof ReviewCommand>;
export type ReviewCommandOf<Type extends ReviewCommand['type']> = Extract<ReviewCommand, { type: Type }>;
