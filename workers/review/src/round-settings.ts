/** What a round is read and judged with: the operator's settings, narrowed by the repository's file on the target branch (REV-37). */
import type { Specialist } from '@weir/specialist-kit';

export interface RoundSettings {
  readonly specialists: readonly Specialist[];
  /** Bytes of one file, and of the whole diff, that are held (REV-14). */
  readonly maxFileBytes: number;
  readonly maxDiffBytes: number;
  readonly maxFindings: number;
  /** Read from the target branch, in this order (REV-20c, REV-36). */
  readonly rulesFiles: readonly string[];
  readonly ignore: IgnoreSettings;
  /** What the repository's file asked for and may not (REV-37): reported, not obeyed. Each a sentence. */
  readonly refused: readonly string[];
}

/** REV-20d. */
export interface IgnoreSettings {
  readonly exclude: readonly string[];
  readonly titles: readonly string[];
  readonly branches: readonly string[];
  readonly authors: readonly string[];
  readonly labels: readonly string[];
  /** Leave out what .gitattributes marks as generated or vendored. */
  readonly generated: boolean;
}

/** What one model takes, and how often it may be asked (REV-16b). */
export interface ModelLimits {
  /** Tokens of one call, input and output together. */
  readonly contextTokens: number;
  readonly maxOutputTokens: number;
  readonly maxCalls: number;
}
