/** A whole JSON answer from the upstream's protocol to the client's, through the same readers and checks as a stream. */
import type { WireProtocol } from '@weir/tool-plan';
import type { AnswerFrame } from './answer-writer.ts';
import { chatBody } from './chat-answer.ts';
import { type GatewayFailure, transient } from './gateway-failure.ts';
import { asObject, asText, isObject, type JsonObject, objectsOf } from './json.ts';
import { createLifecycle } from './lifecycle.ts';
import { messagesBody } from './messages-answer.ts';
import { responsesBody, responsesEnding, responsesItem } from './responses-answer.ts';
import type { FinishEvent, StartEvent } from './stream-event.ts';
import { cutFailure, READERS, type StreamInput } from './stream-machine.ts';
import type { TokenUsage } from './usage.ts';
import { responseId } from './write-responses-stream.ts';

export type AnswerConversion =
  | { readonly body: JsonObject; readonly usage: TokenUsage | undefined }
  | { readonly failure: GatewayFailure; readonly usage: TokenUsage | undefined };

type Mark = JsonObject | '[DONE]';

/** The events that a stream of this answer would have had. */
const AS_EVENTS: Readonly<Record<WireProtocol, (body: JsonObject) => readonly Mark[]>> = {
  responses: body => [
    { type: 'response.created', response: body },
    ...objectsOf(body['output']).map((item, index) => ({ type: 'response.output_item.done', output_index: index, item })),
    { type: `response.${asText(body['status']) ?? 'completed'}`, response: body },
  ],
  chat: body => [body, '[DONE]'],
  messages: body => [
    { type: 'message_start', message: body },
    ...objectsOf(body['content']).flatMap((block, index) => [
      { type: 'content_block_start', index, content_block: block },
      { type: 'content_block_stop', index },
    ]),
    { type: 'message_delta', delta: { stop_reason: body['stop_reason'] }, usage: body['usage'] },
    { type: 'message_stop' },
  ],
};

/** A 200 can hold an error all the same; each protocol has its own shape for it. */
const errorOf = (body: JsonObject): JsonObject | undefined => (body['type'] === 'error' || isObject(body['error']) ? body : undefined);

/** Events of a JSON answer, for a client that asked for a stream and got an upstream that did not. */
export const answerEvents = (upstream: WireProtocol, body: JsonObject): readonly Mark[] => {
  const error = errorOf(body);
  return error === undefined ? AS_EVENTS[upstream](body) : [{ type: 'error', ...error }];
};

/** @param body the parsed JSON of a successful upstream answer. */
export function convertAnswer(body: unknown, input: StreamInput): AnswerConversion {
  const wire = asObject(body);
  const reader = READERS[input.upstream]();
  const lifecycle = createLifecycle(input.plan);
  if (wire === undefined)
    return { failure: transient('upstream_garbled', 'The model provider answered with something that is no JSON object.'), usage: undefined };
  let start: StartEvent = { type: 'start', id: '', model: '', created: undefined, usage: undefined };
  for (const mark of answerEvents(input.upstream, wire)) {
    const upstream = mark === '[DONE]' ? reader.take(undefined, mark) : reader.take(mark, '');
    for (const event of upstream.flatMap(each => lifecycle.take(each))) {
      if (event.type === 'start') start = event;
      if (event.type === 'failure') return { failure: event.failure, usage: reader.usage() };
      if (event.type === 'finish') return { body: BODIES[input.client](start, event, input), usage: reader.usage() };
    }
  }
  return { failure: cutFailure(), usage: reader.usage() };
}

const BODIES: Readonly<Record<WireProtocol, (start: StartEvent, finish: FinishEvent, frame: AnswerFrame) => JsonObject>> = {
  responses: (start, finish, frame) => {
    const id = responseId(start.id, frame);
    const output = finish.items.map((item, number) =>
      responsesItem(item, number, { answerId: id, frame, status: item.kind === 'opaque' || item.whole ? 'completed' : 'incomplete' }),
    );
    return responsesBody({ id, model: frame.model, createdAt: start.created ?? frame.createdAt }, responsesEnding(finish, output));
  },
  chat: chatBody,
  messages: messagesBody,
};
