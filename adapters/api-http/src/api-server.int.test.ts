/** The server alone, over real sockets on loopback, with doors of a few lines behind it. */
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { request as httpRequest } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { ApiRoute } from '@weir/contract';
import { AppError } from '@weir/kernel';
import type { AnswerStore, ApiCaller, ApiFeed, ApiHandler, Identity, KeptAnswer } from '@weir/ports';
import { verifies } from '@weir/requirements';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { z } from 'zod';
import type { ApiServerSettings } from './api-server-settings.ts';
import { type ApiServer, MAX_BODY_BYTES, startApiServer } from './create-api-server.ts';
import { readStaticFiles } from './static-files.ts';

const none = z.strictObject({});
const route = (id: string, method: ApiRoute['method'], at: string, more: Partial<ApiRoute> = {}): ApiRoute => ({
  ...{ id, method, path: at, role: method === 'GET' ? 'viewer' : 'admin', summary: id, params: none, query: none, body: null, answer: z.unknown() },
  ...more,
});
const ROUTES = [
  route('readSession', 'GET', '/session', { role: 'anyone' }),
  route('endSession', 'DELETE', '/session', { role: 'anyone', answer: null }),
  route('listThings', 'GET', '/things', { query: z.strictObject({ limit: z.coerce.number().int().max(9).default(3), cursor: z.string().optional() }) }),
  route('readThing', 'GET', '/things/{id}', { params: z.strictObject({ id: z.string() }) }),
  route('readRates', 'GET', '/rates', { role: 'admin' }),
  route('saveThing', 'PUT', '/things/{id}', { params: z.strictObject({ id: z.string() }), body: z.strictObject({ name: z.string().max(20) }) }),
  route('readFeed', 'GET', '/feed', { stream: true, answer: null }),
];

const person = (role: 'viewer' | 'admin', by: ApiCaller['by'] = 'session'): ApiCaller => ({ subject: role, name: role, role, by });
const LINK = 'l'.repeat(43);
const OPENED = 's'.repeat(43);

function doors() {
  const sessions = new Map<string, ApiCaller>([
    ['viewing', person('viewer')],
    ['administering', person('admin')],
  ]);
  const links = new Set([LINK]);
  const identity: Identity = {
    session: async secret => sessions.get(secret) ?? null,
    bearer: async token => (token === 'machine' ? person('admin', 'bearer') : null),
    signOut: async secret => void sessions.delete(secret),
    useLink: async secret => {
      if (!links.delete(secret)) return null;
      sessions.set(OPENED, person('admin'));
      return OPENED;
    },
  };
  const rows = new Map<string, { readonly fingerprint: string; answer?: KeptAnswer }>();
  const answers: AnswerStore = {
    claim: async ({ subject, key, fingerprint }) => {
      const row = rows.get(`${subject} ${key}`);
      if (row === undefined) rows.set(`${subject} ${key}`, { fingerprint });
      if (row === undefined) return 'new';
      return row.fingerprint === fingerprint ? (row.answer ?? 'under_way') : 'other_request';
    },
    keep: async ({ subject, key, fingerprint }, answer) => void rows.set(`${subject} ${key}`, { fingerprint, answer }),
    release: async ({ subject, key }) => void rows.delete(`${subject} ${key}`),
  };
  return { sessions, identity, answers };
}

let server: ApiServer | undefined;
let folder: string | undefined;
afterEach(async () => {
  await server?.close(1_000);
  if (folder !== undefined) await rm(folder, { recursive: true });
  server = undefined;
  folder = undefined;
});

async function start(changes: Partial<ApiServerSettings> = {}) {
  const { sessions, identity, answers } = doors();
  const bugs: unknown[] = [];
  const handlers: Record<string, ApiHandler> = {
    readSession: async ({ principal }) => ({ body: { principal } }),
    listThings: async ({ query }) => ({ body: { items: [query] }, next: 'c/2' }),
    readThing: async ({ params }) => ({ body: params }),
    readRates: async () => ({ body: { rate: 1 } }),
    saveThing: async ({ body }) => ({ body }),
    ...changes.handlers,
  };
  const feeds: Record<string, ApiFeed> = { readFeed: waiting, ...changes.feeds };
  server = await startApiServer({
    ...{
      host: '127.0.0.1',
      port: 0,
      publicOrigin: null,
      provider: null,
      routes: ROUTES,
      identity,
      answers,
      staticFiles: new Map(),
      openApi: { openapi: '3.1.0' },
    },
    ...{ now: Date.now, onBug: (error: unknown) => void bugs.push(error) },
    ...changes,
    ...{ handlers, feeds },
  });
  const { origin } = server;
  const call = (at: string, init: RequestInit & { readonly as?: string } = {}): Promise<Response> =>
    fetch(`${origin}${at}`, {
      redirect: 'manual',
      ...init,
      headers: { ...(init.as === undefined ? {} : { cookie: `weir_session=${init.as}` }), ...(init.headers as Record<string, string>) },
    });
  const save = (headers: Record<string, string>, body: unknown = { name: 'n' }) =>
    call('/api/v1/things/1', { method: 'PUT', headers: { 'content-type': 'application/json', ...headers }, body: JSON.stringify(body) });
  return { origin, call, save, bugs, sessions };
}

async function* waiting({ lastEventId, signal }: Parameters<ApiFeed>[0]): AsyncGenerator<{ id: string; event: string; data: unknown }> {
  for (let place = Number(lastEventId ?? 0) + 1; place <= 3; place += 1) yield { id: String(place), event: 'event', data: { place, text: 'a\nb' } };
  await new Promise(resolve => signal.addEventListener('abort', resolve, { once: true }));
}

const codeOf = async (response: Response): Promise<unknown> => [response.status, ((await response.json()) as { code: unknown }).code];
const own = (origin: string): Record<string, string> => ({ cookie: 'weir_session=administering', origin });
const BEARER = { authorization: 'Bearer machine' };

describe('who may', () => {
  test(`${verifies('REV-39a')} nobody reads without a session, a viewer reads, an admin alone reads rates and writes`, async () => {
    const { call, save, origin } = await start();
    expect(await codeOf(await call('/api/v1/things'))).toEqual([401, 'SIGN_IN_REQUIRED']);
    expect(await codeOf(await call('/api/v1/things', { as: 'unknown' }))).toEqual([401, 'SIGN_IN_REQUIRED']);
    expect((await call('/api/v1/things', { as: 'viewing' })).status).toBe(200);
    expect(await codeOf(await call('/api/v1/rates', { as: 'viewing' }))).toEqual([403, 'ROLE_REQUIRED']);
    expect((await call('/api/v1/rates', { as: 'administering' })).status).toBe(200);
    expect(await codeOf(await save({ cookie: 'weir_session=viewing', origin }))).toEqual([403, 'ROLE_REQUIRED']);
    expect(await (await call('/api/v1/session')).json()).toEqual({ principal: null });
  });

  test(`${verifies('REV-39a')} a bearer token counts alone: a wrong one is refused though a session stands beside it`, async () => {
    const { call, save } = await start();
    expect((await save(BEARER)).status).toBe(200);
    expect((await call('/api/v1/rates', { headers: BEARER })).status).toBe(200);
    expect(await codeOf(await call('/api/v1/things', { as: 'administering', headers: { authorization: 'Bearer other' } }))).toEqual([401, 'SIGN_IN_REQUIRED']);
  });

  test.each([
    ['another origin', { origin: 'https://evil.example' }],
    ['an opaque origin', { origin: 'null' }],
    ['no origin', {}],
    ['another site, as the browser says', { 'sec-fetch-site': 'cross-site' }],
    ['a sibling of the site', { 'sec-fetch-site': 'same-site' }],
  ])(`${verifies('REV-39a')} a write with a cookie from %s is refused, and does nothing`, async (_name, headers) => {
    const saveThing = vi.fn(async () => ({ body: {} }));
    const { save } = await start({ handlers: { saveThing } });
    expect(await codeOf(await save({ cookie: 'weir_session=administering', ...headers }))).toEqual([403, 'CROSS_SITE_REFUSED']);
    expect(saveThing).not.toHaveBeenCalled();
  });

  test(`${verifies('REV-39a')} a write with a cookie from an own page is taken`, async () => {
    const { save, origin } = await start();
    expect((await save(own(origin))).status).toBe(200);
    expect((await save({ cookie: 'weir_session=administering', 'sec-fetch-site': 'same-origin' })).status).toBe(200);
  });

  test(`${verifies('REV-39a')} a server on loopback answers to loopback's names alone`, async () => {
    const { origin } = await start();
    const status = await new Promise(resolve =>
      httpRequest(`${origin}/api/v1/session`, { headers: { host: 'rebound.example' } }, reply => resolve(reply.resume().statusCode)).end(),
    );
    expect(status).toBe(403);
  });
});

describe('sign in and out', () => {
  const use = (call: (at: string, init: RequestInit) => Promise<Response>, headers: Record<string, string>, secret = LINK) =>
    call('/sign-in/link', { method: 'POST', headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers }, body: `secret=${secret}` });

  test(`${verifies('REV-39a')} opening a link changes nothing; its button uses it up, once, and sets a cookie that no script reads`, async () => {
    const { call, origin } = await start();
    for (let times = 0; times < 2; times += 1) {
      const shown = await call(`/sign-in/link/${LINK}`);
      expect([shown.status, shown.headers.get('cache-control'), shown.headers.getSetCookie()]).toEqual([200, 'no-store', []]);
      expect(await shown.text()).toContain(`value="${LINK}"`);
    }
    expect((await use(call, { origin: 'https://evil.example' })).status).toBe(403);
    const entered = await use(call, { origin });
    expect([entered.status, entered.headers.get('location')]).toEqual([303, '/']);
    expect(entered.headers.getSetCookie()).toEqual([`weir_session=${OPENED}; Path=/api; HttpOnly; SameSite=Strict`]);
    expect((await call('/api/v1/rates', { as: OPENED })).status).toBe(200);
    expect((await use(call, { origin })).status).toBe(401);
    expect((await call('/sign-in/link/%22%3E%3Cscript%3E')).status).toBe(401);
  });

  test(`${verifies('REV-39a')} attempts to sign in are bounded`, async () => {
    const { call, origin } = await start();
    const seen: number[] = [];
    for (let times = 0; times < 21; times += 1) seen.push((await use(call, { origin }, 'x'.repeat(43))).status);
    expect([new Set(seen.slice(0, 20)), seen[20]]).toEqual([new Set([401]), 429]);
  });

  test(`${verifies('REV-39a')} signing out ends the session, its cookie and its feeds`, async () => {
    const { call, origin } = await start();
    const feed = await call('/api/v1/feed', { as: 'administering' });
    const left = await call('/api/v1/session', { method: 'DELETE', headers: own(origin) });
    expect([left.status, left.headers.getSetCookie()]).toEqual([204, ['weir_session=; Path=/api; HttpOnly; SameSite=Strict; Max-Age=0']]);
    expect(await feed.text()).toContain('id: 3\n');
    expect((await call('/api/v1/things', { as: 'administering' })).status).toBe(401);
  });

  test(`${verifies('REV-39a')} behind https the cookie is bound to its host and the answer asks for https`, async () => {
    const { call } = await start({ publicOrigin: 'https://weir.example' });
    const entered = await use(call, { origin: 'https://weir.example' });
    expect(entered.headers.getSetCookie()).toEqual([`__Host-weir_session=${OPENED}; Path=/; HttpOnly; SameSite=Strict; Secure`]);
    expect(entered.headers.get('strict-transport-security')).toBe('max-age=31536000');
  });

  test(`${verifies('REV-39a')} the way to an identity provider and back is bound to the browser by a cookie`, async () => {
    const finish = vi.fn(async () => OPENED);
    const provider = { begin: async () => ({ location: 'https://id.example/authorize?state=1', flow: 'sealed' }), finish };
    const { call, origin } = await start({ provider });
    const begun = await call('/sign-in');
    expect([begun.status, begun.headers.get('location')]).toEqual([303, 'https://id.example/authorize?state=1']);
    expect(begun.headers.getSetCookie()).toEqual(['weir_sign_in=sealed; Path=/sign-in; HttpOnly; SameSite=Lax; Max-Age=600']);
    expect((await call('/sign-in/callback?code=c&state=1')).status).toBe(401);
    expect(finish).not.toHaveBeenCalled();
    const back = await call('/sign-in/callback?code=c&state=1', { headers: { cookie: 'weir_sign_in=sealed' } });
    expect(back.status).toBe(303);
    expect(finish).toHaveBeenCalledWith({ callback: `${origin}/sign-in/callback`, query: 'code=c&state=1', flow: 'sealed' });
    expect(back.headers.getSetCookie()[0]).toContain('weir_sign_in=; Path=/sign-in; HttpOnly; SameSite=Lax; Max-Age=0');
  });

  test(`${verifies('REV-39a')} a sign-in that fails says why on a page, and what comes from outside is no markup there`, async () => {
    const finish = async (): Promise<string> => {
      throw new AppError('ROLE_REQUIRED', 'No role <script>.', { next: 'You are sub:"&\'.' });
    };
    const { call } = await start({ provider: { begin: async () => ({ location: 'https://id.example', flow: 'sealed' }), finish } });
    const back = await call('/sign-in/callback?code=c', { headers: { cookie: 'weir_sign_in=sealed' } });
    expect([back.status, back.headers.get('content-type')]).toEqual([403, 'text/html; charset=utf-8']);
    expect(await back.text()).toContain('<p>No role &lt;script&gt;.</p>\n<p>You are sub:&quot;&amp;&#39;.</p>');
    expect(back.headers.getSetCookie()).toEqual([]);
  });
});

describe('calls', () => {
  test.each([
    ['/api/v1/things?limit=10', 'query.limit'],
    ['/api/v1/things?limit=1&limit=2', 'query.limit'],
    ['/api/v1/things?other=1', 'query'],
  ])(`${verifies('REV-39a')} %s does not fit, and the problem says where`, async (at, place) => {
    const { call } = await start();
    const reply = await call(at, { as: 'viewing' });
    expect(reply.headers.get('content-type')).toContain('application/problem+json');
    expect(await reply.json()).toMatchObject({ status: 400, code: 'REQUEST_INVALID', detail: expect.stringContaining(place), next: expect.any(String) });
  });

  test(`${verifies('REV-39a')} bodies that are no JSON, of another type, not as described or too large are refused`, async () => {
    const { call, save } = await start();
    const put = (type: string, body: string) => call('/api/v1/things/1', { method: 'PUT', headers: { ...BEARER, 'content-type': type }, body });
    expect(await codeOf(await put('application/json', '{'))).toEqual([400, 'REQUEST_INVALID']);
    expect(await codeOf(await put('text/plain', '{}'))).toEqual([400, 'REQUEST_INVALID']);
    expect(await codeOf(await save(BEARER, { name: 'n', more: 1 }))).toEqual([400, 'REQUEST_INVALID']);
    expect(await codeOf(await put('application/json', ' '.repeat(MAX_BODY_BYTES + 1)))).toEqual([413, 'INPUT_TOO_LARGE']);
  });

  test(`${verifies('REV-39a')} a read has an entity tag, 304 when nothing changed, and the address of the next page`, async () => {
    const { call } = await start();
    const first = await call('/api/v1/things?limit=2', { as: 'viewing' });
    expect(await first.json()).toEqual({ items: [{ limit: 2 }], next: 'c/2' });
    expect(first.headers.get('link')).toBe('</api/v1/things?limit=2&cursor=c%2F2>; rel="next"');
    expect([first.headers.get('cache-control'), first.headers.get('vary')]).toEqual(['private, no-cache', 'Cookie, Authorization']);
    const headers = { 'if-none-match': first.headers.get('etag') ?? '' };
    expect((await call('/api/v1/things?limit=2', { as: 'viewing', headers })).status).toBe(304);
    expect((await call('/api/v1/things?limit=1', { as: 'viewing', headers })).status).toBe(200);
    expect((await call('/api/v1/things?limit=2', { headers })).status).toBe(401);
  });

  test(`${verifies('REV-39a')} a key makes a write happen once; another body under it is refused; a failure frees it`, async () => {
    let failing = true;
    const saveThing = vi.fn(async () => {
      if (failing) throw new AppError('DATABASE_UNAVAILABLE', 'gone');
      return { body: { at: saveThing.mock.calls.length } };
    });
    const { save } = await start({ handlers: { saveThing } });
    const keyed = { ...BEARER, 'idempotency-key': 'key-00000001' };
    const away = await save(keyed);
    expect([away.status, away.headers.get('retry-after')]).toEqual([503, '5']);
    failing = false;
    expect(await (await save(keyed)).json()).toEqual({ at: 2 });
    expect(await (await save(keyed)).json()).toEqual({ at: 2 });
    expect(await codeOf(await save(keyed, { name: 'other' }))).toEqual([422, 'KEY_REUSED']);
    expect(saveThing).toHaveBeenCalledTimes(2);
    expect(await codeOf(await save({ ...BEARER, 'idempotency-key': 'short' }))).toEqual([400, 'REQUEST_INVALID']);
  });

  test(`${verifies('REV-39a')} a write whose first request is under way is 409`, async () => {
    let finish: () => void = () => undefined;
    const saveThing = vi.fn(() => new Promise<{ body: unknown }>(resolve => (finish = () => resolve({ body: {} }))));
    const { save } = await start({ handlers: { saveThing } });
    const keyed = { ...BEARER, 'idempotency-key': 'key-00000001' };
    const first = save(keyed);
    await vi.waitFor(() => expect(saveThing).toHaveBeenCalled());
    expect(await codeOf(await save(keyed))).toEqual([409, 'KEY_IN_USE']);
    finish();
    expect((await first).status).toBe(200);
  });

  test(`${verifies('REV-39a')} a fault says nothing of itself and is logged; what does not exist is 404`, async () => {
    const { call, bugs } = await start({ handlers: { readRates: () => Promise.reject(new TypeError('a fault with a secret')) } });
    const reply = await call('/api/v1/rates', { as: 'administering' });
    expect([reply.status, (await reply.text()).includes('secret'), bugs.length]).toEqual([500, false, 1]);
    expect(await codeOf(await call('/api/v1/nothing'))).toEqual([404, 'NOT_FOUND']);
  });

  test('a route without a handler does not start', async () => {
    await expect(start({ routes: [route('forgotten', 'GET', '/forgotten')] })).rejects.toThrow('forgotten');
  });
});

describe('feed', () => {
  test(`${verifies('REV-39a')} a feed resumes after the last event, beats, and ends with the server`, async () => {
    const { call } = await start({ heartbeatMs: 20 });
    const feed = await call('/api/v1/feed', { as: 'viewing', headers: { 'last-event-id': '1' } });
    expect([feed.headers.get('content-type'), feed.headers.get('x-content-type-options')]).toEqual(['text/event-stream', 'nosniff']);
    const reader = (feed.body as ReadableStream<Uint8Array>).pipeThrough(new TextDecoderStream()).getReader();
    let text = '';
    while (!text.includes('event: heartbeat')) text += (await reader.read()).value ?? '';
    expect(text).toContain('id: 2\nevent: event\ndata: {"place":2,"text":"a\\nb"}\n\nid: 3\n');
    expect(text).not.toContain('id: 1\n');
    await server?.close(5_000);
    let last = await reader.read();
    while (!last.done) last = await reader.read();
    expect(last.done).toBe(true);
  });

  test(`${verifies('REV-39a')} a feed ends when its session ends elsewhere, and its handler is told when the client goes`, async () => {
    const ended = vi.fn();
    const readFeed: ApiFeed = async function* (call) {
      call.signal.addEventListener('abort', ended);
      yield* waiting(call);
    };
    const { call, sessions } = await start({ heartbeatMs: 20, feeds: { readFeed } });
    const feed = await call('/api/v1/feed', { as: 'viewing' });
    sessions.delete('viewing');
    await feed.text();
    await vi.waitFor(() => expect(ended).toHaveBeenCalledTimes(1));
    const leaving = new AbortController();
    await call('/api/v1/feed', { as: 'administering', signal: leaving.signal });
    leaving.abort();
    await vi.waitFor(() => expect(ended).toHaveBeenCalledTimes(2));
  });
});

describe('pages', () => {
  test(`${verifies('REV-39a')} files keep for ever where their name says what they hold; a page's address gives the index; nothing lies outside`, async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'weir-pages-'));
    await mkdir(path.join(folder, 'assets'));
    await writeFile(path.join(folder, 'index.html'), '<!doctype html>');
    await writeFile(path.join(folder, 'assets', 'a-1.js'), 'export {};');
    const { call } = await start({ staticFiles: await readStaticFiles(folder) });
    const script = await call('/assets/a-1.js');
    expect([script.headers.get('content-type'), script.headers.get('cache-control')]).toEqual([
      'text/javascript; charset=utf-8',
      'public, max-age=31536000, immutable',
    ]);
    const index = await call('/reviews/1?x=1.js');
    expect([index.status, await index.text(), index.headers.get('cache-control')]).toEqual([200, '<!doctype html>', 'no-cache']);
    expect((await call('/', { headers: { 'if-none-match': index.headers.get('etag') ?? '' } })).status).toBe(304);
    for (const at of ['/assets/none.js', '/%2e%2e/%2e%2e/etc/passwd.txt', '/assets/..%2f..%2fpackage.json']) expect((await call(at)).status).toBe(404);
  });

  test(`${verifies('REV-39a')} every kind of answer has the headers that keep pages apart, and no inline code is allowed`, async () => {
    const { call } = await start();
    for (const at of ['/', '/api/v1/session', '/api/v1/things', '/openapi.json', `/sign-in/link/${LINK}`]) {
      const { headers } = await call(at);
      const policy = headers.get('content-security-policy') ?? '';
      expect(policy).toContain("default-src 'none'");
      expect(policy).toContain("frame-ancestors 'none'");
      expect(policy).not.toContain('unsafe');
      expect([headers.get('x-content-type-options'), headers.get('referrer-policy'), headers.get('strict-transport-security')]).toEqual([
        'nosniff',
        'same-origin',
        null,
      ]);
    }
    expect(await (await call('/')).text()).toContain('not available');
  });
});
