/**
 * One request and the head of its response, over a connection that nobody else uses meanwhile.
 */
import type { HttpRequest } from '@weir/ports';
import type { ConnectionPool, TakenConnection } from './connection-pool.ts';
import { isCut } from './network-failure.ts';
import type { Route } from './open-connection.ts';

export interface Exchange {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: AsyncIterable<Uint8Array>;
  /** Frees the connection, once: `true` after the whole body was read, so that it can serve again; else it is closed. */
  readonly end: (intact: boolean) => void;
}

/** Compressed bodies are never asked for, so no small body can unfold into a large one. */
const FORCED = { 'accept-encoding': 'identity' };

const READS: ReadonlySet<HttpRequest['method']> = new Set(['GET', 'HEAD']);
/** The other side may close a kept connection at any time. A write is never sent twice, so it only gets one that was in use just now. */
const WRITE_MAX_IDLE_MS = 1_000;

const lowerCased = (headers: HttpRequest['headers']) => Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));

const flatten = (headers: Readonly<Record<string, string | string[] | undefined>>) =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, [value ?? []].flat().join(', ')]));

/** Throws what the network or the guard throws; the caller names it. A read that met the end of a kept connection is sent again over a new one. */
export async function exchange(request: HttpRequest, route: Route, pool: ConnectionPool, stop: AbortSignal): Promise<Exchange> {
  const isRead = READS.has(request.method);
  const taken = await pool.take(route, isRead ? Number.POSITIVE_INFINITY : WRITE_MAX_IDLE_MS, stop);
  try {
    return await ask(request, route, taken, stop);
  } catch (error) {
    if (!isRead || !taken.reused || stop.aborted || !isCut(error)) throw error;
  }
  return ask(request, route, await pool.take(route, 0, stop), stop);
}

async function ask(request: HttpRequest, { url }: Route, { connection, giveBack }: TakenConnection, stop: AbortSignal): Promise<Exchange> {
  const onStop = () => end(false);
  const end = (intact: boolean) => {
    stop.removeEventListener('abort', onStop);
    giveBack(intact, stop.aborted ? new Error('stopped') : undefined);
  };
  stop.addEventListener('abort', onStop);
  try {
    // The signal may have been aborted while the turn was awaited.
    stop.throwIfAborted();
    const { statusCode, headers, body } = await connection.client.request({
      method: request.method,
      path: `${url.pathname}${url.search}`,
      headers: { ...lowerCased(request.headers), ...FORCED },
      body: request.body ?? null,
    });
    return { status: statusCode, headers: flatten(headers), body, end };
  } catch (error) {
    end(false);
    throw error;
  }
}
