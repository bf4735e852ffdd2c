/**
 * How vendors count tokens, as data (REV-29): what lies inside the input and output counts, and what their own total covers.
 * A new vendor is a row here.
 */
import type { UsageRuleName } from '@weir/contract';

export interface UsageRule {
  /** Cached tokens are part of the input count, or stand beside it. */
  readonly cached: 'inside_input' | 'beside_input';
  readonly cacheWrite: 'inside_input' | 'beside_input';
  /** `inside_or_beside_output`: the vendor's endpoints differ; its total decides. */
  readonly reasoning: 'inside_output' | 'inside_or_beside_output';
  /** What the vendor's total is the sum of; `none`: there is no total that checks anything. */
  readonly total: 'input_and_output' | 'none';
}

export const USAGE_RULE: Readonly<Record<UsageRuleName, UsageRule>> = {
  // prompt_tokens_details.cached_tokens and completion_tokens_details.reasoning_tokens are parts of the counts above them; an answer with
  // cache_write_tokens counts these inside prompt_tokens too (openrouter.ai/docs/use-cases/usage-accounting: 194 + 2 = 196 with 100 written).
  openai: { cached: 'inside_input', cacheWrite: 'inside_input', reasoning: 'inside_output', total: 'input_and_output' },
  // input_tokens leaves out cache_read_input_tokens and cache_creation_input_tokens; the API has no total, and where a client library makes
  // one it is input + output without the caches.
  anthropic: { cached: 'beside_input', cacheWrite: 'beside_input', reasoning: 'inside_output', total: 'none' },
  // The total covers the thoughts, the count of candidates does not (mozilla-ai/any-llm#1290: 20 + 198 + 405 thoughts = 623); answers where
  // completion_tokens holds them exist as well (router-for-me/CLIProxyAPI#5744).
  gemini: { cached: 'inside_input', cacheWrite: 'inside_input', reasoning: 'inside_or_beside_output', total: 'input_and_output' },
};
