/** A Messages request, to the intermediate form. Blocks keep their order; each tool_result is an item of its own. */
import type { ToolChoice, ToolDeclaration } from '@weir/tool-plan';
import { decodeMessagesBlock } from './decode-messages-block.ts';
import { RequestProblem } from './gateway-failure.ts';
import { type Item, MAX_ITEMS, type MessageItem, type Part } from './item.ts';
import { asCount, asList, asNumber, asObject, asText, isObject, type JsonObject } from './json.ts';
import type { AnswerFormat, ModelRequest } from './model-request.ts';
import { readParts } from './read-parts.ts';
import { readMessagesTools } from './read-tools.ts';

export function decodeMessages(body: JsonObject): ModelRequest {
  const tools = readMessagesTools(body['tools']);
  const output = asObject(body['output_config']);
  const choice = asObject(body['tool_choice']);
  return {
    protocol: 'messages',
    model: asText(body['model']) ?? '',
    stream: body['stream'] === true,
    items: [...systemOf(body['system']), ...itemsOf(body['messages'])],
    tools,
    emptyTools: Array.isArray(body['tools']) && tools.length === 0,
    choice: readChoice(choice, tools),
    parallelCalls: typeof choice?.['disable_parallel_tool_use'] === 'boolean' ? !choice['disable_parallel_tool_use'] : undefined,
    answerFormat: readFormat(asObject(output?.['format'] ?? body['output_format'])),
    settings: {
      maxOutputTokens: asCount(body['max_tokens']),
      temperature: asNumber(body['temperature']),
      topP: asNumber(body['top_p']),
      stop: asList(body['stop_sequences']).filter(word => typeof word === 'string'),
      effort: asText(output?.['effort']),
      verbosity: undefined,
      cacheKey: undefined,
    },
    wantsUsageChunk: true,
    wire: body,
  };
}

/** Marks the item that stands for the top-level `system`, which is no message on the wire. */
export const SYSTEM: JsonObject = Object.freeze({ system: true });

function systemOf(system: unknown): readonly Item[] {
  const parts = readParts(system);
  return parts.length === 0 ? [] : [{ type: 'message', role: 'system', parts, wire: SYSTEM }];
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
  const role = message['role'];
  if (role !== 'user' && role !== 'assistant' && role !== 'system') throw new RequestProblem('invalid_request', `${at} has no role that a message can have.`);
  if (typeof message['content'] === 'string') return [{ type: 'message', role, parts: readParts(message['content']), wire: message }];
  const items: Item[] = [];
  let parts: Part[] = [];
  const flush = (): void => {
    if (parts.length > 0) items.push({ type: 'message', role, parts, wire: message });
    parts = [];
  };
  asList(message['content']).forEach((block, index) => {
    const read = decodeMessagesBlock(block, { message, role: role satisfies MessageItem['role'], at: `${at}.content[${index}]` });
    if ('part' in read) parts.push(read.part);
    else {
      flush();
      items.push(read.item);
    }
  });
  flush();
  return items;
}

function readChoice(choice: JsonObject | undefined, tools: readonly ToolDeclaration[]): ToolChoice | undefined {
  const name = asText(choice?.['name']) ?? '';
  switch (choice?.['type']) {
    case undefined:
      return undefined;
    case 'auto':
    case 'none':
      return { mode: choice['type'] as 'auto' | 'none' };
    case 'any':
      return { mode: 'required' };
    case 'tool': {
      const hosted = tools.find(tool => tool.kind === 'hosted' && tool.wire['name'] === name);
      return { mode: 'named', tool: hosted ?? { namespace: undefined, name, kind: 'function' } };
    }
    default:
      throw new RequestProblem('invalid_request', 'tool_choice has a type that the protocol does not know.');
  }
}

function readFormat(format: JsonObject | undefined): AnswerFormat | undefined {
  if (format?.['type'] !== 'json_schema') return undefined;
  const schema = asObject(format['schema']);
  if (schema === undefined) throw new RequestProblem('invalid_request', 'output_config.format is a json_schema without a schema.');
  return { kind: 'json_schema', name: 'answer', schema, strict: true, description: undefined };
}
