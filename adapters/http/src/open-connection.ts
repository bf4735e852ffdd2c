/**
 * One connection to one origin, made through the address guard. It serves one request at a time, again and again.
 */
import type { LookupFunction, Socket } from 'node:net';
import { Client } from 'undici';
import { guardedConnect } from './guarded-connect.ts';

export interface Route {
  readonly url: URL;
  /** True for an origin of the allow list. */
  readonly open: boolean;
  readonly lookup: LookupFunction;
}

export interface Connection {
  readonly origin: string;
  readonly client: Client;
  /** The other side has not closed it, and neither have we. */
  readonly isAlive: () => boolean;
  /** Closes it at once, even while the name is looked up or the handshake runs. */
  readonly destroy: (reason?: Error) => void;
}

/** A server that does not say how long it keeps a connection is trusted for this long; one that says so, for a little less, and at most `MAX_IDLE_MS`. */
const IDLE_MS = 4_000;
const MAX_IDLE_MS = 30_000;

/** Opens no socket yet. Where the socket was closed between two requests, the next one opens another through the same guard. */
export function openConnection({ url, open, lookup }: Route): Connection {
  let socket: Socket | undefined;
  const client = new Client(url.origin, {
    // Deadlines are the caller's: see StopSwitch.
    headersTimeout: 0,
    bodyTimeout: 0,
    keepAliveTimeout: IDLE_MS,
    keepAliveMaxTimeout: MAX_IDLE_MS,
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
  return {
    origin: url.origin,
    client,
    isAlive: () => socket?.destroyed === false && socket.writable,
    destroy: reason => {
      socket?.destroy(reason);
      void client.destroy();
    },
  };
}
