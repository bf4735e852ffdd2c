/** A way out for tests against a simulated forge on this machine. It follows no redirect, so that each is seen. */
import { HttpFailure, type HttpPort } from '@weir/ports';

const none = (async function* none(): AsyncGenerator<Uint8Array> {})();

export const fetchHttp: HttpPort = {
  send: async ({ method, url, headers, body, firstByteTimeoutMs }, signal) => {
    const silence = new AbortController();
    const timer = setTimeout(() => silence.abort(), firstByteTimeoutMs);
    try {
      const init = {
        method,
        headers: { ...headers, 'accept-encoding': 'identity' },
        redirect: 'manual' as const,
        signal: AbortSignal.any([signal, silence.signal]),
      };
      const answer = await fetch(url, body === undefined ? init : { ...init, body: body as string });
      return { status: answer.status, headers: Object.fromEntries(answer.headers), body: bodyOf(answer.body ?? none) };
    } catch (error) {
      signal.throwIfAborted();
      throw new HttpFailure(silence.signal.aborted ? 'timeout' : 'unreachable', 'the connection broke', error);
    } finally {
      clearTimeout(timer);
    }
  },
};

async function* bodyOf(body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    yield* body;
  } catch (error) {
    throw new HttpFailure('unreachable', 'the body was cut', error);
  }
}
