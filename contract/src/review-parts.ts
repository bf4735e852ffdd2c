/**
 * Parts that the events, commands and messages of a review share. Text that can quote source (titles, messages, transcripts)
 * is not among them: it lies encrypted elsewhere, and `content` names it (REV-39).
 */
import { z } from 'zod';
import { Actor, ChangeNumber, ChangeState, Id, RepositoryPath, ThreadRef, Url } from './capability-parts.ts';
import { ERRORS, type ErrorCode } from './errors.ts';
import { Category, Severity, Side } from './finding.ts';

/** Hex of the injected hash over `ReviewCoordinates` (REV-1). */
export const ReviewId = z.string().regex(/^[0-9a-f]{32,64}$/);

/**
 * What a review's id is made from (REV-1). `repositoryId`, where the forge gives one, survives renames and transfers and then
 * stands in for the path. Titles, branches and logins are no part of it.
 */
export const ReviewCoordinates = z.strictObject({
  /** Name of the provider's descriptor. */
  forge: z.string().min(1),
  /** Scheme, host in lower case, and the port where it is not the default. */
  origin: z.string().regex(/^https?:\/\/[a-z0-9.:[\]-]+$/),
  repositoryId: z.string().min(1).nullable(),
  repository: RepositoryPath,
  change: ChangeNumber,
});
export type ReviewCoordinates = z.infer<typeof ReviewCoordinates>;

/** Why a round was asked for (REV-5). */
export const RoundCause = z.enum(['opened', 'reopened', 'ready', 'pushed', 'command', 'rerun']);
export type RoundCause = z.infer<typeof RoundCause>;

/** The change as people see it; for display, never identity. */
export const ChangeCard = z.strictObject({
  number: ChangeNumber,
  title: z.string(),
  url: Url.nullable(),
  author: Actor.nullable(),
  state: ChangeState,
  draft: z.boolean(),
});
export type ChangeCard = z.infer<typeof ChangeCard>;

/** `3a`: round and letters. */
export const FindingId = z.string().regex(/^[0-9]{1,9}[a-z]{1,6}$/);

/** A finding without its text. */
export const FindingCoordinates = z.strictObject({
  id: FindingId,
  rule: z.string().min(1),
  path: z.string().min(1),
  side: Side,
  /** 0 for the whole file. */
  line: z.number().int().nonnegative(),
  endLine: z.number().int().nonnegative(),
  severity: Severity,
  category: Category.nullable(),
  fingerprint: z.string().min(1),
});
export type FindingCoordinates = z.infer<typeof FindingCoordinates>;

/** What a later round says of an earlier finding (REV-22). */
export const REVIEW_VERDICTS = ['resolved', 'still_open', 'acknowledged', 'superseded', 'unchanged'] as const;
export const ReviewVerdict = z.enum(REVIEW_VERDICTS);
export type ReviewVerdict = z.infer<typeof ReviewVerdict>;

export const FindingVerdict = z.strictObject({ finding: FindingId, verdict: ReviewVerdict });
export type FindingVerdict = z.infer<typeof FindingVerdict>;

const count = z.number().int().nonnegative();

/** What is kept of a diff (REV-12): no line of it. */
export const DiffFacts = z.strictObject({
  files: count,
  addedLines: count,
  removedLines: count,
  bytes: count,
  /** The forge or a limit cut it. */
  truncated: z.boolean(),
  renames: z.array(z.strictObject({ from: z.string().min(1), to: z.string().min(1) })),
});
export type DiffFacts = z.infer<typeof DiffFacts>;

/** How much of the change was read, in counts (REV-16b). */
export const ReadingCounts = z.strictObject({ full: count, partial: count, skipped: count, byRule: count });
export type ReadingCounts = z.infer<typeof ReadingCounts>;

/** A finding as it stands on the forge: `thread` null where it was only listed in the summary. */
export const PostedFinding = z.strictObject({ finding: FindingId, thread: ThreadRef.nullable() });
export type PostedFinding = z.infer<typeof PostedFinding>;

/** What a later round did in a thread. `resolved` null where it was not tried or the forge can't. */
export const ThreadAnswer = z.strictObject({ finding: FindingId, reply: Id.nullable(), resolved: z.boolean().nullable() });
export type ThreadAnswer = z.infer<typeof ThreadAnswer>;

export const FailureCode: z.ZodType<ErrorCode> = z.enum(Object.keys(ERRORS) as ErrorCode[]);

/** How a piece of work failed, with what the decision about another attempt needs (REV-20). */
export const WorkFailure = z.strictObject({
  failure: FailureCode,
  sentence: z.string().min(1),
  retry: z.enum(['never', 'later']),
  retryAfterSeconds: count.nullable(),
  /** Drawn outside, in [0, 1). */
  jitter: z.number().min(0).lt(1),
});
export type WorkFailure = z.infer<typeof WorkFailure>;

/**
 * What a comment gets back (REV-26 to REV-28): an answer of the model to a question, the text of /help, a description of the change, the
 * word that the turns of a thread are spent, the word that the review is archived.
 */
export const ANSWER_KINDS = ['question', 'help', 'description', 'turn_notice', 'archived_notice'] as const;
export const AnswerKind = z.enum(ANSWER_KINDS);
export type AnswerKind = z.infer<typeof AnswerKind>;

/** Where a comment stands: in the thread of a finding, in another one, or, where both are null, in the conversation of the change. */
export const CommentPlace = z.strictObject({ finding: FindingId.nullable(), thread: Id.nullable() });
export type CommentPlace = z.infer<typeof CommentPlace>;
