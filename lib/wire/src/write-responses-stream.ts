/**
 * An answer as the events of a Responses stream, in the order and with the fields that Codex and the SDKs expect. Items come
 * one after the other: pi follows one open item, and would run the first call twice.
 */
import { type AnswerFrame, type AnswerWriter, namedEvent } from './answer-writer.ts';
import { responsesStreamError } from './client-error.ts';
import type { GatewayFailure } from './gateway-failure.ts';
import { createTurns, type ItemEvent } from './in-turn.ts';
import type { JsonObject } from './json.ts';
import { itemId, responsesBody, responsesEnding, type ResponsesIdentity, responsesItem } from './responses-answer.ts';
import type { AnswerEvent, FinishEvent, OpenAnswer } from './stream-event.ts';

type Event<Type extends AnswerEvent['type']> = Extract<AnswerEvent, { type: Type }>;

interface OpenItem {
  readonly item: OpenAnswer;
  readonly id: string;
  /** Parts of the item that have been opened, by name. */
  readonly parts: Map<string, GrownPart>;
}

interface GrownPart {
  text: string;
  /** A delta event up to its number, and from there to its text. */
  readonly head: string;
  readonly tail: string;
}

export function createResponsesWriter(frame: AnswerFrame): AnswerWriter {
  let identity: ResponsesIdentity = { id: frame.fallbackId, model: frame.model, createdAt: frame.createdAt };
  let sequence = 0;
  let started = false;
  const open = new Map<number, OpenItem>();
  const output: JsonObject[] = [];

  const emit = (type: string, fields: JsonObject): string => {
    const text = namedEvent(type, { type, sequence_number: sequence, ...fields });
    sequence += 1;
    return text;
  };
  const start = (): string => {
    if (started) return '';
    started = true;
    const response = responsesBody(identity, { status: 'in_progress', output: [] });
    return emit('response.created', { response }) + emit('response.in_progress', { response });
  };
  const openItem = ({ key, item }: Event<'open'>): string => {
    const id = itemId(item, key, identity.id);
    open.set(key, { item, id, parts: new Map() });
    const wire = item.wire === undefined ? item : { ...item, wire: { ...item.wire, content: [] } };
    return emit('response.output_item.added', { output_index: key, item: responsesItem(wire, key, { answerId: identity.id, frame, status: 'in_progress' }) });
  };
  /** Opens the part on its first text and adds to it. The text between two deltas never changes, so it is made once. */
  const grow = (key: number, part: PartEvents, text: string): string => {
    const item = open.get(key);
    if (item === undefined) return '';
    let grown = item.parts.get(part.name);
    let added = '';
    if (grown === undefined) {
      const place = { item_id: item.id, output_index: key, ...part.place };
      if (part.added !== undefined) added = emit(part.added, { ...place, part: part.body('') });
      grown = {
        text: '',
        head: `event: ${part.delta}\ndata: {"type":"${part.delta}","sequence_number":`,
        tail: `,${JSON.stringify(place).slice(1, -1)},"delta":`,
      };
      item.parts.set(part.name, grown);
    }
    grown.text += text;
    const delta = `${grown.head}${sequence}${grown.tail}${JSON.stringify(text)}}\n\n`;
    sequence += 1;
    return added + delta;
  };
  const input = ({ key, text }: { readonly key: number; readonly text: string }): string => {
    const item = open.get(key)?.item;
    if (item?.kind !== 'call' || item.tool.kind === 'tool_search') return '';
    return grow(key, INPUT_PARTS[item.tool.kind === 'custom' ? 'custom' : 'function'], text);
  };
  const closeItem = ({ key, item }: Event<'close'>): string => {
    const opened = open.get(key);
    const wire = responsesItem(item, key, { answerId: identity.id, frame, status: item.whole ? 'completed' : 'incomplete' });
    output[key] = wire;
    const parts = [...(opened?.parts ?? [])].map(([name, { text }]) => closePart(name, text, { item_id: opened?.id, output_index: key }));
    return (
      parts
        .flat()
        .map(([type, fields]) => emit(type, fields))
        .join('') + emit('response.output_item.done', { output_index: key, item: wire })
    );
  };
  const finish = (event: FinishEvent): string => {
    const items = event.items.map((item, number) => output[number] ?? responsesItem(item, number, { answerId: identity.id, frame, status: 'completed' }));
    const ending = responsesEnding(event, items);
    return emit(ending.status === 'completed' ? 'response.completed' : 'response.incomplete', { response: responsesBody(identity, ending) });
  };
  const fail = (failure: GatewayFailure): string =>
    emit('response.failed', { response: responsesBody(identity, { status: 'failed', output: [], error: responsesStreamError(failure) }) });
  const opaque = ({ name, wire, key }: Event<'opaque'>): string =>
    frame.upstream === 'responses' ? emit(name, { ...wire, type: name, ...renumbered(sequence, key) }) : '';

  const writeItem = (event: ItemEvent): string => {
    switch (event.type) {
      case 'open':
        return openItem(event);
      case 'text':
      case 'refusal':
        return grow(event.key, TEXT_PARTS[event.type], event.text);
      case 'reasoning':
        return grow(event.key, reasoningPart(event.channel, event.part), event.text);
      case 'input':
        return input(event);
      case 'close':
        return closeItem(event);
      case 'opaque':
        return opaque(event);
    }
  };
  const turns = createTurns(writeItem);

  const write = (event: AnswerEvent): string => {
    switch (event.type) {
      case 'start':
        identity = { ...identity, id: responseId(event.id, frame), createdAt: event.created ?? frame.createdAt };
        return start();
      case 'finish':
        return start() + turns.rest() + finish(event);
      case 'failure':
        return start() + fail(event.failure);
      case 'open':
      case 'text':
      case 'refusal':
      case 'reasoning':
      case 'input':
      case 'close':
      case 'opaque':
        return start() + turns.take(event);
    }
  };
  return { write };
}

const renumbered = (sequence: number, key: number | undefined): JsonObject => ({
  sequence_number: sequence,
  ...(key === undefined ? {} : { output_index: key }),
});

/** A Responses id keeps its own; another protocol's id gets the prefix that clients look for. */
export function responseId(id: string, { upstream, fallbackId }: AnswerFrame): string {
  if (id === '') return fallbackId;
  return upstream === 'responses' ? id : `resp_${id}`;
}

interface PartEvents {
  /** Key of the part within its item; its kind comes first. */
  readonly name: string;
  readonly place: JsonObject;
  readonly added: string | undefined;
  readonly delta: string;
  body(text: string): JsonObject;
}

const text = (index: number, type: 'output_text' | 'refusal'): PartEvents => ({
  name: `${type} ${index}`,
  place: { content_index: index },
  added: 'response.content_part.added',
  delta: type === 'output_text' ? 'response.output_text.delta' : 'response.refusal.delta',
  body: value => (type === 'output_text' ? { type, text: value, annotations: [] } : { type, refusal: value }),
});
const TEXT_PARTS = { text: text(0, 'output_text'), refusal: text(1, 'refusal') } as const;

const input = (kind: 'function' | 'custom'): PartEvents => ({
  name: `${kind} 0`,
  place: {},
  added: undefined,
  delta: kind === 'custom' ? 'response.custom_tool_call_input.delta' : 'response.function_call_arguments.delta',
  body: () => ({}),
});
const INPUT_PARTS = { function: input('function'), custom: input('custom') } as const;

const reasoningPart = (channel: 'summary' | 'text', part: number): PartEvents =>
  channel === 'summary'
    ? {
        name: `summary ${part}`,
        place: { summary_index: part },
        added: 'response.reasoning_summary_part.added',
        delta: 'response.reasoning_summary_text.delta',
        body: value => ({ type: 'summary_text', text: value }),
      }
    : { name: `reasoning ${part}`, place: { content_index: part }, added: undefined, delta: 'response.reasoning_text.delta', body: () => ({}) };

type Done = readonly [type: string, fields: JsonObject];

/** The events that end a part: its text, and the part itself where it was opened. */
function closePart(name: string, value: string, place: JsonObject): readonly Done[] {
  const [kind = '', number = '0'] = name.split(' ');
  const index = Number(number);
  switch (kind) {
    case 'output_text':
      return [
        ['response.output_text.done', { ...place, content_index: index, text: value }],
        ['response.content_part.done', { ...place, content_index: index, part: { type: 'output_text', text: value, annotations: [] } }],
      ];
    case 'refusal':
      return [
        ['response.refusal.done', { ...place, content_index: index, refusal: value }],
        ['response.content_part.done', { ...place, content_index: index, part: { type: 'refusal', refusal: value } }],
      ];
    case 'summary':
      return [
        ['response.reasoning_summary_text.done', { ...place, summary_index: index, text: value }],
        ['response.reasoning_summary_part.done', { ...place, summary_index: index, part: { type: 'summary_text', text: value } }],
      ];
    case 'reasoning':
      return [['response.reasoning_text.done', { ...place, content_index: index, text: value }]];
    case 'custom':
      return [['response.custom_tool_call_input.done', { ...place, input: value }]];
    default:
      return [['response.function_call_arguments.done', { ...place, arguments: value }]];
  }
}
