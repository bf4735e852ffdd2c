/**
 * The result of one review, as `weir review --json` prints it and as the state directory keeps it.
 * Keys are pinned by a test; a breaking change raises `schemaVersion`.
 */
import { z } from 'zod';
import { ReviewFinding } from './finding.ts';
import { ERRORS, type ErrorCode } from './errors.ts';
import { type Known, KnownCount } from './known.ts';

export const REPORT_SCHEMA_VERSION = 1;

/** How much of a file was read. Every file of the change is exactly one of them (REV-16b). */
export type Reading = 'full' | 'partial' | 'skipped';

export interface FileCoverage {
  readonly path: string;
  readonly reading: Reading;
  /** Null for a full reading; else the reason. */
  readonly reason: string | null;
  /** True when it was left out on purpose (binary, generated, ignored), so the review is still complete. */
  readonly byRule: boolean;
}
export const FileCoverage: z.ZodType<FileCoverage> = z.object({
  path: z.string(),
  reading: z.enum(['full', 'partial', 'skipped']),
  reason: z.string().nullable(),
  byRule: z.boolean(),
});

/** Tokens of all model calls of a review; the parts follow the vendor's own count. */
export interface ModelUsage {
  readonly calls: number;
  readonly inputTokens: Known<number>;
  readonly outputTokens: Known<number>;
}
export const ModelUsage: z.ZodType<ModelUsage> = z.object({
  calls: z.number().int().nonnegative(),
  inputTokens: KnownCount,
  outputTokens: KnownCount,
});

/** What the model part of the review came to. `note` is one sentence for people. */
export interface ModelOutcome {
  readonly state: 'not_configured' | 'not_needed' | 'ran' | 'truncated' | 'failed';
  readonly model: string | null;
  readonly usage: ModelUsage;
  /** Name of the first failure; null where no call failed. */
  readonly failure: ErrorCode | null;
  readonly note: string;
}
export const ModelOutcome: z.ZodType<ModelOutcome> = z.object({
  state: z.enum(['not_configured', 'not_needed', 'ran', 'truncated', 'failed']),
  model: z.string().nullable(),
  usage: ModelUsage,
  failure: z.enum(Object.keys(ERRORS) as ErrorCode[]).nullable(),
  note: z.string(),
});

export interface SpecialistRun {
  readonly key: string;
  /** Null when it ran to its end; else why it did not. */
  readonly failure: string | null;
  readonly findings: number;
}
export const SpecialistRun: z.ZodType<SpecialistRun> = z.object({
  key: z.string(),
  failure: z.string().nullable(),
  findings: z.number().int().nonnegative(),
});

export interface ChangeSummary {
  readonly kind: 'range' | 'staged' | 'working-tree' | 'diff';
  /** Commit ids, or null where the change has none (a bare diff, the working tree). */
  readonly base: string | null;
  readonly head: string | null;
  readonly files: number;
  readonly addedLines: number;
  readonly removedLines: number;
}
export const ChangeSummary: z.ZodType<ChangeSummary> = z.object({
  kind: z.enum(['range', 'staged', 'working-tree', 'diff']),
  base: z.string().nullable(),
  head: z.string().nullable(),
  files: z.number().int().nonnegative(),
  addedLines: z.number().int().nonnegative(),
  removedLines: z.number().int().nonnegative(),
});

export interface ReviewReport {
  readonly schemaVersion: typeof REPORT_SCHEMA_VERSION;
  readonly weir: string;
  /** ISO 8601, UTC. */
  readonly at: string;
  readonly change: ChangeSummary;
  /** The sentence on top: what is open, or what was not read. Never a verdict. */
  readonly headline: string;
  /** True when every file was read whole or left out by rule, and nothing failed. */
  readonly complete: boolean;
  readonly findings: readonly ReviewFinding[];
  readonly coverage: readonly FileCoverage[];
  readonly specialists: readonly SpecialistRun[];
  readonly model: ModelOutcome;
  /** Everything else that a reader has to know: clipped parts, refused repository settings, dropped imports. */
  readonly notes: readonly string[];
}
export const ReviewReport: z.ZodType<ReviewReport> = z.object({
  schemaVersion: z.literal(REPORT_SCHEMA_VERSION),
  weir: z.string(),
  at: z.string(),
  change: ChangeSummary,
  headline: z.string(),
  complete: z.boolean(),
  findings: z.array(ReviewFinding),
  coverage: z.array(FileCoverage),
  specialists: z.array(SpecialistRun),
  model: ModelOutcome,
  notes: z.array(z.string()),
});
