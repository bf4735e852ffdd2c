/**
 * Events of a Responses upstream, to upstream events. Items go by their output_index; upstreams that leave it out are
 * followed by item id. An item may also come whole, without a start or deltas.
 */
import { permanent } from './gateway-failure.ts';
import { asCount, asObject, asText, isObject, type JsonObject, objectsOf } from './json.ts';
import { readSealed } from './sealed.ts';
import type { CallKind, FinalItem, FinishReason, ItemKey, OpenedItem, UpstreamEvent } from './stream-event.ts';
import { errorFailure } from './upstream-failure.ts';
import type { UpstreamReader } from './upstream-reader.ts';
import { readOpenAiUsage, type TokenUsage } from './usage.ts';

const CALL_KINDS: Readonly<Record<string, CallKind>> = { function_call: 'function', custom_tool_call: 'custom', tool_search_call: 'tool_search' };

/** Events that repeat what others say; our writer makes its own. */
const REPEATED: ReadonlySet<string> = new Set([
  'response.in_progress',
  'response.queued',
  'response.content_part.added',
  'response.content_part.done',
  'response.output_text.done',
  'response.refusal.done',
  'response.reasoning_summary_part.added',
  'response.reasoning_summary_part.done',
  'response.reasoning_summary_text.done',
  'response.reasoning_text.done',
  'response.function_call_arguments.done',
  'response.custom_tool_call_input.done',
]);

type DeltaEvent = (key: ItemKey, text: string, wire: JsonObject) => UpstreamEvent;
const DELTAS: Readonly<Record<string, DeltaEvent>> = {
  'response.output_text.delta': (key, text) => ({ type: 'text', key, text }),
  'response.refusal.delta': (key, text) => ({ type: 'refusal', key, text }),
  'response.function_call_arguments.delta': (key, text) => ({ type: 'input', key, text }),
  'response.custom_tool_call_input.delta': (key, text) => ({ type: 'input', key, text }),
  'response.reasoning_summary_text.delta': (key, text, wire) => ({
    type: 'reasoning',
    key,
    channel: 'summary',
    part: asCount(wire['summary_index']) ?? 0,
    text,
  }),
  'response.reasoning_text.delta': (key, text, wire) => ({ type: 'reasoning', key, channel: 'text', part: asCount(wire['content_index']) ?? 0, text }),
};

const INCOMPLETE: Readonly<Record<string, FinishReason>> = { max_output_tokens: 'length', content_filter: 'refused' };

export function createResponsesReader(): UpstreamReader {
  const keys = new Map<string, ItemKey>();
  const opened = new Set<ItemKey>();
  let started = false;
  let done = false;
  let sequence = -1;
  let anonymous = 0;
  let usage: TokenUsage | undefined;

  const start = (response: JsonObject): UpstreamEvent => {
    started = true;
    const created = asCount(response['created_at']);
    return { type: 'start', id: asText(response['id']) ?? '', model: asText(response['model']) ?? '', created, usage: undefined };
  };
  const keyOf = (wire: JsonObject, item: JsonObject | undefined): ItemKey => {
    const id = asText(item?.['id']) ?? asText(wire['item_id']);
    const index = asCount(wire['output_index']);
    const key = index === undefined ? (id === undefined ? undefined : keys.get(id)) : `i${index}`;
    const settled = key ?? `n${(anonymous += 1)}`;
    if (id !== undefined) keys.set(id, settled);
    return settled;
  };
  const added = (wire: JsonObject, item: JsonObject): readonly UpstreamEvent[] => {
    const key = keyOf(wire, item);
    const open = openedItem(item);
    opened.add(key);
    return open === undefined ? [{ type: 'opaque', name: asText(wire['type']) ?? '', wire, key, whole: undefined }] : [{ type: 'open', key, item: open }];
  };
  const ended = (wire: JsonObject, item: JsonObject): readonly UpstreamEvent[] => {
    const key = keyOf(wire, item);
    const open = openedItem(item);
    if (open === undefined) return [{ type: 'opaque', name: 'response.output_item.done', wire: { ...wire, item }, key, whole: item }];
    const before: readonly UpstreamEvent[] = opened.has(key) ? [] : [{ type: 'open', key, item: open }];
    opened.add(key);
    const seal = asText(item['encrypted_content']);
    const sealed: readonly UpstreamEvent[] =
      seal === undefined || open.kind !== 'reasoning' ? [] : [{ type: 'seal', key, sealed: readSealed(seal, 'encrypted_content') }];
    return [...before, ...sealed, { type: 'close', key, final: finalItem(item) }];
  };
  const terminal = (wire: JsonObject, response: JsonObject): readonly UpstreamEvent[] => {
    done = true;
    usage = readOpenAiUsage(asObject(response['usage'])) ?? usage;
    if (wire['type'] === 'response.failed') return [{ type: 'failure', failure: errorFailure(asObject(response['error']), 'transient') }];
    const native = asText(asObject(response['incomplete_details'])?.['reason']);
    const late = opened.size > 0 ? [] : objectsOf(response['output']).flatMap(item => ended({}, item));
    return [...late, { type: 'finish', reason: wire['type'] === 'response.incomplete' ? (INCOMPLETE[native ?? ''] ?? 'length') : 'stop', native, usage }];
  };
  const takeItem = (wire: JsonObject, type: string, item: JsonObject): readonly UpstreamEvent[] =>
    type === 'response.output_item.added' ? added(wire, item) : ended(wire, item);
  const takeKnown = (wire: JsonObject, type: string): readonly UpstreamEvent[] => {
    const delta = Object.hasOwn(DELTAS, type) ? DELTAS[type] : undefined;
    if (delta !== undefined) return [delta(keyOf(wire, undefined), asText(wire['delta']) ?? '', wire)];
    const item = ITEM_EVENTS.has(type) ? asObject(wire['item']) : undefined;
    if (item !== undefined) return takeItem(wire, type, item);
    if (REPEATED.has(type)) return [];
    return [{ type: 'opaque', name: type, wire, key: wire['output_index'] === undefined ? undefined : keyOf(wire, undefined), whole: undefined }];
  };
  const isNext = (wire: JsonObject): boolean => {
    const number = asCount(wire['sequence_number']);
    const next = number === undefined || number === 0 || number > sequence;
    sequence = number ?? sequence;
    return next;
  };
  const take = (wire: JsonObject): readonly UpstreamEvent[] => {
    const type = asText(wire['type']) ?? '';
    if (!isNext(wire)) return [{ type: 'failure', failure: permanent('out_of_order', 'The upstream sent an event twice or out of order.') }];
    if (type === 'error' || (type === '' && wire['error'] !== undefined)) {
      done = true;
      return [{ type: 'failure', failure: errorFailure(wire, 'transient') }];
    }
    const response = asObject(wire['response']) ?? {};
    if (type === 'response.created') return [start(response)];
    const first = started ? [] : [start(response)];
    return [...first, ...(TERMINAL.has(type) ? terminal(wire, response) : takeKnown(wire, type))];
  };
  return { take: wire => (done || wire === undefined ? [] : take(wire)), end: () => [], usage: () => usage };
}

const ITEM_EVENTS: ReadonlySet<string> = new Set(['response.output_item.added', 'response.output_item.done']);
const TERMINAL: ReadonlySet<string> = new Set(['response.completed', 'response.incomplete', 'response.failed']);

/** Undefined for an item of a type that the intermediate form does not know. */
function openedItem(item: JsonObject): OpenedItem | undefined {
  const type = asText(item['type']) ?? '';
  const id = asText(item['id']);
  if (type === 'message' || type === 'reasoning') return { kind: type, id, wire: item };
  const callKind = Object.hasOwn(CALL_KINDS, type) ? CALL_KINDS[type] : undefined;
  if (callKind === undefined || (callKind === 'tool_search' && item['execution'] !== 'client')) return undefined;
  const name = callKind === 'tool_search' ? 'tool_search' : (asText(item['name']) ?? '');
  return { kind: 'call', id, wire: item, callId: asText(item['call_id']), name, namespace: asText(item['namespace']), callKind };
}

const joined = (parts: readonly JsonObject[], type: string, field: string): string =>
  parts
    .filter(part => part['type'] === type)
    .map(part => asText(part[field]) ?? '')
    .join('');
const texts = (list: unknown): readonly string[] => objectsOf(list).map(part => asText(part['text']) ?? '');

function finalItem(item: JsonObject): FinalItem {
  const content = objectsOf(item['content']);
  switch (item['type']) {
    case 'message':
      return { text: joined(content, 'output_text', 'text'), refusal: joined(content, 'refusal', 'refusal'), wire: item };
    case 'reasoning':
      return { summary: texts(item['summary']), reasoning: texts(item['content']), wire: item };
    default:
      return { input: finalInput(item), wire: item };
  }
}

function finalInput(item: JsonObject): string | undefined {
  const input = item['type'] === 'custom_tool_call' ? item['input'] : item['arguments'];
  return isObject(input) ? JSON.stringify(input) : asText(input);
}
