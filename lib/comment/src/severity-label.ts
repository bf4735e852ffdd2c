/**
 * How a comment names a severity: the mark of page 80, and the label of the Conventional Comments grammar
 * (`label (decoration): subject`), which people and scripts read.
 */
import type { Severity } from '@weir/contract';

export const SEVERITY_LABELS: Readonly<Record<Severity, { readonly mark: string; readonly label: string }>> = {
  blocker: { mark: '⛔', label: 'issue (blocking)' },
  major: { mark: '▲', label: 'issue' },
  minor: { mark: '□', label: 'suggestion (non-blocking)' },
  note: { mark: '·', label: 'note' },
};
