/** The dashboard of a running server: the link signs in once, the pages are handed out, and nobody else reads anything. */
import { verifies } from '@weir/requirements';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestServer, type TestServer } from './test-server.fixture.ts';

let weir: TestServer;
beforeAll(async () => {
  weir = await startTestServer({ modelUrl: null, allowOrigins: [] });
}, 60_000);
afterAll(() => weir.close());

const dashboard = (): { readonly origin: string; readonly entrance: string } => {
  const { dashboard: place } = weir.server;
  if (place === undefined) throw new Error('no dashboard');
  return place;
};

const ask = (path: string, init: RequestInit = {}): Promise<Response> => fetch(`${dashboard().origin}${path}`, { redirect: 'manual', ...init });

/** As the button of the link's page does. */
const press = (secret: string): Promise<Response> =>
  ask('/sign-in/link', { method: 'POST', headers: { origin: dashboard().origin }, body: new URLSearchParams({ secret }) });

test(`${verifies('REV-39a')} the printed link signs the local admin in once, and only its session reads`, async () => {
  const { entrance, origin } = dashboard();
  expect(entrance.startsWith(`${origin}/sign-in/link/`)).toBe(true);
  expect((await ask('/api/v1/reviews')).status).toBe(401);
  expect((await (await ask('/api/v1/session')).json()) as unknown).toEqual({ principal: null, signIn: null });

  const shown = await fetch(entrance);
  expect([shown.status, await shown.text()]).toEqual([200, expect.stringContaining('<button')]);
  const secret = entrance.split('/').at(-1) ?? '';
  const entered = await press(secret);
  const cookie = (entered.headers.get('set-cookie') ?? '').split(';')[0] ?? '';
  expect([entered.status, cookie]).toEqual([303, expect.stringContaining('=')]);
  expect((await press(secret)).status).toBe(401);

  const mine = await ask('/api/v1/session', { headers: { cookie } });
  expect((await mine.json()) as unknown).toMatchObject({ principal: { role: 'admin' } });
  const reviews = await ask('/api/v1/reviews', { headers: { cookie } });
  expect([reviews.status, (await reviews.json()) as unknown]).toEqual([200, expect.objectContaining({ items: [] })]);
  const steps = await ask('/api/v1/first-run', { headers: { cookie } });
  expect(steps.status).toBe(200);
});

test('the pages come from the build, under a policy that lets them ask this server alone', async () => {
  const page = await ask('/reviews');
  expect([page.status, page.headers.get('content-type')]).toEqual([200, expect.stringContaining('text/html')]);
  expect(page.headers.get('content-security-policy')).toContain("connect-src 'self'");
});

test('it listens on this machine alone', () => {
  expect(new URL(dashboard().origin).hostname).toBe('127.0.0.1');
});
