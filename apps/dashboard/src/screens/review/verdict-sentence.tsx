/** The verdict with its counted facts; each figure opens the events that it folds. */
import type { JSX, ReactNode } from 'react';
import type { ReviewDetail, RoundDetail } from '../../api/resources.ts';
import { agree, counted, number } from '../../format/words.ts';
import { Why } from '../../marks/why.tsx';

function reconciled(of: string, round: RoundDetail, findings: number): ReactNode {
  const counts = round.reconciliation;
  if (counts === null || findings === 0) return null;
  const figures: readonly (readonly [string, number, ReactNode])[] = [
    ['resolved', counts.resolved, `${number(counts.resolved)} ${agree(counts.resolved, 'is', 'are')} resolved`],
    ['still_open', counts.open, `${number(counts.open)} still open`],
    ['unchanged', counts.unchanged, `${number(counts.unchanged)} unchanged`],
  ];
  return (
    <>
      Of <Why of={`${of}/findings`}>{counted(findings, 'finding')}</Why>,{' '}
      {figures.map(([figure, , text], index) => (
        <span key={figure}>
          {index > 0 && ', '}
          <Why of={`${of}/${figure}`}>{text}</Why>
        </span>
      ))}
      .{' '}
    </>
  );
}

function read(of: string, { reading }: RoundDetail): ReactNode {
  if (reading === null) return null;
  const all = reading.full + reading.partial + reading.skipped;
  const whole = reading.full === all;
  return (
    <>
      The diff was read{' '}
      <span className={whole ? undefined : 'tone-unknown'}>
        <Why of={`${of}/files_read`}>{whole ? 'whole' : 'in part'}</Why>
      </span>{' '}
      ({number(reading.full)} of {counted(all, 'file')}
      {reading.byRule > 0 && `; ${number(reading.byRule)} left out by rule`}).
    </>
  );
}

export function VerdictSentence({ review }: { readonly review: ReviewDetail }): JSX.Element {
  const { id, verdict, rounds, findings } = review;
  const last = rounds.at(-1);
  const of = `review/${id}`;
  return (
    <>
      <b>{verdict.headline}</b>{' '}
      {last !== undefined && (
        <>
          This is round <Why of={`${of}/rounds`}>{last.round}</Why>. {reconciled(of, last, findings.length)}
          {read(of, last)}
        </>
      )}
    </>
  );
}
