import type { ReviewWork } from '@weir/contract';

/** What a cancel of a round names: all work of the round, and no answer to a person. */
export const workKey = (work: ReviewWork): string => ('round' in work ? work.reviewId : `${work.reviewId}/answers`);
