/**
 * The tokens that this upstream says it served, partitioned: no token stands in two fields.
 * They are a function of the number of the call, so that a ledger that loses or doubles a call shows a different sum.
 */
export interface ServedUsage {
  readonly uncachedInput: number;
  readonly cacheRead: number;
  readonly cacheWrite: number;
  /** Output without reasoning where the protocol tells it apart (`reasoning`), else all of it. */
  readonly output: number;
  readonly reasoning: number;
}

/** Input of a reply in a full context: near the 200,000 tokens that the agents are told or know, so that they make room. */
const FULL_TOKENS = 195_000;

export interface Counted {
  readonly cacheWrites: boolean;
  readonly reasoned: boolean;
  readonly full: boolean;
}

/** @param call number of the call, from 1. @param cacheWrites whether the protocol counts what it writes to its cache (Messages alone). */
export const usageOf = (call: number, { cacheWrites, reasoned, full }: Counted): ServedUsage => ({
  uncachedInput: 400 + call + (full ? FULL_TOKENS : 0),
  cacheRead: 500 + 3 * call,
  cacheWrite: cacheWrites ? 100 + 7 * call : 0,
  output: 40 + 11 * call,
  reasoning: reasoned ? 10 + 13 * call : 0,
});

export const NO_USAGE: ServedUsage = { uncachedInput: 0, cacheRead: 0, cacheWrite: 0, output: 0, reasoning: 0 };

export const addUsage = (left: ServedUsage, right: ServedUsage): ServedUsage => ({
  uncachedInput: left.uncachedInput + right.uncachedInput,
  cacheRead: left.cacheRead + right.cacheRead,
  cacheWrite: left.cacheWrite + right.cacheWrite,
  output: left.output + right.output,
  reasoning: left.reasoning + right.reasoning,
});

export const inputTokens = (usage: ServedUsage): number => usage.uncachedInput + usage.cacheRead + usage.cacheWrite;
export const outputTokens = (usage: ServedUsage): number => usage.output + usage.reasoning;
