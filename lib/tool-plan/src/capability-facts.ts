/**
 * What one route's upstream can do (MOD-18a): declared by the operator or a preset, never inferred from a model's name.
 * A missing key takes the conservative default of the upstream protocol, which is all that an unknown endpoint gets.
 */

/** The three wire protocols that the gateway speaks on both sides. */
export const PROTOCOLS = ['responses', 'chat', 'messages'] as const;
export type WireProtocol = (typeof PROTOCOLS)[number];

export interface CapabilityFacts {
  /** Function tools over their whole life: declaration, call, result, history, stream. */
  readonly function: boolean;
  /** Freeform tools whose input is text and not JSON. */
  readonly custom: boolean;
  /** Tools that are children of a namespace. */
  readonly namespace: boolean;
  /** The client-side tool search with its call and output items. */
  readonly tool_search: boolean;
  /** Declarations inside an `additional_tools` input item. */
  readonly additional_tools: boolean;
  readonly developer_role: boolean;
  /** More than one system message, anywhere in the conversation. */
  readonly second_system_message: boolean;
  readonly image_in_tool_result: boolean;
  /** The switch for parallel calls: `parallel_tool_calls`, or `disable_parallel_tool_use`. */
  readonly parallel_calls: boolean;
  /** A chat upstream understands `stream_options.include_usage`. */
  readonly stream_usage: boolean;
  /** Where a JSON schema for the answer goes; `none` refuses a request that needs one. */
  readonly json_schema: 'response_format' | 'text_format' | 'output_config' | 'none';
  /** Field of a chat message that carries plain reasoning text; null where the upstream takes none back. */
  readonly reasoning_field: string | null;
  /** `route`: sealed reasoning may return to the route that made it. `none`: it is dropped, with a diagnostic. */
  readonly sealed_reasoning: 'route' | 'none';
  /** Pattern of a legal tool name, as source of a regular expression of the shape that `readFacts` accepts. */
  readonly name_pattern: string;
  /** Longest legal tool name, in UTF-16 units. */
  readonly name_max: number;
  /** Hosted tool kind to support; the kind is the wire type without its date. A missing kind is not supported. */
  readonly hosted: Readonly<Record<string, boolean>>;
}

/** Names that every public endpoint takes: letters, digits, underscore, hyphen, 64 of them. */
const conservative = {
  function: true,
  custom: false,
  namespace: false,
  tool_search: false,
  additional_tools: false,
  developer_role: false,
  second_system_message: false,
  image_in_tool_result: false,
  parallel_calls: true,
  stream_usage: true,
  reasoning_field: null,
  sealed_reasoning: 'none',
  name_pattern: '^[a-zA-Z0-9_-]+$',
  name_max: 64,
  hosted: {},
} as const;

/**
 * Defaults by upstream protocol. Only what the protocol's own first revision promises is true: roles and sealed
 * reasoning belong to Responses, images in results and signatures to Messages, nothing of that to Chat.
 */
export const DEFAULT_FACTS: Readonly<Record<WireProtocol, CapabilityFacts>> = {
  responses: { ...conservative, json_schema: 'text_format', developer_role: true, second_system_message: true, sealed_reasoning: 'route' },
  chat: { ...conservative, json_schema: 'response_format' },
  messages: { ...conservative, json_schema: 'output_config', image_in_tool_result: true, sealed_reasoning: 'route' },
};
