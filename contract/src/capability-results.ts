/**
 * Arguments and result of every verb (PRV-15): what callers hand in, and what comes back whichever forge answers.
 * Both are strict: an unknown key is an error, so a mapping that drifts is an error value and never a wrong result.
 */
import type { z } from 'zod';
import type { Verb } from './capabilities.ts';
import { CHANGE_CAPABILITIES } from './capability-change.ts';
import { ISSUE_CAPABILITIES } from './capability-issue.ts';
import { REPOSITORY_CAPABILITIES } from './capability-repository.ts';
import { REVIEW_CAPABILITIES } from './capability-review.ts';

export const CAPABILITIES = {
  ...CHANGE_CAPABILITIES,
  ...REVIEW_CAPABILITIES,
  ...ISSUE_CAPABILITIES,
  ...REPOSITORY_CAPABILITIES,
} as const satisfies Record<Verb, { readonly arguments: z.ZodType; readonly result: z.ZodType }>;

/** What a caller writes; defaults may be left out. */
export type VerbArguments<V extends Verb> = z.input<(typeof CAPABILITIES)[V]['arguments']>;
/** What a caller gets. */
export type VerbResult<V extends Verb> = z.output<(typeof CAPABILITIES)[V]['result']>;
