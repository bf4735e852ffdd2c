/**
 * What is read again after an event, and how often: at once after a pause, and at most every `PACE_MS` while many arrive, so that fifty events a
 * second cost as little as one.
 */
import type { FeedEvent } from './feed.ts';

const PACE_MS = 400;

/** Resources whose answers any event may change. */
const TOUCHED = ['reviews', 'inbox', 'spend', 'events', 'deliveries', 'dead-letters', 'first-run', 'repositories'] as const;

export interface Renewal {
  after(event: FeedEvent): void;
  all(): void;
  stop(): void;
}

/** @param renew marks the answers below a key as old; those that a page shows are read again */
export function createRenewal(renew: (key: readonly string[]) => void): Renewal {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let last = 0;
  const now = (): void => {
    timer = undefined;
    last = Date.now();
    for (const resource of TOUCHED) renew([resource]);
  };
  const soon = (): void => {
    timer ??= setTimeout(now, Math.max(0, last + PACE_MS - Date.now()));
  };
  return { after: soon, all: soon, stop: () => clearTimeout(timer) };
}
