/** Reads a Chat Completions body: its fields by the schema, then the order of calls and results, then what it says. */
import type { Conversation, Reading } from '../conversation.ts';
import { imageData, parametersOf } from '../conversation.ts';
import { ruleProblems } from '../rule-problems.ts';
import { type ChatMessage, type ChatRequest, chatRequest } from './request.ts';

const callsIn = (message: ChatMessage): readonly string[] => (message.role === 'assistant' ? (message.tool_calls ?? []).map(call => call.id) : []);
const textOf = (content: string | readonly { readonly text: string }[]): string =>
  typeof content === 'string' ? content : content.map(part => part.text).join('\n');

type UserContent = Extract<ChatMessage, { role: 'user' }>['content'];
const userTextIn = (content: UserContent): string =>
  typeof content === 'string' ? content : content.map(part => (part.type === 'text' ? part.text : '')).join('\n');

/** Each call is answered once by the tool messages right behind its assistant message, and by nothing else. */
function orderProblems(messages: readonly ChatMessage[]): readonly string[] {
  const problems: string[] = [];
  let waiting = new Set<string>();
  const settle = () => {
    for (const id of waiting) problems.push(`An assistant message with 'tool_calls' must be followed by tool messages; '${id}' has no response.`);
    waiting = new Set();
  };
  for (const message of messages) {
    if (message.role === 'tool') {
      if (!waiting.delete(message.tool_call_id)) problems.push(`The tool message for '${message.tool_call_id}' follows no message with that call.`);
      continue;
    }
    settle();
    const ids = callsIn(message);
    waiting = new Set(ids);
    if (waiting.size !== ids.length) problems.push(`Duplicate ids in 'tool_calls': ${ids.join(', ')}.`);
  }
  settle();
  return problems;
}

/** Rules between fields. */
const TOGETHER: readonly ((request: ChatRequest) => string | false)[] = [
  request => request.tools === undefined && request.tool_choice !== undefined && "'tool_choice' is only allowed when 'tools' are specified.",
  request => request.tools === undefined && request.parallel_tool_calls !== undefined && "'parallel_tool_calls' is only allowed when 'tools' are specified.",
  request => Boolean(request.stream_options) && request.stream !== true && "'stream_options' is only allowed when 'stream' is enabled.",
  request => Boolean(request.max_tokens) && Boolean(request.max_completion_tokens) && "'max_tokens' and 'max_completion_tokens' exclude each other.",
  request => new Set((request.tools ?? []).map(tool => tool.function.name)).size !== (request.tools ?? []).length && 'Tool names must be unique.',
  request =>
    request.messages.some(message => message.role === 'assistant' && (message.content ?? '') === '' && message.tool_calls === undefined) &&
    "An assistant message needs 'content' or 'tool_calls'.",
];

export function readChat(body: unknown): Reading {
  const parsed = chatRequest.safeParse(body);
  if (!parsed.success) return { conversation: null, violations: ruleProblems(parsed.error) };
  const request = parsed.data;
  const conversation: Conversation = {
    model: request.model,
    stream: request.stream === true,
    wantsUsage: request.stream !== true || request.stream_options?.include_usage === true,
    wantsReasoning: Boolean(request.reasoning_effort),
    parallel: request.parallel_tool_calls !== false,
    schema: request.response_format?.type === 'json_schema' ? (request.response_format.json_schema.schema ?? null) : null,
    tools: (request.tools ?? []).map(tool => ({
      name: tool.function.name,
      namespace: null,
      kind: 'function',
      ...parametersOf(tool.function.parameters),
    })),
    calls: request.messages.flatMap(callsIn),
    results: request.messages.flatMap(message =>
      message.role === 'tool' ? [{ callId: message.tool_call_id, text: textOf(message.content), images: [] }] : [],
    ),
    userText: request.messages.flatMap(message => (message.role === 'user' ? [userTextIn(message.content)] : [])).join('\n'),
    assistantText: request.messages.flatMap(message => (message.role === 'assistant' ? [textOf(message.content ?? '')] : [])).join('\n'),
    images: request.messages.flatMap(message =>
      message.role === 'user' && typeof message.content !== 'string'
        ? message.content.flatMap(part => (part.type === 'image_url' ? [imageData(part.image_url.url)] : []))
        : [],
    ),
  };
  const conflicts = TOGETHER.map(rule => rule(request)).filter(problem => problem !== false);
  return { conversation, violations: [...orderProblems(request.messages), ...conflicts] };
}
