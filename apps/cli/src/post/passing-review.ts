/** One review in memory: the decider's state and the views, folded from the same events as in a server's store. */
import type { ReviewCommand, ReviewEvent } from '@weir/contract';
import type { ReviewViews } from '@weir/ports';
import { type Refusal, reviewLifecycle, reviewList, type ReviewListRow, type ReviewPage, reviewPage } from '@weir/review';

export interface PassingReview {
  readonly views: Pick<ReviewViews<ReviewListRow, ReviewPage>, 'get'>;
  /** Events that happened elsewhere. */
  take(events: readonly ReviewEvent[]): void;
  /** Events of an accepted command are taken. */
  execute(command: ReviewCommand): { readonly events: readonly ReviewEvent[]; readonly refusal: Refusal | null };
}

export function passingReview(): PassingReview {
  let state = reviewLifecycle.initial;
  let row: ReviewListRow | undefined;
  let page: ReviewPage | undefined;
  const take: PassingReview['take'] = events => {
    for (const event of events) {
      state = reviewLifecycle.evolve(state, event);
      row = reviewList(row, event);
      page = reviewPage(page, event);
    }
  };
  return {
    take,
    views: { get: async () => (row === undefined || page === undefined ? undefined : { row, page }) },
    execute(command) {
      const outcome = reviewLifecycle.decide(command, state);
      if (outcome.kind === 'refused') return { events: [], refusal: outcome.refusal };
      take(outcome.events);
      return { events: outcome.events, refusal: null };
    },
  };
}
