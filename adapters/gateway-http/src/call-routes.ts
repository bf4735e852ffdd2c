/** The endpoints that clients use, at their own place and at `/v1/at/{model-provider}/…` for one provider alone (MOD-12). */
import type { ServerResponse } from 'node:http';
import type { UpstreamProtocol } from '@weir/contract';
import { permanent } from '@weir/wire';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { clientKey } from './client-key.ts';
import { protocolOf, sendFailure } from './failure-reply.ts';
import type { ClientCall, ClientReply, GatewayDoor, KeyHolder } from './gateway-door.ts';
import type { GatewayServerSettings } from './gateway-server-settings.ts';
import { sendReply } from './send-reply.ts';

/** Anthropic's clients put `/v1` behind the address that they are given, OpenAI's expect it in it. */
const PREFIXES = ['/v1', '/v1/at/:modelProvider', '/v1/at/:modelProvider/v1'] as const;

interface Place {
  readonly path: string;
  readonly protocol: UpstreamProtocol;
  readonly serve: (gateway: GatewayDoor, call: ClientCall) => Promise<ClientReply>;
}

const answer: Place['serve'] = (gateway, call) => gateway.call(call);

const PLACES: readonly Place[] = [
  { path: '/responses', protocol: 'responses', serve: answer },
  { path: '/chat/completions', protocol: 'chat', serve: answer },
  { path: '/messages', protocol: 'messages', serve: answer },
  { path: '/messages/count_tokens', protocol: 'messages', serve: (gateway, call) => gateway.countTokens(call) },
];

type Holders = WeakMap<FastifyRequest, KeyHolder>;

export function addCallRoutes(app: FastifyInstance, settings: GatewayServerSettings): void {
  const { gateway } = settings;
  const holders: Holders = new WeakMap();
  void app.register(async routes => {
    // Before the body is read: whoever has no key sends none.
    routes.addHook('onRequest', async (request, reply) => {
      if (reply.sent) return;
      const checked = await gateway.authenticate(clientKey(request.headers));
      if ('failure' in checked) return sendFailure(reply, protocolOf(request), checked.failure);
      holders.set(request, { kind: 'key', key: checked.key });
      const encoding = request.headers['content-encoding'] ?? 'identity';
      if (encoding !== 'identity') return sendFailure(reply, protocolOf(request), permanent('unsupported_encoding', 'A compressed body is not taken.'));
      return undefined;
    });
    for (const prefix of PREFIXES) {
      for (const place of PLACES)
        routes.post(`${prefix}${place.path}`, (request, reply) => serveCall({ place, request, reply }, holderOf(holders, request), settings));
      routes.get(`${prefix}/models`, (request, reply) => serveModels(request, reply, gateway, holderOf(holders, request)));
      routes.get(`${prefix}/models/*`, (request, reply) => serveModel(request, reply, gateway, holderOf(holders, request)));
    }
  });
}

function holderOf(holders: Holders, request: FastifyRequest): KeyHolder {
  const holder = holders.get(request);
  if (holder === undefined) throw new Error('The key is checked before the route is served.');
  return holder;
}

const bindingOf = (request: FastifyRequest): string | undefined => (request.params as { readonly modelProvider?: string }).modelProvider;

interface Serving {
  readonly place: Place;
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
}

async function serveCall({ place, request, reply }: Serving, principal: KeyHolder, { gateway, metrics, onBug }: GatewayServerSettings): Promise<FastifyReply> {
  const response = reply.raw;
  const client = new AbortController();
  const onClose = (): void => {
    if (!response.writableFinished) client.abort(new Error('The client has gone away.'));
  };
  response.once('close', onClose);
  const binding = bindingOf(request);
  const { body } = request;
  metrics.began();
  try {
    const call = {
      protocol: place.protocol,
      body: body instanceof Uint8Array ? body : new Uint8Array(),
      headers: plainHeaders(request),
      principal,
      signal: client.signal,
      ...(binding === undefined ? {} : { binding }),
    };
    const answered = await place.serve(gateway, call);
    reply.hijack();
    await send(response, answered, onBug);
  } catch (error) {
    if (!client.signal.aborted) throw error;
    reply.hijack();
  } finally {
    metrics.ended();
  }
  return reply;
}

/** Once the head is sent, a fault can only end the connection. */
async function send(response: ServerResponse, reply: ClientReply, onBug: GatewayServerSettings['onBug']): Promise<void> {
  try {
    await sendReply(response, reply);
  } catch (error) {
    if (!response.destroyed) onBug(error);
    response.destroy();
  }
}

function plainHeaders({ headers }: FastifyRequest): Readonly<Record<string, string>> {
  const plain: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers)) if (typeof value === 'string') plain[name] = value;
  return plain;
}

async function serveModels(request: FastifyRequest, reply: FastifyReply, gateway: GatewayDoor, principal: KeyHolder): Promise<FastifyReply> {
  const { text, etag } = await gateway.listModels(principal, bindingOf(request));
  reply.headers({ etag, 'cache-control': 'private, no-cache' });
  if (request.headers['if-none-match'] === etag) return reply.code(304).send();
  return reply.type('application/json; charset=utf-8').send(text);
}

async function serveModel(request: FastifyRequest, reply: FastifyReply, gateway: GatewayDoor, principal: KeyHolder): Promise<FastifyReply> {
  const id = (request.params as { readonly '*'?: string })['*'] ?? '';
  const entry = (await gateway.listModels(principal, bindingOf(request))).entry(id);
  if (entry !== undefined) return reply.type('application/json; charset=utf-8').send(entry);
  return sendFailure(reply, protocolOf(request), { code: 'model_not_found', class: 'not_found', message: 'This key has no such model.' });
}
