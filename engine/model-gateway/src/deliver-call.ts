/** From an upstream's success to the client's reply: a stream, or a whole answer. Headers leave when the upstream's status is known (MOD-14). */
import { HttpFailure } from '@weir/ports';
import {
  answerEvents,
  convertAnswer,
  createStream,
  errorFailure,
  type GatewayFailure,
  isObject,
  type JsonObject,
  openStream,
  readUsage,
  type StreamFrame,
  type StreamMachine,
  streamInput,
  type TokenUsage,
} from '@weir/wire';
import { readAnswerBody } from './answer-body.ts';
import { CALL_HEADER, failureReply, type GatewayReply, jsonReply } from './gateway-call.ts';
import type { GatewayWorld } from './gateway-world.ts';
import type { OpenedCall } from './open-call.ts';
import { streamAnswer } from './stream-answer.ts';
import { transportFailure } from './upstream-refusal.ts';

type DeliveryWorld = Pick<GatewayWorld, 'now' | 'schedule' | 'report'>;

export async function deliverCall(opened: OpenedCall, world: DeliveryWorld): Promise<GatewayReply> {
  const { converted, response, stop } = opened;
  try {
    const body = await readAnswerBody(response, converted.request.stream);
    if (body.kind === 'garbled') return await refuse(opened, body.failure, 'unknown');
    if (body.kind === 'events') return eventsReply(opened, streamAnswer(answerOf(opened, body.source, world)));
    const error = errorIn(body.json);
    if (error !== undefined) return await refuse(opened, error, 'nothing');
    return converted.request.stream ? await unasked(opened, body.json, world) : await whole(opened, body, world);
  } catch (error) {
    const failure = stop.failure() ?? (error instanceof HttpFailure ? transportFailure(error) : undefined);
    if (failure !== undefined && !stop.gone()) return refuse(opened, failure, 'unknown');
    await opened.end({ outcome: stop.gone() ? 'gone' : 'failed', code: null, spent: 'unknown' });
    throw error;
  }
}

async function refuse(opened: OpenedCall, failure: GatewayFailure, spent: 'unknown' | 'nothing'): Promise<GatewayReply> {
  // A body that was not read to its end would hold its connection.
  opened.stop.abandon();
  await opened.end({ outcome: 'failed', code: failure.code, spent });
  return failureReply(opened.converted.request.protocol, failure, { [CALL_HEADER]: opened.callRef });
}

/** A 200 can hold an error all the same, in the shape of each protocol. */
export const errorIn = (body: JsonObject): GatewayFailure | undefined =>
  body['type'] === 'error' || isObject(body['error']) ? errorFailure(body, 'transient') : undefined;

async function whole(opened: OpenedCall, { text, json }: { readonly text: string; readonly json: JsonObject }, world: DeliveryWorld): Promise<GatewayReply> {
  const { converted } = opened;
  if (converted.passthrough) return closed(opened, text, readUsage(converted.upstream, isObject(json['usage']) ? json['usage'] : undefined));
  const answer = convertAnswer(json, streamInput(converted, frameOf(opened, world)));
  return 'failure' in answer ? refuse(opened, answer.failure, 'unknown') : closed(opened, JSON.stringify(answer.body), answer.usage);
}

async function closed(opened: OpenedCall, text: string, usage: TokenUsage | undefined): Promise<GatewayReply> {
  await opened.end({ outcome: 'whole', code: null, spent: usage ?? 'unknown' });
  return jsonReply(200, text, { [CALL_HEADER]: opened.callRef });
}

/** The client asked for a stream and the upstream answered whole: its events are those that a stream would have had. */
async function unasked(opened: OpenedCall, json: JsonObject, world: DeliveryWorld): Promise<GatewayReply> {
  const { converted } = opened;
  const machine = createStream(streamInput(converted, frameOf(opened, world)));
  const text = wholeAsEvents(converted.upstream, json, machine);
  await opened.end(endingOf(machine));
  return eventsReply(opened, once(text));
}

export const wholeAsEvents = (upstream: Parameters<typeof answerEvents>[0], json: JsonObject, machine: StreamMachine): string =>
  answerEvents(upstream, json)
    .map(mark => machine.push(`data: ${mark === '[DONE]' ? mark : JSON.stringify(mark)}\n\n`))
    .join('') + machine.end();

async function* once(text: string): AsyncGenerator<string> {
  yield text;
}

function answerOf(opened: OpenedCall, source: AsyncIterable<Uint8Array>, world: DeliveryWorld): Parameters<typeof streamAnswer>[0] {
  const { converted, stop, callRef } = opened;
  const machine = openStream(converted, frameOf(opened, world));
  return {
    source,
    machine,
    schedule: world.schedule,
    stopped: stop.failure,
    gone: stop.gone,
    abandon: stop.abandon,
    onBug: error =>
      world.report({ event: 'attention', code: 'BUG', callRef, sentence: error instanceof Error ? (error.stack ?? error.message) : String(error) }),
    onEnd: () => opened.end(stop.gone() && !machine.ended() ? { outcome: 'gone', code: null, spent: 'unknown' } : endingOf(machine)),
  };
}

/** Only an answer that came to its end has its final counts; what a broken one said of its tokens so far is too little. */
export function endingOf(machine: StreamMachine): {
  readonly outcome: 'whole' | 'failed';
  readonly code: string | null;
  readonly spent: 'unknown' | TokenUsage;
} {
  const failure = machine.failure();
  if (machine.ended() && failure === undefined) return { outcome: 'whole', code: null, spent: machine.usage() ?? 'unknown' };
  return { outcome: 'failed', code: failure?.code ?? 'abandoned', spent: 'unknown' };
}

export const frameOf = ({ callRef, estimatedInputTokens }: OpenedCall, { now }: Pick<GatewayWorld, 'now'>): StreamFrame => ({
  fallbackId: callRef,
  createdAt: Math.floor(now() / 1_000),
  estimatedInputTokens,
});

const eventsReply = ({ callRef }: OpenedCall, body: AsyncIterable<string>): GatewayReply => ({
  status: 200,
  headers: { 'content-type': 'text/event-stream; charset=utf-8', 'cache-control': 'no-cache', 'x-accel-buffering': 'no', [CALL_HEADER]: callRef },
  body,
});
