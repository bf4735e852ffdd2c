/**
 * Chunks of a chat upstream, to upstream events. Calls are told apart by id first and index second (cases 6 to 10): a new
 * id at a used index is a new call, and a piece without either belongs to the call that was opened last.
 */
import { REASONING_FIELDS } from './chat.wire.ts';
import { permanent } from './gateway-failure.ts';
import { asCount, asObject, asText, isObject, type JsonObject, objectsOf } from './json.ts';
import type { CallKind, FinishReason, ItemKey, UpstreamEvent } from './stream-event.ts';
import { errorFailure } from './upstream-failure.ts';
import { readOpenAiUsage, type TokenUsage } from './usage.ts';
import type { UpstreamReader } from './upstream-reader.ts';

const FINISH: Readonly<Record<string, FinishReason>> = {
  stop: 'stop',
  length: 'length',
  max_tokens: 'length',
  content_filter: 'refused',
  tool_calls: 'tool_calls',
  function_call: 'tool_calls',
};

interface OpenCall {
  readonly key: ItemKey;
  readonly id: string | undefined;
  readonly kind: CallKind;
  /** Empty until the upstream says it. */
  name: string;
  /** Input that came before the name. */
  waiting: string;
}

export function createChatReader(): UpstreamReader {
  const calls: OpenCall[] = [];
  const byId = new Map<string, OpenCall>();
  const byIndex = new Map<number, OpenCall>();
  let started = false;
  let items = 0;
  let current: { readonly kind: 'message' | 'reasoning'; readonly key: ItemKey } | undefined;
  let finish: { readonly reason: FinishReason; readonly native: string } | undefined;
  let usage: TokenUsage | undefined;
  let done = false;

  const nextKey = (): ItemKey => String((items += 1));
  const closeCurrent = (): readonly UpstreamEvent[] => {
    const closed = current;
    current = undefined;
    return closed === undefined ? [] : [{ type: 'close', key: closed.key, final: {} }];
  };
  const say = (kind: 'message' | 'reasoning', text: string, event: (key: ItemKey) => UpstreamEvent): readonly UpstreamEvent[] => {
    if (text === '') return [];
    if (current?.kind === kind) return [event(current.key)];
    const closed = closeCurrent();
    current = { kind, key: nextKey() };
    return [...closed, { type: 'open', key: current.key, item: { kind, id: undefined, wire: undefined } }, event(current.key)];
  };
  const takeCall = (delta: JsonObject): readonly UpstreamEvent[] => {
    const piece = readPiece(delta);
    const found = findCall(piece, { calls, byId, byIndex });
    if (found === 'duplicate') return [{ type: 'failure', failure: permanent('duplicate_call_id', 'The upstream gave two tool calls one id.') }];
    const call = found ?? { key: nextKey(), id: piece.id, kind: piece.kind, name: '', waiting: '' };
    if (found === undefined) calls.push(call);
    if (piece.id !== undefined) byId.set(piece.id, call);
    if (piece.index !== undefined) byIndex.set(piece.index, call);
    return [...closeCurrent(), ...feedCall(call, piece)];
  };
  const takeChoice = (choice: JsonObject): readonly UpstreamEvent[] => {
    const { reasoning, text, refusal, pieces } = readDelta(asObject(choice['delta']) ?? asObject(choice['message']) ?? {});
    if (finish !== undefined && (reasoning + text + refusal !== '' || pieces.length > 0)) {
      return [{ type: 'failure', failure: permanent('delta_after_done', 'The upstream went on after it had said that the answer is finished.') }];
    }
    const events = [
      ...say('reasoning', reasoning, key => ({ type: 'reasoning', key, channel: 'summary', part: 0, text: reasoning })),
      ...say('message', text, key => ({ type: 'text', key, text })),
      ...say('message', refusal, key => ({ type: 'refusal', key, text: refusal })),
      ...pieces.flatMap(takeCall),
    ];
    const native = asText(choice['finish_reason']) ?? '';
    if (native !== '') finish = { reason: FINISH[native] ?? 'stop', native };
    return events;
  };
  const finished = (): readonly UpstreamEvent[] => {
    done = true;
    const nameless = calls.find(call => call.name === '');
    if (nameless !== undefined) return [{ type: 'failure', failure: permanent('call_without_name', 'The upstream made a tool call without a name.') }];
    const closing = calls.map((call): UpstreamEvent => ({ type: 'close', key: call.key, final: {} }));
    return [...closeCurrent(), ...closing, { type: 'finish', reason: finish?.reason ?? 'stop', native: finish?.native, usage }];
  };
  const start = (wire: JsonObject): readonly UpstreamEvent[] => {
    if (started) return [];
    started = true;
    return [{ type: 'start', id: asText(wire['id']) ?? '', model: asText(wire['model']) ?? '', created: asCount(wire['created']), usage: undefined }];
  };
  const takeChunk = (wire: JsonObject): readonly UpstreamEvent[] => {
    if (isObject(wire['error'])) {
      done = true;
      return [{ type: 'failure', failure: errorFailure(wire, 'transient') }];
    }
    usage = readOpenAiUsage(asObject(wire['usage'])) ?? usage;
    const choice = objectsOf(wire['choices']).find(each => (each['index'] ?? 0) === 0);
    return choice === undefined ? start(wire) : [...start(wire), ...takeChoice(choice)];
  };
  return {
    take: (wire, mark) => {
      if (done) return [];
      if (wire === undefined) return mark === '[DONE]' ? finished() : [];
      return takeChunk(wire);
    },
    end: () => (done || finish === undefined ? [] : finished()),
    usage: () => usage,
  };
}

interface Delta {
  readonly reasoning: string;
  readonly text: string;
  readonly refusal: string;
  readonly pieces: readonly JsonObject[];
}

const readDelta = (delta: JsonObject): Delta => ({
  reasoning: REASONING_FIELDS.map(field => asText(delta[field]) ?? '').find(text => text !== '') ?? '',
  text: asText(delta['content']) ?? '',
  refusal: asText(delta['refusal']) ?? '',
  pieces: objectsOf(delta['tool_calls']),
});

interface CallPiece {
  readonly id: string | undefined;
  readonly index: number | undefined;
  readonly kind: CallKind;
  readonly name: string;
  readonly input: string;
}

function readPiece(delta: JsonObject): CallPiece {
  const kind = delta['type'] === 'custom' || asObject(delta['custom']) !== undefined ? 'custom' : 'function';
  const inner = asObject(delta[kind]) ?? {};
  const input = inner[kind === 'custom' ? 'input' : 'arguments'];
  return {
    id: asText(delta['id']) === '' ? undefined : asText(delta['id']),
    index: asCount(delta['index']),
    kind,
    name: asText(inner['name']) ?? '',
    input: asText(input) ?? (asObject(input) === undefined ? '' : JSON.stringify(input)),
  };
}

interface KnownCalls {
  readonly calls: readonly OpenCall[];
  readonly byId: ReadonlyMap<string, OpenCall>;
  readonly byIndex: ReadonlyMap<number, OpenCall>;
}

/** The call that a piece belongs to; undefined for a new one. */
function findCall(piece: CallPiece, known: KnownCalls): OpenCall | 'duplicate' | undefined {
  const atIndex = piece.index === undefined ? undefined : known.byIndex.get(piece.index);
  if (piece.id !== undefined) return findById(piece, known.byId.get(piece.id), atIndex);
  if (atIndex === undefined) return piece.name === '' ? known.calls.at(-1) : undefined;
  const another = piece.name !== '' && atIndex.name !== '' && piece.name !== atIndex.name;
  return another ? undefined : atIndex;
}

/** The id wins over the index. A second call with its own name and index under a known id is a duplicate. */
function findById({ index, name }: CallPiece, known: OpenCall | undefined, atIndex: OpenCall | undefined): OpenCall | 'duplicate' | undefined {
  if (known !== undefined) return name !== '' && index !== undefined && atIndex !== known ? 'duplicate' : known;
  const waits = atIndex !== undefined && atIndex.id === undefined && atIndex.name === '';
  return waits ? atIndex : undefined;
}

/** A call opens with its name; a name that is repeated in later pieces is not appended. */
function feedCall(call: OpenCall, { name, input }: CallPiece): readonly UpstreamEvent[] {
  if (call.name !== '') return input === '' ? [] : [{ type: 'input', key: call.key, text: input }];
  call.waiting += input;
  if (name === '') return [];
  call.name = name;
  const open: UpstreamEvent = {
    type: 'open',
    key: call.key,
    item: { kind: 'call', id: undefined, wire: undefined, callId: call.id, name, namespace: undefined, callKind: call.kind },
  };
  return call.waiting === '' ? [open] : [open, { type: 'input', key: call.key, text: call.waiting }];
}
