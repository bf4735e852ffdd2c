/**
 * Frozen names of the Chat Completions protocol, revision of 2026-11 as OpenCode 1.18 and pi 0.73 speak it. Read
 * leniently, written strictly: a name that is not here passes unchanged to a chat upstream and is explained to any other.
 */

/** Top-level fields that the intermediate form carries. */
export const CHAT_FORM_FIELDS: ReadonlySet<string> = new Set([
  'model',
  'stream',
  'stream_options',
  'messages',
  'tools',
  'tool_choice',
  'parallel_tool_calls',
  'max_tokens',
  'max_completion_tokens',
  'temperature',
  'top_p',
  'stop',
  'reasoning_effort',
  'verbosity',
  'response_format',
  'prompt_cache_key',
]);

/** Without these, another protocol would answer a different question; each with what it stands for. */
export const CHAT_MEANING_FIELDS: Readonly<Record<string, string>> = {
  functions: 'tools in the form of 2023',
  function_call: 'a tool choice in the form of 2023',
  audio: 'spoken answers',
  prediction: 'a predicted answer',
};

/** Fields of a message that carry plain reasoning text, in the order in which they are looked for. */
export const REASONING_FIELDS = ['reasoning_content', 'reasoning'] as const;

/** A type and not an interface, so that it is a JSON object. */
export type ChatUsage = {
  readonly prompt_tokens: number;
  readonly completion_tokens: number;
  readonly total_tokens: number;
  readonly prompt_tokens_details: { readonly cached_tokens: number };
  readonly completion_tokens_details: { readonly reasoning_tokens: number };
};
