/** One forge call that must not be made twice: claimed before, settled after (REV-18). */
import { AppError } from '@weir/kernel';
import type { z } from 'zod';
import type { StageParts } from './stage.ts';

export interface ClaimHolder {
  readonly parts: Pick<StageParts, 'claims' | 'effect'>;
  /** Proves who holds the claims: that of the leased work. */
  readonly fence: string;
  readonly aim: { readonly reviewId: string };
}

const overtaken = (): AppError => new AppError('DATABASE_CONFLICT', 'Another worker posts this round now.');

/**
 * What was posted, now or before. `post` hears whether an earlier holder began and left no result, so that it looks at the forge first.
 * Throws AppError DATABASE_CONFLICT where another holder has the claim: the work is given back, and no attempt is spent.
 */
export async function throughClaim<Result>(
  { parts: { claims, effect }, aim: { reviewId }, fence }: ClaimHolder,
  key: string,
  shape: z.ZodType<Result>,
  post: (takenOver: boolean) => Promise<Result>,
): Promise<Result> {
  const found = await claims.claim(key, { reviewId, fence });
  if (found.state === 'done') return shape.parse(found.result);
  if (found.state === 'held') throw overtaken();
  const result = await post(found.state === 'taken_over');
  if (!(await effect('post.settle', () => claims.settle(key, fence, result)))) throw overtaken();
  return result;
}
