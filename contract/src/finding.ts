/**
 * The words of a finding: one remark about a change (REV-16).
 * Specialists, models and imported reports all speak this shape; only `core/` gives a finding its id and its place.
 */
import { z } from 'zod';
import { CATEGORIES, type Category as CategoryWord, SEVERITIES, type Severity as SeverityWord } from './severity.ts';

export const Severity: z.ZodEnum<{ blocker: 'blocker'; major: 'major'; minor: 'minor'; note: 'note' }> = z.enum(SEVERITIES);
export type Severity = SeverityWord;

export type Category = CategoryWord;
export const Category: z.ZodType<Category> = z.enum(CATEGORIES);

export type Side = 'new' | 'old';
export const Side: z.ZodType<Side> = z.enum(['new', 'old']);

/** A place that was really read and that supports the finding. */
export interface Evidence {
  readonly path: string;
  /** 1-based line on the new side, or null for the whole file. */
  readonly line: number | null;
  readonly note: string;
}
export const Evidence: z.ZodType<Evidence> = z.object({
  path: z.string().min(1),
  line: z.number().int().positive().nullable(),
  note: z.string(),
});

/** A remark as its source reports it, before it is merged, placed and numbered. */
export interface Finding {
  /** Stable rule id, `<specialist key>/<rule>`; imported findings use `<tool>/<rule>`. Lower case. */
  readonly rule: string;
  readonly path: string;
  readonly side: Side;
  /** 1-based first line on `side`; 0 when the finding is about the whole file. */
  readonly line: number;
  /** 1-based last line, equal to `line` for a single line. */
  readonly endLine: number;
  readonly severity: Severity;
  readonly category: Category | null;
  /** One line, no final full stop. */
  readonly title: string;
  /** What happens and why it matters; plain text. Never holds a secret in clear. */
  readonly message: string;
  /** The code that the finding is about, as it stands in the change; null when none was quoted. Redacted for secrets. */
  readonly quote: string | null;
  readonly evidence: readonly Evidence[];
  /** Replacement text for the lines `line`..`endLine`; null when there is none. */
  readonly suggestion: string | null;
}
const findingShape = {
  rule: z.string().regex(/^[a-z0-9][a-z0-9_.-]*\/[a-z0-9][a-z0-9_./:-]*$/),
  path: z.string().min(1),
  side: Side,
  line: z.number().int().nonnegative(),
  endLine: z.number().int().nonnegative(),
  severity: Severity,
  category: Category.nullable(),
  title: z.string().min(1),
  message: z.string(),
  quote: z.string().nullable(),
  evidence: z.array(Evidence),
  suggestion: z.string().nullable(),
};
export const Finding: z.ZodType<Finding> = z.object(findingShape);

/** Where a finding is shown: on lines of the diff, on its file, or in the summary's list (REV-17). */
export type Placement =
  | {
      readonly kind: 'line';
      readonly side: Side;
      readonly line: number;
      readonly endLine: number;
      readonly hunk: number;
      readonly moved: boolean;
    }
  | { readonly kind: 'file'; readonly reason: string }
  | { readonly kind: 'summary'; readonly reason: string };
export const Placement: z.ZodType<Placement> = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('line'),
    side: Side,
    line: z.number().int().positive(),
    endLine: z.number().int().positive(),
    hunk: z.number().int().nonnegative(),
    moved: z.boolean(),
  }),
  z.object({ kind: z.literal('file'), reason: z.string() }),
  z.object({ kind: z.literal('summary'), reason: z.string() }),
]);

/** A finding of a concluded review. */
export interface ReviewFinding extends Finding {
  /** Short visible id: number of the round and a letter, `1a`. */
  readonly id: string;
  /** Hex; survives moved lines and is equal for the same remark on the same code (80-surfaces, SARIF). */
  readonly fingerprint: string;
  /** Keys of the specialists or names of the tools that reported it, sorted, at least one (SPEC-7). */
  readonly sources: readonly string[];
  readonly placement: Placement;
}
export const ReviewFinding: z.ZodType<ReviewFinding> = z.object({
  ...findingShape,
  id: z.string().min(2),
  fingerprint: z.string().regex(/^[0-9a-f]{32,64}$/),
  sources: z.array(z.string()).min(1),
  placement: Placement,
});
