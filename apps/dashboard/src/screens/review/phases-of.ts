/** How long each phase of a round took, from the times at which its statuses began. Attempts of one phase are added up. */
import { roundStatusRow, STAGES } from '@weir/contract';
import type { RoundDetail } from '../../api/resources.ts';
import type { Tone } from '../../ui/index.ts';

export interface Phase {
  readonly stage: string;
  readonly tone: Tone | 'next';
  /** Null where it never began. */
  readonly ms: number | null;
}

const WORDS: Readonly<Record<(typeof STAGES)[number], string>> = { fetching: 'Fetch diff', gathering: 'Context', generating: 'Review', posting: 'Post' };

/** @param now ends the phase that is at work */
export function phasesOf({ steps, status }: Pick<RoundDetail, 'steps' | 'status'>, now: number): { readonly phases: readonly Phase[]; readonly total: number } {
  const { tone, terminal } = roundStatusRow(status);
  const times = steps.map(step => Date.parse(step.at));
  const end = terminal ? (times.at(-1) ?? now) : now;
  const spans = steps.map((step, index) => ({ status: step.status, ms: Math.max(0, (times[index + 1] ?? end) - (times[index] ?? end)) }));
  const worked = spans.findLast(span => STAGES.some(stage => stage === span.status))?.status;
  const phases = STAGES.map((stage): Phase => {
    const own = spans.filter(span => span.status === stage);
    if (own.length === 0) return { stage: WORDS[stage], tone: 'next', ms: null };
    return { stage: WORDS[stage], tone: stage === worked && tone !== 'ok' ? tone : 'ok', ms: own.reduce((sum, span) => sum + span.ms, 0) };
  });
  return { phases, total: times[0] === undefined ? 0 : Math.max(0, end - times[0]) };
}
