/** Reviews as the API tells them: the list, one review with its rounds and findings, its diff. Texts come from where they lie encrypted. */
import { z } from 'zod';
import { Evidence, Severity, Side } from '../finding.ts';
import { ChangeCard, DiffFacts, FindingId, ReadingCounts, ReviewId, ReviewVerdict, RoundCause } from '../review-parts.ts';
import { RoundStatus, Stage } from '../review-status.ts';
import { ApiCharge, ApiCost } from './money-resources.ts';
import { ApiPosition, pageOf } from './paging.ts';

const count = z.number().int().nonnegative();
const at = z.iso.datetime();

/** Open findings on the forge, by severity. */
export const ApiCounts = z.strictObject({ blocker: count, major: count, minor: count, note: count });
export type ApiCounts = z.infer<typeof ApiCounts>;

const reviewRow = {
  id: ReviewId,
  /** `owner/name`; null where every request of an older version was turned away. */
  repository: z.string().nullable(),
  change: ChangeCard.nullable(),
  round: count,
  head: z.string().nullable(),
  status: RoundStatus.nullable(),
  /** The last stage that the round was in; null before the first. */
  stage: Stage.nullable(),
  archived: z.boolean(),
  /** Code of the refusal or failure that ended the round. */
  code: z.string().nullable(),
  /** Null before the first reading. */
  open: ApiCounts.nullable(),
  cost: ApiCost,
  since: at,
  updatedAt: at,
};
export const ApiReviewRow = z.strictObject(reviewRow);
export type ApiReviewRow = z.infer<typeof ApiReviewRow>;

/** Over all reviews that are not archived. */
export const ApiReviewTotals = z.strictObject({ all: count, inFlight: count, needsMe: count, ended: count, endedToday: count, openBlockers: count });
export type ApiReviewTotals = z.infer<typeof ApiReviewTotals>;

export const ApiReviewList = pageOf(ApiReviewRow).extend({ totals: ApiReviewTotals });
export type ApiReviewList = z.infer<typeof ApiReviewList>;

export const API_FINDING_STATUSES = ['open', 'resolved', 'acknowledged', 'superseded', 'dismissed'] as const;

export const ApiFinding = z.strictObject({
  id: FindingId,
  rule: z.string(),
  round: count,
  status: z.enum(API_FINDING_STATUSES),
  severity: Severity,
  path: z.string(),
  side: Side,
  line: count,
  endLine: count,
  /** It stands on the forge; false in a round that observes. */
  posted: z.boolean(),
  /** Null where the text is no longer kept. */
  text: z.strictObject({ title: z.string(), message: z.string(), suggestion: z.string().nullable(), evidence: z.array(Evidence) }).nullable(),
  /** Keys of the specialists and names of the tools that reported it. */
  sources: z.array(z.string()),
  thread: z
    .strictObject({ id: z.string(), resolved: z.boolean().nullable(), settledBy: z.string().nullable(), turns: count, turnsSpent: z.boolean() })
    .nullable(),
  dismissal: z.strictObject({ by: z.string(), reason: z.string().nullable() }).nullable(),
  verdicts: z.array(z.strictObject({ round: count, verdict: ReviewVerdict })),
});
export type ApiFinding = z.infer<typeof ApiFinding>;

export const ApiRound = z.strictObject({
  round: count,
  head: z.string(),
  previousHead: z.string().nullable(),
  cause: RoundCause,
  by: z.string().nullable(),
  status: RoundStatus,
  observe: z.boolean(),
  attempt: count,
  steps: z.array(z.strictObject({ status: RoundStatus, at })),
  diff: DiffFacts.nullable(),
  reading: ReadingCounts.nullable(),
  missing: z.array(z.strictObject({ source: z.string(), reason: z.string() })),
  headline: z.string().nullable(),
  /** Why it ended as it did. */
  reason: z.string().nullable(),
  /** What this round says of earlier findings; null before its findings. */
  reconciliation: z.strictObject({ resolved: count, open: count, unchanged: count, added: count, tracked: count }).nullable(),
});
export type ApiRound = z.infer<typeof ApiRound>;

/** What the last round with findings was made by; null is not recorded. */
export const ApiMadeBy = z.strictObject({
  specialists: z.array(z.string()),
  model: z.string().nullable(),
  weir: z.string().nullable(),
  account: z.string().nullable(),
  /** The fixed part of each prompt, by its sha256. */
  prompts: z.array(z.strictObject({ specialist: z.string(), digest: z.string() })).nullable(),
  /** Files of rules as the target branch had them, by their sha256; empty where the model was shown none. */
  rules: z.array(z.strictObject({ path: z.string(), digest: z.string() })).nullable(),
});
export type ApiMadeBy = z.infer<typeof ApiMadeBy>;

export const ApiReview = z.strictObject({
  ...reviewRow,
  url: z.string().nullable(),
  /** `ready` is null before a whole reading. */
  verdict: z.strictObject({ ready: z.boolean().nullable(), headline: z.string() }),
  rounds: z.array(ApiRound),
  findings: z.array(ApiFinding),
  /** The newest of its calls. */
  charges: z.array(ApiCharge),
  madeBy: ApiMadeBy,
});
export type ApiReview = z.infer<typeof ApiReview>;

/** Order of reading: what others rely on, what it does, what surrounds it, what shows it. */
export const API_MEANINGS = ['contract', 'core', 'edges', 'tests'] as const;
export type ApiMeaning = (typeof API_MEANINGS)[number];

export const ApiDiffFile = z.strictObject({
  path: z.string(),
  oldPath: z.string().nullable(),
  kind: z.string(),
  meaning: z.enum(API_MEANINGS),
  addedLines: count,
  removedLines: count,
  hunks: z.array(
    z.strictObject({ oldStart: count, newStart: count, lines: z.array(z.strictObject({ kind: z.enum(['add', 'del', 'context']), text: z.string() })) }),
  ),
  /** Why a part is not shown. */
  problem: z.string().nullable(),
});
export type ApiDiffFile = z.infer<typeof ApiDiffFile>;

/** `round` and `head` say which reading it is of. */
export const ApiDiff = pageOf(ApiDiffFile).extend({ round: count, head: z.string(), files: count, warnings: z.array(z.string()) });
export type ApiDiff = z.infer<typeof ApiDiff>;

export const ApiEvent = z.strictObject({
  id: z.string(),
  position: ApiPosition,
  at,
  type: z.string(),
  summary: z.string(),
  reviewId: z.string(),
  /** Id of what it follows from; null at the first of a chain. */
  cause: z.string().nullable(),
  correlation: z.string(),
});
export type ApiEvent = z.infer<typeof ApiEvent>;
