/**
 * A forge simulator behind a front that knows any number of draft changes: each is the one that the simulator has, under another number,
 * so that the cost of the simulator is not measured. A Gitea, which sets no limits to a minute as hosted forges do.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { type Forge, startForge } from '@weir/forge-simulator';

const REPOSITORY = 'acme/shop';
const WEIR = 'weir-bot';
const CHANGE = /^\/api\/v1\/repos\/acme\/shop\/pulls\/(\d+)$/;

export interface ForgeFront {
  readonly url: string;
  readonly repository: string;
  readonly token: string;
  /** Numbers of the changes that were asked for, in their order. */
  readonly asked: readonly number[];
  /** What the forge sends when that change is opened. */
  opened(number: number): string;
  /** The hook that was registered. */
  hook(): { readonly url: string; readonly secret: string };
  close(): Promise<void>;
}

export async function startForgeFront(): Promise<ForgeFront> {
  const { forge, payload } = await seeded();
  const headers = { authorization: `token ${forge.token(WEIR)}` };
  const card = await (await fetch(`${forge.apiUrl}/repos/${REPOSITORY}/pulls/1`, { headers })).text();
  const asked: number[] = [];
  const server = createServer((message, reply) => {
    const number = Number(CHANGE.exec(message.url ?? '')?.[1] ?? 0);
    if (message.method !== 'GET' || number === 0) return void pass(forge.url, message, reply);
    asked.push(number);
    reply.writeHead(200, { 'content-type': 'application/json; charset=utf-8' }).end(asAnother(card, number));
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    ...{ repository: REPOSITORY, token: forge.token(WEIR), asked },
    opened: number => asAnother(payload, number),
    hook: () => {
      const [hook] = forge.seed.find(REPOSITORY).hooks;
      return { url: hook?.url ?? '', secret: hook?.secret ?? '' };
    },
    close: async () => {
      server.close();
      server.closeAllConnections();
      await forge.close();
    },
  };
}

const asAnother = (text: string, number: number): string => text.replaceAll(/"number": ?1,/g, `"number":${number},`).replaceAll('/pull/1"', `/pull/${number}"`);

/** A repository with one draft, and what its opening sends. */
async function seeded(): Promise<{ readonly forge: Forge; readonly payload: string }> {
  const forge = await startForge({ kind: 'gitea' });
  for (const login of ['acme', 'alice', WEIR]) forge.seed.account({ login });
  await forge.seed.repository({ owner: 'acme', name: 'shop' });
  forge.seed.permit(REPOSITORY, 'alice', 'write');
  forge.seed.permit(REPOSITORY, WEIR, 'admin');
  await forge.seed.push({ repository: REPOSITORY, branch: 'main', files: { 'a.ts': 'const a = 1;\n' } });
  await forge.seed.push({ repository: REPOSITORY, branch: 'work', by: 'alice', files: { 'a.ts': 'const a = 2;\n' } });
  // Nobody listens there; the delivery is written down all the same.
  forge.seed.hook(REPOSITORY, { url: 'http://127.0.0.1:9/', secret: 'of nobody', events: ['pull_request'] });
  await forge.seed.change({ repository: REPOSITORY, head: 'work', by: 'alice', draft: true });
  await forge.settled();
  forge.seed.find(REPOSITORY).hooks.length = 0;
  return { forge, payload: String(forge.deliveries.at(-1)?.body ?? '') };
}

async function pass(origin: string, message: IncomingMessage, reply: ServerResponse): Promise<void> {
  const { method = 'GET', url = '/', headers } = message;
  const sent = Object.entries(headers).filter(([name]) => !['host', 'connection', 'content-length', 'transfer-encoding'].includes(name));
  const body = method === 'GET' ? undefined : await buffer(message);
  const answer = await fetch(`${origin}${url}`, {
    method,
    headers: sent.map(([name, value]) => [name, String(value)]),
    ...(body === undefined ? {} : { body }),
  });
  const text = await answer.text();
  reply.writeHead(answer.status, { 'content-type': answer.headers.get('content-type') ?? 'text/plain' }).end(text);
}
