/** How far a round has come: one bar a phase. The words are in its name, for those who do not see the bars. */
import { STAGES, roundStatusRow } from '@weir/contract';
import type { JSX } from 'react';
import { railOf } from './rail-of.ts';

/** The column's heading, in the order of the bars. */
export const RAIL_WORDS = 'fetch · context · review · post';

export function PhaseRail({ status, reached }: { readonly status: string; readonly reached: string | null }): JSX.Element {
  const bars = railOf(status, reached);
  const words = STAGES.map((stage, index) => `${stage} ${bars[index]}`).join(', ');
  return (
    <span className="rail" role="img" aria-label={`${roundStatusRow(status).label}: ${words}`} title={words}>
      {STAGES.map((stage, index) => (
        <i key={stage} className={bars[index]} />
      ))}
    </span>
  );
}
