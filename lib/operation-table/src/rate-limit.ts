/**
 * Reads from an answer whether a limit of the vendor was hit, and how long to wait.
 */
import type { ErrorText } from './error-text.ts';

/** Wait after a limit that names no time: the vendors' own advice for their secondary limits (PRV-10). */
export const UNNAMED_WAIT_MS = 60_000;
/** A wait is never longer, whatever a header says. */
export const MAX_WAIT_MS = 24 * 60 * 60 * 1_000;
const MIN_WAIT_MS = 1_000;

type Headers = Readonly<Record<string, string>>;

/** Numbers under this are seconds from now, the others an epoch time in seconds. */
const EPOCH_FROM = 1_000_000_000;

/** What the `retry-after` header asks for: seconds, or a date held against `nowMs`. Undefined where it is absent or unreadable. */
export const readRetryAfter = (headers: Headers, nowMs: number): number | undefined => {
  const text = headers['retry-after']?.trim() ?? '';
  if (/^\d{1,12}(?:\.\d{1,6})?$/.test(text)) return boundWait(Number(text) * 1_000);
  const date = /^[A-Za-z]{3},? /.test(text) ? Date.parse(text.slice(0, 64)) : Number.NaN;
  return Number.isNaN(date) ? undefined : boundWait(date - nowMs);
};

const boundWait = (ms: number): number => Math.min(MAX_WAIT_MS, Math.max(MIN_WAIT_MS, Math.ceil(ms)));

const wholeNumber = (text: string | undefined): number | undefined => (text !== undefined && /^\s*\d{1,12}\s*$/.test(text) ? Number(text) : undefined);

/** Calls that are left, and milliseconds until the count starts again, as far as the headers say. */
export const readRateLimit = (headers: Headers, nowMs: number): { readonly remaining: number | undefined; readonly resetMs: number | undefined } => {
  const remaining = wholeNumber(headers['x-ratelimit-remaining'] ?? headers['ratelimit-remaining']);
  const reset = wholeNumber(headers['x-ratelimit-reset'] ?? headers['ratelimit-reset']);
  if (reset === undefined) return { remaining, resetMs: undefined };
  return { remaining, resetMs: boundWait(reset >= EPOCH_FROM ? reset * 1_000 - nowMs : reset * 1_000) };
};

/** A limit on content arrives as 422 too; its texts are narrower, since a 422 quotes what the caller wrote. */
const CONTENT_LIMIT = /secondary rate limit|abuse detection|submitted too quickly/i;
const ANY_LIMIT =
  /rate limit[^.]{0,80}exceeded|exceeded[^.]{0,80}rate limit|rate limited|secondary rate limit|abuse detection|submitted too quickly|too many (?:requests|times)/i;
const LIMIT_CODES = ['abuse', 'rate_limited', 'rate_limit'];
/** Limits beside the counted one: the reset of the counter says nothing about them. */
const UNCOUNTED_LIMIT = /secondary|abuse|too quickly/i;

/** Milliseconds to wait where the answer is a limit; undefined where it is something else. */
export const limitWait = (status: number, headers: Headers, text: ErrorText, nowMs: number): number | undefined => {
  const retryAfter = readRetryAfter(headers, nowMs);
  const { remaining, resetMs } = readRateLimit(headers, nowMs);
  const told = LIMIT_CODES.some(code => text.codes.has(code));
  const limited: Readonly<Record<number, boolean>> = {
    429: true,
    403: told || retryAfter !== undefined || remaining === 0 || ANY_LIMIT.test(text.message),
    422: told || CONTENT_LIMIT.test(text.message),
  };
  if (limited[status] !== true) return undefined;
  const counts = remaining === 0 || (status === 429 && remaining === undefined);
  return retryAfter ?? unnamedWait(text, counts ? resetMs : undefined);
};

function unnamedWait({ message, codes }: ErrorText, resetMs: number | undefined): number {
  const counted = resetMs ?? UNNAMED_WAIT_MS;
  return codes.has('abuse') || UNCOUNTED_LIMIT.test(message) ? Math.max(counted, UNNAMED_WAIT_MS) : counted;
}
