/** Beside the diff: phases with their times, what was paid, who made it, the rounds before, and what was not read. */
import type { JSX, ReactNode } from 'react';
import type { ReviewDetail, RoundDetail } from '../../api/resources.ts';
import { duration } from '../../format/time.ts';
import { capital, counted, shortCommit } from '../../format/words.ts';
import { ChargeList } from '../../marks/charge-list.tsx';
import { Glyph } from '../../marks/glyph.tsx';
import { Money } from '../../marks/money.tsx';
import { Card, Facts } from '../../marks/page.tsx';
import { StatusPill } from '../../marks/state-pill.tsx';
import { Why } from '../../marks/why.tsx';
import { useNow } from '../../shell/now.ts';
import { type Phase, phasesOf } from './phases-of.ts';

const phaseRow = ({ stage, tone, ms }: Phase): readonly [ReactNode, ReactNode] => [
  <span key="name" className={tone === 'next' ? 'ink3' : `tone-${tone}`}>
    <Glyph name={tone} />
    {stage}
  </span>,
  ms === null ? '' : duration(ms),
];

function Phases({ round, reviewId }: { readonly round: RoundDetail; readonly reviewId: string }): JSX.Element {
  const now = useNow(1_000);
  const { phases, total } = phasesOf(round, now);
  return (
    <Card title="Phases" aside={<Why of={`review/${reviewId}/duration`}>{duration(total)}</Why>}>
      <Facts rows={phases.map(phaseRow)} />
      {round.missing.length > 0 && (
        <p className="card-foot tone-unknown">
          <span>Not gathered: {round.missing.map(({ source, reason }) => `${source} (${reason})`).join(', ')}</span>
        </p>
      )}
    </Card>
  );
}

function Charges({ review }: { readonly review: ReviewDetail }): JSX.Element {
  const { id, charges, cost } = review;
  const total = (
    <Why of={`review/${id}/cost`}>
      <Money millicents={cost.unpricedCalls > 0 ? null : cost.millicents} />
    </Why>
  );
  return (
    <Card title="Receipts" aside={total}>
      {charges.length === 0 ? <p className="card-body ink3">No model was called.</p> : <ChargeList charges={charges} />}
      {cost.unpricedCalls > 0 && <p className="card-foot tone-unknown">{counted(cost.unpricedCalls, 'call')} without a price; the sum is not known.</p>}
    </Card>
  );
}

const orUnknown = (value: string | null): ReactNode => (value === null ? <span className="ink3">not recorded</span> : <span className="mono">{value}</span>);

const DIGEST = 12;
const short = (digest: string): string => digest.slice(0, DIGEST);

const rulesOf = (rules: ReviewDetail['madeBy']['rules']): string | null =>
  rules === null ? null : rules.length === 0 ? 'the model was shown none' : rules.map(({ path, digest }) => `${path}@${short(digest)}`).join(', ');

function MadeBy({ madeBy }: { readonly madeBy: ReviewDetail['madeBy'] }): JSX.Element {
  return (
    <Card title="Made by">
      <Facts
        rows={[
          ['Specialists', orUnknown(madeBy.specialists.length === 0 ? null : madeBy.specialists.join(', '))],
          ['Model', orUnknown(madeBy.model)],
          ['Weir', orUnknown(madeBy.weir)],
          ['Reviewer account', orUnknown(madeBy.account)],
          ['Prompts', orUnknown(madeBy.prompts?.map(({ specialist, digest }) => `${specialist}@${short(digest)}`).join(', ') ?? null)],
          ['Rules', orUnknown(rulesOf(madeBy.rules))],
        ]}
      />
    </Card>
  );
}

function Rounds({ rounds }: { readonly rounds: readonly RoundDetail[] }): JSX.Element {
  return (
    <Card title="Rounds" aside={counted(rounds.length, 'round')}>
      <Facts
        rows={rounds.toReversed().map(round => [
          <span key="round">
            {round.round} <span className="mono ink3">{shortCommit(round.head)}</span> <span className="ink3">{round.cause}</span>
          </span>,
          <StatusPill key="status" status={round.status} />,
        ])}
      />
    </Card>
  );
}

function Threads({ review }: { readonly review: ReviewDetail }): JSX.Element | null {
  const threads = review.findings.flatMap(({ id, thread }) => (thread === null ? [] : [{ ...thread, finding: id }]));
  if (threads.length === 0) return null;
  const said = (resolved: boolean | null): string => (resolved === null ? 'not told' : resolved ? 'resolved' : 'open');
  return (
    <Card title="Threads" aside={`${threads.filter(({ resolved }) => resolved === true).length} of ${threads.length} resolved`}>
      <Facts
        rows={threads.map(({ finding: id, resolved, settledBy, turns }) => [
          <a key="id" href={`#finding-${id}`} className="mono">
            {id}
          </a>,
          `${capital(said(resolved))}${settledBy === null ? '' : ` by ${settledBy}`}${turns > 0 ? ` · ${counted(turns, 'answer')}` : ''}`,
        ])}
      />
    </Card>
  );
}

export function ReviewAside({ review }: { readonly review: ReviewDetail }): JSX.Element {
  const last = review.rounds.at(-1);
  return (
    <aside className="stack" aria-label="How it came about">
      {last !== undefined && <Phases round={last} reviewId={review.id} />}
      <Charges review={review} />
      <MadeBy madeBy={review.madeBy} />
      <Threads review={review} />
      {review.rounds.length > 0 && <Rounds rounds={review.rounds} />}
    </aside>
  );
}
