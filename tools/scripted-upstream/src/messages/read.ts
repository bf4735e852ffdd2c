/** Reads a Messages body: its fields by the schema, then the order of turns, calls and results, then what it says. */
import type { IncomingHttpHeaders } from 'node:http';
import type { Conversation, Reading, ToolResult } from '../conversation.ts';
import { parametersOf } from '../conversation.ts';
import { ruleProblems } from '../rule-problems.ts';
import { type Block, type Message, type MessagesRequest, messagesRequest } from './request.ts';

const MAX_CACHE_MARKS = 4;
const VERSION = '2023-06-01';
const blocksOf = (message: Message): readonly Block[] => (typeof message.content === 'string' ? [] : message.content);
const textOf = (message: Message): string =>
  typeof message.content === 'string'
    ? message.content
    : blocksOf(message)
        .map(block => (block.type === 'text' ? block.text : ''))
        .join('\n');
const callsIn = (message: Message): readonly string[] => blocksOf(message).flatMap(block => (block.type === 'tool_use' ? [block.id] : []));
const resultsIn = (message: Message) => blocksOf(message).flatMap(block => (block.type === 'tool_result' ? [block] : []));

/** The results of an assistant's calls stand first in the very next message, each once. */
function resultProblems(messages: readonly Message[]): readonly string[] {
  return messages.flatMap((message, index) => {
    const before = messages[index - 1];
    const waiting = new Set(before === undefined ? [] : callsIn(before));
    const problems = resultsIn(message).flatMap(result =>
      waiting.delete(result.tool_use_id) ? [] : [`messages.${index}: unexpected tool_use_id '${result.tool_use_id}' in a tool_result.`],
    );
    const missing = [...waiting].map(id => `messages.${index}: tool_use '${id}' was found without a tool_result block immediately after.`);
    const blocks = blocksOf(message);
    const first = blocks.findIndex(block => block.type !== 'tool_result');
    const late = first >= 0 && blocks.slice(first).some(block => block.type === 'tool_result');
    return [...problems, ...missing, ...(late ? [`messages.${index}: tool_result blocks must come first.`] : [])];
  });
}

/** The vendor joins two messages of the user; a client that says two things may send them so. */
const isPlainPair = (message: Message, before: Message | undefined): boolean =>
  message.role === 'user' && before !== undefined && resultsIn(message).length === 0 && resultsIn(before).length === 0;

function turnProblems(messages: readonly Message[]): readonly string[] {
  const repeated = messages.flatMap((message, index) =>
    index > 0 && message.role === messages[index - 1]?.role && !isPlainPair(message, messages[index - 1])
      ? [`messages.${index}: roles must alternate, but '${message.role}' stands twice.`]
      : [],
  );
  const ids = messages.flatMap(callsIn);
  const last = messages.at(-1);
  return [
    ...repeated,
    ...(messages[0]?.role === 'user' ? [] : ['messages.0: the first message must be of the user.']),
    ...(new Set(ids).size === ids.length ? [] : ['tool_use ids must be unique.']),
    ...(last !== undefined && callsIn(last).length > 0 ? ['The last message holds tool_use without tool_result.'] : []),
  ];
}

function fieldProblems(request: MessagesRequest, headers: IncomingHttpHeaders): readonly string[] {
  const betas = String(headers['anthropic-beta'] ?? '');
  const marks = JSON.stringify([request.system, request.messages, request.tools]).split('"cache_control":{').length - 1;
  const names = (request.tools ?? []).map(tool => tool.name);
  const budget = request.thinking?.type === 'enabled' ? request.thinking.budget_tokens : 0;
  const rules: readonly (readonly [boolean, string])[] = [
    [headers['anthropic-version'] !== VERSION, `anthropic-version: must be ${VERSION}.`],
    [marks > MAX_CACHE_MARKS, `A maximum of ${MAX_CACHE_MARKS} blocks with cache_control may be provided; found ${marks}.`],
    [new Set(names).size !== names.length, 'tools: names must be unique.'],
    [request.tool_choice !== undefined && names.length === 0, 'tool_choice may only be specified while providing tools.'],
    [budget >= request.max_tokens, 'max_tokens must be greater than thinking.budget_tokens.'],
    [Boolean(request.context_management) && !betas.includes('context-management-'), 'context_management: needs its anthropic-beta header.'],
    [request.messages.some(message => message.role === 'system') && betas === '', "messages: role 'system' needs an anthropic-beta header."],
  ];
  return rules.filter(([broken]) => broken).map(([, sentence]) => sentence);
}

const imageOf = (block: Block | { readonly type: string }): readonly string[] =>
  block.type === 'image' && 'source' in block && block.source.type === 'base64' ? [block.source.data] : [];

function resultOf(block: Extract<Block, { type: 'tool_result' }>): ToolResult {
  const parts = typeof block.content === 'string' ? [{ type: 'text' as const, text: block.content }] : (block.content ?? []);
  return {
    callId: block.tool_use_id,
    text: parts.map(part => (part.type === 'text' ? part.text : part.type === 'tool_reference' ? part.tool_name : '')).join('\n'),
    images: parts.flatMap(part => imageOf(part)),
  };
}

export function readMessages(body: unknown, headers: IncomingHttpHeaders): Reading {
  const parsed = messagesRequest.safeParse(body);
  if (!parsed.success) return { conversation: null, violations: ruleProblems(parsed.error) };
  const request = parsed.data;
  const conversation: Conversation = {
    model: request.model,
    stream: request.stream === true,
    wantsUsage: true,
    wantsReasoning: request.thinking !== undefined && request.thinking.type !== 'disabled',
    parallel: !(request.tool_choice !== undefined && 'disable_parallel_tool_use' in request.tool_choice && request.tool_choice.disable_parallel_tool_use),
    schema: request.output_config?.format?.['schema'] ?? null,
    tools: (request.tools ?? []).map(tool => ({ name: tool.name, namespace: null, kind: 'function', ...parametersOf(tool.input_schema) })),
    calls: request.messages.flatMap(callsIn),
    results: request.messages.flatMap(resultsIn).map(resultOf),
    userText: request.messages.flatMap(message => (message.role === 'user' ? [textOf(message)] : [])).join('\n'),
    assistantText: request.messages.flatMap(message => (message.role === 'assistant' ? [textOf(message)] : [])).join('\n'),
    images: request.messages.flatMap(message => (message.role === 'user' ? blocksOf(message).flatMap(imageOf) : [])),
  };
  return { conversation, violations: [...turnProblems(request.messages), ...resultProblems(request.messages), ...fieldProblems(request, headers)] };
}
