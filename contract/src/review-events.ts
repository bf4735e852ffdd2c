/**
 * Domain events of a review: what was decided, in the past tense. The stream is the review's id; order is the order of the
 * stream. Each carries the time at which its command was given.
 */
import { z } from 'zod';
import { Actor, Commit, Id, ThreadRef } from './capability-parts.ts';
import {
  AnswerKind,
  ChangeCard,
  CommentPlace,
  DiffFacts,
  FailureCode,
  FindingCoordinates,
  FindingId,
  FindingVerdict,
  PostedFinding,
  ReadingCounts,
  ReviewCoordinates,
  ReviewId,
  RoundCause,
  ThreadAnswer,
} from './review-parts.ts';
import { AnswerRefusalCode, ReviewRefusalCode, RoundRefusalCode } from './review-refusals.ts';

const at = z.iso.datetime();
const round = z.number().int().positive();
const ofReview = { reviewId: ReviewId, at };
/** Every event of a round names its head and its attempt, from 1, so that what belongs to an older one is told apart (REV-6, REV-7, REV-20). */
const ofRound = { ...ofReview, round, head: Commit, attempt: z.number().int().positive() };
const failure = FailureCode;
/** Every event of an answer names the comment that it is for; one comment has at most one. */
const ofAnswer = { ...ofReview, comment: Id, ...CommentPlace.shape, kind: AnswerKind, attempt: z.number().int().positive() };
const sentence = z.string().min(1);

const event = <Type extends string, Shape extends z.ZodRawShape>(type: Type, shape: Shape) => z.strictObject({ type: z.literal(type), ...shape });

export const ReviewEvent = z.discriminatedUnion('type', [
  event('RoundRequested', {
    ...ofRound,
    coordinates: ReviewCoordinates,
    change: ChangeCard,
    cause: RoundCause,
    /** Stable id of who asked; null for the forge or the operator's schedule. */
    by: Id.nullable(),
    forced: z.boolean(),
    observe: z.boolean(),
    /** Head of the last round that was read to its end; the follow-up compares with it. */
    previousHead: Commit.nullable(),
  }),
  /** One line of the timeline: why something started nothing. The coordinates are for a review that has had no round; null before version 2. */
  event('RequestDropped', {
    ...ofReview,
    code: ReviewRefusalCode,
    head: Commit.nullable(),
    by: Id.nullable(),
    coordinates: ReviewCoordinates.nullable(),
    change: ChangeCard.nullable(),
  }),
  event('RoundBegan', ofRound),
  event('DiffRecorded', { ...ofRound, diff: DiffFacts }),
  /** `missing` names what did not arrive in time (REV-13). */
  event('ContextRecorded', { ...ofRound, context: Id.nullable(), missing: z.array(z.strictObject({ source: z.string().min(1), reason: sentence })) }),
  event('FindingsRecorded', {
    ...ofRound,
    headline: sentence,
    complete: z.boolean(),
    reading: ReadingCounts,
    findings: z.array(FindingCoordinates),
    verdicts: z.array(FindingVerdict),
    /** New findings that an open one tracks already (REV-23). */
    tracked: z.number().int().nonnegative(),
    /** Id of the encrypted texts. */
    content: Id.nullable(),
  }),
  /** Findings go to the forge; a round that observes has none of it. */
  event('PostingBegan', { ...ofRound, content: Id.nullable() }),
  event('RoundPosted', {
    ...ofRound,
    findings: z.array(PostedFinding),
    answers: z.array(ThreadAnswer),
    /** Id of the summary comment; null while there is none. */
    summary: Id.nullable(),
  }),
  event('RoundCompleted', ofRound),
  event('RoundObserved', ofRound),
  event('RoundRefused', { ...ofRound, code: RoundRefusalCode, measurement: z.string() }),
  event('RoundFailed', { ...ofRound, failure, sentence }),
  /** The pipeline starts again from the diff after the delay; `attempt` is the one that starts. */
  event('RoundRetried', { ...ofRound, failure, sentence, delaySeconds: z.number().int().nonnegative() }),
  event('RoundCancelled', { ...ofRound, because: z.enum(['closed', 'merged', 'operator']) }),
  event('RoundSuperseded', { ...ofRound, by: Commit }),
  event('ChangeNoted', { ...ofReview, change: ChangeCard }),
  event('ReviewArchived', { ...ofReview, by: Id }),
  event('ReviewRestored', { ...ofReview, by: Id }),
  /** `turn` counts the comments of this kind in the place, from 1; `lifted`: it is past the cap, by a mention (REV-26). */
  event('AnswerGranted', {
    ...ofAnswer,
    by: Actor,
    turn: z.number().int().positive(),
    lifted: z.boolean(),
    coordinates: ReviewCoordinates,
    change: ChangeCard,
  }),
  event('AnswerPosted', { ...ofAnswer, posted: Id }),
  /** The round's status stays as it is (REV-31). */
  event('AnswerRefused', { ...ofAnswer, code: AnswerRefusalCode, measurement: z.string() }),
  /** `attempt` is the one that starts after the delay. */
  event('AnswerRetried', { ...ofAnswer, turn: z.number().int().positive(), failure, sentence, delaySeconds: z.number().int().nonnegative() }),
  event('AnswerFailed', { ...ofAnswer, failure, sentence }),
  event('FindingDismissed', { ...ofReview, finding: FindingId, by: Actor, content: Id }),
  /** A person's own finding becomes part of the baseline (REV-25). */
  event('FindingAdded', { ...ofReview, round, finding: FindingCoordinates, by: Actor, content: Id, thread: ThreadRef.nullable() }),
  event('ThreadSettled', { ...ofReview, finding: FindingId, resolved: z.boolean(), by: Actor }),
]);
export type ReviewEvent = z.infer<typeof ReviewEvent>;
export type ReviewEventOf<Type extends ReviewEvent['type']> = Extract<ReviewEvent, { type: Type }>;
