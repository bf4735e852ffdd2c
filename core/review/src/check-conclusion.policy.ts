/** What the check or commit status of a round says (REV-19). Blocking is the operator's choice; a partial reading is never green. */
import { SEVERITIES, type Severity } from '@weir/contract';

export interface CheckRules {
  /** The check fails from this severity on; null for one that never blocks. */
  readonly blockOn: Severity | null;
}

export interface CheckConclusion {
  readonly conclusion: 'success' | 'failure' | 'neutral';
  /** For forges that know only statuses, which have no neutral: what does not block is a success with its sentence. */
  readonly state: 'success' | 'failure' | 'error';
  /** Why it is not green; null when it is. */
  readonly blockedBy: string | null;
}

/** @param open severities of everything that is open after the round. */
export function checkConclusion(open: readonly Severity[], complete: boolean, { blockOn }: CheckRules): CheckConclusion {
  const worst = SEVERITIES.find(severity => open.includes(severity));
  const blocks = worst !== undefined && blockOn !== null && SEVERITIES.indexOf(worst) <= SEVERITIES.indexOf(blockOn);
  if (blocks) return { conclusion: 'failure', state: 'failure', blockedBy: `a finding of severity ${worst} is open, and ${blockOn} blocks here` };
  const blockedBy = complete ? null : 'the change was not read whole';
  if (blockedBy !== null) return { conclusion: 'neutral', state: blockOn === null ? 'success' : 'error', blockedBy };
  return worst === undefined ? { conclusion: 'success', state: 'success', blockedBy } : { conclusion: 'neutral', state: 'success', blockedBy: null };
}
