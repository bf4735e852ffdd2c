/**
 * One item of an answer while it grows: what has come so far, and what it becomes for the client. A call's input passes
 * through its adapter here, so that nothing behind this point knows the alias or the envelope.
 */
import { createFreeformDecoder, type FreeformDecoder, type PlannedTool } from '@weir/tool-plan';
import type { Sealed } from './item.ts';
import { isObject, type JsonObject, parseJson } from './json.ts';
import type { OpenAnswer, OpenedItem } from './stream-event.ts';

export interface GrowingItem {
  /** By first appearance. */
  readonly number: number;
  readonly opened: OpenedItem;
  readonly callId: string;
  readonly planned: PlannedTool | undefined;
  readonly decoder: FreeformDecoder | undefined;
  text: string;
  refusal: string;
  readonly summary: string[];
  readonly reasoning: string[];
  sealed: Sealed | undefined;
  /** Arguments as the upstream wrote them. */
  raw: string;
  /** Input as the client gets it. */
  input: string;
  closed: boolean;
  /** Closed by the upstream, but its input was cut; whether that is an error shows at the finish. */
  cut: boolean;
  wire: JsonObject | undefined;
}

export function growItem(number: number, opened: OpenedItem, call: { readonly callId: string; readonly planned: PlannedTool } | undefined): GrowingItem {
  return {
    number,
    opened,
    callId: call?.callId ?? '',
    planned: call?.planned,
    decoder: call?.planned.form === 'envelope' ? createFreeformDecoder() : undefined,
    text: '',
    refusal: '',
    summary: [],
    reasoning: [],
    sealed: undefined,
    raw: '',
    input: '',
    closed: false,
    cut: false,
    wire: opened.wire,
  };
}

/** The input that these raw characters add, in the client's form. */
export function addInput(item: GrowingItem, raw: string): string {
  item.raw += raw;
  const text = item.decoder === undefined ? raw : item.decoder.push(raw);
  item.input += text;
  return text;
}

/** True when the input is whole in the form that the client needs. Plain arguments pass as they are: the client judges them. */
export function isWholeInput({ decoder, planned, input }: GrowingItem): boolean {
  if (decoder !== undefined) return decoder.complete();
  return planned?.tool.kind !== 'tool_search' || isObject(parseJson(input));
}

export function answerOf(item: GrowingItem): OpenAnswer {
  const shared = { id: item.opened.id, whole: !item.cut, wire: item.wire };
  switch (item.opened.kind) {
    case 'message':
      return { kind: 'message', ...shared, text: item.text, refusal: item.refusal };
    case 'reasoning':
      return { kind: 'reasoning', ...shared, summary: [...item.summary], text: [...item.reasoning], sealed: item.sealed };
    case 'call':
      return {
        kind: 'call',
        ...shared,
        callId: item.callId,
        tool: item.planned?.tool ?? { namespace: undefined, name: item.opened.name, kind: 'function' },
        input: item.input,
      };
  }
}
