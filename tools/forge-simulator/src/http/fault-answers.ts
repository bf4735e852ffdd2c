/** Faults that answer instead of the forge, in the forge's words. */
import type { Answer } from './call.ts';
import type { Fault } from './faults.ts';

/** How one forge says "too many requests" and "too large". */
export interface LimitWords {
  readonly rateLimited: (resetAt: Date, status: 403 | 429) => Answer;
  readonly secondaryLimited: (status: 403 | 422 | 429) => Answer;
  readonly tooLarge: () => Answer;
}

const HTML =
  '<!DOCTYPE html>\n<html><head><title>Unicorn! &middot; Error</title></head><body><h1>We had issues producing the response to your request.</h1></body></html>\n';

/** The answer that replaces the forge's, or null for a fault that strikes elsewhere. */
export function faultAnswer(fault: Fault, url: URL, words: LimitWords, now: Date): Answer | null {
  const make = ANSWERS[fault.kind];
  return make === undefined ? null : make(fault, { url, words, now });
}

interface Scene {
  readonly url: URL;
  readonly words: LimitWords;
  readonly now: Date;
}

const ANSWERS: Readonly<Partial<Record<Fault['kind'], (fault: Fault, scene: Scene) => Answer | null>>> = {
  answer: fault => (fault.kind === 'answer' ? { ...fault } : null),
  'rate-limit': (fault, { words, now }) =>
    fault.kind === 'rate-limit' ? words.rateLimited(new Date(now.getTime() + (fault.resetAfterSeconds ?? 3600) * 1000), fault.status ?? 429) : null,
  'secondary-limit': (fault, { words }) => {
    if (fault.kind !== 'secondary-limit') return null;
    const answer = words.secondaryLimited(fault.status ?? 429);
    return fault.retryAfterSeconds === undefined ? answer : { ...answer, headers: { ...answer.headers, 'retry-after': String(fault.retryAfterSeconds) } };
  },
  'too-large': (_, { words }) => words.tooLarge(),
  'html-error': fault => (fault.kind === 'html-error' ? { status: fault.status ?? 502, raw: HTML, type: 'text/html; charset=utf-8' } : null),
  'oversized-error': fault =>
    fault.kind === 'oversized-error'
      ? { status: fault.status ?? 500, raw: `{"message":"${'x'.repeat(fault.bytes)}"}`, type: 'application/json; charset=utf-8' }
      : null,
  'redirect-loop': (_, { url }) => ({ status: 302, headers: { location: url.href } }),
  redirect: fault => (fault.kind === 'redirect' ? { status: fault.status ?? 302, headers: { location: fault.location } } : null),
  garbage: () => ({ status: 200, raw: Buffer.from([0x7b, 0xff, 0xfe, 0x00, 0x22, 0x3a]), type: 'application/json; charset=utf-8' }),
};
