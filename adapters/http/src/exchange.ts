/**
 * One request and the head of its response over one connection of its own.
 * Nothing is pooled: a call is rare and long here, and a connection that belongs to one call can be closed with it in every phase.
 */
import type { LookupFunction, Socket } from 'node:net';
import type { HttpRequest } from '@weir/ports';
import { Client } from 'undici';
import { guardedConnect } from './guarded-connect.ts';

export interface Exchange {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: AsyncIterable<Uint8Array>;
  readonly close: () => void;
}

export interface Route {
  readonly url: URL;
  /** True for an origin of the allow list. */
  readonly open: boolean;
  readonly lookup: LookupFunction;
}

/** Compressed bodies are never asked for, so no small body can unfold into a large one. */
const FORCED = { 'accept-encoding': 'identity' };

const lowerCased = (headers: HttpRequest['headers']) => Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));

const flatten = (headers: Readonly<Record<string, string | string[] | undefined>>) =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, [value ?? []].flat().join(', ')]));

/** A client whose connection closes with the signal, even while the name is looked up or the handshake runs. */
function openClient({ url, open, lookup }: Route, stop: AbortSignal) {
  let socket: Socket | undefined;
  const client = new Client(url.origin, {
    // Deadlines are the caller's: see StopSwitch.
    headersTimeout: 0,
    bodyTimeout: 0,
    connect: (_target, callback) => {
      try {
        socket = guardedConnect(url, open, lookup);
      } catch (error) {
        return callback(error as Error, null);
      }
      const opening = socket.setNoDelay(true);
      const onError = (error: Error) => callback(error, null);
      opening.once('error', onError);
      opening.once(url.protocol === 'https:' ? 'secureConnect' : 'connect', () => {
        // From here on the client listens for errors itself.
        opening.off('error', onError);
        callback(null, opening);
      });
    },
  });
  const close = () => {
    stop.removeEventListener('abort', close);
    socket?.destroy(stop.aborted ? new Error('stopped') : undefined);
    void client.destroy();
  };
  stop.addEventListener('abort', close);
  return { client, close };
}

/** Throws what the network or the guard throws; the caller names it. */
export async function exchange(request: HttpRequest, route: Route, stop: AbortSignal): Promise<Exchange> {
  const { client, close } = openClient(route, stop);
  try {
    const { statusCode, headers, body } = await client.request({
      method: request.method,
      path: `${route.url.pathname}${route.url.search}`,
      headers: { ...lowerCased(request.headers), ...FORCED },
      body: request.body ?? null,
      reset: true,
    });
    return { status: statusCode, headers: flatten(headers), body, close };
  } catch (error) {
    close();
    throw error;
  }
}
