/** From raw exchanges to a cassette, or to the sentence that says why there is none: nothing doubtful is ever written. */
import { type Cassette, MAX_CASSETTE_BYTES } from './cassette.ts';
import type { RawExchange } from './record-http.ts';
import { type CassetteRules, createRedaction, type ExchangeTexts, redactExchange, type Redaction, withoutMail } from './redact-exchange.ts';

export type CassetteFacts = Pick<Cassette, 'provider' | 'apiVersion' | 'operation' | 'recordedFrom' | 'recordedAt'>;

export type CassetteMaking =
  /** `text` is the file. */
  { readonly ok: true; readonly cassette: Cassette; readonly text: string } | { readonly ok: false; readonly reason: string };

const refused = (reason: string): CassetteMaking => ({ ok: false, reason });

const TOO_LARGE = `the recording is larger than ${MAX_CASSETTE_BYTES} bytes`;

const DECODER = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** Undefined where the bytes are no text. */
function textOf(body: string | Uint8Array): string | undefined {
  if (typeof body === 'string') return body;
  try {
    return DECODER.decode(body);
  } catch (error) {
    if (error instanceof TypeError) return undefined;
    throw error;
  }
}

function textsOf({ request, body }: RawExchange): ExchangeTexts | undefined {
  const sent = request.body === undefined ? null : textOf(request.body);
  const response = textOf(body);
  return sent === undefined || response === undefined ? undefined : { request: sent, response };
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch (error) {
    if (error instanceof SyntaxError) return false;
    throw error;
  }
}

/** @param exchanges of one call, or of all pages of one list. */
export function makeCassette(facts: CassetteFacts, exchanges: readonly RawExchange[], rules: CassetteRules): CassetteMaking {
  if (exchanges.length === 0) return refused('nothing was asked of the provider');
  if (exchanges.reduce((total, { body }) => total + body.byteLength, 0) > MAX_CASSETTE_BYTES) return refused(TOO_LARGE);
  const redaction = createRedaction(exchanges, rules);
  const kept = [];
  for (const [index, exchange] of exchanges.entries()) {
    const texts = textsOf(exchange);
    if (texts === undefined) return refused(`exchange ${index + 1} holds bytes that are no text, in which no credential could be found`);
    if (!exchange.complete) return refused(`the answer of exchange ${index + 1} was not read to its end`);
    const redacted = redactExchange(exchange, texts, redaction.clean, rules.plainHeaders);
    if (isJson(texts.response) && !isJson(redacted.response.body))
      return refused(`the answer of exchange ${index + 1} is no JSON any more without its secrets`);
    kept.push(redacted);
  }
  const cassette: Cassette = { version: 1, ...facts, exchanges: kept };
  const text = `${JSON.stringify(cassette, null, 2)}\n`;
  const fault = remains(text, redaction);
  return fault === undefined ? { ok: true, cassette, text } : refused(fault);
}

/** What must not be in the file and is, although every part of it was cleaned. */
function remains(text: string, { tokensIn, withoutCredentials }: Redaction): string | undefined {
  if (Buffer.byteLength(text) > MAX_CASSETTE_BYTES) return TOO_LARGE;
  if (withoutCredentials(text) !== text) return 'the credential would still be in the recording';
  const [token] = tokensIn(text);
  if (token !== undefined) return `something shaped like a ${token.what} would still be in the recording`;
  return withoutMail(text) === text ? undefined : 'a mail address would still be in the recording';
}
