/**
 * What a report says of a rule. A specialist's `Rule` fits.
 */
import type { Category, Severity } from '@weir/contract';

export interface RuleInfo {
  readonly id: string;
  readonly title: string;
  /** The highest severity that its findings have. */
  readonly severity: Severity;
  readonly category: Category;
  /** What happens if the finding is ignored. */
  readonly why: string;
  /** What to do instead. */
  readonly fix: string;
}
