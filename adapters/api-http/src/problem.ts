/** Failures as problem+json (RFC 9457) with the code of the contract's list. A bug says nothing of itself. */
import { ERRORS, type ErrorCode, EXIT, type ExitCode } from '@weir/contract';
import { AppError } from '@weir/kernel';

export interface Problem {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

const STATUS: Partial<Readonly<Record<ErrorCode, number>>> = {
  NOT_FOUND: 404,
  FINDING_UNKNOWN: 404,
  FORGE_NOT_FOUND: 404,
  MODEL_UNKNOWN: 404,
  SIGN_IN_REQUIRED: 401,
  ROLE_REQUIRED: 403,
  CROSS_SITE_REFUSED: 403,
  KEY_REUSED: 422,
  KEY_IN_USE: 409,
  INPUT_TOO_LARGE: 413,
  TOO_MANY_REQUESTS: 429,
  NOT_AVAILABLE: 501,
};

const STATUS_OF_EXIT: Partial<Readonly<Record<ExitCode, number>>> = {
  [EXIT.usage]: 400,
  [EXIT.configuration]: 409,
  [EXIT.refused]: 409,
  [EXIT.upstream]: 503,
};

const statusOf = (code: ErrorCode): number => STATUS[code] ?? STATUS_OF_EXIT[ERRORS[code].exit] ?? 500;

/** For failures that go by and name no time. */
const RETRY_AFTER_SECONDS = 5;

export function problemOf(error: AppError): Problem {
  const { code, message, next, retry, retryAfterSeconds = RETRY_AFTER_SECONDS } = error;
  const status = statusOf(code);
  const body = JSON.stringify({ type: 'about:blank', title: ERRORS[code].when, status, detail: message, code, next });
  return { status, headers: retry === 'later' ? { 'retry-after': String(Math.ceil(retryAfterSeconds)) } : {}, body };
}

export const BUG: Problem = {
  status: 500,
  headers: {},
  body: JSON.stringify({
    ...{ type: 'about:blank', title: 'The server failed.', status: 500, code: null },
    ...{ detail: 'The server failed at something that nobody foresaw.', next: 'Look at the log of the server.' },
  }),
};

const OF_SERVER: Readonly<Record<string, () => AppError>> = {
  FST_ERR_CTP_INVALID_MEDIA_TYPE: () => new AppError('REQUEST_INVALID', 'The content type of a body is application/json.'),
  FST_ERR_CTP_BODY_TOO_LARGE: () => new AppError('INPUT_TOO_LARGE', 'The body is larger than the API takes.', { next: 'Send less.' }),
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: () => new AppError('REQUEST_INVALID', 'The body is not as long as its content-length says.'),
  FST_ERR_BAD_URL: () => new AppError('REQUEST_INVALID', 'The address is not valid.'),
};

/** @returns undefined for a bug. */
export function failureOf(error: unknown): AppError | undefined {
  if (error instanceof AppError) return error;
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  return Object.hasOwn(OF_SERVER, code) ? OF_SERVER[code]?.() : undefined;
}
