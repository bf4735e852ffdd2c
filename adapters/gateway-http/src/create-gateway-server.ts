/**
 * The gateway's HTTP server (MOD-12): authenticates before it reads a body, bounds what it reads, and tells the engine at once when a
 * client goes away (MOD-14). It sends no CORS header, so no web page can read an answer.
 */
import type { IncomingMessage } from 'node:http';
import { listenFailure } from '@weir/kernel';
import { type GatewayFailure, permanent } from '@weir/wire';
import fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import { addCallRoutes } from './call-routes.ts';
import { failureOfError, protocolOf, sendFailure } from './failure-reply.ts';
import type { GatewayServerSettings } from './gateway-server-settings.ts';
import { isHostAllowed } from './host-guard.ts';
import { addOperatorRoutes } from './operator-routes.ts';

export interface GatewayServer {
  /** `http://127.0.0.1:4000` */
  readonly origin: string;
  /** Takes no more calls, lets those under way end within the time, then closes their connections. */
  close(graceMs: number): Promise<void>;
}

/** Bytes of a request: a long history with images. */
export const MAX_BODY_BYTES = 64 * 1024 * 1024;
/** For the head of a request, and for all of it. */
const HEADERS_TIMEOUT_MS = 30_000;
const REQUEST_TIMEOUT_MS = 300_000;
const IDLE_CONNECTION_MS = 75_000;

export async function startGatewayServer(settings: GatewayServerSettings): Promise<GatewayServer> {
  const state = { draining: false };
  const app = fastify({
    bodyLimit: MAX_BODY_BYTES,
    requestTimeout: REQUEST_TIMEOUT_MS,
    keepAliveTimeout: IDLE_CONNECTION_MS,
    http: { headersTimeout: HEADERS_TIMEOUT_MS },
    routerOptions: { maxParamLength: 300 },
    return503OnClosing: false,
    exposeHeadRoutes: false,
  });
  takeRawJson(app);
  app.addHook('onRequest', async (request, reply) => {
    const failure = refuseConnection(request.raw, settings.host);
    if (failure !== undefined) await reply.code(failure.status).headers(failure.headers).send({ error: failure.error });
  });
  app.setErrorHandler((error, request, reply) => onError(error, { request, reply }, settings));
  app.setNotFoundHandler((request, reply) =>
    sendFailure(reply, protocolOf(request), { ...permanent('not_found', 'There is nothing here.'), class: 'not_found' }),
  );
  addCallRoutes(app, settings);
  addOperatorRoutes(app, settings, () => state.draining);
  const origin = await listen(app, settings);
  return {
    origin,
    async close(graceMs) {
      state.draining = true;
      const late = setTimeout(() => app.server.closeAllConnections(), graceMs);
      try {
        await app.close();
      } finally {
        clearTimeout(late);
      }
    },
  };
}

/** @throws AppError CONFIG_INVALID for an address that cannot be listened on. */
async function listen(app: FastifyInstance, { host, port }: GatewayServerSettings): Promise<string> {
  try {
    return await app.listen({ host, port });
  } catch (cause) {
    throw listenFailure(cause, { host, port }, 'Choose another: --port <number>, --host <address>.');
  }
}

/** JSON bodies arrive as the bytes that they are; every other type is refused. */
function takeRawJson(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
}

interface ConnectionRefusal {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly error: { readonly message: string; readonly code: string };
}

function refuseConnection({ headers }: IncomingMessage, bound: string): ConnectionRefusal | undefined {
  if (!isHostAllowed(bound, headers.host)) {
    return { status: 421, headers: {}, error: { code: 'wrong_host', message: 'This server is asked by another name than its own.' } };
  }
  if (headers.upgrade?.toLowerCase() === 'websocket') {
    return { status: 426, headers: { upgrade: 'HTTP/1.1' }, error: { code: 'no_websocket', message: 'WebSocket is not spoken here; use HTTP.' } };
  }
  return undefined;
}

function onError(
  error: unknown,
  { request, reply }: { readonly request: FastifyRequest; readonly reply: FastifyReply },
  { onBug }: GatewayServerSettings,
): FastifyReply {
  const known: GatewayFailure | undefined = failureOfError(error);
  if (known === undefined) onBug(error);
  return sendFailure(
    reply,
    protocolOf(request),
    known ?? { code: 'gateway_error', class: 'transient', message: 'The gateway failed. The operator can read why.' },
  );
}
