/**
 * The body of `POST /v1/responses`, every field that the vendor documents and no other.
 * Source: CreateResponse of the vendor's OpenAPI description (client library 6.49), plus what Codex 0.169.0 sends to the vendor itself
 * (`client_metadata`, `external_web_access`, `agent_message`).
 */
import { z } from 'zod';

const loose = z.record(z.string(), z.unknown());
const TOOL_NAME = /^[a-zA-Z0-9_-]{1,64}$/;
const name = z.string().regex(TOOL_NAME);
const id = z.string().min(1).nullish();
const callId = z.string().min(1).max(64);
const status = z.enum(['in_progress', 'completed', 'incomplete']).nullish();

const inputText = z.strictObject({ type: z.literal('input_text'), text: z.string() });
const inputImage = z.strictObject({
  type: z.literal('input_image'),
  image_url: z.string().nullish(),
  file_id: z.string().nullish(),
  detail: z.enum(['low', 'high', 'auto', 'original']).optional(),
});
const inputFile = z.looseObject({ type: z.literal('input_file') });
const inputParts = z.array(z.discriminatedUnion('type', [inputText, inputImage, inputFile]));
const outputText = z.strictObject({
  type: z.literal('output_text'),
  text: z.string(),
  annotations: z.array(loose).optional(),
  logprobs: z.array(loose).optional(),
});
const refusal = z.strictObject({ type: z.literal('refusal'), refusal: z.string() });
const outputParts = z.array(z.discriminatedUnion('type', [outputText, refusal]));
const phase = z.enum(['commentary', 'final_answer']).nullish();

const spoken = z.strictObject({
  type: z.literal('message'),
  role: z.enum(['user', 'system', 'developer']),
  content: z.union([z.string(), inputParts]),
  id,
  status,
});
const answered = z.strictObject({ type: z.literal('message'), role: z.literal('assistant'), content: z.union([z.string(), outputParts]), id, status, phase });
const message = z.discriminatedUnion('role', [spoken, answered]);

const functionTool = z.strictObject({
  type: z.literal('function'),
  name,
  parameters: loose.nullish(),
  strict: z.boolean().nullish(),
  description: z.string().nullish(),
  defer_loading: z.boolean().optional(),
  output_schema: loose.nullish(),
});
const customTool = z.strictObject({
  type: z.literal('custom'),
  name,
  description: z.string().optional(),
  format: z
    .discriminatedUnion('type', [
      z.strictObject({ type: z.literal('text') }),
      z.strictObject({ type: z.literal('grammar'), syntax: z.enum(['lark', 'regex']), definition: z.string() }),
    ])
    .optional(),
  defer_loading: z.boolean().optional(),
});
const namespaceTool = z.strictObject({
  type: z.literal('namespace'),
  name,
  description: z.string(),
  tools: z.array(z.discriminatedUnion('type', [functionTool, customTool])).min(1),
});
const toolSearch = z.strictObject({
  type: z.literal('tool_search'),
  execution: z.enum(['server', 'client']).optional(),
  description: z.string().nullish(),
  parameters: z.unknown(),
});
const webSearch = z.looseObject({ type: z.literal('web_search') });
const tool = z.discriminatedUnion('type', [functionTool, customTool, namespaceTool, toolSearch, webSearch]);

const output = z.union([z.string(), inputParts]);
const item = z.discriminatedUnion('type', [
  z.strictObject({
    type: z.literal('function_call'),
    name,
    call_id: callId,
    arguments: z.string(),
    namespace: name.optional(),
    id,
    status,
  }),
  z.strictObject({ type: z.literal('function_call_output'), call_id: callId, output, id, status }),
  z.strictObject({ type: z.literal('custom_tool_call'), name, call_id: callId, input: z.string(), namespace: name.optional(), id, status }),
  z.strictObject({ type: z.literal('custom_tool_call_output'), call_id: callId, output, id, status }),
  z.strictObject({
    type: z.literal('reasoning'),
    id: z.string().nullish(),
    summary: z.array(z.strictObject({ type: z.literal('summary_text'), text: z.string() })),
    content: z.array(loose).nullish(),
    encrypted_content: z.string().nullish(),
    status,
  }),
  z.strictObject({
    type: z.literal('tool_search_call'),
    call_id: z.string().nullish(),
    execution: z.enum(['server', 'client']).optional(),
    arguments: z.unknown(),
    id,
    status,
  }),
  z.strictObject({
    type: z.literal('tool_search_output'),
    call_id: z.string().nullish(),
    execution: z.enum(['server', 'client']).optional(),
    tools: z.array(tool),
    id,
    status,
  }),
  z.strictObject({
    type: z.literal('agent_message'),
    author: z.string(),
    recipient: z.string(),
    content: z.array(z.discriminatedUnion('type', [inputText, z.strictObject({ type: z.literal('encrypted_content'), encrypted_content: z.string() })])),
    id,
  }),
  z.strictObject({ type: z.literal('additional_tools'), role: z.literal('developer'), tools: z.array(tool), id }),
]);

const flag = z.boolean().nullish();
const count = z.number().int().positive().nullish();
export const responsesRequest = z.strictObject({
  model: z.string().min(1),
  input: z.union([z.string(), z.array(z.union([message, item]))]),
  instructions: z.string().nullish(),
  tools: z.array(tool).optional(),
  tool_choice: z.union([z.enum(['none', 'auto', 'required']), loose]).optional(),
  parallel_tool_calls: flag,
  stream: flag,
  stream_options: z.strictObject({ include_obfuscation: z.boolean().optional() }).nullish(),
  store: flag,
  background: flag,
  include: z.array(z.string()).nullish(),
  max_output_tokens: z.number().int().min(16).nullish(),
  max_tool_calls: count,
  metadata: loose.nullish(),
  previous_response_id: z.string().nullish(),
  prompt_cache_key: z.string().nullish(),
  prompt_cache_retention: z.enum(['in_memory', '24h']).nullish(),
  reasoning: z.strictObject({ effort: z.string().nullish(), summary: z.string().nullish(), context: z.string().nullish() }).nullish(),
  safety_identifier: z.string().nullish(),
  service_tier: z.string().nullish(),
  temperature: z.number().min(0).max(2).nullish(),
  top_p: z.number().min(0).max(1).nullish(),
  text: z.strictObject({ format: loose.optional(), verbosity: z.enum(['low', 'medium', 'high']).nullish() }).optional(),
  truncation: z.enum(['auto', 'disabled']).nullish(),
  user: z.string().optional(),
  client_metadata: loose.optional(),
});

export type ResponsesRequest = z.infer<typeof responsesRequest>;
export type ResponsesItem = Exclude<ResponsesRequest['input'], string>[number];
export type ResponsesTool = z.infer<typeof tool>;

/** The short form of a message leaves its type out; the rules are written for the long one. */
export function withMessageTypes(body: unknown): unknown {
  if (typeof body !== 'object' || body === null || !('input' in body) || !Array.isArray(body.input)) return body;
  return { ...body, input: body.input.map((entry: unknown) => (isUntypedMessage(entry) ? { ...entry, type: 'message' } : entry)) };
}
const isUntypedMessage = (entry: unknown): entry is object => typeof entry === 'object' && entry !== null && 'role' in entry && !('type' in entry);
