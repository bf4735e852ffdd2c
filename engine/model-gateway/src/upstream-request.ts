/** One HTTP request to the upstream of a route. Nothing of the client's headers goes along but what is listed here. */
import type { UpstreamProtocol } from '@weir/contract';
import type { ResolvedRoute } from '@weir/model-routes';
import type { HttpRequest } from '@weir/ports';

/** Bytes of one answer, the longest stream included. */
export const MAX_ANSWER_BYTES = 128 * 1024 * 1024;

/** Headers that belong to the body's own protocol; they go on to an upstream of that protocol and to no other. */
const FORWARDED: Readonly<Record<UpstreamProtocol, readonly string[]>> = {
  responses: ['openai-beta'],
  chat: ['openai-beta'],
  messages: ['anthropic-version', 'anthropic-beta'],
};

export interface Deadlines {
  /** Milliseconds until the upstream's status. */
  readonly firstByteMs: number;
  /** Milliseconds without a byte. */
  readonly idleMs: number;
}

export interface UpstreamOrder {
  readonly route: ResolvedRoute;
  /** Beyond the route's endpoint: `/count_tokens`. */
  readonly path?: string;
  readonly body: string | Uint8Array;
  readonly stream: boolean;
  readonly client: UpstreamProtocol;
  /** Of the client, lower-case names. */
  readonly headers: Readonly<Record<string, string>>;
  readonly deadlines: Deadlines;
  /** Repeats after a passing failure, before the first byte (REV-20). */
  readonly repeats: number;
  /** Called before the first byte goes out. */
  readonly opened: () => Promise<void>;
}

/** @param secret the credential; null where the route takes none. */
export function upstreamRequest(order: UpstreamOrder, secret: string | null): HttpRequest {
  const { route, path = '', body, stream, deadlines } = order;
  return {
    method: 'POST',
    url: `${route.endpoint}${path}`,
    headers: {
      'content-type': 'application/json',
      accept: stream ? 'text/event-stream, application/json' : 'application/json',
      'user-agent': 'weir',
      ...route.headers,
      ...forwarded(order),
      ...authHeader(route, secret),
    },
    body,
    firstByteTimeoutMs: deadlines.firstByteMs,
    idleTimeoutMs: deadlines.idleMs,
    maxBytes: MAX_ANSWER_BYTES,
  };
}

function forwarded({ route, client, headers }: UpstreamOrder): Readonly<Record<string, string>> {
  if (client !== route.protocol) return {};
  const present: Record<string, string> = {};
  for (const name of FORWARDED[client]) {
    const value = headers[name];
    if (value !== undefined) present[name] = value;
  }
  return present;
}

function authHeader({ auth }: ResolvedRoute, secret: string | null): Readonly<Record<string, string>> {
  if (auth.scheme === 'none' || secret === null) return {};
  return auth.scheme === 'bearer' ? { authorization: `Bearer ${secret}` } : { [auth.header]: secret };
}
