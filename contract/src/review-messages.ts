/**
 * Work of a review and what comes back. A worker does one piece of work and answers with one result; it appends to no stream
 * (REV-2). Every message names round, head and attempt, so that an answer to an older one is told apart.
 */
import { z } from 'zod';
import { Commit, Id } from './capability-parts.ts';
import {
  AnswerKind,
  ChangeCard,
  CommentPlace,
  DiffFacts,
  FindingCoordinates,
  FindingVerdict,
  PostedFinding,
  ReadingCounts,
  ReviewId,
  ThreadAnswer,
  WorkFailure,
} from './review-parts.ts';
import { AnswerRefusalCode, RoundRefusalCode } from './review-refusals.ts';

const aimed = { reviewId: ReviewId, round: z.number().int().positive(), head: Commit };
const ofRound = { ...aimed, attempt: z.number().int().positive() };
const ofAnswer = { reviewId: ReviewId, comment: Id, attempt: z.number().int().positive() };
const message = <Type extends string, Shape extends z.ZodRawShape>(type: Type, shape: Shape) => z.strictObject({ type: z.literal(type), ...shape });

export const ReviewWork = z.discriminatedUnion('type', [
  /** Not before the delay, counted from the event that asks for it. */
  message('FetchDiff', { ...ofRound, delaySeconds: z.number().int().nonnegative() }),
  message('GatherContext', ofRound),
  message('GenerateReview', { ...ofRound, context: Id.nullable() }),
  message('PostRound', { ...ofRound, content: Id.nullable() }),
  /** Aborts whatever runs for exactly this head. */
  message('AbortRound', aimed),
  /** Not cancelled with a round: what a person asked is answered on a closed change too. `turn` counts the comments of this kind in the place, from 1. */
  message('AnswerComment', {
    ...ofAnswer,
    ...CommentPlace.shape,
    kind: AnswerKind,
    turn: z.number().int().positive(),
    delaySeconds: z.number().int().nonnegative(),
  }),
]);
export type ReviewWork = z.infer<typeof ReviewWork>;

const at = z.iso.datetime();

export const ReviewResult = z.discriminatedUnion('type', [
  message('FetchBegun', { ...ofRound, at }),
  message('DiffFetched', { ...ofRound, at, diff: DiffFacts }),
  message('ContextGathered', {
    ...ofRound,
    at,
    context: Id.nullable(),
    missing: z.array(z.strictObject({ source: z.string().min(1), reason: z.string().min(1) })),
  }),
  message('ReviewGenerated', {
    ...ofRound,
    at,
    headline: z.string().min(1),
    complete: z.boolean(),
    reading: ReadingCounts,
    findings: z.array(FindingCoordinates),
    verdicts: z.array(FindingVerdict),
    tracked: z.number().int().nonnegative(),
    content: Id.nullable(),
  }),
  message('CommentsPosted', { ...ofRound, at, findings: z.array(PostedFinding), answers: z.array(ThreadAnswer), summary: Id.nullable() }),
  message('HeadMoved', { ...ofRound, at, current: Commit }),
  /** The change is closed or merged, whether or not its delivery has come (REV-7). */
  message('ChangeEnded', { ...ofRound, at, change: ChangeCard }),
  message('WorkRefused', { ...ofRound, at, code: RoundRefusalCode, measurement: z.string() }),
  message('WorkFailed', { ...ofRound, at, ...WorkFailure.shape }),
  /** `posted`: id of the comment that Weir wrote, or rewrote. */
  message('CommentAnswered', { ...ofAnswer, at, posted: Id }),
  message('AnswerWorkRefused', { ...ofAnswer, at, code: AnswerRefusalCode, measurement: z.string() }),
  message('AnswerWorkFailed', { ...ofAnswer, at, ...WorkFailure.shape }),
]);
export type ReviewResult = z.infer<typeof ReviewResult>;
