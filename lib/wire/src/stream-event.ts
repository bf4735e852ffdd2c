/**
 * What happens while an answer arrives, free of any protocol. Readers make UpstreamEvents from an upstream's own events;
 * the lifecycle checks them, gives tools their client names back and makes AnswerEvents; writers write those.
 */
import type { ToolName } from '@weir/tool-plan';
import type { GatewayFailure } from './gateway-failure.ts';
import type { Sealed } from './item.ts';
import type { JsonObject } from './json.ts';
import type { TokenUsage } from './usage.ts';

export type CallKind = 'function' | 'custom' | 'tool_search';
export type FinishReason = 'stop' | 'tool_calls' | 'length' | 'refused';

export interface StartEvent {
  readonly type: 'start';
  readonly id: string;
  readonly model: string;
  /** Seconds since 1970, where the upstream says. */
  readonly created: number | undefined;
  /** Usage that is known before the answer. */
  readonly usage: TokenUsage | undefined;
}

export interface TextEvent<Key> {
  readonly type: 'text' | 'refusal' | 'input';
  readonly key: Key;
  readonly text: string;
}

export interface ReasoningEvent<Key> {
  readonly type: 'reasoning';
  readonly key: Key;
  readonly channel: 'summary' | 'text';
  /** Number of the part within its channel. */
  readonly part: number;
  readonly text: string;
}

/** An event that only the upstream's own protocol knows; a client of another protocol does not get it. */
export interface OpaqueEvent<Key> {
  readonly type: 'opaque';
  readonly name: string;
  readonly wire: JsonObject;
  /** The item that it belongs to; undefined for one of the whole answer. */
  readonly key: Key | undefined;
  /** The item itself, at its end. */
  readonly whole: JsonObject | undefined;
}

export interface FailureEvent {
  readonly type: 'failure';
  readonly failure: GatewayFailure;
}

/** Names an item of the upstream's stream: an index or an id, whichever its protocol goes by. */
export type ItemKey = string;

export type OpenedItem =
  | { readonly kind: 'message'; readonly id: string | undefined; readonly wire: JsonObject | undefined }
  | { readonly kind: 'reasoning'; readonly id: string | undefined; readonly wire: JsonObject | undefined }
  | {
      readonly kind: 'call';
      readonly id: string | undefined;
      readonly wire: JsonObject | undefined;
      /** Undefined where the upstream gives none. */
      readonly callId: string | undefined;
      readonly name: string;
      readonly namespace: string | undefined;
      readonly callKind: CallKind;
    };

/** What the upstream says at an item's end about its whole, to hold against the deltas. */
export interface FinalItem {
  readonly text?: string | undefined;
  readonly refusal?: string | undefined;
  readonly input?: string | undefined;
  readonly summary?: readonly string[];
  readonly reasoning?: readonly string[];
  /** The item as the upstream ends it, for a client of the same protocol. */
  readonly wire?: JsonObject;
}

export type UpstreamEvent =
  | StartEvent
  | { readonly type: 'open'; readonly key: ItemKey; readonly item: OpenedItem }
  | TextEvent<ItemKey>
  | ReasoningEvent<ItemKey>
  | { readonly type: 'seal'; readonly key: ItemKey; readonly sealed: Sealed }
  | { readonly type: 'close'; readonly key: ItemKey; readonly final: FinalItem }
  | OpaqueEvent<ItemKey>
  | { readonly type: 'finish'; readonly reason: FinishReason; readonly native: string | undefined; readonly usage: TokenUsage | undefined }
  | FailureEvent;

interface AnswerItem {
  readonly id: string | undefined;
  /** False when the answer was cut inside the item. */
  readonly whole: boolean;
  readonly wire: JsonObject | undefined;
}

export interface MessageAnswer extends AnswerItem {
  readonly kind: 'message';
  readonly text: string;
  readonly refusal: string;
}
export interface ReasoningAnswer extends AnswerItem {
  readonly kind: 'reasoning';
  readonly summary: readonly string[];
  readonly text: readonly string[];
  readonly sealed: Sealed | undefined;
}
export interface CallAnswer extends AnswerItem {
  readonly kind: 'call';
  readonly callId: string;
  /** The client's own name. */
  readonly tool: ToolName;
  /** JSON text of the arguments, or the freeform input. */
  readonly input: string;
}
export interface OpaqueAnswer {
  readonly kind: 'opaque';
  readonly wire: JsonObject;
}
export type Answer = MessageAnswer | ReasoningAnswer | CallAnswer | OpaqueAnswer;
/** An item at its start, with everything that grows still empty. */
export type OpenAnswer = MessageAnswer | ReasoningAnswer | CallAnswer;

export interface FinishEvent {
  readonly type: 'finish';
  readonly reason: FinishReason;
  /** The upstream's own word, for a client of the same protocol. */
  readonly native: string | undefined;
  readonly usage: TokenUsage | undefined;
  /** All items in the order of their first appearance. */
  readonly items: readonly Answer[];
}

/** `key` is the item's number by first appearance. */
export type AnswerEvent =
  | StartEvent
  | { readonly type: 'open'; readonly key: number; readonly item: OpenAnswer }
  | TextEvent<number>
  | ReasoningEvent<number>
  | { readonly type: 'close'; readonly key: number; readonly item: OpenAnswer }
  | OpaqueEvent<number>
  | FinishEvent
  | FailureEvent;
