/** Events of a Messages upstream, to upstream events. Blocks go by their index. */
import { permanent } from './gateway-failure.ts';
import { asCount, asObject, asText, type JsonObject } from './json.ts';
import { readSealed } from './sealed.ts';
import type { FinishReason, ItemKey, OpenedItem, UpstreamEvent } from './stream-event.ts';
import { errorFailure } from './upstream-failure.ts';
import type { UpstreamReader } from './upstream-reader.ts';
import { readMessagesUsage } from './usage.ts';

const FINISH: Readonly<Record<string, FinishReason>> = {
  end_turn: 'stop',
  stop_sequence: 'stop',
  pause_turn: 'stop',
  tool_use: 'tool_calls',
  max_tokens: 'length',
  model_context_window_exceeded: 'length',
  refusal: 'refused',
};

type DeltaEvent = (key: ItemKey, delta: JsonObject) => UpstreamEvent;
const DELTAS: Readonly<Record<string, DeltaEvent>> = {
  text_delta: (key, delta) => ({ type: 'text', key, text: asText(delta['text']) ?? '' }),
  thinking_delta: (key, delta) => ({ type: 'reasoning', key, channel: 'summary', part: 0, text: asText(delta['thinking']) ?? '' }),
  signature_delta: (key, delta) => ({ type: 'seal', key, sealed: readSealed(asText(delta['signature']) ?? '', 'signature') }),
  input_json_delta: (key, delta) => ({ type: 'input', key, text: asText(delta['partial_json']) ?? '' }),
};

export function createMessagesReader(): UpstreamReader {
  let usage: JsonObject = {};
  let reason: string | undefined;
  let started = false;
  let done = false;
  const opaque = new Set<ItemKey>();

  const finished = (): readonly UpstreamEvent[] => {
    done = true;
    return [{ type: 'finish', reason: FINISH[reason ?? ''] ?? 'stop', native: reason, usage: readMessagesUsage(usage) }];
  };
  const failed = (wire: JsonObject): readonly UpstreamEvent[] => {
    done = true;
    return [{ type: 'failure', failure: errorFailure(wire, 'transient') }];
  };
  const readStart = (message: JsonObject): readonly UpstreamEvent[] => {
    if (started) return [{ type: 'failure', failure: permanent('second_start', 'The upstream started its answer twice.') }];
    started = true;
    usage = mergeUsage(usage, asObject(message['usage']));
    return [{ type: 'start', id: asText(message['id']) ?? '', model: asText(message['model']) ?? '', created: undefined, usage: readMessagesUsage(usage) }];
  };
  const readBlock = (wire: JsonObject, type: string): readonly UpstreamEvent[] => {
    const key = String(asCount(wire['index']) ?? 'none');
    const block = asObject(wire['content_block']);
    const known = type === 'content_block_start' ? startBlock(key, block ?? {}) : [];
    if (known.length > 0) return known;
    if (type === 'content_block_start') opaque.add(key);
    if (opaque.has(key)) return [{ type: 'opaque', name: type, wire, key, whole: block }];
    return type === 'content_block_stop' ? [{ type: 'close', key, final: {} }] : [readDelta(key, wire)];
  };
  const takeKnown = (wire: JsonObject, type: string): readonly UpstreamEvent[] => {
    switch (type) {
      case 'message_start':
        return readStart(asObject(wire['message']) ?? {});
      case 'content_block_start':
      case 'content_block_delta':
      case 'content_block_stop':
        return readBlock(wire, type);
      case 'message_delta':
        usage = mergeUsage(usage, asObject(wire['usage']));
        reason = asText(asObject(wire['delta'])?.['stop_reason']) ?? reason;
        return [];
      case 'message_stop':
        return finished();
      case 'error':
        return failed(wire);
      default:
        return [];
    }
  };
  return {
    take: wire => (done || wire === undefined ? [] : takeKnown(wire, asText(wire['type']) ?? (wire['error'] === undefined ? '' : 'error'))),
    end: () => (done || reason === undefined ? [] : finished()),
    usage: () => (reason === undefined ? undefined : readMessagesUsage(usage)),
  };
}

function readDelta(key: ItemKey, wire: JsonObject): UpstreamEvent {
  const delta = asObject(wire['delta']) ?? {};
  const kind = asText(delta['type']) ?? '';
  const event = Object.hasOwn(DELTAS, kind) ? DELTAS[kind] : undefined;
  return event?.(key, delta) ?? { type: 'opaque', name: 'content_block_delta', wire, key, whole: undefined };
}

/** The figures of message_delta are cumulative and replace those of the start. */
const mergeUsage = (before: JsonObject, added: JsonObject | undefined): JsonObject => ({
  ...before,
  ...Object.fromEntries(Object.entries(added ?? {}).filter(([, value]) => value !== null)),
});

/** A block may hold its beginning, or the whole of it; empty for a block of an unknown type. */
function startBlock(key: ItemKey, block: JsonObject): readonly UpstreamEvent[] {
  const open = (item: OpenedItem): UpstreamEvent => ({ type: 'open', key, item });
  switch (block['type']) {
    case 'text':
      return [open({ kind: 'message', id: undefined, wire: undefined }), { type: 'text', key, text: asText(block['text']) ?? '' }];
    case 'thinking':
      return [open({ kind: 'reasoning', id: undefined, wire: undefined }), ...startThinking(key, block)];
    case 'redacted_thinking':
      return [open({ kind: 'reasoning', id: undefined, wire: undefined }), { type: 'seal', key, sealed: readSealed(asText(block['data']) ?? '', 'redacted') }];
    case 'tool_use': {
      const input = asObject(block['input']) ?? {};
      const call: OpenedItem = {
        kind: 'call',
        id: undefined,
        wire: undefined,
        callId: asText(block['id']),
        name: asText(block['name']) ?? '',
        namespace: undefined,
        callKind: 'function',
      };
      return Object.keys(input).length === 0 ? [open(call)] : [open(call), { type: 'input', key, text: JSON.stringify(input) }];
    }
    default:
      return [];
  }
}

function startThinking(key: ItemKey, block: JsonObject): readonly UpstreamEvent[] {
  const text = asText(block['thinking']) ?? '';
  const signature = asText(block['signature']) ?? '';
  return [
    { type: 'reasoning', key, channel: 'summary', part: 0, text },
    ...(signature === '' ? [] : [{ type: 'seal', key, sealed: readSealed(signature, 'signature') } as const]),
  ];
}
