/** The report of a change on a forge: what the round has found, and what earlier rounds have found and is open still. */
import { REPORT_SCHEMA_VERSION, type ReviewFinding, type ReviewReport, SEVERITIES } from '@weir/contract';
import { isClosing, openBaseline, type ReviewListRow } from '@weir/review';
import type { AdoptedReview, RoundContent } from '@weir/review-workers';
import { WEIR_VERSION } from '../version.ts';

type Ledger = Pick<ReviewListRow, 'ledger'>;

const stillOpen = ({ ledger }: Ledger, { findings }: AdoptedReview): readonly ReviewFinding[] =>
  openBaseline(ledger).flatMap(({ id }) => findings.get(id) ?? []);

/** Of a round that has ended; the exit code and every format are about all that is open. */
export function openReport({ report, steps }: RoundContent, row: Ledger, adopted: AdoptedReview): ReviewReport {
  const closed = new Set(steps.filter(({ verdict }) => isClosing(verdict)).map(({ finding }) => finding));
  return { ...report, findings: [...report.findings, ...stillOpen(row, adopted).filter(({ id }) => !closed.has(id))] };
}

/** Of a head that has had its round: as the comments on the forge tell it. */
export function standingReport(head: string | null, row: Ledger, adopted: AdoptedReview): ReviewReport {
  const findings = stillOpen(row, adopted);
  const counts = SEVERITIES.flatMap(severity => {
    const count = findings.filter(finding => finding.severity === severity).length;
    return count === 0 ? [] : [`${count} ${severity}`];
  });
  return {
    ...{ schemaVersion: REPORT_SCHEMA_VERSION, weir: WEIR_VERSION, at: new Date().toISOString(), findings, complete: adopted.complete },
    headline: `This head has had its round: ${counts.length === 0 ? 'no thread of a finding is open' : `${counts.join(', ')} open`}.`,
    change: { kind: 'range', base: null, head, files: 0, addedLines: 0, removedLines: 0 },
    ...{ coverage: [], specialists: [] },
    model: { state: 'not_needed', model: null, usage: { calls: 0, inputTokens: 0, outputTokens: 0 }, failure: null, note: 'The model was not asked.' },
    notes: [
      'Nothing was read again and nothing was posted; --force reviews the head once more.',
      ...(adopted.complete ? [] : ['The round did not read the change whole; its summary says what is missing.']),
    ],
  };
}
