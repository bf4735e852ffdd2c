/** A way out that leads nowhere: it answers from a cassette, and refuses what was not recorded. Opens no socket. */
import { HttpFailure, type HttpPort } from '@weir/ports';
import type { Cassette, Exchange } from './cassette.ts';
import { withoutMail } from './redact-exchange.ts';

interface Asked {
  readonly method: string;
  readonly path: string;
  readonly query: readonly (readonly [string, string])[];
  readonly body: string | null;
}

/** Mail addresses are no part of it, since the recording has others. */
const keyOf = ({ method, path, query, body }: Asked): string =>
  JSON.stringify([method, withoutMail(path), query.map(([name, value]) => [name, withoutMail(value)]).sort(), body === null ? null : withoutMail(body)]);

async function* bodyOf(text: string): AsyncGenerator<Uint8Array> {
  await Promise.resolve();
  yield Buffer.from(text);
}

/** Equal requests get their answers in the order of the recording, each once. Origin and headers of a request do not matter. */
export function replayHttp({ exchanges }: Cassette): HttpPort {
  const waiting = new Map<string, Exchange['response'][]>();
  for (const { request, response } of exchanges) {
    const key = keyOf(request);
    waiting.set(key, [...(waiting.get(key) ?? []), response]);
  }
  return {
    send({ method, url, body }, signal) {
      signal.throwIfAborted();
      const { pathname, searchParams } = new URL(url);
      const text = body === undefined ? null : Buffer.from(body).toString('utf8');
      const answer = waiting.get(keyOf({ method, path: pathname, query: [...searchParams], body: text }))?.shift();
      if (answer === undefined) return Promise.reject(new HttpFailure('refused', `${method} ${pathname} was not recorded, or not this often.`));
      return Promise.resolve({ status: answer.status, headers: answer.headers, body: bodyOf(answer.body) });
    },
  };
}
