/**
 * Frozen names of the Messages protocol, revision 2023-06-01 with the betas that Claude Code 2.1 sends. Read leniently,
 * written strictly: a name that is not here passes unchanged to a Messages upstream and is explained to any other.
 */

/** Top-level fields that the intermediate form carries. */
export const MESSAGES_FORM_FIELDS: ReadonlySet<string> = new Set([
  'model',
  'stream',
  'system',
  'messages',
  'tools',
  'tool_choice',
  'max_tokens',
  'temperature',
  'top_p',
  'stop_sequences',
  'output_config',
]);

/** Without these, another protocol would answer a different question; each with what it stands for. */
export const MESSAGES_MEANING_FIELDS: Readonly<Record<string, string>> = {
  mcp_servers: 'tools that the upstream itself runs',
  container: 'a container that the upstream itself runs',
};

/** The protocol demands a limit; this one goes where the client named none and the route sets none. */
export const DEFAULT_MAX_TOKENS = 32_000;

/** Ids of tool calls that the protocol takes. */
export const CALL_ID = /^[a-zA-Z0-9_-]{1,64}$/;

/** A type and not an interface, so that it is a JSON object. */
export type MessagesUsage = {
  readonly input_tokens: number;
  readonly cache_creation_input_tokens: number;
  readonly cache_read_input_tokens: number;
  readonly output_tokens: number;
};
