/**
 * One answer on its way from an upstream's stream to a client's: bytes in, server-sent events out, the same for every way
 * of cutting the bytes. It ends with the protocol's own ending, whatever the upstream does (MOD-10).
 */
import type { ToolLookUp, WireProtocol } from '@weir/tool-plan';
import { type AnswerFrame, type AnswerWriter } from './answer-writer.ts';
import { type GatewayFailure, transient } from './gateway-failure.ts';
import { asObject, isTooDeep, type JsonObject, MAX_DEPTH, parseJson } from './json.ts';
import { createLifecycle } from './lifecycle.ts';
import { createChatReader } from './read-chat-stream.ts';
import { createMessagesReader } from './read-messages-stream.ts';
import { createResponsesReader } from './read-responses-stream.ts';
import { createSseReader, type SseEvent } from './sse-reader.ts';
import type { UpstreamEvent } from './stream-event.ts';
import type { UpstreamReader } from './upstream-reader.ts';
import type { TokenUsage } from './usage.ts';
import { createChatWriter } from './write-chat-stream.ts';
import { createMessagesWriter } from './write-messages-stream.ts';
import { createResponsesWriter } from './write-responses-stream.ts';

export const READERS: Readonly<Record<WireProtocol, () => UpstreamReader>> = {
  responses: createResponsesReader,
  chat: createChatReader,
  messages: createMessagesReader,
};
const WRITERS: Readonly<Record<WireProtocol, (frame: AnswerFrame) => AnswerWriter>> = {
  responses: createResponsesWriter,
  chat: createChatWriter,
  messages: createMessagesWriter,
};

export interface StreamMachine {
  /** Events for the client. @param chunk bytes of the upstream, or text that is already decoded. */
  push(chunk: Uint8Array | string): string;
  /** The upstream has ended; gives the rest, and the failure when the answer was not whole. */
  end(): string;
  /** Ends the answer with this failure: the upstream broke off, timed out, or the key was revoked. */
  fail(failure: GatewayFailure): string;
  /** True after the protocol's ending has been given out; nothing follows it. */
  ended(): boolean;
  /** Set once the answer has failed. */
  failure(): GatewayFailure | undefined;
  /** What the upstream has said about tokens so far; undefined is unknown and never zero. */
  usage(): TokenUsage | undefined;
}

export interface StreamInput extends AnswerFrame {
  readonly client: WireProtocol;
  readonly plan: ToolLookUp;
}

export const cutFailure = (): GatewayFailure => transient('upstream_cut', 'The model provider ended its answer before it was whole.');
export const garbledFailure = (): GatewayFailure => transient('upstream_garbled', 'The model provider sent an event that is no JSON object or is too large.');

/** The parsed data of an event; undefined where it is no object or too deep to be written again. */
export function eventObject(data: string): JsonObject | undefined {
  const wire = asObject(parseJson(data));
  return wire === undefined || (data.length > MAX_DEPTH && isTooDeep(wire)) ? undefined : wire;
}

/** The event that a stream ended in, unless it was cut inside it. */
export const wholeEvents = (events: readonly SseEvent[]): readonly SseEvent[] =>
  events.filter(({ data }) => data === '[DONE]' || eventObject(data) !== undefined);

export function createStream(input: StreamInput): StreamMachine {
  const events = createSseReader();
  const reader = READERS[input.upstream]();
  const lifecycle = createLifecycle(input.plan);
  const writer = WRITERS[input.client](input);
  let failed: GatewayFailure | undefined;

  const take = (upstream: readonly UpstreamEvent[]): string => {
    const texts: string[] = [];
    for (const event of upstream) {
      for (const answer of lifecycle.take(event)) {
        if (answer.type === 'failure') failed = answer.failure;
        texts.push(writer.write(answer));
      }
    }
    return texts.join('');
  };
  const fail = (failure: GatewayFailure): string => take([{ type: 'failure', failure }]);
  const read = ({ data }: SseEvent): string => {
    if (lifecycle.ended()) return '';
    if (data === '[DONE]') return take(reader.take(undefined, data));
    const wire = eventObject(data);
    return wire === undefined ? fail(garbledFailure()) : take(reader.take(wire, ''));
  };
  const readAll = (list: readonly SseEvent[]): string => {
    const text = list.map(read).join('');
    return events.overflown() ? text + fail(garbledFailure()) : text;
  };
  return {
    push: chunk => readAll(events.push(chunk)),
    end: () => readAll(wholeEvents(events.end())) + take(reader.end()) + fail(cutFailure()),
    fail,
    ended: () => lifecycle.ended(),
    failure: () => failed,
    usage: () => reader.usage(),
  };
}
