/**
 * What a specialist declares (page 70). Today a specialist contributes to the review panel; the other parts of the
 * declaration arrive with the features that read them.
 * A specialist reaches the world only through what `check` is handed (SPEC-4a).
 */
import type { Category, Finding, Severity } from '@weir/contract';
import type { DiffFile } from '@weir/diff';

/** One check, with all that its reference page needs. `weir rules <id>` prints it. */
export interface Rule {
  /** `<specialist key>/<name>`, kebab-case; never reused for another meaning. */
  readonly id: string;
  /** One line, as a heading. */
  readonly title: string;
  /** The severity of its findings; a check may report a lower one, never a higher one. */
  readonly severity: Severity;
  /** Null where a finding of the rule fits none. */
  readonly category: Category | null;
  /** What happens if the finding is ignored. */
  readonly why: string;
  /** What to do instead. */
  readonly fix: string;
  /** An example that is flagged, and one that is not; plain text, shown in a code block. */
  readonly bad: string;
  readonly good: string;
  /** What the rule cannot see or leaves out on purpose. */
  readonly limits: string;
  /** Rules of other tools that mean the same matter: exact ids, or patterns with `*` for any text (the rule-equivalence table, SPEC-7). */
  readonly equivalent: readonly string[];
  /** True where findings stand on text that must not be repeated: quotes of other findings on those lines are left out. */
  readonly secret?: boolean;
}

/** What a check may see. An ability that the change at hand lacks is an absent method: a bare diff has neither reader. */
export interface CheckContext {
  /** Changed files after the ignore rules, hunks included. */
  readonly files: readonly DiffFile[];
  /** Whole text of a file as the change leaves it; undefined when there is no such file. */
  readonly readHead?: (path: string) => Promise<string | undefined>;
  /** Whole text of a file before the change; undefined when there is no such file. */
  readonly readBase?: (path: string) => Promise<string | undefined>;
  /** An AbortSignal fits. A check that loops over much asks it now and then, and stops with what it has. */
  readonly signal: { readonly aborted: boolean };
}

/** A file that the check could not judge whole, and why; such a file is reported as partially read. */
export interface PartialReading {
  readonly path: string;
  readonly reason: string;
}

export interface CheckResult {
  readonly findings: readonly Finding[];
  readonly partial: readonly PartialReading[];
}

/** Instructions for a model; the prompt's other slots (diff, rules, context) are built around them (REV-15). */
export interface ReviewPrompt {
  /** What the model is to look for; written by Weir, never by a repository. */
  readonly instructions: string;
}

export interface ReviewPart {
  /** What it judges, for people: `leaked secrets`, `correctness`. */
  readonly dimensions: readonly string[];
  /** False for a path that the check never has to see; saves work, never hides a finding. */
  readonly appliesTo: (path: string) => boolean;
  readonly rules: readonly Rule[];
  readonly check?: (context: CheckContext) => Promise<CheckResult>;
  readonly prompt?: ReviewPrompt;
}

export interface Specialist {
  /** `^[a-z][a-z0-9_]{1,31}$`, unique. */
  readonly key: string;
  readonly title: string;
  /** One line, at most 200 characters, no control characters. */
  readonly routingHint: string;
  readonly review?: ReviewPart;
}
