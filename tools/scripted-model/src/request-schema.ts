/**
 * What `POST /v1/chat/completions` takes, as data.
 * Source: the vendor's OpenAPI description, CreateChatCompletionRequest (as in its client library 6.49). Text only: audio, images and tools are
 * checked for their outer form and not understood.
 */
import { type Check, either, fields, flag, integer, list, number, oneOf, orNull, plain, text } from './field-check.ts';

const textPart = fields({ type: oneOf('text'), text });
const message = either(
  fields({ role: oneOf('system', 'developer', 'user'), content: either(text, list(textPart, 1)) }, { name: text }),
  fields({ role: oneOf('assistant') }, { content: orNull(either(text, list(textPart, 1))), name: text, refusal: orNull(text), tool_calls: list(plain) }),
  fields({ role: oneOf('tool'), content: either(text, list(textPart, 1)), tool_call_id: text }),
);

const responseFormat = either(
  fields({ type: oneOf('text', 'json_object') }),
  fields({ type: oneOf('json_schema'), json_schema: fields({ name: text }, { description: text, schema: plain, strict: orNull(flag) }) }),
);

const request = fields(
  { model: text, messages: list(message, 1) },
  {
    audio: orNull(plain),
    frequency_penalty: orNull(number(-2, 2)),
    logit_bias: orNull(plain),
    logprobs: orNull(flag),
    max_completion_tokens: orNull(integer(1)),
    max_tokens: orNull(integer(1)),
    metadata: orNull(plain),
    modalities: orNull(list(oneOf('text', 'audio'))),
    moderation: orNull(plain),
    n: orNull(integer(1, 128)),
    parallel_tool_calls: flag,
    prediction: orNull(plain),
    presence_penalty: orNull(number(-2, 2)),
    prompt_cache_key: orNull(text),
    prompt_cache_options: plain,
    prompt_cache_retention: orNull(oneOf('in_memory', '24h')),
    reasoning_effort: orNull(text),
    response_format: responseFormat,
    safety_identifier: orNull(text),
    seed: orNull(integer(Number.MIN_SAFE_INTEGER)),
    service_tier: orNull(oneOf('auto', 'default', 'flex', 'scale', 'priority')),
    stop: orNull(either(text, list(text))),
    store: orNull(flag),
    stream: orNull(flag),
    stream_options: orNull(fields({}, { include_usage: flag, include_obfuscation: flag })),
    temperature: orNull(number(0, 2)),
    tool_choice: either(text, plain),
    tools: list(plain, 1),
    top_logprobs: orNull(integer(0, 20)),
    top_p: orNull(number(0, 1)),
    user: text,
    verbosity: orNull(oneOf('low', 'medium', 'high')),
    web_search_options: plain,
  },
);

export interface ScriptedRequest {
  readonly model: string;
  readonly messages: readonly { readonly role: string; readonly content?: string | readonly { readonly text: string }[] | null }[];
  readonly stream?: boolean | null;
  readonly stream_options?: { readonly include_usage?: boolean } | null;
  readonly max_tokens?: number | null;
  readonly max_completion_tokens?: number | null;
  readonly response_format?: { readonly type: string };
}

/** Rules between fields; each names the problem, or nothing. */
const together: readonly ((value: ScriptedRequest) => string | false)[] = [
  value =>
    typeof value.max_tokens === 'number' &&
    typeof value.max_completion_tokens === 'number' &&
    "Setting 'max_tokens' and 'max_completion_tokens' at the same time is not supported.",
  value => Boolean(value.stream_options) && value.stream !== true && "The 'stream_options' parameter is only allowed when 'stream' is enabled.",
  value =>
    value.response_format?.type === 'json_object' &&
    !/json/i.test(textOf(value)) &&
    "'messages' must contain the word 'json' in some form, to use 'response_format' of type 'json_object'.",
];

/** Text of all messages, or of those of one role. */
export function textOf(value: ScriptedRequest, role?: string): string {
  const spoken = value.messages.filter(({ role: speaker }) => role === undefined || speaker === role);
  return spoken.map(({ content }) => (Array.isArray(content) ? content.map(part => part.text).join('') : (content ?? ''))).join('\n');
}

/** @returns the request, or the problem in the words of the protocol. */
export function readRequest(body: unknown): { readonly request: ScriptedRequest } | { readonly problem: string } {
  const problem = (request as Check)(body, '');
  if (problem !== undefined) return { problem };
  const value = body as ScriptedRequest;
  const conflict = together.map(rule => rule(value)).find(Boolean);
  return conflict === undefined || conflict === false ? { request: value } : { problem: conflict };
}
