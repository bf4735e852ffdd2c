import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import { type AddressInfo, createServer as createTcpServer, type LookupFunction, type Socket } from 'node:net';
import path from 'node:path';
import { promisify } from 'node:util';
import { HttpFailure, type HttpRequest, type HttpResponse } from '@weir/ports';
import { verifies } from '@weir/requirements';
import { afterEach, expect, test, vi } from 'vitest';
import { createConnectionPool } from './connection-pool.ts';
import { createHttp, type HttpClient } from './create-http.ts';
import { exchange } from './exchange.ts';

// 127.0.0.1 stands for a public address here, and 127.0.0.2 for a private one.
vi.mock('./address-policy.ts', () => ({ refusedRange: (address: string) => (address === '127.0.0.1' ? undefined : 'private') }));

const cleanups: (() => void)[] = [];
afterEach(() => {
  vi.restoreAllMocks();
  for (const cleanup of cleanups.splice(0)) cleanup();
});

interface Served {
  readonly origin: string;
  readonly port: number;
  /** Connections that were made, open or not. */
  readonly made: Socket[];
}

async function serve(listener: RequestListener, { host = '127.0.0.1', port: wanted = 0 } = {}): Promise<Served> {
  const server = createServer({ keepAliveTimeout: 60_000 }, listener).listen(wanted, host);
  await once(server, 'listening');
  const made: Socket[] = [];
  server.on('connection', socket => void made.push(socket));
  cleanups.push(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return { origin: `http://${host}:${port}`, port, made };
}

/** A server that is told what to do with each piece of text that arrives, by the number of its connection. */
async function serveRaw(onText: (text: string, socket: Socket, connection: number) => void): Promise<Served> {
  const made: Socket[] = [];
  const server = createTcpServer(socket => {
    const connection = made.push(socket);
    socket.on('error', () => undefined).on('data', data => onText(data.toString(), socket, connection));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  cleanups.push(() => {
    for (const socket of made) socket.destroy();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return { origin: `http://127.0.0.1:${port}`, port, made };
}

const client = (...allowOrigins: string[]): HttpClient => {
  const http = createHttp({ allowOrigins });
  cleanups.push(() => http.close());
  return http;
};

const get = (url: string, more: Partial<HttpRequest> = {}): HttpRequest => ({
  ...{ method: 'GET', url, headers: {}, firstByteTimeoutMs: 20_000, idleTimeoutMs: 20_000, maxBytes: 1_000_000 },
  ...more,
});

async function textOf(response: Pick<HttpResponse, 'body'>): Promise<string> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of response.body) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}

const never = new AbortController().signal;
const ask = async (http: HttpClient, url: string, more: Partial<HttpRequest> = {}): Promise<string> =>
  textOf(await http.send(get(url, more), new AbortController().signal));
const open = ({ made }: Served): number => made.filter(socket => !socket.destroyed).length;
const answer = (text: string, more = ''): string => `HTTP/1.1 200 OK\r\ncontent-length: ${text.length}\r\n${more}\r\n${text}`;
/** One pass of the event loop and more, so that what was sent to this process has arrived. */
const settle = (): Promise<void> => new Promise(resolve => void setTimeout(resolve, 50));

test('fifty calls one after another use one connection, fifty at once no more than are under way', async () => {
  const server = await serve((incoming, outgoing) => void outgoing.end(incoming.url));
  const http = client(server.origin);
  for (let call = 0; call < 50; call += 1) expect(await ask(http, `${server.origin}/${call}`)).toBe(`/${call}`);
  expect(server.made).toHaveLength(1);
  const written = await Promise.all(Array.from({ length: 50 }, (_, call) => ask(http, server.origin, { method: 'POST', body: String(call) })));
  expect(written).toHaveLength(50);
  expect(server.made.length).toBeLessThanOrEqual(50);
  const before = server.made.length;
  for (let call = 0; call < 50; call += 1) await ask(http, server.origin);
  expect(server.made).toHaveLength(before);
});

test('of the connections that are free, 32 are kept, and none after the end', async () => {
  const server = await serve((_, outgoing) => void setImmediate(() => outgoing.end('x')));
  const http = client(server.origin);
  await Promise.all(Array.from({ length: 40 }, () => ask(http, server.origin)));
  await expect.poll(() => open(server)).toBeLessThanOrEqual(32);
  const under = await http.send(get(server.origin), never);
  http.close();
  expect(await textOf(under)).toBe('x');
  await expect.poll(() => open(server)).toBe(0);
  expect(await ask(http, server.origin)).toBe('x');
  await expect.poll(() => open(server)).toBe(0);
});

/** A server that answers nobody until so many ask at once. */
async function serveTogether(count: number): Promise<Served> {
  const waiting: (() => void)[] = [];
  return serve((_, outgoing) => {
    waiting.push(() => void outgoing.end('x'));
    if (waiting.length >= count) for (const answerOne of waiting.splice(0)) answerOne();
  });
}

test('as many requests are under way at one origin as the client was given, 200 of them at once; further ones wait for a turn', async () => {
  const server = await serveTogether(200);
  const http = createHttp({ allowOrigins: [server.origin], maxPerOrigin: 200 });
  cleanups.push(() => http.close());
  expect(await Promise.all(Array.from({ length: 200 }, () => ask(http, server.origin)))).toEqual(Array.from({ length: 200 }, () => 'x'));
  expect(server.made).toHaveLength(200);
  const few = await serveTogether(2);
  const narrow = createHttp({ allowOrigins: [few.origin], maxPerOrigin: 2 });
  cleanups.push(() => narrow.close());
  await Promise.all(Array.from({ length: 8 }, () => ask(narrow, few.origin)));
  expect(few.made.length).toBeLessThanOrEqual(2);
});

test('a connection that is kept does not keep the process', async () => {
  const server = await serve((_, outgoing) => void outgoing.end('x'));
  const program = `
    import { createHttp } from ${JSON.stringify(path.resolve(import.meta.dirname, 'index.ts'))};
    const request = { method: 'GET', url: process.argv[1], headers: {}, firstByteTimeoutMs: 9000, idleTimeoutMs: 9000, maxBytes: 1000 };
    const response = await createHttp({ allowOrigins: [process.argv[1]] }).send(request, new AbortController().signal);
    for await (const chunk of response.body) void chunk;
    setTimeout(() => process.stdout.write(JSON.stringify(process.getActiveResourcesInfo().filter(name => name.startsWith('TCP')))), 100);`;
  const { stdout } = await promisify(execFile)(process.execPath, ['--import', 'tsx', '--input-type=module', '-e', program, server.origin], {
    cwd: import.meta.dirname,
  });
  expect(stdout).toBe('[]');
});

test('beyond 64 at a time a request waits its turn; an abort ends the wait', async () => {
  const held: (() => void)[] = [];
  const server = await serve((incoming, outgoing) => {
    if (incoming.url === '/held') held.push(() => void outgoing.end('held'));
    else outgoing.end('free');
  });
  const http = client(server.origin);
  const all = Array.from({ length: 64 }, () => ask(http, `${server.origin}/held`));
  await expect.poll(() => held.length).toBe(64);
  const stop = new AbortController();
  const given = http.send(get(server.origin), stop.signal);
  const waiting = ask(http, server.origin);
  await settle();
  expect(server.made).toHaveLength(64);
  const reason = new Error('enough');
  stop.abort(reason);
  await expect(given).rejects.toBe(reason);
  held.pop()?.();
  expect(await waiting).toBe('free');
  for (const end of held) end();
  await Promise.all(all);
  expect(server.made).toHaveLength(64);
});

// What is not kept

test.each<[string, (http: HttpClient, url: string) => Promise<unknown>]>([
  [
    'aborted in mid-body',
    async (http, url) => {
      const stop = new AbortController();
      const response = await http.send(get(url), stop.signal);
      for await (const chunk of response.body) stop.abort(chunk);
    },
  ],
  [
    'left in mid-body',
    async (http, url) => {
      for await (const chunk of (await http.send(get(url), never)).body) if (chunk.length > 0) break;
    },
  ],
  ['too large', (http, url) => ask(http, url, { maxBytes: 2 })],
  ['late', (http, url) => ask(http, url, { idleTimeoutMs: 30 })],
])('an exchange that was %s leaves nothing to the next call', async (_, spoil) => {
  const server = await serve((incoming, outgoing) => {
    if (incoming.url === '/whole') outgoing.end('whole');
    else outgoing.write('half of the secret of another call');
  });
  const http = client(server.origin);
  await ask(http, `${server.origin}/whole`);
  await spoil(http, `${server.origin}/half`).catch((error: unknown) => error);
  expect(await ask(http, `${server.origin}/whole`)).toBe('whole');
  expect(server.made).toHaveLength(2);
  await expect.poll(() => open(server)).toBe(1);
});

test('a server that closes is not asked again over the same connection', async () => {
  const server = await serve((_, outgoing) => void outgoing.setHeader('connection', 'close').end('x'));
  const http = client(server.origin);
  for (let call = 0; call < 3; call += 1) expect(await ask(http, server.origin)).toBe('x');
  expect(server.made).toHaveLength(3);
});

test('an answer that nobody asked for is not taken for the answer to the next call', async () => {
  const server = await serveRaw((text, socket, connection) => {
    if (connection > 1) return void socket.write(answer('asked'));
    socket.write(answer('first'));
    return void setImmediate(() => socket.write(answer('forged')));
  });
  const http = client(server.origin);
  expect(await ask(http, server.origin)).toBe('first');
  await settle();
  expect(await ask(http, server.origin)).toBe('asked');
  const together = await serveRaw((_, socket, connection) => void socket.write(connection === 1 ? answer('first') + answer('forged') : answer('asked')));
  const other = client(together.origin);
  await ask(other, together.origin).catch((error: unknown) => expect(error).toBeInstanceOf(HttpFailure));
  expect(await ask(other, together.origin)).toBe('asked');
});

test('a connection is used for five minutes, then a new one looks the name up again', async () => {
  const server = await serve((_, outgoing) => void outgoing.end('x'));
  const http = client(server.origin);
  const now = vi.spyOn(performance, 'now').mockReturnValue(1_000);
  await ask(http, server.origin);
  now.mockReturnValue(301_000);
  await ask(http, server.origin);
  expect(server.made).toHaveLength(1);
  await ask(http, server.origin);
  expect(server.made).toHaveLength(2);
});

// A kept connection that ends as it is used

test(`${verifies('PRV-10')} a read that meets the end of a kept connection is sent again, a write never`, async () => {
  const seen: string[] = [];
  const server = await serveRaw((text, socket) => {
    const [method = ''] = text.split(' ');
    seen.push(method);
    if (seen.length % 2 === 0) socket.destroy();
    else socket.write(answer('x'));
  });
  const http = client(server.origin);
  await ask(http, server.origin);
  expect(await ask(http, server.origin)).toBe('x');
  expect(seen).toEqual(['GET', 'GET', 'GET']);
  await expect(ask(http, server.origin, { method: 'POST', body: 'x' })).rejects.toMatchObject({ kind: 'unreachable' });
  expect(seen).toEqual(['GET', 'GET', 'GET', 'POST']);
});

test('a read that meets the end of a new connection is not sent again', async () => {
  const server = await serveRaw((_, socket) => void socket.destroy());
  await expect(ask(client(server.origin), server.origin)).rejects.toMatchObject({ kind: 'unreachable' });
  expect(server.made).toHaveLength(1);
});

test('a write goes over a connection that was in use within the last second, else over a new one', async () => {
  const server = await serve((_, outgoing) => void outgoing.end('x'));
  const http = client(server.origin);
  const now = vi.spyOn(performance, 'now').mockReturnValue(1_000);
  await ask(http, server.origin);
  now.mockReturnValue(1_999);
  await ask(http, server.origin, { method: 'POST', body: 'x' });
  expect(server.made).toHaveLength(1);
  now.mockReturnValue(2_999);
  await ask(http, server.origin, { method: 'POST', body: 'x' });
  expect(server.made).toHaveLength(2);
});

// The guard

test(`${verifies('REV-40')} a name that turns to a private address between calls is not followed there, with and without a kept connection`, async () => {
  const outside = await serve((_, outgoing) => void outgoing.end('outside'));
  const inside = await serve((_, outgoing) => void outgoing.end('inside'), { host: '127.0.0.2', port: outside.port });
  let address = '127.0.0.1';
  let lookups = 0;
  const lookup: LookupFunction = (_hostname, _options, callback) => {
    lookups += 1;
    callback(null, [{ address, family: 4 }]);
  };
  // One floor below createHttp, which would refuse http for an origin that is not allowed.
  const pool = createConnectionPool(2);
  cleanups.push(() => pool.close());
  const url = new URL(`http://rebind.example:${outside.port}/`);
  const call = async (): Promise<string> => {
    const { body, end } = await exchange(get(url.href), { url, open: false, lookup }, pool, never);
    const text = await textOf({ body });
    end(true);
    return text;
  };
  expect(await call()).toBe('outside');
  address = '127.0.0.2';
  expect(await call()).toBe('outside');
  expect(lookups).toBe(1);
  for (const socket of outside.made) socket.destroy();
  await expect(call()).rejects.toMatchObject({ kind: 'refused' });
  await settle();
  await expect(call()).rejects.toMatchObject({ kind: 'refused' });
  expect(inside.made).toHaveLength(0);
});

test(`${verifies('REV-40')} a connection that one allow list opened is not used under another`, async () => {
  const server = await serve((_, outgoing) => void outgoing.end('x'), { host: '127.0.0.2' });
  expect(await ask(client(server.origin), server.origin)).toBe('x');
  await expect(ask(client(), server.origin)).rejects.toMatchObject({ kind: 'refused' });
  await expect(ask(client(), server.origin.replace('http:', 'https:'))).rejects.toMatchObject({ kind: 'refused' });
  expect(server.made).toHaveLength(1);
});

test(`${verifies('REV-40')} a connection serves its own scheme, host and port alone`, async () => {
  const one = await serve((_, outgoing) => void outgoing.end('one'));
  const two = await serve((_, outgoing) => void outgoing.end('two'));
  const http = client(one.origin, two.origin);
  expect([await ask(http, one.origin), await ask(http, two.origin), await ask(http, one.origin)]).toEqual(['one', 'two', 'one']);
  await expect(ask(http, one.origin.replace('127.0.0.1', 'localhost'))).rejects.toMatchObject({ kind: 'refused' });
  expect([one.made.length, two.made.length]).toEqual([1, 1]);
});
