/**
 * The HTTP server that forges deliver to, and that says how its process is. A refusal has one body and names nothing (REV-10); 202 comes
 * after the delivery is stored, and nothing else happens here.
 */
import { listenFailure } from '@weir/kernel';
import { type Metric, metricsText } from '@weir/metrics';
import fastify, { type FastifyInstance } from 'fastify';
import { addHookRoute } from './hook-route.ts';
import type { IngressDoor } from './ingress-door.ts';
import type { IngressMetrics } from './ingress-metrics.ts';

export interface IngressServerSettings {
  /** Address to listen on. */
  readonly host: string;
  /** 0 takes a free one. */
  readonly port: number;
  /** Left out, this process has other roles and shows its status alone. */
  readonly hooks?: { readonly door: IngressDoor; readonly metrics: IngressMetrics };
  /** What `/metrics` shows besides. */
  readonly metrics: readonly Metric[];
  /** What this process waits for, by name; nothing when it is ready. */
  readonly waitsFor: () => Promise<readonly string[]>;
  /** An error that nobody foresaw, for the log. */
  readonly onBug: (error: unknown) => void;
}

export interface IngressServer {
  /** `http://127.0.0.1:4140` */
  readonly origin: string;
  /** Takes no more deliveries, lets those under way end within the time, then closes their connections. */
  close(graceMs: number): Promise<void>;
}

/** For the head of a request, and for all of it. */
const HEADERS_TIMEOUT_MS = 10_000;
const REQUEST_TIMEOUT_MS = 60_000;
const IDLE_CONNECTION_MS = 75_000;
const MAX_CONNECTIONS = 2_048;
/** Bytes of the longest address of a hook. */
const MAX_REGISTRATION = 100;

/** Throws AppError CONFIG_INVALID for an address that cannot be listened on. */
export async function startIngressServer(settings: IngressServerSettings): Promise<IngressServer> {
  const state = { draining: false };
  const app = fastify({
    requestTimeout: REQUEST_TIMEOUT_MS,
    keepAliveTimeout: IDLE_CONNECTION_MS,
    http: { headersTimeout: HEADERS_TIMEOUT_MS },
    routerOptions: { maxParamLength: MAX_REGISTRATION },
    return503OnClosing: false,
    exposeHeadRoutes: false,
  });
  app.server.maxConnections = MAX_CONNECTIONS;
  app.setErrorHandler((error, _request, reply) => {
    settings.onBug(error);
    return reply.code(500).send({ error: 'failed' });
  });
  app.setNotFoundHandler((_request, reply) => reply.code(404).send({ error: 'refused' }));
  if (settings.hooks !== undefined) addHookRoute(app, settings.hooks);
  addStatusRoutes(app, settings, () => state.draining);
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

function addStatusRoutes(app: FastifyInstance, { metrics, hooks, waitsFor }: IngressServerSettings, isDraining: () => boolean): void {
  app.get('/healthz', (_request, reply) => reply.type('text/plain').send('ok\n'));
  app.get('/readyz', async (_request, reply) => {
    const waiting = isDraining() ? ['the end of this process'] : await waitsFor();
    return reply
      .code(waiting.length === 0 ? 200 : 503)
      .type('text/plain')
      .send(waiting.length === 0 ? 'ready\n' : `waits for ${waiting.join(', ')}\n`);
  });
  app.get('/metrics', (_request, reply) => reply.type('text/plain; version=0.0.4').send(metricsText([...(hooks?.metrics.all ?? []), ...metrics])));
}

async function listen(app: FastifyInstance, { host, port }: IngressServerSettings): Promise<string> {
  try {
    return await app.listen({ host, port });
  } catch (cause) {
    throw listenFailure(cause, { host, port });
  }
}
