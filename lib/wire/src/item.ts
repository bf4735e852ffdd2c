/**
 * The intermediate form (MOD-11): one list of items, a superset of what the Responses protocol knows. Every decoder
 * reads into it and every encoder writes from it; no protocol is converted to another directly.
 */
import type { ToolDeclaration, ToolName } from '@weir/tool-plan';
import type { JsonObject } from './json.ts';

export type ImageSource =
  | { readonly kind: 'url'; readonly url: string }
  | { readonly kind: 'data'; readonly mediaType: string; readonly data: string }
  /** A file that the upstream of the client's protocol stores. */
  | { readonly kind: 'file'; readonly id: string };

/** `wire` is the part as it came, with fields that the form does not know. */
export type Part =
  | { readonly type: 'text'; readonly text: string; readonly wire?: JsonObject }
  | { readonly type: 'refusal'; readonly text: string; readonly wire?: JsonObject }
  | { readonly type: 'image'; readonly source: ImageSource; readonly detail: string | undefined; readonly wire?: JsonObject }
  | { readonly type: 'opaque'; readonly name: string; readonly wire: JsonObject };

/** Reasoning that only the route which made it can read. */
export interface Sealed {
  readonly form: 'encrypted_content' | 'signature' | 'redacted';
  readonly value: string;
  /** The route that made it, where our own seal says so; undefined for a payload that came unmarked. */
  readonly route: string | undefined;
}

/** The wire object that an item came from. Several items of one chat or Messages message share one object. */
interface Came {
  readonly wire: JsonObject | undefined;
}

export interface MessageItem extends Came {
  readonly type: 'message';
  readonly role: 'system' | 'developer' | 'user' | 'assistant';
  readonly parts: readonly Part[];
}

export interface ReasoningItem extends Came {
  readonly type: 'reasoning';
  readonly summary: readonly string[];
  readonly text: readonly string[];
  readonly sealed: Sealed | undefined;
}

export interface CallItem extends Came {
  readonly type: 'call';
  readonly callId: string;
  /** The client's own name of the tool. */
  readonly tool: ToolName;
  /** JSON text of the arguments, or the freeform input, exactly as the model wrote it. */
  readonly input: string;
  /** Its own object within `wire`. */
  readonly piece?: JsonObject;
}

export interface ResultItem extends Came {
  readonly type: 'result';
  readonly callId: string;
  readonly kind: 'function' | 'custom';
  readonly parts: readonly Part[];
  readonly failed: boolean;
  readonly piece?: JsonObject;
}

export interface SearchOutputItem extends Came {
  readonly type: 'search_output';
  readonly callId: string;
  readonly tools: readonly ToolDeclaration[];
}

export interface AdditionalToolsItem extends Came {
  readonly type: 'additional_tools';
  readonly tools: readonly ToolDeclaration[];
}

/** A message from one agent to another, which Codex carries between its sub-agents. */
export interface AgentMessageItem extends Came {
  readonly type: 'agent_message';
  readonly parts: readonly Part[];
}

export interface OpaqueItem extends Came {
  readonly type: 'opaque';
  /** What it is, for a diagnostic. */
  readonly name: string;
  readonly wire: JsonObject;
  /** Its own object within `wire`. */
  readonly piece: JsonObject;
}

export type Item = MessageItem | ReasoningItem | CallItem | ResultItem | SearchOutputItem | AdditionalToolsItem | AgentMessageItem | OpaqueItem;

/** Items, declarations and messages that one request may hold. */
export const MAX_ITEMS = 20_000;
