/**
 * Keeps connections for the next request to the same origin. A pool belongs to one allow list, so a connection is only ever
 * used under the rules that it was made under; its address was checked when it was connected, and is still the same one.
 */
import { type Connection, openConnection, type Route } from './open-connection.ts';

export interface TakenConnection {
  readonly connection: Connection;
  /** It served a request before, so the other side may be closing it at this moment. */
  readonly reused: boolean;
  /** Gives it back, once. It is kept only after an answer that was read to its end (`true`); else it is closed. */
  readonly giveBack: (intact: boolean, reason?: Error) => void;
}

export interface ConnectionPool {
  /**
   * A kept connection that was in use less than `maxIdleMs` ago, else a new one. Waits while the origin has as many as it may;
   * rejects with the signal's reason.
   */
  take(route: Route, maxIdleMs: number, stop: AbortSignal): Promise<TakenConnection>;
  /** Closes what is kept; what is in use closes when its answer ends. Nothing is kept afterwards. */
  close(): void;
}

/** Connections that are kept, of all origins together; beyond, the one that was used longest ago is closed. */
const MAX_KEPT = 32;
/** An older connection is not used again, so that a name that moves is followed and a certificate is checked anew. */
const MAX_AGE_MS = 300_000;

interface Kept {
  readonly connection: Connection;
  readonly openedAt: number;
  readonly usedAt: number;
}

interface Turns {
  inUse: number;
  readonly waiting: Set<() => void>;
}

/** @param maxPerOrigin connections of one origin in use at a time; further requests wait within their own deadline. */
export function createConnectionPool(maxPerOrigin: number): ConnectionPool {
  // Both keep the order of insertion: the first of the kept was used longest ago, the first of the waiting came first.
  const kept = new Map<Connection, Kept>();
  const origins = new Map<string, Turns>();
  let closed = false;

  function drop(connection: Connection): void {
    if (kept.delete(connection)) connection.destroy();
  }

  function newest(origin: string, maxIdleMs: number): Kept | undefined {
    let found: Kept | undefined;
    for (const one of kept.values()) if (one.connection.origin === origin) found = one;
    return found !== undefined && found.connection.isAlive() && performance.now() - found.usedAt < maxIdleMs ? found : undefined;
  }

  function open(route: Route): Connection {
    const connection = openConnection(route);
    connection.client.on('disconnect', () => drop(connection));
    return connection;
  }

  function keep(connection: Connection, openedAt: number): void {
    kept.set(connection, { connection, openedAt, usedAt: performance.now() });
    const [oldest] = kept.keys();
    if (kept.size > MAX_KEPT && oldest !== undefined) drop(oldest);
  }

  return {
    take: async (route, maxIdleMs, stop) => {
      const { origin } = route.url;
      await takeTurn({ origins, origin, maxPerOrigin }, stop);
      const found = newest(origin, maxIdleMs);
      if (found !== undefined) kept.delete(found.connection);
      const openedAt = found?.openedAt ?? performance.now();
      const connection = found?.connection ?? open(route);
      let given = false;
      const giveBack = (intact: boolean, reason?: Error): void => {
        if (given) return;
        given = true;
        if (intact && !closed && connection.isAlive() && performance.now() - openedAt < MAX_AGE_MS) keep(connection, openedAt);
        else connection.destroy(reason);
        endTurn(origins, origin);
      };
      return { connection, reused: found !== undefined, giveBack };
    },
    close: () => {
      closed = true;
      for (const connection of kept.keys()) drop(connection);
    },
  };
}

interface Queue {
  readonly origins: Map<string, Turns>;
  readonly origin: string;
  readonly maxPerOrigin: number;
}

function takeTurn({ origins, origin, maxPerOrigin }: Queue, stop: AbortSignal): Promise<void> {
  stop.throwIfAborted();
  const turns = origins.get(origin) ?? { inUse: 0, waiting: new Set() };
  origins.set(origin, turns);
  if (turns.inUse < maxPerOrigin) {
    turns.inUse += 1;
    return Promise.resolve();
  }
  return new Promise((resolve, reject) => {
    const turn = (): void => {
      stop.removeEventListener('abort', give);
      resolve();
    };
    const give = (): void => {
      turns.waiting.delete(turn);
      reject(stop.reason as Error);
    };
    turns.waiting.add(turn);
    stop.addEventListener('abort', give, { once: true });
  });
}

/** Hands the turn to the one that waits longest. */
function endTurn(origins: Map<string, Turns>, origin: string): void {
  const turns = origins.get(origin);
  if (turns === undefined) return;
  const [next] = turns.waiting;
  if (next !== undefined) {
    turns.waiting.delete(next);
    next();
    return;
  }
  turns.inUse -= 1;
  if (turns.inUse === 0) origins.delete(origin);
}
