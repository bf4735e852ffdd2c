/** One route of the table over HTTP: who asks, what they ask, the handler's answer. */
import { createHash } from 'node:crypto';
import type { ApiRoute } from '@weir/contract';
import { AppError } from '@weir/kernel';
import type { ApiAnswer, ApiCall, ApiHandler, KeptAnswer } from '@weir/ports';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { ApiServerSettings } from './api-server-settings.ts';
import { assertRole, type Caller, callerOf } from './caller.ts';
import { dropCookie, sessionCookie } from './cookies.ts';
import { onceByKey } from './idempotent-write.ts';
import type { OpenFeeds } from './open-feeds.ts';
import type { OwnSite } from './own-site.ts';

export const API_BASE = '/api/v1';
/** Signs out: the one route whose session this server ends. */
const SIGN_OUT = 'endSession';

export interface RouteParts {
  readonly settings: ApiServerSettings;
  readonly site: OwnSite;
  readonly feeds: OpenFeeds;
}

/** Throws an Error for a route without a handler. */
export function addApiRoute(app: FastifyInstance, route: ApiRoute, parts: RouteParts): void {
  const { handlers, feeds } = parts.settings;
  const url = `${API_BASE}${route.path.replace(/\{(\w{1,60})\}/g, ':$1')}`;
  const feed = feeds[route.id];
  const handler = handlers[route.id] ?? (route.id === SIGN_OUT ? async () => ({ body: null }) : undefined);
  if (feed === undefined && handler === undefined) throw new Error(`The route ${route.id} has no handler.`);
  app.route({
    method: route.method,
    url,
    handler: async (request, reply) => {
      const caller = await admit(request, route, parts);
      const left = new AbortController();
      reply.raw.once('close', () => left.abort());
      const call = readCall(request, route, { principal: caller.principal, signal: left.signal });
      if (feed !== undefined) return parts.feeds.open(reply, { feed, call, caller });
      if (handler === undefined) return reply;
      return route.method === 'GET' ? sendRead(request, reply, await handler(call)) : sendWrite(request, reply, { route, parts, caller, call, handler });
    },
  });
}

async function admit(request: FastifyRequest, route: ApiRoute, { settings, site }: RouteParts): Promise<Caller> {
  const caller = await callerOf(request, settings.identity, site.https);
  if (route.method !== 'GET' && caller.principal?.by !== 'bearer') site.assertOwnPage(request);
  assertRole(route, caller.principal);
  return caller;
}

type CallFacts = Pick<ApiCall, 'principal' | 'signal'>;

/** Characters of a position that a feed resumes after. */
const MAX_EVENT_ID = 100;

function readCall(request: FastifyRequest, route: ApiRoute, facts: CallFacts): ApiCall {
  const eventId = request.headers['last-event-id'];
  return {
    ...facts,
    params: read(route.params, { ...(request.params as object) }, 'address'),
    query: read(route.query, { ...(request.query as object) }, 'query'),
    body: route.body === null ? noBody(request.body) : read(route.body, request.body, 'body'),
    lastEventId: typeof eventId === 'string' && eventId !== '' && eventId.length <= MAX_EVENT_ID ? eventId : null,
  };
}

function noBody(body: unknown): null {
  if (body !== undefined && body !== null) throw new AppError('REQUEST_INVALID', 'This operation takes no body.');
  return null;
}

function read(schema: NonNullable<ApiRoute['body']>, value: unknown, place: string): unknown {
  const outcome = schema.safeParse(value);
  if (outcome.success) return outcome.data;
  const [issue] = outcome.error.issues;
  const at = [place, ...(issue?.path ?? []).map(String)].join('.');
  throw new AppError('REQUEST_INVALID', `${at}: ${issue?.message ?? 'not allowed'}`);
}

const withNext = ({ body, next }: ApiAnswer): unknown => (next !== undefined && typeof body === 'object' && body !== null ? { ...body, next } : body);

function sendRead(request: FastifyRequest, reply: FastifyReply, answer: ApiAnswer): FastifyReply {
  const text = JSON.stringify(withNext(answer));
  const etag = `"${answer.etag ?? createHash('sha256').update(text).digest('base64url').slice(0, 22)}"`;
  void reply.header('etag', etag).header('cache-control', 'private, no-cache').header('vary', 'Cookie, Authorization');
  if (answer.next !== undefined && answer.next !== null) void reply.header('link', `<${nextAddress(request.url, answer.next)}>; rel="next"`);
  const known = (request.headers['if-none-match'] ?? '').split(',').map(one => one.trim().replace(/^W\//, ''));
  if (known.includes(etag)) return reply.code(304).send();
  return reply.type('application/json').send(text);
}

function nextAddress(url: string, cursor: string): string {
  const [path = '', query = ''] = url.split('?', 2);
  const words = new URLSearchParams(query);
  words.set('cursor', cursor);
  return `${path}?${words}`;
}

interface WriteParts {
  readonly route: ApiRoute;
  readonly parts: RouteParts;
  readonly caller: Caller;
  readonly call: ApiCall;
  readonly handler: ApiHandler;
}

async function sendWrite(request: FastifyRequest, reply: FastifyReply, { route, parts, caller, call, handler }: WriteParts): Promise<FastifyReply> {
  const { settings, site, feeds } = parts;
  if (route.id === SIGN_OUT && caller.secret !== null) {
    await settings.identity.signOut(caller.secret);
    feeds.endOf(caller.secret);
    void reply.header('set-cookie', dropCookie(sessionCookie(site.https)));
  }
  const act = async (): Promise<KeptAnswer> => {
    const answer = await handler(call);
    return route.answer === null ? { status: 204, body: '' } : { status: 200, body: JSON.stringify(withNext(answer)) };
  };
  const key = request.headers['idempotency-key'];
  const keyed = typeof key === 'string' && call.principal !== null && route.id !== SIGN_OUT;
  const asked = JSON.stringify([route.id, call.params, call.query, call.body]);
  const { status, body } = keyed ? await onceByKey(settings.answers, { key, subject: call.principal.subject, request: asked }, act) : await act();
  void reply.code(status).header('cache-control', 'no-store');
  return status === 204 ? reply.send() : reply.type('application/json').send(body);
}
