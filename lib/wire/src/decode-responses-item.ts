/** One item of a Responses input or output, to the intermediate form. */
import { RequestProblem } from './gateway-failure.ts';
import type { Item, MessageItem } from './item.ts';
import { asText, isObject, type JsonObject, objectsOf } from './json.ts';
import { readParts } from './read-parts.ts';
import { readResponsesTools } from './read-tools.ts';
import { readSealed } from './sealed.ts';

type Decoder = (item: JsonObject, at: string) => Item;

const ROLES: ReadonlySet<string> = new Set(['system', 'developer', 'user', 'assistant']);

function callId(item: JsonObject, at: string): string {
  const id = asText(item['call_id']);
  if (id === undefined || id === '') throw new RequestProblem('invalid_request', `${at} has no call_id.`);
  return id;
}

function toolName(item: JsonObject, at: string): string {
  const name = asText(item['name']);
  if (name === undefined || name === '') throw new RequestProblem('invalid_request', `${at} has no name.`);
  return name;
}

function call(kind: 'function' | 'custom'): Decoder {
  const field = kind === 'function' ? 'arguments' : 'input';
  return (item, at) => ({
    type: 'call',
    callId: callId(item, at),
    tool: { namespace: asText(item['namespace']), name: toolName(item, at), kind },
    input: asText(item[field]) ?? '',
    piece: item,
    wire: item,
  });
}

const result =
  (kind: 'function' | 'custom'): Decoder =>
  (item, at) => ({ type: 'result', callId: callId(item, at), kind, parts: readParts(item['output']), failed: false, piece: item, wire: item });

function message(item: JsonObject, at: string): Item {
  const role = asText(item['role']) ?? '';
  if (!ROLES.has(role)) throw new RequestProblem('invalid_request', `${at} has no role that a message can have.`);
  return { type: 'message', role: role as MessageItem['role'], parts: readParts(item['content']), wire: item };
}

/** Tool search that the upstream itself runs is opaque: its output belongs to that upstream. */
const isOwnSearch = (item: JsonObject): boolean => item['execution'] === 'client';
const opaque = (item: JsonObject): Item => ({ type: 'opaque', name: asText(item['type']) ?? 'unknown', wire: item, piece: item });
const texts = (list: unknown): readonly string[] => objectsOf(list).map(part => asText(part['text']) ?? '');

const DECODERS: Readonly<Record<string, Decoder>> = {
  message,
  reasoning: item => {
    const sealed = asText(item['encrypted_content']);
    return {
      type: 'reasoning',
      summary: texts(item['summary']),
      text: texts(item['content']),
      sealed: sealed === undefined ? undefined : readSealed(sealed, 'encrypted_content'),
      wire: item,
    };
  },
  function_call: call('function'),
  custom_tool_call: call('custom'),
  function_call_output: result('function'),
  custom_tool_call_output: result('custom'),
  tool_search_call: (item, at) =>
    isOwnSearch(item)
      ? {
          type: 'call',
          callId: callId(item, at),
          tool: { namespace: undefined, name: 'tool_search', kind: 'tool_search' },
          input: isObject(item['arguments']) ? JSON.stringify(item['arguments']) : (asText(item['arguments']) ?? ''),
          piece: item,
          wire: item,
        }
      : opaque(item),
  tool_search_output: (item, at) =>
    isOwnSearch(item)
      ? {
          type: 'search_output',
          callId: callId(item, at),
          tools: readResponsesTools(item['tools'], { source: 'tool_search_output', at: `${at}.tools` }),
          wire: item,
        }
      : opaque(item),
  additional_tools: (item, at) => ({
    type: 'additional_tools',
    tools: readResponsesTools(item['tools'], { source: 'additional_tools', at: `${at}.tools` }),
    wire: item,
  }),
  agent_message: item => ({ type: 'agent_message', parts: agentParts(item['content']), wire: item }),
};

/**
 * Codex puts what one agent writes to another into a field for sealed content. A model that seals nothing wrote it as
 * plain text, so it is read as text: without it a sub-agent has no task.
 */
const agentParts = (content: unknown): MessageItem['parts'] =>
  objectsOf(content).map(part => ({ type: 'text', text: asText(part['text']) ?? asText(part['encrypted_content']) ?? '' }));

/** @param at where the item stands, for the sentence of a failure. */
export function decodeResponsesItem(item: JsonObject, at: string): Item {
  const type = asText(item['type']) ?? (item['role'] === undefined ? 'unknown' : 'message');
  const decoder = Object.hasOwn(DECODERS, type) ? DECODERS[type] : undefined;
  return decoder === undefined ? opaque(item) : decoder(item, at);
}
