/** What an upstream's error means for the client, from its status or from the error object inside a stream. */
import { type FailureClass, type GatewayFailure, permanent } from './gateway-failure.ts';
import { asObject, asText, isObject, type JsonObject, parseJson } from './json.ts';

/** Longest sentence of an upstream that is passed on. */
const MAX_SENTENCE = 300;

/** Codes and types of all vendors that say more than the status; looked up in the error's code, type and status. */
const BY_CODE: Readonly<Record<string, FailureClass>> = {
  context_length_exceeded: 'context',
  model_context_window_exceeded: 'context',
  insufficient_quota: 'quota',
  billing_error: 'quota',
  invalid_prompt: 'permanent',
  invalid_request_error: 'permanent',
  unsupported_parameter: 'permanent',
  model_not_found: 'not_found',
  not_found_error: 'not_found',
  request_too_large: 'too_large',
  rate_limit_exceeded: 'rate_limited',
  rate_limit_error: 'rate_limited',
  rate_limit_reached: 'rate_limited',
  RESOURCE_EXHAUSTED: 'rate_limited',
};

const CODES: Readonly<Record<FailureClass, string>> = {
  permanent: 'upstream_refused',
  not_found: 'model_not_found',
  invalid_key: 'provider_auth',
  quota: 'insufficient_quota',
  context: 'context_length_exceeded',
  too_large: 'request_too_large',
  rate_limited: 'rate_limit_exceeded',
  transient: 'upstream_error',
};

/** Anthropic has no code for a context that is too long; its clients know it by these words. */
const TOO_LONG = 'prompt is too long';

/** Codes that speak of our own credential: its sentence may quote the key and is never passed on. */
const CREDENTIAL_CODES: ReadonlySet<string> = new Set(['invalid_api_key', 'authentication_error', 'permission_error', 'UNAUTHENTICATED', 'PERMISSION_DENIED']);

const BY_STATUS: Readonly<Record<number, FailureClass>> = {
  402: 'quota',
  404: 'not_found',
  413: 'too_large',
  429: 'rate_limited',
  408: 'transient',
  409: 'transient',
};

/** The upstream refuses the credential that the operator gave, which no retry of the client can mend. */
const providerAuth = (): GatewayFailure => permanent('provider_auth', 'The model provider refuses the credential of this route.');

export interface UpstreamStatus {
  readonly status: number;
  /** Text of the body, or its beginning. */
  readonly body: string;
  readonly retryAfterSeconds?: number;
}

/** A failure for an HTTP answer that is no success. */
export function statusFailure({ status, body, retryAfterSeconds }: UpstreamStatus): GatewayFailure {
  const parsed = parseJson(body);
  const error = isObject(parsed) ? parsed : undefined;
  const failure = status === 401 || status === 403 ? providerAuth() : errorFailure(error, BY_STATUS[status] ?? (status >= 500 ? 'transient' : 'permanent'));
  return retryAfterSeconds === undefined ? failure : { ...failure, retryAfterSeconds };
}

/**
 * A failure for an error object: `{error: {…}}`, or the error itself. Inside a stream the fallback is `transient`, since
 * an upstream that had nothing against the request started to answer it.
 */
export function errorFailure(wire: JsonObject | undefined, fallback: FailureClass): GatewayFailure {
  const error = asObject(wire?.['error']) ?? wire ?? {};
  const codes = [error['code'], error['type'], error['status']].map(asText).filter(code => code !== undefined);
  if (codes.some(code => CREDENTIAL_CODES.has(code))) return providerAuth();
  const sentence = asText(error['message'])?.slice(0, MAX_SENTENCE) ?? '';
  const kind = sentence.startsWith(TOO_LONG) ? 'context' : kindOf(codes, fallback);
  return {
    code: CODES[kind],
    class: kind,
    message: sentence === '' ? 'The model provider failed and did not say why.' : `The model provider says: ${sentence}`,
  };
}

function kindOf(codes: readonly string[], fallback: FailureClass): FailureClass {
  const known = codes.find(code => Object.hasOwn(BY_CODE, code));
  return known === undefined ? fallback : (BY_CODE[known] ?? fallback);
}
