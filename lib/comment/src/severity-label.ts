/**
 * How a comment names a severity: the label of the Conventional Comments grammar (`label (decoration): subject`), which people
 * and scripts read. Its mark is the one of every other output.
 */
import type { Severity } from '@weir/contract';

export const SEVERITY_LABELS: Readonly<Record<Severity, string>> = {
  blocker: 'issue (blocking)',
  major: 'issue',
  minor: 'suggestion (non-blocking)',
  note: 'note',
};
