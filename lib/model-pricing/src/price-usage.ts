/**
 * A call's usage and a price become charge lines (REV-29). Each line is rounded on its own, half up, and the price of a call is
 * the sum of its lines, so that the books close at every level.
 */
import { type ChargeLine, MAX_LINE_TOKENS, MAX_RATE, type ModelPrice, PART_TYPES, type PartType, type Rates } from '@weir/contract';
import type { UsagePartition } from './partition-usage.ts';

const PER_MILLION = 1_000_000;

/**
 * `tokens × rate ÷ 1,000,000`, rounded half up, in millicents. The whole millions and the rest are multiplied apart, so that no
 * product leaves the safe integers.
 * @throws RangeError for what is not a count within MAX_LINE_TOKENS or a rate within MAX_RATE: a fault of the caller.
 */
export function costOf(tokens: number, rate: number): number {
  if (!isWithin(tokens, MAX_LINE_TOKENS) || !isWithin(rate, MAX_RATE)) throw new RangeError('A count of tokens or a rate is out of its bounds.');
  const millions = Math.floor(tokens / PER_MILLION);
  const rest = (tokens % PER_MILLION) * rate;
  return millions * rate + Math.floor(rest / PER_MILLION) + (rest % PER_MILLION >= PER_MILLION / 2 ? 1 : 0);
}

const isWithin = (value: number, max: number): boolean => Number.isInteger(value) && value >= 0 && value <= max;

/** The rate of a token type; undefined where the operator gave none. Reasoning costs what output costs unless it has a rate. */
export function rateOf(rates: Rates, type: PartType): number | undefined {
  return type === 'reasoning' ? (rates.reasoning ?? rates.output) : rates[type];
}

/**
 * At least one line, always: a call that happened is countable.
 * @param price null: the model has none any more (REV-30), so every line is unknown.
 */
export function priceUsage(usage: UsagePartition, price: ModelPrice | null): readonly ChargeLine[] {
  if (usage.kind !== 'parts') return [totalLine(usage.tokens, price)];
  return PART_TYPES.flatMap(type => {
    const tokens = usage.parts[type];
    return tokens === undefined ? [] : [partLine(type, tokens, price)];
  });
}

/** What is not split cannot be priced. Only the operator's word that a model is unmetered makes its cost known. */
function totalLine(tokens: number | null, price: ModelPrice | null): ChargeLine {
  const unmetered = price?.mode === 'unmetered';
  return { tokenType: 'total', tokens, rate: null, cost: unmetered ? 0 : null, pricingMode: unmetered ? 'unmetered' : 'unknown' };
}

function partLine(tokenType: PartType, tokens: number, price: ModelPrice | null): ChargeLine {
  if (price?.mode === 'unmetered') return { tokenType, tokens, rate: null, cost: 0, pricingMode: 'unmetered' };
  const rate = price === null ? undefined : rateOf(price.rates, tokenType);
  if (rate === undefined) return { tokenType, tokens, rate: null, cost: null, pricingMode: 'unknown' };
  return { tokenType, tokens, rate, cost: costOf(tokens, rate), pricingMode: 'metered' };
}

/**
 * What a call may cost at most, to reserve before it (MOD-17): the dearest kind of input, and the dearest kind of output.
 * Tokens beyond MAX_LINE_TOKENS count as that many.
 */
export function estimateCost(price: ModelPrice, { inputTokens, outputTokens }: { readonly inputTokens: number; readonly outputTokens: number }): number {
  if (price.mode === 'unmetered') return 0;
  const { rates } = price;
  const input = Math.max(rates.input, rates.cached_input ?? 0, rates.cache_write ?? 0);
  const output = Math.max(rates.output, rates.reasoning ?? 0);
  return costOf(bounded(inputTokens), input) + costOf(bounded(outputTokens), output);
}

const bounded = (tokens: number): number => Math.min(MAX_LINE_TOKENS, Math.max(0, Math.ceil(tokens)));
