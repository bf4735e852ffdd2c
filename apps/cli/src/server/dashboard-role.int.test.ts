/** The dashboard of a running server: the link signs in once, the pages are handed out, and nobody else reads anything. */
import { verifies } from '@weir/requirements';
import { freePort } from '@weir/test-infra';
import { type IdentityProvider, signInAs, startIdentityProvider } from '@weir/test-infra/identity-provider';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
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

test(`${verifies('REV-39a')} it listens on this machine alone, and starts on no other address without a provider or the flag`, async () => {
  expect(new URL(dashboard().origin).hostname).toBe('127.0.0.1');
  const start = (env: Record<string, string>): Promise<TestServer> => startTestServer({ modelUrl: null, allowOrigins: [], env });
  await expect(start({ WEIR_DASHBOARD_HOST: '0.0.0.0' })).rejects.toMatchObject({ code: 'CONFIG_INVALID', next: expect.stringContaining('oidc.issuer') });
  await expect(start({ WEIR_OIDC_ISSUER: 'https://id.example' })).rejects.toMatchObject({
    code: 'CONFIG_INVALID',
    message: expect.stringContaining('clientId'),
  });
  const open = await start({ WEIR_DASHBOARD_HOST: '0.0.0.0', WEIR_DASHBOARD_INSECURE: 'true' });
  expect((await fetch(`${open.server.dashboard?.origin.replace('0.0.0.0', '127.0.0.1')}/api/v1/session`)).status).toBe(200);
  await open.close();
});

describe('with an identity provider', () => {
  let provider: IdentityProvider;
  let server: TestServer;
  let origin: string;
  beforeAll(async () => {
    const port = await freePort();
    origin = `http://127.0.0.1:${port}`;
    provider = await startIdentityProvider(`${origin}/sign-in/callback`);
    server = await startTestServer({
      ...{ modelUrl: null, allowOrigins: [provider.issuer], dashboardPort: port },
      env: {
        ...{ WEIR_OIDC_ISSUER: provider.issuer, WEIR_OIDC_CLIENT_ID: provider.clientId, WEIR_OIDC_CLIENT_SECRET: provider.clientSecret },
        ...{ WEIR_OIDC_SCOPES: 'profile,groups', WEIR_OIDC_ADMINS: 'group:platform', WEIR_OIDC_VIEWERS: 'group:all' },
      },
    });
  }, 60_000);
  afterAll(async () => {
    await server.close();
    await provider.close();
  });

  /** @returns what the callback answers. */
  async function enter(person: string): Promise<Response> {
    const begun = await fetch(`${origin}/sign-in`, { redirect: 'manual' });
    const flow = (begun.headers.get('set-cookie') ?? '').split(';')[0] ?? '';
    const back = await signInAs(person, begun.headers.get('location') ?? '', `${origin}/sign-in/callback`);
    return fetch(back, { redirect: 'manual', headers: { cookie: flow } });
  }
  const cookieOf = (answer: Response): string =>
    answer.headers
      .getSetCookie()
      .map(one => one.split(';')[0] ?? '')
      .find(one => !one.endsWith('=')) ?? '';

  test(`${verifies('REV-39a')} people sign in by it, each in the role of their groups, and nobody else`, async () => {
    expect([server.server.dashboard?.entrance, (await (await fetch(`${origin}/api/v1/session`)).json()) as unknown]).toEqual([
      origin,
      { principal: null, signIn: '/sign-in' },
    ]);
    const asked = async (cookie: string, path: string): Promise<number> => (await fetch(`${origin}/api/v1${path}`, { headers: { cookie } })).status;
    const [ada, vic] = [cookieOf(await enter('ada')), cookieOf(await enter('vic'))];
    expect([await asked(ada, '/reviews'), await asked(ada, '/settings')]).toEqual([200, 200]);
    expect([await asked(vic, '/reviews'), await asked(vic, '/settings')]).toEqual([200, 403]);
    const refused = await enter('eve');
    expect([refused.status, cookieOf(refused), await refused.text()]).toEqual([403, '', expect.stringContaining('you are sub:eve')]);
  });

  test(`${verifies('REV-39a')} signing out ends the session everywhere`, async () => {
    const cookie = cookieOf(await enter('vic'));
    const out = await fetch(`${origin}/api/v1/session`, { method: 'DELETE', headers: { cookie, origin } });
    expect(out.status).toBe(204);
    expect((await fetch(`${origin}/api/v1/reviews`, { headers: { cookie } })).status).toBe(401);
  });
});
