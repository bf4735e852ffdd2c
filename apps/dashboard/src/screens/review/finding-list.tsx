/** Every finding in a list, worst first: also those whose file or line the diff no longer shows. */
import { SEVERITIES } from '@weir/contract';
import type { JSX } from 'react';
import type { FindingDetail, ReviewDetail } from '../../api/resources.ts';
import { type Column, DataTable } from '../../marks/data-table.tsx';
import { Card } from '../../marks/page.tsx';
import { SeverityMark } from '../../marks/severity-mark.tsx';

const COLUMNS: readonly Column<FindingDetail>[] = [
  { title: 'Severity', cell: ({ severity }) => <SeverityMark severity={severity} /> },
  {
    title: 'Finding',
    kind: 'wrap',
    cell: ({ id, text, rule, status }) => (
      <>
        <a href={`#finding-${id}`} className={status === 'open' ? 'row-link' : 'row-link struck'}>
          {text?.title ?? rule}
        </a>{' '}
        <span className="mono ink3">{id}</span>
      </>
    ),
  },
  {
    title: 'Where',
    kind: 'wrap',
    cell: ({ path, line }) => (
      <span className="mono">
        {path}
        {line > 0 && `:${line}`}
      </span>
    ),
  },
  { title: 'State', cell: ({ status, verdicts }) => (status === 'open' && verdicts.length > 0 ? 'still open' : status) },
  { title: 'Rounds', cell: ({ round, verdicts }) => [round, ...verdicts.map(({ round: at, verdict }) => `${at} ${verdict}`)].join(' · ') },
];

const rank = ({ status, severity }: FindingDetail): number => (status === 'open' ? 0 : SEVERITIES.length) + SEVERITIES.indexOf(severity);

export function FindingList({ review }: { readonly review: ReviewDetail }): JSX.Element | null {
  if (review.findings.length === 0) return null;
  const rows = review.findings.toSorted((a, b) => rank(a) - rank(b));
  return (
    <Card title="All findings" aside="open first, worst first">
      <DataTable label="Findings" columns={COLUMNS} rows={rows} rowKey={({ id }) => id} />
    </Card>
  );
}
