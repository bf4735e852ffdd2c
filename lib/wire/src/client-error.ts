/**
 * What a client gets instead of an answer, before the stream starts and inside it (MOD-15, MOD-23). The figures follow
 * from what real clients do: Codex pays again for 401, 402, 403, 409, 413 and 422, and stops at 400; clients of the other
 * protocols take every 429 for passing, and stop at 402.
 */
import type { WireProtocol } from '@weir/tool-plan';
import type { FailureClass, GatewayFailure } from './gateway-failure.ts';
import type { JsonObject } from './json.ts';

export interface ClientError {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: JsonObject;
}

interface Row {
  /** HTTP status by client protocol. */
  readonly responses: number;
  readonly chat: number;
  readonly messages: number;
  /** Code for OpenAI clients; ours where it is undefined. */
  readonly code?: string;
  readonly openaiType: string;
  readonly messagesType: string;
  /** Code of `response.failed`. Codex takes the first three of MOD-15 for final and tries again after any other. */
  readonly streamCode: string;
}

const ROWS: Readonly<Record<FailureClass, Row>> = {
  permanent: {
    responses: 400,
    chat: 400,
    messages: 400,
    openaiType: 'invalid_request_error',
    messagesType: 'invalid_request_error',
    streamCode: 'invalid_prompt',
  },
  not_found: {
    responses: 404,
    chat: 404,
    messages: 404,
    code: 'model_not_found',
    openaiType: 'invalid_request_error',
    messagesType: 'not_found_error',
    streamCode: 'invalid_prompt',
  },
  invalid_key: {
    responses: 400,
    chat: 401,
    messages: 401,
    code: 'invalid_api_key',
    openaiType: 'invalid_request_error',
    messagesType: 'authentication_error',
    streamCode: 'invalid_prompt',
  },
  quota: {
    responses: 429,
    chat: 402,
    messages: 402,
    code: 'insufficient_quota',
    openaiType: 'insufficient_quota',
    messagesType: 'billing_error',
    streamCode: 'insufficient_quota',
  },
  context: {
    responses: 400,
    chat: 400,
    messages: 400,
    code: 'context_length_exceeded',
    openaiType: 'invalid_request_error',
    messagesType: 'invalid_request_error',
    streamCode: 'context_length_exceeded',
  },
  too_large: { responses: 400, chat: 413, messages: 413, openaiType: 'invalid_request_error', messagesType: 'request_too_large', streamCode: 'invalid_prompt' },
  rate_limited: {
    responses: 429,
    chat: 429,
    messages: 429,
    code: 'rate_limit_exceeded',
    openaiType: 'rate_limit_error',
    messagesType: 'rate_limit_error',
    streamCode: 'rate_limit_exceeded',
  },
  transient: { responses: 503, chat: 503, messages: 529, openaiType: 'server_error', messagesType: 'overloaded_error', streamCode: 'server_error' },
};

const PASSING: ReadonlySet<FailureClass> = new Set(['transient', 'rate_limited']);

/** The vendors' own client libraries look for the second header before they look at the status. */
function retryHeaders({ class: kind, retryAfterSeconds }: GatewayFailure): ClientError['headers'] {
  if (!PASSING.has(kind)) return { 'x-should-retry': 'false' };
  return retryAfterSeconds === undefined ? {} : { 'retry-after': String(Math.ceil(retryAfterSeconds)) };
}

/** Status and body before any byte of a stream. */
export function clientError(client: WireProtocol, failure: GatewayFailure): ClientError {
  return {
    status: ROWS[failure.class][client],
    headers: retryHeaders(failure),
    body: client === 'messages' ? messagesErrorBody(failure) : openaiErrorBody(failure),
  };
}

const openaiErrorBody = (failure: GatewayFailure): JsonObject => {
  const row = ROWS[failure.class];
  return { error: { message: failure.message, type: row.openaiType, param: null, code: row.code ?? failure.code } };
};

/** The body of `event: error` too. */
export const messagesErrorBody = ({ class: kind, code, message }: GatewayFailure): JsonObject => ({
  type: 'error',
  error: { type: ROWS[kind].messagesType, message, code: ROWS[kind].code ?? code },
});

/** The last chunk of a broken chat stream; no `[DONE]` follows. */
export const chatErrorChunk = openaiErrorBody;

/** The error of `response.failed`. Our own code leads the sentence where the protocol's word stands in its place. */
export function responsesStreamError({ class: kind, code, message }: GatewayFailure): JsonObject {
  const { streamCode } = ROWS[kind];
  return { code: streamCode, message: streamCode === code ? message : `${code}: ${message}` };
}
