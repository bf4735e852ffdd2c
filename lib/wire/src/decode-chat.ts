/** A Chat Completions request, to the intermediate form. One assistant message becomes reasoning, text and calls, in that order. */
import { REASONING_FIELDS } from './chat.wire.ts';
import { readResponsesChoice } from './decode-responses.ts';
import { RequestProblem } from './gateway-failure.ts';
import { type CallItem, type Item, MAX_ITEMS, type MessageItem } from './item.ts';
import { asCount, asFlag, asList, asNumber, asObject, asText, isObject, type JsonObject, objectsOf } from './json.ts';
import type { AnswerFormat, ModelRequest } from './model-request.ts';
import { readParts } from './read-parts.ts';
import { readChatTools } from './read-tools.ts';

export function decodeChat(body: JsonObject): ModelRequest {
  return {
    protocol: 'chat',
    model: asText(body['model']) ?? '',
    stream: body['stream'] === true,
    items: itemsOf(body['messages']),
    tools: readChatTools(body['tools']),
    emptyTools: Array.isArray(body['tools']) && body['tools'].length === 0,
    choice: readResponsesChoice(body['tool_choice']),
    parallelCalls: asFlag(body['parallel_tool_calls']),
    answerFormat: readFormat(asObject(body['response_format'])),
    settings: {
      maxOutputTokens: asCount(body['max_completion_tokens']) ?? asCount(body['max_tokens']),
      temperature: asNumber(body['temperature']),
      topP: asNumber(body['top_p']),
      stop: (typeof body['stop'] === 'string' ? [body['stop']] : asList(body['stop'])).filter(word => typeof word === 'string'),
      effort: asText(body['reasoning_effort']),
      verbosity: asText(body['verbosity']),
      cacheKey: asText(body['prompt_cache_key']),
    },
    wantsUsageChunk: asObject(body['stream_options'])?.['include_usage'] === true,
    wire: body,
  };
}

function itemsOf(messages: unknown): readonly Item[] {
  if (!Array.isArray(messages)) throw new RequestProblem('invalid_request', 'messages is not a list.');
  if (messages.length > MAX_ITEMS) throw new RequestProblem('invalid_request', `messages has more than ${MAX_ITEMS} entries.`);
  return messages.flatMap((message: unknown, index) => {
    if (!isObject(message)) throw new RequestProblem('invalid_request', `messages[${index}] is not an object.`);
    return messageItems(message, `messages[${index}]`);
  });
}

function messageItems(message: JsonObject, at: string): readonly Item[] {
  switch (message['role']) {
    case 'system':
    case 'developer':
    case 'user':
      return [{ type: 'message', role: message['role'] as MessageItem['role'], parts: readParts(message['content']), wire: message }];
    case 'assistant':
      return assistantItems(message, at);
    case 'tool':
      return [toolResult(message, at)];
    default:
      return [{ type: 'opaque', name: `message of role ${JSON.stringify(asText(message['role'])?.slice(0, 40) ?? null)}`, wire: message, piece: message }];
  }
}

function toolResult(message: JsonObject, at: string): Item {
  const callId = asText(message['tool_call_id']);
  if (callId === undefined || callId === '') throw new RequestProblem('invalid_request', `${at} has no tool_call_id.`);
  return { type: 'result', callId, kind: 'function', parts: readParts(message['content']), failed: false, piece: message, wire: message };
}

function assistantItems(message: JsonObject, at: string): readonly Item[] {
  const items: Item[] = [];
  const reasoning = REASONING_FIELDS.map(field => asText(message[field])).find(text => text !== undefined && text !== '');
  if (reasoning !== undefined) items.push({ type: 'reasoning', summary: [], text: [reasoning], sealed: undefined, wire: message });
  const refusal = asText(message['refusal']);
  const parts = [...readParts(message['content']), ...(refusal === undefined ? [] : [{ type: 'refusal', text: refusal } as const])];
  const calls = objectsOf(message['tool_calls']);
  if (parts.length > 0 || (calls.length === 0 && reasoning === undefined)) items.push({ type: 'message', role: 'assistant', parts, wire: message });
  return [...items, ...calls.map((call, index) => callItem(call, message, `${at}.tool_calls[${index}]`))];
}

function callItem(call: JsonObject, message: JsonObject, at: string): CallItem {
  const kind = call['type'] === 'custom' ? 'custom' : 'function';
  const inner = asObject(call[kind]) ?? {};
  const callId = asText(call['id']);
  const name = asText(inner['name']);
  if (callId === undefined || callId === '' || name === undefined || name === '') throw new RequestProblem('invalid_request', `${at} has no id or no name.`);
  return {
    type: 'call',
    callId,
    tool: { namespace: undefined, name, kind },
    input: asText(kind === 'custom' ? inner['input'] : inner['arguments']) ?? '',
    piece: call,
    wire: message,
  };
}

function readFormat(format: JsonObject | undefined): AnswerFormat | undefined {
  if (format?.['type'] === 'json_object') return { kind: 'json_object' };
  if (format?.['type'] !== 'json_schema') return undefined;
  const inner = asObject(format['json_schema']);
  const schema = asObject(inner?.['schema']);
  if (schema === undefined) throw new RequestProblem('invalid_request', 'response_format is a json_schema without a schema.');
  return {
    kind: 'json_schema',
    name: asText(inner?.['name']) ?? 'answer',
    schema,
    strict: asFlag(inner?.['strict']),
    description: asText(inner?.['description']),
  };
}
