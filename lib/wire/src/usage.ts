/**
 * Tokens of one call as its upstream counts them, in one partition: no token is in two parts (REV-29). Cached tokens are
 * inside the input count at OpenAI and Gemini and beside it at Anthropic; here they are always beside it.
 */
import type { WireProtocol } from '@weir/tool-plan';
import type { ChatUsage } from './chat.wire.ts';
import { asCount, asObject, type JsonObject } from './json.ts';
import type { MessagesUsage } from './messages.wire.ts';
import type { ResponsesUsage } from './responses.wire.ts';

export interface TokenUsage {
  /** Input tokens that came from no cache and went into none. */
  readonly input: number;
  /** Undefined where the upstream does not say, which is never zero. */
  readonly cachedInput: number | undefined;
  readonly cacheWrite: number | undefined;
  /** Output tokens that are no reasoning; all of them where the upstream does not tell them apart. */
  readonly output: number;
  readonly reasoning: number | undefined;
  /** The upstream's own total. */
  readonly total: number | undefined;
  /** False when the parts contradict each other or the total: such a usage cannot be priced. Undefined when there is nothing to compare. */
  readonly agrees: boolean | undefined;
  /** The same as the upstream wrote it: what lies inside what is the vendor's rule, which the price list knows. */
  readonly reported: ReportedCounts;
}

/** Counts as they stand in the upstream's answer; undefined where it does not say. */
export interface ReportedCounts {
  readonly input: number | undefined;
  readonly output: number | undefined;
  readonly total: number | undefined;
  readonly cachedInput: number | undefined;
  readonly cacheWrite: number | undefined;
  readonly reasoning: number | undefined;
}

/** Usage of a Responses or Chat answer; undefined when input or output is missing. */
export function readOpenAiUsage(usage: JsonObject | undefined): TokenUsage | undefined {
  if (usage === undefined) return undefined;
  const inputDetails = asObject(usage['input_tokens_details'] ?? usage['prompt_tokens_details']);
  const outputDetails = asObject(usage['output_tokens_details'] ?? usage['completion_tokens_details']);
  return partition({
    input: asCount(usage['input_tokens'] ?? usage['prompt_tokens']),
    output: asCount(usage['output_tokens'] ?? usage['completion_tokens']),
    total: asCount(usage['total_tokens']),
    cachedInput: asCount(inputDetails?.['cached_tokens'] ?? usage['prompt_cache_hit_tokens']),
    cacheWrite: asCount(inputDetails?.['cache_write_tokens']),
    reasoning: asCount(outputDetails?.['reasoning_tokens']),
  });
}

/** Reasoning is inside the output count, except where only the sum with it gives the upstream's total. */
function partition(reported: ReportedCounts): TokenUsage | undefined {
  const { input, output, total, cachedInput: cached, cacheWrite, reasoning } = reported;
  if (input === undefined || output === undefined) return undefined;
  const beside = total !== input + output && total === input + output + zeroIf(reasoning);
  const fresh = input - zeroIf(cached) - zeroIf(cacheWrite);
  const spoken = beside ? output : output - zeroIf(reasoning);
  const sums = total === undefined || beside || total === input + output;
  const comparable = [total, cached, reasoning].some(count => count !== undefined);
  const agrees = comparable ? sums && fresh >= 0 && spoken >= 0 : undefined;
  return { input: Math.max(0, fresh), cachedInput: cached, cacheWrite, output: Math.max(0, spoken), reasoning, total, agrees, reported };
}

/** For sums only: a part that is not told adds nothing to the whole that holds it. */
const zeroIf = (count: number | undefined): number => count ?? 0;

/** Usage of a Messages answer. The protocol gives no total and does not tell reasoning apart. */
export function readMessagesUsage(usage: JsonObject | undefined): TokenUsage | undefined {
  const input = asCount(usage?.['input_tokens']);
  const output = asCount(usage?.['output_tokens']);
  if (input === undefined || output === undefined) return undefined;
  const reported = {
    input,
    cachedInput: asCount(usage?.['cache_read_input_tokens']),
    cacheWrite: asCount(usage?.['cache_creation_input_tokens']),
    output,
    reasoning: undefined,
    total: undefined,
  };
  return { ...reported, agrees: undefined, reported };
}

export const readUsage = (protocol: WireProtocol, usage: JsonObject | undefined): TokenUsage | undefined =>
  protocol === 'messages' ? readMessagesUsage(usage) : readOpenAiUsage(usage);

const allInput = ({ input, cachedInput, cacheWrite }: TokenUsage): number => input + zeroIf(cachedInput) + zeroIf(cacheWrite);
const allOutput = ({ output, reasoning }: TokenUsage): number => output + zeroIf(reasoning);

/** Usage in the client's own form. Parts that the upstream does not tell are written as the protocol demands, with 0. */
export const WRITE_USAGE = {
  responses: (usage: TokenUsage): ResponsesUsage => ({
    input_tokens: allInput(usage),
    input_tokens_details: { cached_tokens: usage.cachedInput ?? 0 },
    output_tokens: allOutput(usage),
    output_tokens_details: { reasoning_tokens: usage.reasoning ?? 0 },
    total_tokens: allInput(usage) + allOutput(usage),
  }),
  chat: (usage: TokenUsage): ChatUsage => ({
    prompt_tokens: allInput(usage),
    completion_tokens: allOutput(usage),
    total_tokens: allInput(usage) + allOutput(usage),
    prompt_tokens_details: { cached_tokens: usage.cachedInput ?? 0 },
    completion_tokens_details: { reasoning_tokens: usage.reasoning ?? 0 },
  }),
  messages: (usage: TokenUsage): MessagesUsage => ({
    input_tokens: usage.input,
    cache_creation_input_tokens: usage.cacheWrite ?? 0,
    cache_read_input_tokens: usage.cachedInput ?? 0,
    output_tokens: allOutput(usage),
  }),
} as const;
