/** Writes one answer in a client's protocol, event by event. */
import type { WireProtocol } from '@weir/tool-plan';
import type { AnswerEvent } from './stream-event.ts';

export interface AnswerWriter {
  /** Server-sent events for this event; empty where the protocol says nothing about it. */
  write(event: AnswerEvent): string;
}

/** What a writer has to know beside the events. */
export interface AnswerFrame {
  readonly upstream: WireProtocol;
  /** Tag of the route, which seals reasoning for clients of another protocol. */
  readonly route: string;
  /** The model as the client named it. */
  readonly model: string;
  /** Id of the answer where the upstream gives none. */
  readonly fallbackId: string;
  /** Seconds since 1970 where the upstream does not say. */
  readonly createdAt: number;
  /** A chat client asked for a chunk with the usage. */
  readonly wantsUsage: boolean;
  /** Input tokens for the first event of a Messages stream, which comes before any upstream figure; 0 when nobody estimates. */
  readonly estimatedInputTokens: number;
}

/** One event with a name, as Responses and Messages write them. */
export const namedEvent = (name: string, data: unknown): string => `event: ${name}\ndata: ${JSON.stringify(data)}\n\n`;
/** One event without a name, as Chat writes them. */
export const plainEvent = (data: unknown): string => `data: ${JSON.stringify(data)}\n\n`;
