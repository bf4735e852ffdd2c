/** What model calls cost, as the API tells it. Money is in millicents; null is unknown, never zero. Rates are told to administrators alone. */
import { z } from 'zod';
import { ApiPosition } from './paging.ts';

const count = z.number().int().nonnegative();
const at = z.iso.datetime();

/** The sum of what could be priced, and how many calls could not. */
const cost = { millicents: count, calls: count, unpricedCalls: count };
export const ApiCost = z.strictObject(cost);
export type ApiCost = z.infer<typeof ApiCost>;

export const ApiCharge = z.strictObject({
  callRef: z.string(),
  at,
  capability: z.string(),
  /** `provider/model`. */
  model: z.string(),
  repository: z.string().nullable(),
  /** Tokens are told to administrators, since beside the cost they tell the rate. With what was written to a cache; null where a part is unknown. */
  inputTokens: count.nullable().optional(),
  cachedTokens: count.nullable().optional(),
  outputTokens: count.nullable().optional(),
  /** Null where a line of the call has no price. */
  millicents: count.nullable(),
  /** Of the lines that have a price. */
  pricedMillicents: count,
});
export type ApiCharge = z.infer<typeof ApiCharge>;

export const ApiSpendSlice = z.strictObject({ name: z.string(), ...cost });
export type ApiSpendSlice = z.infer<typeof ApiSpendSlice>;

export const ApiSpend = z.strictObject({
  since: at,
  total: ApiCost,
  byCapability: z.array(ApiSpendSlice),
  byRepository: z.array(ApiSpendSlice),
  byModel: z.array(ApiSpendSlice),
  caps: z.array(
    z.strictObject({
      name: z.string(),
      measured: z.string(),
      reached: z.boolean(),
      /** A lower bound, in words; null where nothing is known. */
      returns: z.string().nullable(),
      /** Told to administrators (REV-31). */
      limit: z.string().optional(),
    }),
  ),
});
export type ApiSpend = z.infer<typeof ApiSpend>;

export const ApiWhyEvent = z.strictObject({ reviewId: z.string(), position: ApiPosition, type: z.string(), at, summary: z.string() });
export type ApiWhyEvent = z.infer<typeof ApiWhyEvent>;

/** A figure, and everything that it folds: over all pages of `next`, the events and charges give the value again. */
export const ApiWhy = z.strictObject({
  figure: z.string(),
  value: z.number().nullable(),
  /** What the value counts. */
  sentence: z.string(),
  events: z.array(ApiWhyEvent),
  charges: z.array(ApiCharge),
  next: z.string().nullable(),
});
export type ApiWhy = z.infer<typeof ApiWhy>;
