/**
 * What can be asked of a review. A command carries the time and every fact that its decision needs; the decider reads nothing.
 */
import { z } from 'zod';
import { Actor, Commit, Id } from './capability-parts.ts';
import { ERRORS, type ErrorCode } from './errors.ts';
import {
  ChangeCard,
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
} from './review-parts.ts';
import { ReviewRefusalCode, RoundRefusalCode } from './review-refusals.ts';

const at = z.iso.datetime();
const ofReview = { reviewId: ReviewId, at };
const aimed = { ...ofReview, round: z.number().int().positive(), head: Commit };
const ofRound = { ...aimed, attempt: z.number().int().positive() };
const failure: z.ZodType<ErrorCode> = z.enum(Object.keys(ERRORS) as ErrorCode[]);

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
  command('DropRequest', { ...ofReview, code: ReviewRefusalCode, head: Commit.nullable(), by: Id.nullable() }),
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
  /** `jitter` in [0, 1), drawn outside. */
  command('FailRound', {
    ...ofRound,
    failure,
    sentence: z.string().min(1),
    retry: z.enum(['never', 'later']),
    retryAfterSeconds: z.number().int().nonnegative().nullable(),
    jitter: z.number().min(0).lt(1),
  }),
  /** A worker has read another head than the round's (REV-6). */
  command('SupersedeRound', { ...ofRound, current: Commit }),
  command('CancelRound', { ...aimed, by: Id }),
  /** The change was edited, drafted, closed or merged. */
  command('NoteChange', { ...ofReview, change: ChangeCard }),
  command('ArchiveReview', { ...ofReview, by: Id }),
  command('RestoreReview', { ...ofReview, by: Id }),
  /** A person asks something in a comment. Only an archived review answers here; else the conversation does. */
  command('NoteQuestion', { ...ofReview, comment: Id }),
  command('DismissFinding', { ...ofReview, finding: FindingId, by: Actor, content: Id }),
  command('AddFinding', { ...ofReview, finding: FindingCoordinates.omit({ id: true }), by: Actor, content: Id }),
  command('SettleThread', { ...ofReview, finding: FindingId, resolved: z.boolean(), by: Actor }),
]);
export type ReviewCommand = z.infer<typeof ReviewCommand>;
export type ReviewCommandOf<Type extends ReviewCommand['type']> = Extract<ReviewCommand, { type: Type }>;
