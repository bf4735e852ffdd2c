/** One candidate on one line, before overlaps are settled. */
import type { SecretRule, Verdict } from './secret-rule.ts';

export interface SecretMatch {
  readonly rule: SecretRule;
  /** Offsets of the secret in its line, end exclusive. */
  readonly start: number;
  readonly end: number;
  readonly secret: string;
  /** The name that it is assigned to; null for a form that speaks for itself. */
  readonly name: string | null;
  readonly verdict: Exclude<Verdict, 'no'>;
}
