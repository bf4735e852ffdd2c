/** What is taken out of a recording: credentials that were used, anything shaped like a token, mail addresses, most headers. */
import { createRedactor, type Redact, REDACTED } from '@weir/redaction';
import { CASSETTE_ORIGIN, type Exchange } from './cassette.ts';
import type { RawExchange } from './record-http.ts';

/** Places of a text that are shaped like a token; they may overlap. */
export type FindTokens = (text: string) => readonly { readonly start: number; readonly end: number; readonly what: string }[];

export interface CassetteRules {
  readonly findTokens: FindTokens;
  /** Names of request headers that every request of the provider has and that hold no credential. Lower case. */
  readonly plainHeaders: readonly string[];
  /** Where the provider ran. */
  readonly origin: string;
}

const REQUEST_HEADERS: ReadonlySet<string> = new Set(['accept', 'content-type']);
/** Their values are no credentials, and are not kept either. */
const DROPPED: ReadonlySet<string> = new Set(['user-agent', 'if-none-match']);
/** What the engine reads of an answer: its form, its pages, its limits, its end. */
const RESPONSE_HEADERS =
  /^(?:content-type|link|etag|location|retry-after|deprecation|sunset|x-total(?:-count|-pages)?|x-(?:next-|prev-|per-)?page|(?:x-)?rate-?limit-[a-z-]{1,40})$/;

const MAIL = /(?<![\w.%+-])(?!git@)[\w.%+-]{1,64}(?:@|%40)(?:[A-Za-z0-9-]{1,63}\.){1,8}[A-Za-z]{2,24}/g;
const MAIL_INSTEAD = 'user@example.invalid';

export const withoutMail = (text: string): string => text.replace(MAIL, found => (found.includes('%40') ? encodeURIComponent(MAIL_INSTEAD) : MAIL_INSTEAD));

/** Base64 that may hold a token, also in lines as JSON writes them; what stands in a file of a repository arrives like this. */
const ENCODED = /[A-Za-z0-9+/_=\\-]{24,1000000}/g;
/** A backslash at the ends belongs to what stands around. */
const INNER = /[^\\]/;
const outerAtEnd = (run: string): number => (run.endsWith('\\\\') ? 2 : run.endsWith('\\') ? 1 : 0);
/** A run may begin with characters of what stands before, so each place of its first group is tried. */
const GROUP = [0, 1, 2, 3];
const decodings = (run: string): readonly string[] => {
  const whole = run.replace(/\\{1,2}n/g, '');
  return GROUP.map(offset => Buffer.from(whole.slice(offset), 'base64').toString('latin1'));
};

/** Later places are cut first, so that the earlier ones stay where they are. */
function withoutPlaces(text: string, places: ReturnType<FindTokens>): string {
  let left = text;
  let cutFrom = text.length;
  for (const { start, end } of [...places].sort((a, b) => b.end - a.end || a.start - b.start)) {
    const until = Math.min(end, cutFrom);
    if (start >= until) continue;
    left = left.slice(0, start) + REDACTED + left.slice(until);
    cutFrom = start;
  }
  return left;
}

/** The credentials that a request carries, each in every form that it has there. */
export function secretsOfRequest({ request }: RawExchange, plainHeaders: readonly string[]): readonly string[] {
  return Object.entries(request.headers).flatMap(([name, value]) => {
    if (REQUEST_HEADERS.has(name) || DROPPED.has(name) || plainHeaders.includes(name)) return [];
    const credential = value.slice(value.lastIndexOf(' ') + 1);
    const pair = Buffer.from(credential, 'base64').toString('latin1');
    return /^[\x21-\x7e]+:[\x21-\x7e]+$/.test(pair) ? [credential, pair, pair.slice(pair.indexOf(':') + 1)] : [credential];
  });
}

export interface Redaction {
  /** Credentials alone; what it changes must not be kept. */
  readonly withoutCredentials: Redact;
  /** Tokens as they stand, and base64 in which a token or a credential stands. */
  readonly tokensIn: FindTokens;
  /** Everything that must not be kept. */
  readonly clean: Redact;
}

export function createRedaction(exchanges: readonly RawExchange[], { findTokens, plainHeaders, origin }: CassetteRules): Redaction {
  const withoutCredentials = createRedactor([...new Set(exchanges.flatMap(exchange => secretsOfRequest(exchange, plainHeaders)))]);
  const whatIn = (text: string): string | undefined => (withoutCredentials(text) === text ? findTokens(text)[0]?.what : 'credential');
  const tokensIn: FindTokens = text => {
    const places = [...findTokens(text)];
    for (const { 0: run, index } of text.matchAll(ENCODED)) {
      const what = decodings(run)
        .map(whatIn)
        .find(found => found !== undefined);
      if (what !== undefined) places.push({ start: index + run.search(INNER), end: index + run.length - outerAtEnd(run), what: `${what} in base64` });
    }
    return places;
  };
  const clean = (text: string): string => {
    const known = withoutCredentials(text).replaceAll(origin, CASSETTE_ORIGIN);
    return withoutMail(withoutPlaces(known, tokensIn(known)));
  };
  return { withoutCredentials, tokensIn, clean };
}

const kept = (headers: Readonly<Record<string, string>>, isKept: (name: string) => boolean, clean: Redact): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).flatMap(([name, value]) => (isKept(name) ? [[name, clean(value)]] : [])));

export interface ExchangeTexts {
  readonly request: string | null;
  readonly response: string;
}

/** The exchange as it is kept. Names of query parameters stay; values are cleaned with their name, which may say that they are secret. */
export function redactExchange({ request, status, headers }: RawExchange, texts: ExchangeTexts, clean: Redact, plainHeaders: readonly string[]): Exchange {
  const url = new URL(request.url);
  return {
    request: {
      method: request.method,
      path: clean(url.pathname),
      query: [...url.searchParams].map(([name, value]) => [name, clean(`?${name}=${value}`).slice(name.length + 2)]),
      headers: kept(request.headers, name => REQUEST_HEADERS.has(name) || plainHeaders.includes(name), clean),
      body: texts.request === null ? null : clean(texts.request),
    },
    response: { status, headers: kept(headers, name => RESPONSE_HEADERS.test(name), clean), body: clean(texts.response) },
  };
}
