/**
 * What a model call cost (REV-29): one line per token type, with the rate in force. Unknown is null, never zero.
 * Money is in millicents: a hundred-thousandth of a dollar. Rates are millicents per million tokens.
 */
import { z } from 'zod';

/** `total` stands alone: a call whose tokens are unknown, or whose parts contradict the vendor's own total. */
export const TOKEN_TYPES = ['input', 'cached_input', 'cache_write', 'output', 'reasoning', 'total'] as const;
export type TokenType = (typeof TOKEN_TYPES)[number];

/** A call's usage is split into these; each token is in exactly one. */
export const PART_TYPES = ['input', 'cached_input', 'cache_write', 'output', 'reasoning'] as const;
export type PartType = (typeof PART_TYPES)[number];

/** `unmetered`: the operator asserts that calls cost nothing. `unknown`: nobody knows the price or the tokens; never a zero. */
export const PRICING_MODES = ['metered', 'unmetered', 'unknown'] as const;
export type PricingMode = (typeof PRICING_MODES)[number];

/** $10,000 per million tokens. With MAX_LINE_TOKENS it keeps every cost, and the sum of nine thousand of the greatest, a safe integer. */
export const MAX_RATE = 1_000_000_000;
/** Tokens of one line. More is not a count but a fault. */
export const MAX_LINE_TOKENS = 1_000_000_000;
/** $10,000,000: what a budget, a limit or a reserved amount may be. */
export const MAX_MILLICENTS = 1_000_000_000_000;

const tokens = z.number().int().min(0).max(MAX_LINE_TOKENS);
const rate = z.number().int().min(0).max(MAX_RATE);
const cost = z.number().int().min(0).max(MAX_MILLICENTS);

/** A line as the price list makes it. */
export interface ChargeLine {
  readonly tokenType: TokenType;
  /** Null: unknown. */
  readonly tokens: number | null;
  /** Millicents per million tokens, as it was when the call was priced; null where there is none. */
  readonly rate: number | null;
  /** Millicents; null: unknown. */
  readonly cost: number | null;
  readonly pricingMode: PricingMode;
}
export const ChargeLine: z.ZodType<ChargeLine> = z.strictObject({
  tokenType: z.enum(TOKEN_TYPES),
  tokens: tokens.nullable(),
  rate: rate.nullable(),
  cost: cost.nullable(),
  pricingMode: z.enum(PRICING_MODES),
});

const name = z.string().min(1).max(512);

/** Whose call it was and what for. It is the same for all lines of a call. */
export interface ModelCall {
  /** Unique for a logical call; a retry, also one with another credential, keeps it (REV-32). */
  readonly callRef: string;
  /** Milliseconds since 1970: when it was opened; in the ledger, when it was charged. */
  readonly at: number;
  /** The capability that spent it: `review`, `conversation`, `build`, `gateway`. */
  readonly capability: string;
  readonly modelProvider: string;
  /** The exact model id that the provider was asked for. */
  readonly model: string;
  /** Of the pool; never the credential. Null before one was chosen. */
  readonly credentialRef: string | null;
  /** Kind of the forge that the work belongs to; null where there is none. */
  readonly forge: string | null;
  /** Id of the virtual key; null for a call from within. */
  readonly virtualKey: string | null;
  readonly person: string | null;
  readonly run: string | null;
  readonly review: string | null;
  readonly repository: string | null;
}
export const ModelCall: z.ZodType<ModelCall> = z.strictObject({
  callRef: name,
  at: z.number().int().min(0).max(Number.MAX_SAFE_INTEGER),
  capability: name,
  modelProvider: name,
  model: name,
  credentialRef: name.nullable(),
  forge: name.nullable(),
  virtualKey: name.nullable(),
  person: name.nullable(),
  run: name.nullable(),
  review: name.nullable(),
  repository: name.nullable(),
});

/** One row of the ledger. */
export type Charge = ModelCall & ChargeLine;

/** A sum over calls. What is unknown is counted beside the money and shown before it. */
export interface SpendSum {
  readonly calls: number;
  /** Calls with at least one line whose cost is unknown. */
  readonly unpricedCalls: number;
  /** Of the lines whose cost is known. */
  readonly millicents: number;
}
