/** Which bars of the phase rail are done, at work, failed, waiting, or not begun. */
import { roundStatusRow, STAGES } from '@weir/contract';

export type Bar = 'done' | 'running' | 'failed' | 'waiting' | 'over' | 'next';

const END: Readonly<Record<string, Bar>> = { bad: 'failed', wait: 'waiting', idle: 'over', unknown: 'next', run: 'running' };

/**
 * @param reached the last stage that the round was in; null when that is not known, or none began
 * @returns one bar a stage
 */
export function railOf(status: string, reached: string | null): readonly Bar[] {
  const { tone } = roundStatusRow(status);
  if (tone === 'ok') return STAGES.map(() => 'done');
  const at = STAGES.findIndex(stage => stage === (reached ?? status));
  return STAGES.map((_, index) => {
    if (index < at) return 'done';
    return index === at ? (END[tone] ?? 'next') : 'next';
  });
}
