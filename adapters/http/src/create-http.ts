/**
 * The one way out (REV-40): every hop of a request passes the URL guard, its connection the address guard.
 * Proxies of the environment (HTTPS_PROXY and its kin) are not used: behind a proxy no address could be checked.
 */
import { lookup as systemLookup } from 'node:dns';
import type { LookupFunction } from 'node:net';
import { AppError } from '@weir/kernel';
import { HttpFailure, type HttpPort, type HttpRequest, type HttpResponse } from '@weir/ports';
import { createConnectionPool } from './connection-pool.ts';
import { type Exchange, exchange } from './exchange.ts';
import { describeNetworkFailure } from './network-failure.ts';
import { parseOrigin } from './origin.ts';
import { followRedirect } from './redirect-policy.ts';
import { createStopSwitch, type StopSwitch } from './stop-switch.ts';
import { guardUrl } from './url-guard.ts';

export interface HttpOptions {
  /** Origins that may be http or private; each row opens exactly one. */
  readonly allowOrigins: readonly string[];
  /** Redirects that are followed for one request. */
  readonly maxRedirects?: number;
  /** Connections of one origin in use at a time; further requests wait within their own deadline. */
  readonly maxPerOrigin?: number;
  /** Resolver of host names; the system's unless a test brings its own. */
  readonly lookup?: LookupFunction;
}

export interface HttpClient extends HttpPort {
  /** Closes the connections that are kept for later; those in use close when their answer ends. Call it at shutdown. */
  close(): void;
}

const MAX_REDIRECTS = 5;
/** A forge or a registry is asked by few at a time, and limits who asks too much. */
const MAX_PER_ORIGIN = 64;

const seconds = (milliseconds: number) => `${milliseconds / 1000} s`;

function readAllowList(rows: readonly string[]): ReadonlySet<string> {
  const origins = rows.map(row => {
    const parsed = parseOrigin(row);
    if ('problem' in parsed) throw new AppError('CONFIG_INVALID', `\`network.allowOrigins\`: an entry ${parsed.problem}.`);
    return parsed.origin;
  });
  return new Set(origins);
}

/** What is known before the first byte of the body. */
function checkHead(origin: string, { headers }: Exchange, maxBytes: number): void {
  const encoding = headers['content-encoding'] ?? 'identity';
  if (encoding.toLowerCase() !== 'identity') {
    throw new HttpFailure('unreachable', `${origin} compresses its answer although it was asked not to. Switch that off on the server.`);
  }
  if (Number(headers['content-length'] ?? 0) > maxBytes) throw tooLarge(origin, maxBytes);
}

const tooLarge = (origin: string, maxBytes: number) => new HttpFailure('too_large', `${origin} answers with more than ${maxBytes} bytes.`);

/** The failure to report: the reason of the stop where there was one, else what the network said. */
const failure = (error: unknown, stop: StopSwitch, origin: string): unknown =>
  stop.signal.aborted ? stop.signal.reason : describeNetworkFailure(error, origin);

async function* readBody(request: HttpRequest, origin: string, response: Exchange, stop: StopSwitch): AsyncGenerator<Uint8Array> {
  const chunks = response.body[Symbol.asyncIterator]();
  let total = 0;
  try {
    for (;;) {
      armIdle(request, origin, stop);
      const next = await chunks.next();
      stop.disarm();
      if (next.done === true) return response.end(true);
      total += next.value.byteLength;
      if (total > request.maxBytes) throw tooLarge(origin, request.maxBytes);
      yield next.value;
    }
  } catch (error) {
    throw failure(error, stop, origin);
  } finally {
    stop.release();
    response.end(false);
  }
}

const armIdle = ({ idleTimeoutMs }: HttpRequest, origin: string, stop: StopSwitch) =>
  stop.arm(idleTimeoutMs, `${origin} fell silent for ${seconds(idleTimeoutMs)} before its answer was complete.`);

/** @throws AppError CONFIG_INVALID when a row of the allow list is not an origin. */
export function createHttp(options: HttpOptions): HttpClient {
  const allowed = readAllowList(options.allowOrigins);
  const maxRedirects = options.maxRedirects ?? MAX_REDIRECTS;
  const lookup = options.lookup ?? (systemLookup as LookupFunction);
  const pool = createConnectionPool(options.maxPerOrigin ?? MAX_PER_ORIGIN);

  async function sendOnce(request: HttpRequest, url: URL, stop: StopSwitch): Promise<Exchange> {
    try {
      return await exchange(request, { url, open: allowed.has(url.origin), lookup }, pool, stop.signal);
    } catch (error) {
      throw failure(error, stop, url.origin);
    }
  }

  async function follow(request: HttpRequest, stop: StopSwitch): Promise<HttpResponse> {
    let current = request;
    for (let hop = 0; hop <= maxRedirects; hop += 1) {
      const url = guardUrl(current.url, allowed);
      if (hop === 0) stop.arm(request.firstByteTimeoutMs, `${url.origin} did not answer within ${seconds(request.firstByteTimeoutMs)}.`);
      const response = await sendOnce(current, url, stop);
      const next = followRedirect(current, url, response.status, response.headers['location']);
      if (next === undefined) return deliver(request, url.origin, response, stop);
      response.end(false);
      current = next;
    }
    throw new HttpFailure('unreachable', `${new URL(request.url).origin} redirects more than ${maxRedirects} times.`);
  }

  return {
    close: () => pool.close(),
    send: async (request, signal) => {
      signal.throwIfAborted();
      const stop = createStopSwitch(signal);
      try {
        return await follow(request, stop);
      } catch (error) {
        stop.release();
        throw error;
      }
    },
  };
}

function deliver(request: HttpRequest, origin: string, response: Exchange, stop: StopSwitch): HttpResponse {
  try {
    checkHead(origin, response, request.maxBytes);
  } catch (error) {
    response.end(false);
    throw error;
  }
  // From here on nobody may ever read the body: the idle deadline runs already and closes the connection.
  armIdle(request, origin, stop);
  return { status: response.status, headers: response.headers, body: readBody(request, origin, response, stop) };
}
