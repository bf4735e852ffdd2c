/**
 * A page on this machine that sends a person to a site, and takes what the site's redirect brings back: one code, under the state that this
 * run made up. It listens on the loopback address alone.
 */
import { timingSafeEqual } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import fastify, { type FastifyInstance, type FastifyReply } from 'fastify';

export interface CallbackPage {
  /** HTML, for a person; without scripts. */
  readonly html: string;
  /** The only origin that its form may be sent to. */
  readonly formTarget: string;
}

export interface CallbackSettings {
  /** Unguessable; what comes back without it is refused. */
  readonly state: string;
  /** @param redirect the address that the site sends the person back to. */
  readonly page: (redirect: string) => CallbackPage;
  /** HTML that the person sees in the end. */
  readonly done: string;
}

export interface CallbackServer {
  /** Where the page is: `http://127.0.0.1:41234/`. */
  readonly address: string;
  /** The first code that came back with the state. */
  readonly code: Promise<string>;
  close(): Promise<void>;
}

const HOST = '127.0.0.1';
const CALLBACK = '/callback';
const REQUEST_TIMEOUT_MS = 10_000;
const MAX_CONNECTIONS = 32;
const CODE = /^[\w.-]{1,200}$/;
/** Nothing is loaded, framed or kept, and no address leaks. */
const HEADERS = { 'cache-control': 'no-store', 'referrer-policy': 'no-referrer', 'x-content-type-options': 'nosniff' };

export async function startCallbackServer({ state, page, done }: CallbackSettings): Promise<CallbackServer> {
  let take: (code: string) => void = () => undefined;
  const code = new Promise<string>(resolve => (take = resolve));
  const app = fastify({ requestTimeout: REQUEST_TIMEOUT_MS, exposeHeadRoutes: false, return503OnClosing: false });
  app.server.maxConnections = MAX_CONNECTIONS;
  app.setErrorHandler((_error, _request, reply) => refuse(reply));
  app.setNotFoundHandler((_request, reply) => refuse(reply));
  refuseOtherNames(app);
  const origin = (): string => `http://${HOST}:${(app.server.address() as AddressInfo).port}`;
  app.get('/', (_request, reply) => {
    const { html, formTarget } = page(`${origin()}${CALLBACK}`);
    return send(reply, html, `form-action ${formTarget}`);
  });
  app.get<{ Querystring: Readonly<Record<string, unknown>> }>(CALLBACK, (request, reply) => {
    const { code: given, state: returned } = request.query;
    if (typeof given !== 'string' || !CODE.test(given) || !isSame(returned, state)) return refuse(reply);
    take(given);
    return send(reply, done, "form-action 'none'");
  });
  await app.listen({ host: HOST, port: 0 });
  return { address: `${origin()}/`, code, close: () => app.close() };
}

/** A page elsewhere whose name leads to this address reads nothing here. */
function refuseOtherNames(app: FastifyInstance): void {
  app.addHook('onRequest', async (request, reply) => {
    if (request.headers.host !== `${HOST}:${(app.server.address() as AddressInfo).port}`) await refuse(reply);
  });
}

const refuse = (reply: FastifyReply): FastifyReply => reply.code(400).headers(HEADERS).type('text/plain').send('refused\n');

const send = (reply: FastifyReply, html: string, formAction: string): FastifyReply =>
  reply
    .headers({ ...HEADERS, 'content-security-policy': `default-src 'none'; frame-ancestors 'none'; base-uri 'none'; ${formAction}` })
    .type('text/html; charset=utf-8')
    .send(html);

function isSame(given: unknown, expected: string): boolean {
  const [one, other] = [Buffer.from(typeof given === 'string' ? given : ''), Buffer.from(expected)];
  return one.length === other.length && timingSafeEqual(one, other);
}
