/**
 * Frozen names of the Responses protocol, revision of 2026-11 as Codex 0.169 and pi 0.73 speak it. Read leniently,
 * written strictly: a name that is not here passes unchanged to a Responses upstream and is explained to any other.
 */

/** Top-level fields that the intermediate form carries. */
export const RESPONSES_FORM_FIELDS: ReadonlySet<string> = new Set([
  'model',
  'stream',
  'input',
  'instructions',
  'tools',
  'tool_choice',
  'parallel_tool_calls',
  'max_output_tokens',
  'temperature',
  'top_p',
  'reasoning',
  'text',
  'prompt_cache_key',
]);

/** Without these, another protocol would answer a different question; each with what it stands for. */
export const RESPONSES_MEANING_FIELDS: Readonly<Record<string, string>> = {
  previous_response_id: 'a conversation that the upstream stores',
  conversation: 'a conversation that the upstream stores',
  prompt: 'a prompt that the upstream stores',
  background: 'an answer that is fetched later',
};

/** Items whose loss would lose the conversation itself. */
export const RESPONSES_MEANING_ITEMS: Readonly<Record<string, string>> = {
  item_reference: 'an item that the upstream stores',
  compaction: 'a sealed summary of the conversation',
  compaction_summary: 'a sealed summary of the conversation',
};

/** A type and not an interface, so that it is a JSON object. */
export type ResponsesUsage = {
  readonly input_tokens: number;
  readonly input_tokens_details: { readonly cached_tokens: number };
  readonly output_tokens: number;
  readonly output_tokens_details: { readonly reasoning_tokens: number };
  readonly total_tokens: number;
};
