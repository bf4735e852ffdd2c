/** One content block of a Messages message: a part of the message around it, or an item of its own. */
import { RequestProblem } from './gateway-failure.ts';
import type { Item, Part } from './item.ts';
import { asText, isObject, type JsonObject } from './json.ts';
import { readPart, readParts } from './read-parts.ts';
import { readSealed } from './sealed.ts';

export interface BlockPlace {
  readonly message: JsonObject;
  readonly role: 'system' | 'user' | 'assistant';
  /** Where the block stands, for the sentence of a failure. */
  readonly at: string;
}

type Block = { readonly part: Part } | { readonly item: Item };

/** Blocks that a provider's own tools leave behind; they are items, since they stand between calls and text. */
const OPAQUE = /^(?:server_tool_use|mcp_tool_use|[a-z_]{1,60}_tool_result|container_upload|compaction)$/;

export function decodeMessagesBlock(block: unknown, place: BlockPlace): Block {
  if (!isObject(block)) throw new RequestProblem('invalid_request', `${place.at} is not an object.`);
  const type = asText(block['type']) ?? '';
  switch (type) {
    case 'tool_use':
      return { item: call(block, place) };
    case 'tool_result':
      return { item: result(block, place) };
    case 'thinking':
    case 'redacted_thinking':
      return { item: reasoning(block, place) };
    default:
      return OPAQUE.test(type) ? { item: { type: 'opaque', name: type, wire: place.message, piece: block } } : { part: readPart(block) };
  }
}

function call(block: JsonObject, { message, at }: BlockPlace): Item {
  const callId = asText(block['id']) ?? '';
  const name = asText(block['name']) ?? '';
  if (callId === '' || name === '') throw new RequestProblem('invalid_request', `${at} has no id or no name.`);
  return {
    type: 'call',
    callId,
    tool: { namespace: undefined, name, kind: 'function' },
    input: JSON.stringify(block['input'] ?? {}),
    piece: block,
    wire: message,
  };
}

function result(block: JsonObject, { message, at }: BlockPlace): Item {
  const callId = asText(block['tool_use_id']) ?? '';
  if (callId === '') throw new RequestProblem('invalid_request', `${at} has no tool_use_id.`);
  return {
    type: 'result',
    callId,
    kind: 'function',
    parts: readParts(block['content']),
    failed: block['is_error'] === true,
    piece: block,
    wire: message,
  };
}

function reasoning(block: JsonObject, { message }: BlockPlace): Item {
  const redacted = asText(block['data']);
  const signature = asText(block['signature']);
  const text = asText(block['thinking']);
  const sealed = redacted === undefined ? signature : redacted;
  return {
    type: 'reasoning',
    summary: [],
    text: text === undefined || text === '' ? [] : [text],
    sealed: sealed === undefined || sealed === '' ? undefined : readSealed(sealed, redacted === undefined ? 'signature' : 'redacted'),
    wire: message,
  };
}
