/**
 * The life of one answer (MOD-10): start → items that open, grow and close → finish, or a failure at any point. It checks
 * the order, gives tools their client names back by look-up, and ends every answer with exactly one finish or failure.
 */
import type { ToolLookUp } from '@weir/tool-plan';
import { addInput, answerOf, growItem, type GrowingItem, isWholeInput } from './answer-item.ts';
import { type GatewayFailure, permanent } from './gateway-failure.ts';
import type { JsonObject } from './json.ts';
import type { Answer, AnswerEvent, FinalItem, FinishReason, ItemKey, OpenedItem, UpstreamEvent } from './stream-event.ts';

/** Items of one answer. */
export const MAX_ANSWER_ITEMS = 4096;
/** UTF-16 units of all texts and inputs of one answer. */
export const MAX_ANSWER_CHARS = 64 * 1024 * 1024;

export interface Lifecycle {
  take(event: UpstreamEvent): readonly AnswerEvent[];
  /** True after the finish or the failure; nothing comes after it. */
  ended(): boolean;
}

interface OpaqueItem {
  readonly number: number;
  whole: JsonObject;
}

type Taken<Type extends UpstreamEvent['type']> = Extract<UpstreamEvent, { type: Type }>;

export function createLifecycle(plan: ToolLookUp): Lifecycle {
  const items = new Map<ItemKey, GrowingItem>();
  const opaque = new Map<ItemKey, OpaqueItem>();
  const callIds = new Set<string>();
  let answerId = '';
  let started = false;
  let ended = false;
  let size = 0;

  const fail = (failure: GatewayFailure): readonly AnswerEvent[] => {
    ended = true;
    return [{ type: 'failure', failure }];
  };
  const broken = (code: string, what: string): readonly AnswerEvent[] => fail(permanent(code, `The upstream's answer is broken: ${what}.`));

  const open = (key: ItemKey, opened: OpenedItem): readonly AnswerEvent[] => {
    if (items.has(key) || opaque.has(key)) return broken('duplicate_item', 'it opens one item twice');
    if (items.size + opaque.size >= MAX_ANSWER_ITEMS) return broken('too_many_items', `it has more than ${MAX_ANSWER_ITEMS} items`);
    const number = items.size + opaque.size;
    if (opened.kind !== 'call') {
      const item = growItem(number, opened, undefined);
      items.set(key, item);
      return [{ type: 'open', key: number, item: answerOf(item) }];
    }
    const planned = plan.toClient(opened.name, opened.namespace, opened.callKind);
    if (planned === undefined) return broken('unknown_tool', `it calls ${JSON.stringify(opened.name.slice(0, 80))}, which is no tool of this request`);
    const callId = opened.callId === undefined || opened.callId === '' ? `call_${answerId}_${number}` : opened.callId;
    if (callIds.has(callId)) return broken('duplicate_call_id', 'two tool calls have one id');
    callIds.add(callId);
    const item = growItem(number, opened, { callId, planned });
    items.set(key, item);
    return [{ type: 'open', key: number, item: answerOf(item) }];
  };

  const grow = (event: Taken<'text' | 'refusal' | 'input' | 'reasoning'>): readonly AnswerEvent[] => {
    const item = items.get(event.key);
    if (item === undefined) return broken('delta_without_item', 'it adds to an item that it never opened');
    if (item.closed || item.cut) return broken('delta_after_done', 'it adds to an item that it has closed');
    size += event.text.length;
    if (size > MAX_ANSWER_CHARS) return broken('answer_too_large', `it has more than ${MAX_ANSWER_CHARS} characters`);
    if (event.text === '') return [];
    if (!fits(item, event.type)) return broken('wrong_delta', 'it adds to an item what such an item cannot hold');
    const text = add(item, event);
    if (item.decoder?.broken() === true) return broken('broken_input', 'the input of a freeform tool is not in the form that was asked for');
    return text === '' ? [] : [{ ...event, key: item.number, text }];
  };

  const close = (key: ItemKey, final: FinalItem): readonly AnswerEvent[] => {
    const item = items.get(key);
    if (item === undefined) return broken('done_without_item', 'it closes an item that it never opened');
    if (item.closed || item.cut) return broken('duplicate_done', 'it closes one item twice');
    const late = lateDeltas(item, key, final);
    if (late === undefined) return broken('contradictory_input', 'a tool input differs from its own deltas');
    const events = late.flatMap(grow);
    if (ended) return events;
    item.wire = final.wire ?? item.wire;
    if (!isWholeInput(item)) {
      item.cut = true;
      return events;
    }
    item.closed = true;
    return [...events, { type: 'close', key: item.number, item: answerOf(item) }];
  };

  const finish = ({ reason, native, usage }: Taken<'finish'>): readonly AnswerEvent[] => {
    const all = [...items.values()];
    const cut = all.filter(item => item.cut);
    if (all.some(item => !item.closed && !item.cut)) return broken('open_items', 'it ends while an item is still open');
    if (cut.length > 0 && reason !== 'length') return broken('broken_input', 'the input of a tool is not whole');
    ended = true;
    const called = all.some(item => item.opened.kind === 'call');
    const corrected = correctReason(reason, called);
    const closing = cut.map((item): AnswerEvent => ({ type: 'close', key: item.number, item: answerOf(item) }));
    const finishEvent = { type: 'finish', reason: corrected, native: corrected === reason ? native : undefined, usage, items: inOrder(all, opaque) } as const;
    return [...closing, finishEvent];
  };

  const passOpaque = ({ key, ...event }: Taken<'opaque'>): readonly AnswerEvent[] => {
    if (key === undefined) return [{ ...event, key }];
    const known = items.get(key);
    if (known !== undefined) return [{ ...event, key: known.number }];
    const item = opaque.get(key) ?? { number: items.size + opaque.size, whole: {} };
    if (item.number >= MAX_ANSWER_ITEMS) return broken('too_many_items', `it has more than ${MAX_ANSWER_ITEMS} items`);
    opaque.set(key, item);
    if (event.whole !== undefined && Object.keys(event.whole).length > 0) item.whole = event.whole;
    return [{ ...event, key: item.number }];
  };

  const seal = ({ key, sealed }: Taken<'seal'>): readonly AnswerEvent[] => {
    const item = items.get(key);
    if (item === undefined || item.closed) return broken('delta_after_done', 'it seals an item that is not open');
    item.sealed = sealed;
    return [];
  };

  const start = (event: Taken<'start'>): readonly AnswerEvent[] => {
    if (started) return broken('second_start', 'it starts twice');
    started = true;
    answerId = event.id;
    return [event];
  };

  const take = (event: UpstreamEvent): readonly AnswerEvent[] => {
    switch (event.type) {
      case 'start':
        return start(event);
      case 'open':
        return open(event.key, event.item);
      case 'text':
      case 'refusal':
      case 'input':
      case 'reasoning':
        return grow(event);
      case 'seal':
        return seal(event);
      case 'close':
        return close(event.key, event.final);
      case 'opaque':
        return passOpaque(event);
      case 'finish':
        return finish(event);
      case 'failure':
        return fail(event.failure);
    }
  };
  return { take: event => (ended ? [] : take(event)), ended: () => ended };
}

/** The reason is tool_calls whenever a call was made, and only then (case 32). An answer that was cut stays cut. */
function correctReason(reason: FinishReason, called: boolean): FinishReason {
  if (reason === 'stop' || reason === 'tool_calls') return called ? 'tool_calls' : 'stop';
  return reason;
}

function inOrder(items: readonly GrowingItem[], opaque: ReadonlyMap<ItemKey, OpaqueItem>): readonly Answer[] {
  const numbered: (readonly [number, Answer])[] = [
    ...items.map(item => [item.number, answerOf(item)] as const),
    ...[...opaque.values()].map(({ number, whole }) => [number, { kind: 'opaque', wire: whole }] as const),
  ];
  return numbered.sort(([a], [b]) => a - b).map(([, answer]) => answer);
}

const KIND_OF = { text: 'message', refusal: 'message', input: 'call', reasoning: 'reasoning' } as const;
const fits = (item: GrowingItem, type: keyof typeof KIND_OF): boolean => item.opened.kind === KIND_OF[type];

/** Adds to the item and answers what the client gets of it. */
function add(item: GrowingItem, event: Taken<'text' | 'refusal' | 'input' | 'reasoning'>): string {
  if (event.type === 'reasoning') {
    const parts = event.channel === 'summary' ? item.summary : item.reasoning;
    const part = Math.min(event.part, MAX_ANSWER_ITEMS);
    while (parts.length <= part) parts.push('');
    parts[part] += event.text;
  } else if (event.type === 'input') return addInput(item, event.text);
  else if (event.type === 'text') item.text += event.text;
  else item.refusal += event.text;
  return event.text;
}

/** What the final item says beyond its deltas; undefined when it contradicts the input that the client already has. */
function lateDeltas(item: GrowingItem, key: ItemKey, final: FinalItem): readonly Taken<'text' | 'refusal' | 'input' | 'reasoning'>[] | undefined {
  if (item.opened.kind === 'call') {
    const whole = final.input === undefined || final.input === '' ? item.raw : final.input;
    if (!whole.startsWith(item.raw)) return undefined;
    const rest = whole.slice(item.raw.length);
    const plain = item.planned?.tool.kind === 'function' && item.raw + rest === '' ? '{}' : rest;
    return plain === '' ? [] : [{ type: 'input', key, text: plain }];
  }
  const tail = (sent: string, whole: string): string => (whole.startsWith(sent) ? whole.slice(sent.length) : '');
  const parts = (channel: 'summary' | 'text', sent: readonly string[], whole: readonly string[] | undefined): readonly Taken<'reasoning'>[] =>
    (whole ?? []).map((text, part) => ({ type: 'reasoning', key, channel, part, text: tail(sent[part] ?? '', text) }));
  if (item.opened.kind === 'reasoning') return [...parts('summary', item.summary, final.summary), ...parts('text', item.reasoning, final.reasoning)];
  return [
    { type: 'text', key, text: tail(item.text, final.text ?? '') },
    { type: 'refusal', key, text: tail(item.refusal, final.refusal ?? '') },
  ];
}
