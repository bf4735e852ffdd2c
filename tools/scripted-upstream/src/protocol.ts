/**
 * What a protocol of this upstream must be able to do: read a request strictly, and write a reply whole, as a stream, or as a failure.
 * The reply is the same for all three; only its words differ.
 */
import type { IncomingHttpHeaders } from 'node:http';
import type { Conversation, Reading } from './conversation.ts';
import type { Counted, ServedUsage } from './usage.ts';

export type ProtocolName = 'responses' | 'chat' | 'messages';

export interface PlannedCall {
  readonly id: string;
  readonly name: string;
  readonly namespace: string | null;
  readonly kind: 'function' | 'custom' | 'tool_search';
  /** JSON of the arguments, or the free text of a custom tool. */
  readonly input: string;
}

export interface Reply {
  readonly id: string;
  readonly model: string;
  readonly reasoning: string | null;
  readonly text: string;
  readonly calls: readonly PlannedCall[];
  /** Null when the upstream keeps it to itself. */
  readonly usage: ServedUsage | null;
}

/** One server-sent event; `name` is null where the protocol has data lines only. */
export interface StreamEvent {
  readonly name: string | null;
  readonly data: string;
}

export interface Protocol {
  readonly name: ProtocolName;
  readonly path: string;
  /** Begins the ids of calls, as the vendor's do. */
  readonly callPrefix: string;
  /** Which tokens the vendor counts apart. */
  readonly counts: (conversation: Conversation) => Omit<Counted, 'full'>;
  readonly read: (body: unknown, headers: IncomingHttpHeaders) => Reading;
  readonly whole: (reply: Reply) => unknown;
  readonly events: (reply: Reply) => readonly StreamEvent[];
  /** The body of a refusal, in the vendor's form. */
  readonly failure: (status: number, message: string, code: string | null) => unknown;
  /** An error that comes in the midst of a stream. */
  readonly failureEvent: (message: string) => StreamEvent;
}
