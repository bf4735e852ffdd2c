/** The lease store of a process that does reviews: the commit of a stage's result is an effect with a name, and the publisher is woken after it. */
import type { LeaseStore, ReviewEffect, RunEffect } from '@weir/ports';

const RESULT_EFFECTS: Readonly<Partial<Record<string, ReviewEffect>>> = {
  FetchDiff: 'fetch.result',
  GatherContext: 'gather.result',
  GenerateReview: 'generate.result',
  PostRound: 'post.result',
};

export function watchedLeases(leases: LeaseStore, effect: RunEffect, onEnded: () => void): LeaseStore {
  const kinds = new Map<string, string>();
  return {
    ...leases,
    async claim(claim) {
      const claimed = await leases.claim(claim);
      for (const { id, kind } of claimed) kinds.set(id, kind);
      return claimed;
    },
    async complete(lease, alongside) {
      const name = RESULT_EFFECTS[kinds.get(lease.id) ?? ''];
      kinds.delete(lease.id);
      const complete = (): Promise<boolean> => leases.complete(lease, alongside);
      const done = await (name === undefined ? complete() : effect(name, complete));
      onEnded();
      return done;
    },
    async bury(lease, failure, alongside) {
      kinds.delete(lease.id);
      const done = await leases.bury(lease, failure, alongside);
      onEnded();
      return done;
    },
    release(lease, readyAt, outcome) {
      kinds.delete(lease.id);
      return leases.release(lease, readyAt, outcome);
    },
  };
}
