/**
 * The body of `POST /v1/chat/completions`, as the strictest of the compatible vendors takes it: text-only tool results, function tools alone.
 * Source: CreateChatCompletionRequest of the vendor's OpenAPI description (client library 6.49); `reasoning_content` of DeepSeek's documentation.
 */
import { z } from 'zod';

const loose = z.record(z.string(), z.unknown());
export const TOOL_NAME = /^[a-zA-Z0-9_-]{1,64}$/;
const name = z.string().regex(TOOL_NAME);
const textPart = z.strictObject({ type: z.literal('text'), text: z.string().min(1) });
const imagePart = z.strictObject({
  type: z.literal('image_url'),
  image_url: z.strictObject({ url: z.string().min(1), detail: z.enum(['auto', 'low', 'high']).optional() }),
});
const texts = z.union([z.string(), z.array(textPart).min(1)]);

const message = z.discriminatedUnion('role', [
  z.strictObject({ role: z.literal('system'), content: texts, name: z.string().optional() }),
  z.strictObject({ role: z.literal('developer'), content: texts, name: z.string().optional() }),
  z.strictObject({
    role: z.literal('user'),
    content: z.union([z.string(), z.array(z.discriminatedUnion('type', [textPart, imagePart])).min(1)]),
    name: z.string().optional(),
  }),
  z.strictObject({
    role: z.literal('assistant'),
    content: texts.nullish(),
    name: z.string().optional(),
    refusal: z.string().nullish(),
    reasoning_content: z.string().nullish(),
    tool_calls: z
      .array(z.strictObject({ id: z.string().min(1), type: z.literal('function'), function: z.strictObject({ name, arguments: z.string() }) }))
      .min(1)
      .optional(),
  }),
  z.strictObject({ role: z.literal('tool'), content: texts, tool_call_id: z.string().min(1) }),
]);

const tool = z.strictObject({
  type: z.literal('function'),
  function: z.strictObject({ name, description: z.string().optional(), parameters: loose.optional(), strict: z.boolean().nullish() }),
});

const flag = z.boolean().nullish();
const count = z.number().int().positive().nullish();
export const chatRequest = z.strictObject({
  model: z.string().min(1),
  messages: z.array(message).min(1),
  tools: z.array(tool).min(1).optional(),
  tool_choice: z.union([z.enum(['none', 'auto', 'required']), loose]).optional(),
  parallel_tool_calls: z.boolean().optional(),
  stream: flag,
  stream_options: z.strictObject({ include_usage: z.boolean().optional(), include_obfuscation: z.boolean().optional() }).nullish(),
  max_tokens: count,
  max_completion_tokens: count,
  temperature: z.number().min(0).max(2).nullish(),
  top_p: z.number().min(0).max(1).nullish(),
  frequency_penalty: z.number().min(-2).max(2).nullish(),
  presence_penalty: z.number().min(-2).max(2).nullish(),
  stop: z.union([z.string(), z.array(z.string()).max(4)]).nullish(),
  n: count,
  seed: z.number().int().nullish(),
  user: z.string().optional(),
  metadata: loose.nullish(),
  store: flag,
  logit_bias: loose.nullish(),
  logprobs: flag,
  top_logprobs: z.number().int().min(0).max(20).nullish(),
  reasoning_effort: z.string().nullish(),
  verbosity: z.enum(['low', 'medium', 'high']).nullish(),
  response_format: z
    .discriminatedUnion('type', [
      z.strictObject({ type: z.literal('text') }),
      z.strictObject({ type: z.literal('json_object') }),
      z.strictObject({
        type: z.literal('json_schema'),
        json_schema: z.strictObject({ name: z.string(), description: z.string().optional(), schema: loose.optional(), strict: z.boolean().nullish() }),
      }),
    ])
    .optional(),
  service_tier: z.string().nullish(),
  safety_identifier: z.string().nullish(),
  prompt_cache_key: z.string().nullish(),
  prompt_cache_retention: z.enum(['in_memory', '24h']).nullish(),
});

export type ChatRequest = z.infer<typeof chatRequest>;
export type ChatMessage = ChatRequest['messages'][number];
