/** Money, counts and tokens are known or unknown; unknown is never zero (PRO-2). */
import { z } from 'zod';

export type Known<T> = T | 'unknown';
export const KnownCount: z.ZodType<Known<number>> = z.union([z.number().int().nonnegative(), z.literal('unknown')]);

/** Adds two counts; the sum with an unknown is unknown. */
export const addKnown = (a: Known<number>, b: Known<number>): Known<number> => (a === 'unknown' || b === 'unknown' ? 'unknown' : a + b);
