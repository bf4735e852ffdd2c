/**
 * From what an endpoint answers to one of Weir's failures, once and here.
 * The same table serves HTTP statuses and errors that arrive inside a 200.
 */
import type { ErrorCode } from '@weir/contract';
import { AppError } from '@weir/kernel';
import { HttpFailure } from '@weir/ports';
import { endpointMessage, errorPart } from './endpoint-message.ts';
import { field, stringField } from './json-field.ts';
import { retryAfterSeconds } from './retry-after.ts';

const OF_TRANSPORT: Readonly<Record<HttpFailure['kind'], ErrorCode>> = {
  refused: 'URL_REFUSED',
  unreachable: 'MODEL_UNREACHABLE',
  timeout: 'MODEL_TIMEOUT',
  too_large: 'MODEL_GARBLED',
};

/** Words by which endpoints name a kind of error inside a 200; the status that they would have sent. */
const STATUS_OF_TYPE: Readonly<Record<string, number>> = {
  invalid_request_error: 400,
  authentication_error: 401,
  invalid_api_key: 401,
  permission_error: 403,
  not_found_error: 404,
  model_not_found: 404,
  rate_limit_error: 429,
  rate_limit_exceeded: 429,
  insufficient_quota: 429,
};

/** A refusal that names a request field is cured by the setting that governs the field. The first row that fits counts. */
const ADVICE: readonly { readonly mentions: RegExp; readonly next: string }[] = [
  { mentions: /insufficient_quota|exceeded your current quota/i, next: 'The account has no quota left: check its plan, waiting does not help.' },
  { mentions: /context[_ ]length|maximum context|too many tokens|prompt is too long/i, next: 'Lower `model.contextTokens` to what the model takes.' },
  { mentions: /stream_options|include_usage/i, next: 'Set `model.streamUsage` to false.' },
  { mentions: /response_format|json_object/i, next: 'Set `model.jsonMode` to false.' },
  { mentions: /max_(completion_)?tokens/i, next: 'Set `model.outputTokenParameter` to the name that the message asks for, or lower `model.maxOutputTokens`.' },
  { mentions: /temperature/i, next: 'Remove `model.temperature`, or set it to a value that the model takes.' },
];

const NEXT_OF_STATUS: Readonly<Record<number, string>> = {
  401: 'Check `model.key`.',
  403: 'Check `model.key` and what it may use.',
  404: 'Check `model.name`, and `model.baseUrl` (it often ends in `/v1`).',
  413: 'Lower `model.contextTokens`.',
};

export interface EndpointReply {
  readonly origin: string;
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** Text of the body, possibly cut, without the key. */
  readonly body: string;
  /** Milliseconds since 1970. */
  readonly now: number;
}

function codeOf(status: number): ErrorCode {
  if (status === 429) return 'MODEL_RATE_LIMITED';
  if (status === 408) return 'MODEL_TIMEOUT';
  if (status >= 500) return 'MODEL_UNREACHABLE';
  return status >= 400 ? 'MODEL_REJECTED' : 'MODEL_GARBLED';
}

/** A reply with another status than 2xx. */
export function classifyReply({ origin, status, headers, body, now }: EndpointReply): AppError {
  if (status < 400) return redirected(origin, status);
  const code = codeOf(status);
  const wait = retryAfterSeconds(headers, now);
  const advice = code === 'MODEL_UNREACHABLE' ? undefined : (ADVICE.find(row => row.mentions.test(body))?.next ?? NEXT_OF_STATUS[status]);
  const message = endpointMessage(body);
  const pause = wait === undefined ? '' : ` (wait ${wait} s)`;
  return new AppError(code, `${origin} answers ${status}${pause}${message === '' ? '' : `: ${message}`}`, {
    ...(wait === undefined ? {} : { retryAfterSeconds: wait }),
    ...(advice === undefined ? {} : { next: advice }),
  });
}

const redirected = (origin: string, status: number) =>
  new AppError('MODEL_GARBLED', `${origin} answers ${status}: it wants to be asked at another address.`, {
    next: 'Set `model.baseUrl` to the address that the endpoint really has; a key is never sent on to another origin.',
  });

/** An error object inside a 200, or inside a stream; undefined when the payload holds none. */
export function classifyPayload(payload: unknown, origin: string): AppError | undefined {
  const error = errorPart(payload);
  if (error === undefined) return undefined;
  return classifyReply({ origin, status: statusOf(error), headers: {}, body: JSON.stringify(payload), now: 0 });
}

function statusOf(error: unknown): number {
  const code = Number(field(error, 'code'));
  if (Number.isInteger(code) && code >= 400 && code <= 599) return code;
  const words = [stringField(error, 'code'), stringField(error, 'type')];
  return words.map(word => (word !== undefined && Object.hasOwn(STATUS_OF_TYPE, word) ? STATUS_OF_TYPE[word] : undefined)).find(Boolean) ?? 500;
}

/** @returns the failure of the transport as one of Weir's; whatever else it is, itself. */
export function classifyThrown(error: unknown): unknown {
  return error instanceof HttpFailure ? new AppError(OF_TRANSPORT[error.kind], error.message, { cause: error }) : error;
}
