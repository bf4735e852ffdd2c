/** What has lived long enough: expired artifacts, old deliveries, marks of messages, model calls whose process has died. Any number of processes may sweep. */
import { chargeLostCalls, type ModelStores } from '@weir/model-store';
import { DELIVERY_DAYS, type Outbox, pollLoop, type PollLoop } from '@weir/ports';
import type { ReviewStores } from './review-stores.ts';

const PAUSE_MS = 60_000;
const BATCH = 500;
const DAY_MS = 86_400_000;
/** A copy of a message that comes later than this is handled again. */
const MARK_DAYS = 30;
/** Longer than any call of a model lasts. */
export const LOST_AFTER_MS = 3 * 3_600_000;

export interface SweeperParts extends Pick<ReviewStores, 'artifacts' | 'deliveries'> {
  readonly outbox: Pick<Outbox, 'forgetMarks'>;
  readonly models: ModelStores;
  readonly onFailure: (failure: unknown) => void;
}

export function startSweeper({ artifacts, deliveries, outbox, models, onFailure }: SweeperParts): PollLoop {
  return pollLoop({
    idleMs: PAUSE_MS,
    onFailure,
    async step() {
      const now = Date.now();
      const swept = [await artifacts.sweep(now, BATCH), await deliveries.sweep(now - DELIVERY_DAYS * DAY_MS, BATCH)];
      await outbox.forgetMarks(now - MARK_DAYS * DAY_MS);
      swept.push(await chargeLostCalls(models, now - LOST_AFTER_MS));
      return swept.some(count => count >= BATCH);
    },
  });
}
