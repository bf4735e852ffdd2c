/**
 * What a successful upstream sends: events, or one JSON value. The content type is often wrong, so anything that does not say that it
 * is a stream of events is looked at first: a web page is none, whatever its status.
 */
import type { HttpResponse } from '@weir/ports';
import { type GatewayFailure, isObject, type JsonObject, parseJson, transient } from '@weir/wire';
import { readText } from './read-text.ts';

export type AnswerBody =
  | { readonly kind: 'events'; readonly source: AsyncIterable<Uint8Array> }
  | { readonly kind: 'whole'; readonly text: string; readonly json: JsonObject }
  | { readonly kind: 'garbled'; readonly failure: GatewayFailure };

const garbled = (what: string): AnswerBody => ({
  kind: 'garbled',
  failure: transient('upstream_garbled', `The model provider answered with ${what}.`),
});

/** Throws HttpFailure when the body breaks off. @param wantsEvents the request asked for a stream. */
export async function readAnswerBody({ headers, body }: HttpResponse, wantsEvents: boolean): Promise<AnswerBody> {
  const type = headers['content-type'] ?? '';
  if (type.startsWith('text/event-stream')) return wantsEvents ? { kind: 'events', source: body } : garbled('a stream that nobody asked for');
  if (!wantsEvents) return wholeOf(await readText(body));
  const { first, start, rest } = await readStart(body);
  if (first === '' || first === '{' || first === '<') return wholeOf(await readText(joined(start, rest)));
  return { kind: 'events', source: joined(start, rest) };
}

function wholeOf(text: string): AnswerBody {
  const json = parseJson(text);
  if (isObject(json)) return { kind: 'whole', text, json };
  return garbled(text.trimStart().startsWith('<') ? 'a web page instead of JSON' : 'something that is no JSON object');
}

interface BodyStart {
  /** The first character that is no space; empty when there is none. */
  readonly first: string;
  readonly start: readonly Uint8Array[];
  readonly rest: AsyncIterator<Uint8Array>;
}

async function readStart(body: AsyncIterable<Uint8Array>): Promise<BodyStart> {
  const rest = body[Symbol.asyncIterator]();
  const start: Uint8Array[] = [];
  for (;;) {
    const next = await rest.next();
    if (next.done === true) return { first: '', start, rest };
    start.push(next.value);
    const first = next.value.find(byte => byte > 0x20);
    if (first !== undefined) return { first: String.fromCharCode(first), start, rest };
  }
}

async function* joined(start: readonly Uint8Array[], rest: AsyncIterator<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    yield* start;
    for (let next = await rest.next(); next.done !== true; next = await rest.next()) yield next.value;
  } finally {
    await rest.return?.();
  }
}
