/**
 * What an answer means (PRV-9): a value, a redirect, or a failure of a closed kind with the vendor's words, its request id, a
 * hint, and whether the same call may succeed later.
 */
import { cleanText, type ErrorText, readErrorText } from './error-text.ts';
import { FAILURE_KINDS, type FailureKind, hintFor } from './failure-kind.ts';
import type { OperationRow } from './operation-row.ts';
import { limitWait, readRetryAfter } from './rate-limit.ts';
import { readAnswer } from './read-answer.ts';
import { readGraphqlErrors } from './graphql-errors.ts';

/** What an answer looks like that says `too large`. */
export interface AnswerMark {
  readonly status: number;
  /** One of the answer's machine-readable codes, in lower case. */
  readonly code?: string | undefined;
  /** A part of its message, in any case. */
  readonly says?: string | undefined;
}

export interface ResponseFacts {
  readonly status: number;
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, string>>;
  /** Of a failure the first 8 KiB are enough. */
  readonly bodyText: string;
  /** True where the transport stopped at its bound (PRV-8) before the body's end. */
  readonly truncated?: boolean;
  /** How this provider says that what was asked for is too large. */
  readonly tooLarge?: readonly AnswerMark[];
  /** Milliseconds of the epoch; a wait until a date is counted from here. */
  readonly nowMs: number;
}

export interface ResponseFailure {
  readonly kind: FailureKind;
  readonly status: number;
  /** The vendor's message on one bounded line; the status where it says nothing. */
  readonly message: string;
  readonly requestId: string | undefined;
  readonly hint: string;
  /** May the same call succeed later? Says nothing of whether repeating it is safe. */
  readonly retry: 'never' | 'later';
  readonly retryAfterMs?: number;
}

export type ResponseOutcome =
  | {
      readonly kind: 'ok';
      readonly status: number;
      /** Parsed JSON, else the text; null for an empty body. */
      readonly value: unknown;
      /** False for a success that the row does not declare. */
      readonly declared: boolean;
      readonly requestId: string | undefined;
      /** The deprecation that the answer announces, in one sentence. */
      readonly deprecated?: string;
    }
  /** A conditional request whose earlier answer still holds. */
  | { readonly kind: 'not-modified'; readonly status: 304; readonly requestId: string | undefined }
  /** `declared`: the row counts this status as its success, as downloads do. */
  | { readonly kind: 'redirect'; readonly status: number; readonly location: string; readonly declared: boolean; readonly requestId: string | undefined }
  | ResponseFailure;

const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);
const MAX_LOCATION_CHARACTERS = 8_192;

/** Never throws, whatever the answer holds. */
export const classifyResponse = (row: OperationRow, facts: ResponseFacts): ResponseOutcome => {
  const { status, headers } = facts;
  const requestId = readRequestId(headers);
  if (status === 304) return { kind: 'not-modified', status, requestId };
  if (REDIRECTS.has(status)) return redirect(row, facts, requestId);
  if (status >= 200 && status < 300) return success(row, facts, requestId);
  return failure(row, facts, requestId);
};

/** Vendors name it differently; every such header ends alike. */
function readRequestId(headers: ResponseFacts['headers']): string | undefined {
  for (const name in headers) {
    if (/request-?(?:id|uuid)$/.test(name.slice(-64))) return cleanText(headers[name] ?? '', 128) || undefined;
  }
  return undefined;
}

function redirect(row: OperationRow, facts: ResponseFacts, requestId: string | undefined): ResponseOutcome {
  const location = facts.headers['location']?.trim() ?? '';
  const { status } = facts;
  if (location === '' || location.length > MAX_LOCATION_CHARACTERS || /[\s\p{Cc}]/u.test(location)) {
    return { kind: 'Unavailable', status, message: 'a redirect without a usable location', requestId, hint: hintFor('Unavailable', status), retry: 'never' };
  }
  return { kind: 'redirect', status, location, declared: row.success.includes(status), requestId };
}

function success(row: OperationRow, facts: ResponseFacts, requestId: string | undefined): ResponseOutcome {
  const { status, headers, bodyText } = facts;
  const broken = { status, requestId, hint: hintFor('Unavailable', status) };
  if (facts.truncated === true) {
    return { ...broken, kind: 'BoundExceeded', message: 'the answer is larger than the bound', hint: hintFor('BoundExceeded', status), retry: 'never' };
  }
  const answer = row.method === 'HEAD' ? ({ ok: true, value: null } as const) : readAnswer(row, headers['content-type'] ?? '', bodyText);
  if (!answer.ok) return { ...broken, kind: 'Unavailable', message: answer.reason, retry: row.method === 'GET' ? 'later' : 'never' };
  const errors = row.path.endsWith('/graphql') ? readGraphqlErrors(answer.value) : undefined;
  if (errors !== undefined) return graphqlFailure(errors, facts, requestId);
  const deprecated = readDeprecation(headers);
  const declared = row.success.includes(status);
  return { kind: 'ok', status, value: answer.value, declared, requestId, ...(deprecated === undefined ? {} : { deprecated }) };
}

function graphqlFailure({ kind, text }: { kind: FailureKind; text: ErrorText }, facts: ResponseFacts, requestId: string | undefined): ResponseFailure {
  const { status, headers, nowMs } = facts;
  const base = { kind, status, message: cleanText(text.message) || 'errors without a message', requestId, hint: hintFor(kind, status) };
  if (kind !== 'RateLimited') return { ...base, retry: kind === 'Unavailable' ? 'later' : 'never' };
  return { ...base, retry: 'later', retryAfterMs: limitWait(429, headers, text, nowMs) ?? 0 };
}

/** A warning that holds beyond this answer (RFC 7234, section 5.5.7), and speaks of the operation's end. */
const LASTING_WARNING = /^299 \S{1,256} "([^"]{1,1024})"/;

/** The Deprecation and Sunset headers (RFC 9745, RFC 8594), else the warning that came before them. */
function readDeprecation(headers: ResponseFacts['headers']): string | undefined {
  const since = cleanText(headers['deprecation'] ?? '', 64);
  const sunset = cleanText(headers['sunset'] ?? '', 64);
  if ((since === '' || since === 'false') && sunset === '') {
    const warning = LASTING_WARNING.exec(headers['warning'] ?? '')?.[1] ?? '';
    return /deprecat|sunset|removed/i.test(warning) ? `the vendor warns: ${cleanText(warning, 256)}` : undefined;
  }
  return sunset === '' ? 'the vendor marks this operation as deprecated' : `the vendor removes this operation on ${sunset}`;
}

function failure(row: OperationRow, facts: ResponseFacts, requestId: string | undefined): ResponseFailure {
  const { status, headers, nowMs } = facts;
  const text = readErrorText(facts.bodyText, headers['content-type'] ?? '');
  const wait = limitWait(status, headers, text, nowMs);
  const kind = wait === undefined ? kindOf(row, facts, text) : 'RateLimited';
  const later = kind === 'RateLimited' || (kind === 'Unavailable' && status !== 501 && status !== 505);
  const retryAfterMs = wait ?? (later ? readRetryAfter(headers, nowMs) : undefined);
  return {
    kind,
    status,
    message: text.message || `status ${status} without a message`,
    requestId,
    hint: hintFor(kind, status),
    retry: later ? 'later' : 'never',
    ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
  };
}

/** A deprecated operation that still works answers 404 for what is missing; only 410 and the vendor's words mean the end. */
function hasEnded({ status, headers }: ResponseFacts, message: string): boolean {
  if (status === 410) return readDeprecation(headers) !== undefined || /deprecated|brownout|no longer (?:available|supported)/i.test(message);
  return (status === 400 || status === 404) && /brownout|api[- ]version/i.test(message);
}

const isTooLarge = ({ status, tooLarge = [] }: ResponseFacts, { message, codes }: ErrorText): boolean =>
  tooLarge.some(
    mark =>
      mark.status === status &&
      (mark.code === undefined || codes.has(mark.code)) &&
      (mark.says === undefined || message.toLowerCase().includes(mark.says.toLowerCase())),
  );

/** Statuses whose meaning depends on the method: a read that is not acceptable, a change that the state does not allow. */
const CONTESTED: ReadonlySet<number> = new Set([405, 406]);

function kindOf(row: OperationRow, facts: ResponseFacts, text: ErrorText): FailureKind {
  const { status } = facts;
  if (hasEnded(facts, text.message)) return 'Deprecated';
  if (isTooLarge(facts, text)) return 'BoundExceeded';
  if (CONTESTED.has(status)) return row.method === 'GET' ? 'Unprocessable' : 'Conflict';
  return FAILURE_KINDS[status] ?? (status >= 400 && status < 500 ? 'Unprocessable' : 'Unavailable');
}
