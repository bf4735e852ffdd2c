/** The one door into the intermediate form, for all three client protocols. */
import type { WireProtocol } from '@weir/tool-plan';
import { decodeChat } from './decode-chat.ts';
import { decodeMessages } from './decode-messages.ts';
import { decodeResponses } from './decode-responses.ts';
import { RequestProblem } from './gateway-failure.ts';
import { isObject, isTooDeep, type JsonObject, MAX_DEPTH } from './json.ts';
import type { ModelRequest } from './model-request.ts';

const DECODERS: Readonly<Record<WireProtocol, (body: JsonObject) => ModelRequest>> = {
  responses: decodeResponses,
  chat: decodeChat,
  messages: decodeMessages,
};

/** @param body the parsed JSON body. @throws RequestProblem with a code and a sentence for the client. */
export function decodeRequest(protocol: WireProtocol, body: unknown): ModelRequest {
  if (!isObject(body)) throw new RequestProblem('invalid_request', 'The body is not a JSON object.');
  if (isTooDeep(body)) throw new RequestProblem('invalid_request', `The body is nested deeper than ${MAX_DEPTH} levels.`);
  const request = DECODERS[protocol](body);
  if (request.model === '') throw new RequestProblem('invalid_request', 'The body names no model.');
  return request;
}
