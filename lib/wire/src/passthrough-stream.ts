/**
 * A stream that passes as it came (MOD-4): the events go on unchanged, except for a usage chunk that the client did not ask
 * for. It still reads the tokens for the ledger, and still ends a stream that its upstream left open (MOD-10).
 */
import type { WireProtocol } from '@weir/tool-plan';
import { namedEvent, plainEvent } from './answer-writer.ts';
import { chatErrorChunk, messagesErrorBody, responsesStreamError } from './client-error.ts';
import type { GatewayFailure } from './gateway-failure.ts';
import { asList, asObject, type JsonObject } from './json.ts';
import { createSseReader, type SseEvent } from './sse-reader.ts';
import { cutFailure, eventObject, garbledFailure, type StreamMachine, wholeEvents } from './stream-machine.ts';
import { errorFailure } from './upstream-failure.ts';
import { readUsage, type TokenUsage } from './usage.ts';

export interface PassthroughInput {
  readonly protocol: WireProtocol;
  /** The usage chunk was asked for by us and not by the client. */
  readonly hideUsageChunk: boolean;
}

/** Text that an event must hold to be worth parsing; the others are only counted through. */
const WORTH: Readonly<Record<WireProtocol, readonly string[]>> = {
  responses: ['"response.completed"', '"response.incomplete"', '"response.failed"', '"error"'],
  chat: ['"usage":{', '"usage": {', '"error"', '"finish_reason":"', '"finish_reason": "'],
  messages: ['"usage"', '"message_stop"', '"error"'],
};

export function createPassthroughStream({ protocol, hideUsageChunk }: PassthroughInput): StreamMachine {
  const events = createSseReader(true);
  let usage: JsonObject = {};
  let ended = false;
  let finished = false;
  let failed: GatewayFailure | undefined;

  const fail = (failure: GatewayFailure): string => {
    if (ended) return '';
    ended = true;
    failed = failure;
    return FAILED[protocol](failure);
  };
  const observe = (wire: JsonObject): void => {
    const parts = READ_PARTS[protocol](wire);
    usage = { ...usage, ...parts.usage };
    finished ||= parts.finished;
    if (parts.error !== undefined) failed = errorFailure(parts.error, 'transient');
    ended ||= parts.ended || parts.error !== undefined;
  };
  const pass = ({ data, raw }: SseEvent): string => {
    if (ended) return '';
    if (data === '[DONE]') {
      ended = true;
      return raw;
    }
    if (!WORTH[protocol].some(mark => data.includes(mark))) return raw;
    const wire = eventObject(data);
    if (wire === undefined) return fail(garbledFailure());
    observe(wire);
    // Codex passes over an `error` event and takes the end behind it for a lost connection.
    if (protocol === 'responses' && wire['type'] === 'error' && failed !== undefined) return raw + FAILED.responses(failed);
    return hideUsageChunk && isUsageChunk(wire) ? '' : raw;
  };
  const passAll = (list: readonly SseEvent[]): string => {
    const text = list.map(pass).join('');
    return events.overflown() ? text + fail(garbledFailure()) : text;
  };
  const end = (): string => {
    const rest = passAll(wholeEvents(events.end()));
    if (!finished) return rest + fail(cutFailure());
    ended = true;
    return rest;
  };
  const known = (): TokenUsage | undefined => readUsage(protocol, Object.keys(usage).length > 0 ? usage : undefined);
  return { push: chunk => passAll(events.push(chunk)), end, fail, ended: () => ended, failure: () => failed, usage: known };
}

const isUsageChunk = (wire: JsonObject): boolean => wire['usage'] !== undefined && asList(wire['choices']).length === 0;

interface Parts {
  readonly usage: JsonObject | undefined;
  /** The upstream has said that the answer is whole, and only its mark of the end may still come. */
  readonly finished: boolean;
  readonly ended: boolean;
  readonly error: JsonObject | undefined;
}

const READ_PARTS: Readonly<Record<WireProtocol, (wire: JsonObject) => Parts>> = {
  responses: wire => {
    const response = asObject(wire['response']);
    const whole = wire['type'] === 'response.completed' || wire['type'] === 'response.incomplete';
    const failed = wire['type'] === 'error' ? wire : wire['type'] === 'response.failed' ? (asObject(response?.['error']) ?? {}) : undefined;
    return { usage: asObject(response?.['usage']), finished: whole, ended: whole, error: failed };
  },
  chat: wire => {
    const finished = asList(wire['choices']).some(choice => typeof asObject(choice)?.['finish_reason'] === 'string');
    return { usage: asObject(wire['usage']), finished, ended: false, error: asObject(wire['error']) };
  },
  messages: wire => {
    const usage = asObject(wire['usage']) ?? asObject(asObject(wire['message'])?.['usage']);
    const stopped = wire['type'] === 'message_stop';
    return { usage, finished: stopped, ended: stopped, error: wire['type'] === 'error' ? wire : undefined };
  },
};

/** Endings for a stream whose events are not ours: they need no numbers and no ids of it. */
const FAILED: Readonly<Record<WireProtocol, (failure: GatewayFailure) => string>> = {
  responses: failure =>
    namedEvent('response.failed', {
      type: 'response.failed',
      response: { object: 'response', status: 'failed', error: responsesStreamError(failure), output: [] },
    }),
  chat: failure => plainEvent(chatErrorChunk(failure)),
  messages: failure => namedEvent('error', messagesErrorBody(failure)),
};
