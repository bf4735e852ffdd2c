import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import { type AddressInfo, createServer as createTcpServer, type LookupFunction, type Socket } from 'node:net';
import { HttpFailure, type HttpRequest, type HttpResponse } from '@weir/ports';
import { verifies } from '@weir/requirements';
import { afterEach, expect, test } from 'vitest';
import { createHttp } from './create-http.ts';

const cleanups: (() => void)[] = [];
afterEach(() => {
  for (const cleanup of cleanups.splice(0)) cleanup();
});

async function serve(listener: RequestListener): Promise<{ origin: string; port: number; server: Server; sockets: Set<Socket> }> {
  const server = createServer(listener).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const sockets = new Set<Socket>();
  server.on('connection', socket => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
  });
  cleanups.push(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return { origin: `http://127.0.0.1:${port}`, port, server, sockets };
}

const get = (url: string, more: Partial<HttpRequest> = {}): HttpRequest => ({
  method: 'GET',
  url,
  headers: {},
  firstByteTimeoutMs: 10_000,
  idleTimeoutMs: 10_000,
  maxBytes: 1_000_000,
  ...more,
});

async function textOf(response: HttpResponse): Promise<string> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of response.body) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}

async function failureOf(action: Promise<unknown>): Promise<HttpFailure> {
  const error = await action.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(HttpFailure);
  return error as HttpFailure;
}

const never = new AbortController().signal;
const closed = (sockets: Set<Socket>) => expect.poll(() => sockets.size, { timeout: 20_000, interval: 5 }).toBe(0);
const answers =
  (...addresses: string[]): LookupFunction =>
  (_hostname, _options, callback) =>
    callback(
      null,
      addresses.map(address => ({ address, family: address.includes(':') ? 6 : 4 })),
    );

test('a response arrives with status, lower-case headers and body; no compression is asked for', async () => {
  const { origin, sockets } = await serve((incoming, outgoing) => {
    outgoing.writeHead(201, { 'X-Two': ['a', 'b'], 'Content-Type': 'text/plain' });
    outgoing.end(`${incoming.method} ${incoming.url} ${incoming.headers['accept-encoding']} ${incoming.headers['x-mine']}`);
  });
  const http = createHttp({ allowOrigins: [origin] });
  const response = await http.send(get(`${origin}/p?q=1`, { headers: { 'X-Mine': 'yes', 'Accept-Encoding': 'gzip' } }), never);
  expect(response.status).toBe(201);
  expect(response.headers).toMatchObject({ 'content-type': 'text/plain', 'x-two': 'a, b' });
  expect(await textOf(response)).toBe('GET /p?q=1 identity yes');
  http.close();
  await closed(sockets);
});

test('POST sends its body', async () => {
  const { origin } = await serve((incoming, outgoing) => void incoming.pipe(outgoing));
  const response = await createHttp({ allowOrigins: [origin] }).send(get(origin, { method: 'POST', body: '{"ä":1}' }), never);
  expect(await textOf(response)).toBe('{"ä":1}');
});

test(`${verifies('REV-40')} proxies of the environment are not used`, async () => {
  const { origin } = await serve((_, outgoing) => void outgoing.end('direct'));
  const before = { ...process.env };
  cleanups.push(() => void (process.env = before));
  for (const name of ['http_proxy', 'HTTP_PROXY', 'HTTPS_PROXY', 'ALL_PROXY', 'NODE_USE_ENV_PROXY']) process.env[name] = 'http://127.0.0.1:1';
  expect(await textOf(await createHttp({ allowOrigins: [origin] }).send(get(origin), never))).toBe('direct');
});

test(`${verifies('REV-40')} an entry of the allow list that is no origin is a configuration error`, () => {
  expect(() => createHttp({ allowOrigins: ['http://corp/v1'] })).toThrow(expect.objectContaining({ code: 'CONFIG_INVALID' }));
});

// The guard

test.each([
  '127.0.0.1',
  '127.1',
  '0x7f.0.0.1',
  '0177.0.0.1',
  '2130706433',
  '0x7f000001',
  '①②⑦.0.0.1',
  '127.0.0.1.',
  '[::1]',
  '[0:0:0:0:0:0:0:1]',
  '[::ffff:127.0.0.1]',
  '[::ffff:7f00:1]',
  '[::127.0.0.1]',
  '[64:ff9b::7f00:1]',
  '[2002:7f00:1::]',
  '0.0.0.0',
  '0',
  '[::]',
  '169.254.169.254',
  '0xa9fea9fe',
])(`${verifies('REV-40')} https://%s is refused before anything is connected`, async host => {
  const { port, sockets } = await serve((_, outgoing) => void outgoing.end());
  let connections = 0;
  const failure = await failureOf(createHttp({ allowOrigins: [] }).send(get(`https://${host}:${port}/secret-path`), never));
  connections += sockets.size;
  expect(failure.kind).toBe('refused');
  expect(failure.message).toContain(`add "${new URL(`https://${host}:${port}`).origin}" to \`network.allowOrigins\``);
  expect(failure.message).not.toContain('secret-path');
  expect(connections).toBe(0);
});

test(`${verifies('REV-40')} the name localhost is refused after resolution`, async () => {
  expect((await failureOf(createHttp({ allowOrigins: [] }).send(get('https://localhost/'), never))).kind).toBe('refused');
});

test.each([[['10.0.0.1']], [['8.8.8.8', '10.0.0.1']], [['::ffff:10.0.0.1']], [['fe80::1%eth0']], [['2606:4700::1', 'fd00::1']]])(
  `${verifies('REV-40')} a name that answers %j is refused and nothing is connected`,
  async addresses => {
    const failure = await failureOf(createHttp({ allowOrigins: [], lookup: answers(...addresses) }).send(get('https://models.example/'), never));
    expect(failure).toMatchObject({ kind: 'refused', message: expect.stringContaining('"https://models.example"') });
  },
);

test(`${verifies('REV-40')} the name is resolved once, so a second answer is never connected`, async () => {
  const { port, sockets } = await serve((_, outgoing) => void outgoing.end('inside'));
  let lookups = 0;
  const rebinding: LookupFunction = (hostname, options, callback) => {
    lookups += 1;
    // First a documentation address, which no network routes; a guard that looks up again would get the loopback address.
    return answers(lookups === 1 ? '203.0.113.1' : '127.0.0.1')(hostname, options, callback);
  };
  const failure = await failureOf(createHttp({ allowOrigins: [], lookup: rebinding }).send(get(`https://rebind.example:${port}/`), never));
  expect(failure.kind).toBe('refused');
  expect(lookups).toBe(1);
  expect(sockets.size).toBe(0);
});

test(`${verifies('REV-40')} a row opens its origin by name, and no other port of the same host`, async () => {
  const { port } = await serve((_, outgoing) => void outgoing.end('inside'));
  const other = await serve((_, outgoing) => void outgoing.end('other'));
  const http = createHttp({ allowOrigins: [`http://models.corp:${port}`], lookup: answers('127.0.0.1') });
  expect(await textOf(await http.send(get(`http://models.corp:${port}/`), never))).toBe('inside');
  expect((await failureOf(http.send(get(`http://models.corp:${other.port}/`), never))).kind).toBe('refused');
  expect((await failureOf(http.send(get(`https://models.corp:${other.port}/`), never))).kind).toBe('refused');
  expect((await failureOf(http.send(get(`http://127.0.0.1:${port}/`), never))).kind).toBe('refused');
});

test('a host without an address and an unknown host are unreachable, each with a sentence', async () => {
  expect(await failureOf(createHttp({ allowOrigins: [], lookup: answers() }).send(get('https://models.example/'), never))).toMatchObject({
    kind: 'unreachable',
  });
  const notFound: LookupFunction = (_hostname, _options, callback) => callback(Object.assign(new Error('no'), { code: 'ENOTFOUND' }), []);
  expect((await failureOf(createHttp({ allowOrigins: [], lookup: notFound }).send(get('https://models.example/x'), never))).message).toBe(
    'https://models.example cannot be found by name. Check the host name.',
  );
});

// Redirects

test(`${verifies('REV-40')} a redirect to a forbidden address is refused, the target is never asked`, async () => {
  let asked = 0;
  const inner = await serve((_, outgoing) => {
    asked += 1;
    outgoing.end();
  });
  const outer = await serve((_, outgoing) => void outgoing.writeHead(302, { location: `${inner.origin}/x` }).end());
  const http = createHttp({ allowOrigins: [outer.origin] });
  expect((await failureOf(http.send(get(outer.origin), never))).message).toContain(`add "${inner.origin}"`);
  for (const location of ['file:///etc/passwd', `https://127.0.0.1:${inner.port}/`, 'https://me:pw@a.example/']) {
    const bad = await serve((_, outgoing) => void outgoing.writeHead(307, { location }).end());
    expect((await failureOf(createHttp({ allowOrigins: [bad.origin] }).send(get(bad.origin), never))).kind).toBe('refused');
  }
  expect(asked).toBe(0);
  await closed(outer.sockets);
});

test(`${verifies('REV-40')} credentials do not cross origins and do not come back on the way home`, async () => {
  const seen: (string | undefined)[] = [];
  const away = await serve((incoming, outgoing) => {
    seen.push(incoming.headers.authorization ?? incoming.headers['x-api-key']?.toString() ?? incoming.headers.cookie);
    outgoing.writeHead(302, { location: `${home.origin}/end` }).end();
  });
  const home = await serve((incoming, outgoing) => {
    seen.push(incoming.headers.authorization);
    if (incoming.url === '/end') outgoing.end('done');
    else outgoing.writeHead(302, { location: `${away.origin}/mid` }).end();
  });
  const http = createHttp({ allowOrigins: [home.origin, away.origin] });
  const headers = { authorization: 'Bearer k', 'x-api-key': 'k', cookie: 'c' };
  expect(await textOf(await http.send(get(`${home.origin}/start`, { headers }), never))).toBe('done');
  expect(seen).toEqual(['Bearer k', undefined, undefined]);
});

test(`${verifies('REV-40')} a loop of redirects ends at the bound`, async () => {
  let asked = 0;
  const { origin } = await serve((_, outgoing) => {
    asked += 1;
    outgoing.writeHead(302, { location: '/again' }).end();
  });
  const failure = await failureOf(createHttp({ allowOrigins: [origin], maxRedirects: 3 }).send(get(origin), never));
  expect(failure).toMatchObject({ kind: 'unreachable', message: expect.stringContaining('more than 3 times') });
  expect(asked).toBe(4);
});

test(`${verifies('REV-40')} a POST that is redirected elsewhere is handed over and not repeated`, async () => {
  let asked = 0;
  const other = await serve((_, outgoing) => {
    asked += 1;
    outgoing.end();
  });
  const { origin } = await serve((_, outgoing) => void outgoing.writeHead(307, { location: other.origin }).end());
  const response = await createHttp({ allowOrigins: [origin, other.origin] }).send(get(origin, { method: 'POST', body: '{}' }), never);
  expect(response.status).toBe(307);
  expect(await textOf(response)).toBe('');
  expect(asked).toBe(0);
});

// Deadlines and bounds

test('a server that accepts and says nothing is a timeout, and its connection is closed', async () => {
  const { origin, sockets } = await serve(() => undefined);
  const failure = await failureOf(createHttp({ allowOrigins: [origin] }).send(get(origin, { firstByteTimeoutMs: 50 }), never));
  expect(failure).toMatchObject({ kind: 'timeout', message: `${origin} did not answer within 0.05 s.` });
  await closed(sockets);
});

test('redirects share one deadline', async () => {
  const { origin } = await serve((_, outgoing) => void setTimeout(() => outgoing.writeHead(302, { location: '/again' }).end(), 40));
  const failure = await failureOf(createHttp({ allowOrigins: [origin], maxRedirects: 1_000 }).send(get(origin, { firstByteTimeoutMs: 200 }), never));
  expect(failure.kind).toBe('timeout');
});

test('a body that falls silent is a timeout after what has arrived', async () => {
  const { origin, sockets } = await serve((_, outgoing) => void outgoing.write('half'));
  const response = await createHttp({ allowOrigins: [origin] }).send(get(origin, { idleTimeoutMs: 50 }), never);
  const chunks: string[] = [];
  const reading = (async () => {
    for await (const chunk of response.body) chunks.push(Buffer.from(chunk).toString());
  })();
  expect(await failureOf(reading)).toMatchObject({ kind: 'timeout', message: expect.stringContaining('fell silent') });
  expect(chunks).toEqual(['half']);
  await closed(sockets);
});

test('a body that arrives slowly but steadily is read to its end', async () => {
  const { origin } = await serve((_, outgoing) => {
    let sent = 0;
    const timer = setInterval(() => {
      sent += 1;
      if (sent < 10) return outgoing.write('x');
      clearInterval(timer);
      return outgoing.end();
    }, 20);
  });
  const response = await createHttp({ allowOrigins: [origin] }).send(get(origin, { firstByteTimeoutMs: 5_000, idleTimeoutMs: 5_000 }), never);
  expect(await textOf(response)).toBe('xxxxxxxxx');
});

test('a body that nobody reads is closed after the idle time', async () => {
  const { origin, sockets } = await serve((_, outgoing) => void outgoing.write('x'));
  await createHttp({ allowOrigins: [origin] }).send(get(origin, { firstByteTimeoutMs: 600_000, idleTimeoutMs: 50 }), never);
  await closed(sockets);
});

test('leaving the loop closes the connection', async () => {
  const { origin, sockets } = await serve((_, outgoing) => void outgoing.write('x'));
  const response = await createHttp({ allowOrigins: [origin] }).send(get(origin), never);
  for await (const chunk of response.body) if (chunk.byteLength > 0) break;
  await closed(sockets);
});

test('a body over the bound is too large: by its announced length at once, else when the bound is passed', async () => {
  const { origin, sockets } = await serve((incoming, outgoing) => {
    if (incoming.url === '/announced') outgoing.setHeader('content-length', 2_000);
    outgoing.write('x'.repeat(2_000));
  });
  const http = createHttp({ allowOrigins: [origin] });
  expect((await failureOf(http.send(get(`${origin}/announced`, { maxBytes: 1_999 }), never))).kind).toBe('too_large');
  expect((await failureOf(http.send(get(origin, { maxBytes: 1_999 }), never).then(textOf))).kind).toBe('too_large');
  await closed(sockets);
});

test('a compressed answer is not unfolded', async () => {
  const { origin, sockets } = await serve((_, outgoing) => void outgoing.writeHead(200, { 'content-encoding': 'gzip' }).end('x'));
  expect((await failureOf(createHttp({ allowOrigins: [origin] }).send(get(origin), never))).message).toContain('compresses its answer');
  await closed(sockets);
});

test('a connection that breaks in mid-body is unreachable after what has arrived', async () => {
  const { origin } = await serve((_, outgoing) => {
    outgoing.write('half');
    setTimeout(() => outgoing.destroy(), 20);
  });
  const response = await createHttp({ allowOrigins: [origin] }).send(get(origin), never);
  expect((await failureOf(textOf(response))).kind).toBe('unreachable');
});

test('a body shorter than announced is not taken as complete', async () => {
  const server = createTcpServer(socket => void socket.end('HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\nhalf')).listen(0, '127.0.0.1');
  await once(server, 'listening');
  cleanups.push(() => server.close());
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  expect(
    (
      await failureOf(
        createHttp({ allowOrigins: [origin] })
          .send(get(origin), never)
          .then(textOf),
      )
    ).kind,
  ).toBe('unreachable');
});

test.each([
  ['is not there', undefined, 'refuses the connection'],
  ['speaks another protocol', 'SSH-2.0-x\r\n\r\n', 'something that is not HTTP'],
  ['hangs up', '', 'before the answer was complete'],
])('a server that %s gets a sentence', async (_, reply, sentence) => {
  const server = createTcpServer(socket => void socket.on('data', () => void socket.end(reply ?? ''))).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  if (reply === undefined) await new Promise(resolve => server.close(resolve));
  else cleanups.push(() => server.close());
  expect(await failureOf(createHttp({ allowOrigins: [origin] }).send(get(origin), never))).toMatchObject({
    kind: 'unreachable',
    message: expect.stringContaining(sentence),
  });
});

// Abort, in each phase

const reason = new Error('the person pressed Ctrl-C');

test('an aborted signal sends nothing', async () => {
  const { origin, sockets } = await serve((_, outgoing) => void outgoing.end());
  await expect(createHttp({ allowOrigins: [origin] }).send(get(origin), AbortSignal.abort(reason))).rejects.toBe(reason);
  expect(sockets.size).toBe(0);
});

test('abort while the name is looked up', async () => {
  const stop = new AbortController();
  const hanging: LookupFunction = () => void setTimeout(() => stop.abort(reason), 10);
  await expect(createHttp({ allowOrigins: [], lookup: hanging }).send(get('https://models.example/'), stop.signal)).rejects.toBe(reason);
});

test('abort while the handshake hangs closes the connection', async () => {
  const stop = new AbortController();
  const sockets = new Set<Socket>();
  const server = createTcpServer(socket => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket)).on('error', () => undefined);
    socket.once('data', () => stop.abort(reason));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  cleanups.push(() => server.close());
  const origin = `https://127.0.0.1:${(server.address() as AddressInfo).port}`;
  await expect(createHttp({ allowOrigins: [origin] }).send(get(origin), stop.signal)).rejects.toBe(reason);
  await closed(sockets);
});

test('abort before the headers closes the connection', async () => {
  const stop = new AbortController();
  const { origin, sockets } = await serve(() => stop.abort(reason));
  await expect(createHttp({ allowOrigins: [origin] }).send(get(origin), stop.signal)).rejects.toBe(reason);
  await closed(sockets);
});

test('abort in mid-body rejects the reading and closes the connection', async () => {
  const stop = new AbortController();
  const { origin, sockets } = await serve((_, outgoing) => void outgoing.write('half'));
  const response = await createHttp({ allowOrigins: [origin] }).send(get(origin), stop.signal);
  const reading = (async () => {
    for await (const chunk of response.body) stop.abort(chunk.byteLength > 0 ? reason : 'empty');
  })();
  await expect(reading).rejects.toBe(reason);
  await closed(sockets);
});

test('abort after the headers closes a body that nobody reads', async () => {
  const stop = new AbortController();
  const { origin, sockets } = await serve((_, outgoing) => void outgoing.write('x'));
  await createHttp({ allowOrigins: [origin] }).send(get(origin), stop.signal);
  stop.abort(reason);
  await closed(sockets);
});

test('a long-lived signal is let go after each request', async () => {
  const { origin } = await serve((_, outgoing) => void outgoing.end('x'));
  const stop = new AbortController();
  let listeners = 0;
  const add = stop.signal.addEventListener.bind(stop.signal);
  const remove = stop.signal.removeEventListener.bind(stop.signal);
  stop.signal.addEventListener = (...parameters: Parameters<typeof add>) => {
    listeners += 1;
    add(...parameters);
  };
  stop.signal.removeEventListener = (...parameters: Parameters<typeof remove>) => {
    listeners -= 1;
    remove(...parameters);
  };
  const http = createHttp({ allowOrigins: [origin] });
  for (let index = 0; index < 3; index += 1) await textOf(await http.send(get(origin), stop.signal));
  expect(listeners).toBe(0);
});
