/**
 * The body of `POST /v1/messages`, every field that the vendor documents for coding agents and no other.
 * Source: BetaMessageCreateParams of the vendor's client library 0.91, plus what Claude Code 2.1.332 sends to the vendor itself (a `system` role
 * between turns, `output_config` on a message, `display: updates`); those need an `anthropic-beta` header.
 */
import { z } from 'zod';

const loose = z.record(z.string(), z.unknown());
const TOOL_NAME = /^[a-zA-Z0-9_-]{1,128}$/;
const CALL_ID = /^[a-zA-Z0-9_-]+$/;
const name = z.string().regex(TOOL_NAME);
const cache = { cache_control: z.looseObject({ type: z.literal('ephemeral') }).nullish() };

const textBlock = z.strictObject({ type: z.literal('text'), text: z.string().min(1), citations: z.array(loose).nullish(), ...cache });
const imageBlock = z.strictObject({
  type: z.literal('image'),
  source: z.discriminatedUnion('type', [
    z.strictObject({ type: z.literal('base64'), media_type: z.enum(['image/png', 'image/jpeg', 'image/gif', 'image/webp']), data: z.string().min(1) }),
    z.strictObject({ type: z.literal('url'), url: z.string().min(1) }),
  ]),
  ...cache,
});
const documentBlock = z.looseObject({ type: z.literal('document') });
const toolReference = z.strictObject({ type: z.literal('tool_reference'), tool_name: z.string(), ...cache });
const toolResult = z.strictObject({
  type: z.literal('tool_result'),
  tool_use_id: z.string().regex(CALL_ID),
  content: z.union([z.string(), z.array(z.discriminatedUnion('type', [textBlock, imageBlock, documentBlock, toolReference]))]).optional(),
  is_error: z.boolean().optional(),
  ...cache,
});
const toolUse = z.strictObject({ type: z.literal('tool_use'), id: z.string().regex(CALL_ID), name, input: loose, ...cache });
const thinking = z.strictObject({ type: z.literal('thinking'), thinking: z.string(), signature: z.string().min(1) });
const redacted = z.strictObject({ type: z.literal('redacted_thinking'), data: z.string() });

const message = z.discriminatedUnion('role', [
  z.strictObject({
    role: z.literal('user'),
    content: z.union([z.string().min(1), z.array(z.discriminatedUnion('type', [textBlock, imageBlock, documentBlock, toolResult])).min(1)]),
  }),
  z.strictObject({
    role: z.literal('assistant'),
    content: z.union([z.string().min(1), z.array(z.discriminatedUnion('type', [textBlock, toolUse, thinking, redacted])).min(1)]),
  }),
  z.strictObject({ role: z.literal('system'), content: z.union([z.string().min(1), z.array(textBlock).min(1)]), output_config: loose.optional() }),
]);

const tool = z.strictObject({
  type: z.literal('custom').nullish(),
  name,
  description: z.string().optional(),
  input_schema: z.looseObject({ type: z.literal('object') }),
  defer_loading: z.boolean().optional(),
  eager_input_streaming: z.boolean().nullish(),
  input_examples: z.array(loose).optional(),
  strict: z.boolean().optional(),
  allowed_callers: z.array(z.string()).optional(),
  ...cache,
});

export const messagesRequest = z.strictObject({
  model: z.string().min(1),
  max_tokens: z.number().int().positive(),
  messages: z.array(message).min(1),
  system: z.union([z.string(), z.array(textBlock)]).optional(),
  tools: z.array(tool).optional(),
  tool_choice: z
    .discriminatedUnion('type', [
      z.strictObject({ type: z.literal('auto'), disable_parallel_tool_use: z.boolean().optional() }),
      z.strictObject({ type: z.literal('any'), disable_parallel_tool_use: z.boolean().optional() }),
      z.strictObject({ type: z.literal('tool'), name, disable_parallel_tool_use: z.boolean().optional() }),
      z.strictObject({ type: z.literal('none') }),
    ])
    .optional(),
  stream: z.boolean().optional(),
  temperature: z.number().min(0).max(1).optional(),
  top_p: z.number().min(0).max(1).optional(),
  top_k: z.number().int().min(0).optional(),
  stop_sequences: z.array(z.string()).optional(),
  metadata: z.strictObject({ user_id: z.string().nullish() }).optional(),
  thinking: z
    .discriminatedUnion('type', [
      z.strictObject({ type: z.literal('enabled'), budget_tokens: z.number().int().min(1024), display: z.string().nullish() }),
      z.strictObject({ type: z.literal('adaptive'), display: z.string().nullish() }),
      z.strictObject({ type: z.literal('disabled') }),
    ])
    .optional(),
  output_config: z.strictObject({ effort: z.enum(['low', 'medium', 'high', 'xhigh', 'max']).nullish(), format: loose.nullish() }).optional(),
  context_management: loose.nullish(),
  service_tier: z.enum(['auto', 'standard_only']).optional(),
  cache_control: cache.cache_control,
});

/** The same without what only a reply needs; for `count_tokens`. */
export const countTokensRequest = messagesRequest.omit({ max_tokens: true, stream: true, temperature: true, top_p: true, top_k: true, metadata: true });

export type MessagesRequest = z.infer<typeof messagesRequest>;
export type Message = MessagesRequest['messages'][number];
export type Block = Exclude<Message['content'], string>[number];
