/**
 * Where a finding is shown, and the order in which findings are read.
 */
import type { ReviewFinding, Side } from '@weir/contract';
import { SEVERITY_ROWS } from './severity-row.ts';

export interface Place {
  readonly side: Side;
  /** 1-based; 0 when the finding is about the whole file. */
  readonly line: number;
  readonly endLine: number;
}

/** The place on the diff where it has one, else the place that its source reported. */
export function placeOf(finding: ReviewFinding): Place {
  const { side, line, endLine } = finding.placement.kind === 'line' ? finding.placement : finding;
  return { side, line, endLine: Math.max(line, endLine) };
}

/** Why the lines of a finding cannot be given as lines of the file after the change; null when they can. */
export function withoutLines({ side, line }: Place): string | null {
  if (line === 0) return 'the finding is about the whole file';
  return side === 'old' ? `the finding is about line ${line} of the file before the change` : null;
}

const compareText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/** Worst first, then by path, line and rule. */
export const inOrder = (findings: readonly ReviewFinding[]): ReviewFinding[] =>
  findings.toSorted(
    (a, b) =>
      SEVERITY_ROWS[a.severity].rank - SEVERITY_ROWS[b.severity].rank ||
      compareText(a.path, b.path) ||
      placeOf(a).line - placeOf(b).line ||
      compareText(a.rule, b.rule) ||
      compareText(a.id, b.id),
  );

/** Title and message as one text, for formats that know only a message. */
export const fullMessage = ({ title, message }: ReviewFinding): string => (message === '' ? title : `${title}. ${message}`);
