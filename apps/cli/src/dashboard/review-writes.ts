/** What an administrator does with a review: the commands of the command line, and the place in the log where their event stands. */
import { randomUUID } from 'node:crypto';
import type { ReviewCommand } from '@weir/contract';
import { REVIEW_REFUSALS } from '@weir/contract';
import { AppError } from '@weir/kernel';
import type { ApiAnswer, ApiCall } from '@weir/ports';
import { rerunCommand } from '../server/rerun-command.ts';
import { callerOf, type DashboardWorld, isoOf } from './dashboard-world.ts';
import { storedReview } from './review-detail.ts';

type Write = (world: DashboardWorld, call: ApiCall) => Promise<ApiAnswer>;

const idOf = ({ params }: ApiCall): string => (params as { readonly id: string }).id;
/** Apart from the ids of forges. */
const byOf = (call: ApiCall): string => `operator:${callerOf(call).subject}`;

/** Throws COMMAND_REFUSED with the code of the refusal, NOT_FOUND for what is not there. */
async function execute({ reviews, stores }: DashboardWorld, command: ReviewCommand): Promise<ApiAnswer> {
  const outcome = await reviews.execute(command);
  if (outcome.outcome === 'refused') {
    const code = REVIEW_REFUSALS[outcome.code].status === 404 ? 'NOT_FOUND' : 'COMMAND_REFUSED';
    throw new AppError(code, `${outcome.because} (${outcome.code})`);
  }
  if (outcome.outcome === 'repeated' || outcome.events.length === 0) return { body: { position: null } };
  const [written] = await stores.log.readStream(command.reviewId, outcome.version - 1, 1);
  return { body: { position: written?.position ?? null } };
}

export const rerunReview: Write = async (world, call) => {
  const { row } = await storedReview(world, idOf(call));
  if (row.head === null || row.coordinates === null || row.change === null)
    throw new AppError('COMMAND_REFUSED', 'The review has had no round.', { next: 'Push, or comment /review at the change.' });
  return execute(world, rerunCommand(row, await world.stores.registry.repositories(), byOf(call)));
};

export const cancelReview: Write = async (world, call) => {
  const { row } = await storedReview(world, idOf(call));
  if (row.head === null || row.round === 0) throw new AppError('COMMAND_REFUSED', 'No round is in flight. (not_in_flight)');
  const { reviewId, round, head } = row;
  return execute(world, { type: 'CancelRound', reviewId, round, head, at: isoOf(world.now()), by: byOf(call) });
};

const archiving =
  (type: 'ArchiveReview' | 'RestoreReview'): Write =>
  async (world, call) => {
    const { row } = await storedReview(world, idOf(call));
    return execute(world, { type, reviewId: row.reviewId, at: isoOf(world.now()), by: byOf(call) });
  };
export const archiveReview = archiving('ArchiveReview');
export const restoreReview = archiving('RestoreReview');

/** The reason lies encrypted, as one that was said at the forge (REV-39). */
export const dismissFinding: Write = async (world, call) => {
  const { id, finding } = call.params as { readonly id: string; readonly finding: string };
  const { reason } = call.body as { readonly reason: string };
  await storedReview(world, id);
  const content = `${id}/dashboard/${randomUUID()}`;
  await world.stores.artifacts.put({ id: content, reviewId: id, kind: 'reason', text: reason, expiresAt: null });
  const by = { id: byOf(call), login: callerOf(call).name, kind: 'person' } as const;
  return execute(world, { type: 'DismissFinding', reviewId: id, at: isoOf(world.now()), finding, by, content, comment: null });
};
