/** The HTTP server of the dashboard and its API. It checks who asks and what, and decides nothing else (REV-39a). */
import { AppError, listenFailure } from '@weir/kernel';
import fastify, { type FastifyInstance } from 'fastify';
import { addApiRoute, type RouteParts } from './api-route.ts';
import type { ApiServerSettings } from './api-server-settings.ts';
import { createOpenFeeds } from './open-feeds.ts';
import { ownSite } from './own-site.ts';
import { BUG, failureOf, problemOf } from './problem.ts';
import { securityHeaders } from './security-headers.ts';
import { HEARTBEAT_MS } from './send-feed.ts';
import { signInFailurePage } from './sign-in-page.ts';
import { addSignInRoutes } from './sign-in-routes.ts';
import { sendStatic } from './static-files.ts';

export interface ApiServer {
  /** `http://127.0.0.1:4142` */
  readonly origin: string;
  /** Ends the feeds, lets calls under way end within the time, then closes their connections. */
  close(graceMs: number): Promise<void>;
}

export const MAX_BODY_BYTES = 256 * 1024;
/** For the head of a request, and for all of it. */
const HEADERS_TIMEOUT_MS = 10_000;
const REQUEST_TIMEOUT_MS = 60_000;
const IDLE_CONNECTION_MS = 75_000;
const MAX_CONNECTIONS = 2_048;
const MAX_PARAMETER = 600;

/** Throws AppError CONFIG_INVALID for an address that cannot be listened on. */
export async function startApiServer(settings: ApiServerSettings): Promise<ApiServer> {
  const app = fastify({
    bodyLimit: MAX_BODY_BYTES,
    requestTimeout: REQUEST_TIMEOUT_MS,
    keepAliveTimeout: IDLE_CONNECTION_MS,
    http: { headersTimeout: HEADERS_TIMEOUT_MS },
    routerOptions: { maxParamLength: MAX_PARAMETER },
    return503OnClosing: false,
    exposeHeadRoutes: false,
  });
  app.server.maxConnections = MAX_CONNECTIONS;
  const site = ownSite(settings.host, settings.publicOrigin);
  const feeds = createOpenFeeds(settings.heartbeatMs ?? HEARTBEAT_MS, settings.onBug);
  const parts: RouteParts = { settings, site, feeds };
  const headers = securityHeaders(site.https);
  app.addHook('onRequest', async (request, reply) => {
    void reply.headers(headers);
    site.assertName(request);
  });
  takeJson(app);
  addFailures(app, settings);
  for (const route of settings.routes) addApiRoute(app, route, parts);
  app.get('/openapi.json', (_request, reply) => reply.header('cache-control', 'no-cache').send(settings.openApi));
  addSignInRoutes(app, parts);
  const origin = await listen(app, settings);
  return {
    origin,
    async close(graceMs) {
      feeds.endAll();
      const late = setTimeout(() => app.server.closeAllConnections(), graceMs);
      try {
        await app.close();
      } finally {
        clearTimeout(late);
      }
    },
  };
}

/** JSON alone: a form of another site cannot send it. */
function takeJson(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (_request, body, done) => {
    try {
      done(null, body === '' ? undefined : JSON.parse(body.toString()));
    } catch (cause) {
      done(new AppError('REQUEST_INVALID', 'The body is not JSON.', { cause }));
    }
  });
}

const isSignIn = (url: string): boolean => /^\/sign-in(?:[/?]|$)/.test(url);

function addFailures(app: FastifyInstance, { onBug, staticFiles }: ApiServerSettings): void {
  app.setErrorHandler((error, request, reply) => {
    const failure = failureOf(error);
    if (failure === undefined) onBug(error);
    const { status, headers, body } = failure === undefined ? BUG : problemOf(failure);
    void reply.code(status).headers(headers).header('cache-control', 'no-store');
    // A person reads it there.
    if (failure !== undefined && isSignIn(request.url)) return reply.type('text/html; charset=utf-8').send(signInFailurePage(failure));
    return reply.type('application/problem+json').send(body);
  });
  app.setNotFoundHandler((request, reply) => {
    const isPage = request.method === 'GET' && !isSignIn(request.url) && !/^\/api(?:[/?]|$)/.test(request.url);
    const sent = isPage ? sendStatic(request, reply.code(200), staticFiles) : undefined;
    if (sent === undefined) throw new AppError('NOT_FOUND', 'There is nothing at this address.');
    return sent;
  });
}

async function listen(app: FastifyInstance, { host, port }: ApiServerSettings): Promise<string> {
  try {
    return await app.listen({ host, port });
  } catch (cause) {
    throw listenFailure(cause, { host, port });
  }
}
