/** The server alone, over real sockets on loopback, with an engine of a few lines behind it. */
import { once } from 'node:events';
import { request as httpRequest } from 'node:http';
import { connect, type Socket } from 'node:net';
import type { VirtualKey } from '@weir/contract';
import { AppError } from '@weir/kernel';
import { verifies } from '@weir/requirements';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { type GatewayServer, MAX_BODY_BYTES, startGatewayServer } from './create-gateway-server.ts';
import type { ClientCall, ClientReply, GatewayDoor } from './gateway-door.ts';
import type { GatewayServerSettings } from './gateway-server-settings.ts';
import { isHostAllowed } from './host-guard.ts';
import { createMetrics } from './metrics.ts';
import { KEEP_ALIVE_MS } from './send-reply.ts';

const KEY: VirtualKey = {
  ...{ id: 'k1', hash: '', label: 'k', holder: { kind: 'run', id: 'r' }, budgetMillicents: null, budgetCalls: null, allowedRoutes: null, createdAt: 0 },
  ...{ expiresAt: null, revokedAt: null, spentMillicents: 0, reservedMillicents: 0, calls: 0, unpricedCalls: 0 },
};

const open: GatewayServer[] = [];
afterEach(async () => {
  for (const server of open.splice(0)) await server.close(0);
});

interface Seen {
  readonly calls: ClientCall[];
  readonly presented: (string | undefined)[];
  readonly bugs: unknown[];
}

async function start(
  reply: (call: ClientCall) => Promise<ClientReply>,
  changes: Partial<GatewayServerSettings> = {},
): Promise<Seen & { origin: string; server: GatewayServer }> {
  const seen: Seen = { calls: [], presented: [], bugs: [] };
  const gateway: GatewayDoor = {
    authenticate: async presented => {
      seen.presented.push(presented);
      return presented === 'good' ? { key: KEY } : { failure: { code: 'invalid_api_key', class: 'invalid_key', message: 'There is no such virtual key.' } };
    },
    call: call => {
      seen.calls.push(call);
      return reply(call);
    },
    countTokens: async () => ({ status: 200, headers: { 'content-type': 'application/json' }, body: '{"input_tokens":7}' }),
    listModels: async (_principal, binding) => ({
      text: JSON.stringify({ data: [{ id: binding ?? 'm' }] }),
      etag: '"e1"',
      entry: id => (id === 'a/b' ? '{"id":"a/b"}' : undefined),
    }),
    planRoute: async ({ protocol, binding }) => ({ plan: { protocol, binding } }),
    planOfCall: ref => (ref === 'known' ? { route: 'r' } : undefined),
  };
  const server = await startGatewayServer({
    ...{ gateway, metrics: createMetrics(), isOperator: key => key === 'operator', operate: async request => request, isReady: async () => true },
    ...{ host: '127.0.0.1', port: 0, onBug: error => void seen.bugs.push(error) },
    ...changes,
  });
  open.push(server);
  return { ...seen, origin: server.origin, server };
}

const fine = async (): Promise<ClientReply> => ({ status: 200, headers: { 'content-type': 'application/json' }, body: '{"ok":true}' });
const JSON_TYPE = { 'content-type': 'application/json' };
const post = (url: string, body = '{}', headers: Record<string, string> = {}): Promise<Response> =>
  fetch(url, { method: 'POST', body, headers: { ...JSON_TYPE, authorization: 'Bearer good', ...headers } });
const codeOf = async (response: Response): Promise<unknown> => ((await response.json()) as { error: { code: unknown } }).error.code;

describe('places', () => {
  test.each([
    ['/v1/responses', 'responses', undefined],
    ['/v1/chat/completions', 'chat', undefined],
    ['/v1/messages?beta=true', 'messages', undefined],
    ['/v1/at/acme/responses', 'responses', 'acme'],
    ['/v1/at/acme/chat/completions', 'chat', 'acme'],
    ['/v1/at/acme/v1/messages?beta=true', 'messages', 'acme'],
  ])(`${verifies('MOD-12')} POST %s`, async (path, protocol, binding) => {
    const { origin, calls } = await start(fine);
    expect(await (await post(`${origin}${path}`, '{ "a": 1 }', { 'anthropic-beta': 'b' })).json()).toEqual({ ok: true });
    expect(calls).toMatchObject([{ protocol, headers: { 'anthropic-beta': 'b' }, principal: { key: { id: 'k1' } } }]);
    expect(calls[0]?.binding).toBe(binding);
    expect(new TextDecoder().decode(calls[0]?.body)).toBe('{ "a": 1 }');
  });

  test(`${verifies('MOD-12')} count_tokens, models with an entity tag, one model with a slash in its name`, async () => {
    const { origin } = await start(fine);
    expect(await (await post(`${origin}/v1/messages/count_tokens?beta=true`)).json()).toEqual({ input_tokens: 7 });
    const key = { 'x-api-key': 'good' };
    const listed = await fetch(`${origin}/v1/models?client_version=0.169.0`, { headers: key });
    expect([await listed.json(), listed.headers.get('etag')]).toEqual([{ data: [{ id: 'm' }] }, '"e1"']);
    expect((await fetch(`${origin}/v1/models`, { headers: { ...key, 'if-none-match': '"e1"' } })).status).toBe(304);
    expect(await (await fetch(`${origin}/v1/at/acme/models`, { headers: key })).json()).toEqual({ data: [{ id: 'acme' }] });
    expect(await (await fetch(`${origin}/v1/models/a/b`, { headers: key })).json()).toEqual({ id: 'a/b' });
    expect((await fetch(`${origin}/v1/models/none`, { headers: key })).status).toBe(404);
  });

  test(`${verifies('MOD-12')} a WebSocket upgrade is 426, and the connection goes on over HTTP; compaction upstream is 404`, async () => {
    const { origin } = await start(fine);
    const upgrade = httpRequest(`${origin}/v1/responses`, { headers: { connection: 'Upgrade', upgrade: 'websocket', authorization: 'Bearer good' } });
    upgrade.end();
    const [answer] = (await once(upgrade, 'response')) as [{ statusCode: number }];
    expect(answer.statusCode).toBe(426);
    const compact = await post(`${origin}/v1/responses/compact`);
    expect(compact.status).toBe(404);
  });

  test(`${verifies('MOD-12')} health, readiness and counters need no key`, async () => {
    const { origin, server } = await start(fine);
    expect(await (await fetch(`${origin}/healthz`)).text()).toBe('ok\n');
    expect((await fetch(`${origin}/readyz`)).status).toBe(200);
    const counters = await fetch(`${origin}/metrics`);
    expect(counters.headers.get('content-type')).toContain('version=0.0.4');
    expect(await counters.text()).toMatch(/^weir_gateway_open_calls 0$/m);
    await server.close(0);
    const unready = await start(fine, { isReady: async () => false });
    expect((await fetch(`${unready.origin}/readyz`)).status).toBe(503);
  });

  test(`${verifies('MOD-18')} plans are for the operator, by request and by the reference of a call`, async () => {
    const { origin } = await start(fine);
    const plan = (body: object, key: string): Promise<Response> => post(`${origin}/v1/route/plan`, JSON.stringify(body), { authorization: `Bearer ${key}` });
    expect((await plan({ call: 'known' }, 'good')).status).toBe(403);
    expect(await (await plan({ call: 'known' }, 'operator')).json()).toEqual({ route: 'r' });
    expect((await plan({ call: 'gone' }, 'operator')).status).toBe(404);
    expect(await (await plan({ protocol: 'chat', request: {}, modelProvider: 'acme' }, 'operator')).json()).toEqual({ protocol: 'chat', binding: 'acme' });
    expect((await plan({ protocol: 'x', request: {} }, 'operator')).status).toBe(400);
  });

  test("the operator's commands reach the stores, and their failures keep their names", async () => {
    const operate = async (request: unknown): Promise<unknown> => {
      if (request === undefined) throw new AppError('USAGE', 'no', { next: 'do' });
      return request;
    };
    const { origin } = await start(fine, { operate });
    const ask = (body: string, key = 'operator'): Promise<Response> => post(`${origin}/v1/operator/stores`, body, { authorization: `Bearer ${key}` });
    expect(await (await ask('{"a":1}')).json()).toEqual({ result: { a: 1 } });
    expect(await (await ask('no json')).json()).toEqual({ error: { code: 'USAGE', message: 'no', next: 'do' } });
    expect((await ask('{}', 'good')).status).toBe(403);
  });
});

describe('who may come in', () => {
  test.each([
    ['responses', 400],
    ['chat/completions', 401],
    ['messages', 401],
  ])(`${verifies('MOD-23')} an invalid key at %s is %i, whatever header carries it`, async (path, status) => {
    const { origin, calls } = await start(fine);
    for (const headers of [{}, { authorization: 'Bearer bad' }, { 'x-api-key': 'bad' }, { authorization: 'Basic Z29vZA==' }]) {
      const response = await fetch(`${origin}/v1/${path}`, { method: 'POST', body: '{}', headers: { ...JSON_TYPE, ...headers } as Record<string, string> });
      expect([response.status, await codeOf(response)]).toEqual([status, 'invalid_api_key']);
    }
    for (const headers of [{ 'x-api-key': 'good' }, { 'api-key': 'good' }, { authorization: 'bearer good' }]) {
      expect(
        (await fetch(`${origin}/v1/${path}`, { method: 'POST', body: '{}', headers: { ...JSON_TYPE, ...headers } as Record<string, string> })).status,
      ).toBe(200);
    }
    expect(calls).toHaveLength(3);
  });

  test('whoever has no key is answered before the body is read', async () => {
    const { origin } = await start(fine);
    const socket = connect(Number(new URL(origin).port), '127.0.0.1');
    socket.write('POST /v1/responses HTTP/1.1\r\nhost: 127.0.0.1\r\ncontent-type: application/json\r\ncontent-length: 1000000\r\n\r\n{');
    const [first] = (await once(socket, 'data')) as [Buffer];
    expect(first.toString()).toMatch(/^HTTP\/1\.1 400 /);
    socket.destroy();
  });

  test('a server on loopback answers to the names of loopback alone', async () => {
    const { origin, calls } = await start(fine);
    const asked = httpRequest(`${origin}/v1/responses`, { method: 'POST', headers: { host: 'rebound.example', authorization: 'Bearer good', ...JSON_TYPE } });
    asked.end('{}');
    const [answer] = (await once(asked, 'response')) as [{ statusCode: number; headers: Record<string, string> }];
    expect(answer.statusCode).toBe(421);
    expect(calls).toEqual([]);
    for (const host of ['localhost:1', '127.0.0.1', '[::1]:4141', 'LOCALHOST:80'])
      expect({ host, allowed: isHostAllowed('127.0.0.1', host) }).toEqual({ host, allowed: true });
    for (const host of [undefined, '', 'localhost.example', '127.0.0.1.nip.io', 'x@127.0.0.1:1'])
      expect({ host, allowed: isHostAllowed('::1', host) }).toEqual({ host, allowed: false });
    expect(isHostAllowed('0.0.0.0', 'gateway.example')).toBe(true);
  });

  test('no web page of another origin may read an answer', async () => {
    const { origin } = await start(fine);
    const response = await fetch(`${origin}/v1/responses`, {
      method: 'POST',
      body: '{}',
      headers: { ...JSON_TYPE, authorization: 'Bearer good', origin: 'https://evil.example' },
    });
    expect([...response.headers.keys()].filter(name => name.startsWith('access-control'))).toEqual([]);
    expect((await fetch(`${origin}/v1/responses`, { method: 'OPTIONS' })).status).toBe(404);
  });
});

describe('bad input', () => {
  test.each([
    ['text/plain', '{}', {}, 'wrong_content_type'],
    ['application/x-www-form-urlencoded', 'a=1', {}, 'wrong_content_type'],
    ['application/json', '{}', { 'content-encoding': 'gzip' }, 'unsupported_encoding'],
  ])(`${verifies('MOD-15')} %s %s %j`, async (type, body, more, code) => {
    const { origin, calls } = await start(fine);
    const response = await post(`${origin}/v1/responses`, body, { ...(more as Record<string, string>), 'content-type': type });
    expect([response.status, await codeOf(response)]).toEqual([400, code]);
    expect(calls).toEqual([]);
  });

  test.each([
    ['responses', 400],
    ['chat/completions', 413],
    ['messages', 413],
  ])(`${verifies('MOD-15')} a body that says it is larger than the limit is refused at %s with %i`, async (path, status) => {
    const { origin } = await start(fine);
    const socket = connect(Number(new URL(origin).port), '127.0.0.1');
    const head = `POST /v1/${path} HTTP/1.1\r\nhost: 127.0.0.1\r\nauthorization: Bearer good\r\ncontent-type: application/json`;
    socket.write(`${head}\r\ncontent-length: ${MAX_BODY_BYTES + 1}\r\n\r\n{`);
    const [first] = (await once(socket, 'data')) as [Buffer];
    expect(first.toString()).toContain(`HTTP/1.1 ${status} `);
    socket.destroy();
  });

  test('a fault of the engine is a failure in the words of the client, and is reported', async () => {
    const { origin, bugs } = await start(() => Promise.reject(new TypeError('a bug')));
    const response = await post(`${origin}/v1/messages`);
    expect([response.status, await codeOf(response)]).toEqual([529, 'gateway_error']);
    expect(bugs).toHaveLength(1);
  });
});

/** A stream that never ends by itself, and notes how much of it was taken. */
function endless(signal: AbortSignal, size: number) {
  const state = { pulled: 0, returned: false };
  async function* body(): AsyncGenerator<string> {
    try {
      while (!signal.aborted) {
        state.pulled += 1;
        yield 'x'.repeat(size);
        await new Promise(resolve => setImmediate(resolve));
      }
    } finally {
      state.returned = true;
    }
  }
  return { state, body: body() };
}

const EVENTS = { 'content-type': 'text/event-stream' };

async function openStream(origin: string): Promise<Socket> {
  const socket = connect(Number(new URL(origin).port), '127.0.0.1');
  socket.write('POST /v1/responses HTTP/1.1\r\nhost: 127.0.0.1\r\nauthorization: Bearer good\r\ncontent-type: application/json\r\ncontent-length: 2\r\n\r\n{}');
  await once(socket, 'readable');
  return socket;
}

describe('streams', () => {
  test(`${verifies('MOD-14')} a client that goes away aborts its call at once: before the head, and in the stream`, async () => {
    const signals: AbortSignal[] = [];
    const waiting = await start(call => {
      signals.push(call.signal);
      return new Promise((_, reject) => call.signal.addEventListener('abort', () => reject(call.signal.reason)));
    });
    const early = connect(Number(new URL(waiting.origin).port), '127.0.0.1');
    early.write(
      'POST /v1/responses HTTP/1.1\r\nhost: 127.0.0.1\r\nauthorization: Bearer good\r\ncontent-type: application/json\r\ncontent-length: 2\r\n\r\n{}',
    );
    await expect.poll(() => signals.length).toBe(1);
    early.destroy();
    await expect.poll(() => signals[0]?.aborted).toBe(true);
    expect(waiting.bugs).toEqual([]);

    let stream: ReturnType<typeof endless> | undefined;
    const streaming = await start(async call => {
      stream = endless(call.signal, 10);
      return { status: 200, headers: EVENTS, body: stream.body };
    });
    const socket = await openStream(streaming.origin);
    socket.destroy();
    await expect.poll(() => stream?.state.returned).toBe(true);
    expect(streaming.bugs).toEqual([]);
  });

  test('a client that does not read stops the stream at its source', async () => {
    let stream: ReturnType<typeof endless> | undefined;
    const { origin } = await start(async call => {
      stream = endless(call.signal, 100_000);
      return { status: 200, headers: EVENTS, body: stream.body };
    });
    const socket = await openStream(origin);
    socket.pause();
    let before = -1;
    await expect
      .poll(
        async () => {
          const now = stream?.state.pulled ?? 0;
          const still = now === before;
          before = now;
          return still;
        },
        { interval: 100, timeout: 10_000 },
      )
      .toBe(true);
    expect(before * 100_000).toBeLessThan(50_000_000);
    socket.destroy();
    await expect.poll(() => stream?.state.returned).toBe(true);
  });

  test(`${verifies('MOD-14')} a comment keeps the stream while the model thinks, and only then`, async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    try {
      let say: (text: string) => void = () => undefined;
      async function* body(): AsyncGenerator<string> {
        for (let at = 0; at < 2; at += 1) yield await new Promise<string>(resolve => (say = resolve));
      }
      const { origin } = await start(async () => ({ status: 200, headers: EVENTS, body: body() }));
      const reader = (await post(`${origin}/v1/responses`)).body?.getReader();
      const next = async (): Promise<string> => new TextDecoder().decode((await reader?.read())?.value);
      vi.advanceTimersByTime(KEEP_ALIVE_MS);
      expect(await next()).toBe(': keep-alive\n\n');
      say('data: 1\n\n');
      expect(await next()).toBe('data: 1\n\n');
      vi.advanceTimersByTime(KEEP_ALIVE_MS);
      vi.advanceTimersByTime(KEEP_ALIVE_MS);
      expect(await next()).toBe(': keep-alive\n\n');
      say('data: 2\n\n');
      expect(await next()).toBe('data: 2\n\n');
      vi.advanceTimersByTime(KEEP_ALIVE_MS);
      expect((await reader?.read())?.done).toBe(true);
    } finally {
      vi.useRealTimers();
    }
  });

  test('at the end of the server a stream may end; one that does not is cut after the time', async () => {
    let release: () => void = () => undefined;
    const held = new Promise<void>(resolve => (release = resolve));
    async function* body(): AsyncGenerator<string> {
      yield 'first ';
      await held;
      yield 'last';
    }
    const { origin, server } = await start(async () => ({ status: 200, headers: EVENTS, body: body() }));
    const response = await post(`${origin}/v1/responses`);
    const closing = server.close(10_000);
    release();
    expect(await response.text()).toBe('first last');
    await closing;
    await expect(fetch(`${origin}/healthz`)).rejects.toThrow();

    const stuck = await start(async call => ({ status: 200, headers: EVENTS, body: endless(call.signal, 10).body }));
    const socket = await openStream(stuck.origin);
    await stuck.server.close(50);
    socket.destroy();
  });

  test('a stream that breaks inside the gateway cuts the connection instead of ending as if it were whole', async () => {
    async function* body(): AsyncGenerator<string> {
      yield 'first';
      throw new TypeError('a bug');
    }
    const { origin, bugs } = await start(async () => ({ status: 200, headers: EVENTS, body: body() }));
    const response = await post(`${origin}/v1/responses`);
    await expect(response.text()).rejects.toThrow();
    expect(bugs).toHaveLength(1);
  });
});
