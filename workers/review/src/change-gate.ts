/** Whether a round may go on: the forge is asked again at each stage boundary, before the paid call and before posting (REV-6, REV-7). */
import type { Change, ReviewResult } from '@weir/contract';
import { sameCommit } from '@weir/review';
import { cardOf } from './change-card.ts';
import { aimOf, instant, type RoundReview, type RoundWork, type StageParts, type StageWork } from './stage.ts';
import { withinBudget } from './within-budget.ts';

/** REV-20. */
const CHANGE_MS = 10_000;

export type Gate = { readonly open: true; readonly change: Change } | { readonly open: false; readonly results: readonly ReviewResult[] };

/** A change that has ended and a head that has moved are told: their deliveries may be late or lost. Throws AppError FORGE_*. */
export async function readGate(
  { sleep, now }: Pick<StageParts, 'sleep' | 'now'>,
  { fact }: Pick<StageWork<RoundWork>, 'fact'>,
  { forge, coordinates }: Pick<RoundReview, 'forge' | 'coordinates'>,
  signal: AbortSignal,
): Promise<Gate> {
  const change = await withinBudget({ sleep, milliseconds: CHANGE_MS, what: 'the change' }, signal, abort =>
    forge.port.ask('change.get', { repository: forge.repository.path, change: coordinates.change }, abort),
  );
  if (change.state !== 'open') return { open: false, results: [{ type: 'ChangeEnded', ...aimOf(fact), at: instant(now()), change: cardOf(change) }] };
  const current = change.head.commit;
  if (current === null || sameCommit(current, fact.head)) return { open: true, change };
  return { open: false, results: [{ type: 'HeadMoved', ...aimOf(fact), at: instant(now()), current }] };
}
