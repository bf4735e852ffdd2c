/** Signing in by a real provider, over HTTP. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createHttp } from '@weir/http';
import type { HttpPort, ProviderSignIn } from '@weir/ports';
import { verifies } from '@weir/requirements';
import { type IdentityProvider, signInAs, startIdentityProvider } from '@weir/test-infra/identity-provider';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createProviderSignIn } from './create-provider-sign-in.ts';
import { readPersonRules } from './person-rules.ts';

const CALLBACK = 'http://127.0.0.1:4142/sign-in/callback';
const people = readPersonRules({ admins: ['group:platform', 'email:ada@example.com'], viewers: ['group:all'], groupsClaim: 'groups' });

function signInTo(
  provider: Pick<IdentityProvider, 'issuer' | 'clientId'>,
  clientSecret: string | null,
  http: HttpPort,
): ProviderSignIn & { opened: unknown[] } {
  const opened: unknown[] = [];
  const { issuer, clientId } = provider;
  const signIn = createProviderSignIn({
    ...{ http, now: Date.now },
    settings: { issuer, clientId, clientSecret, scopes: ['profile', 'email', 'groups'], people },
    openSession: async person => {
      opened.push(person);
      return `session ${opened.length}`;
    },
  });
  return { ...signIn, opened };
}

const codeOf = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => 'none',
    (error: unknown) => (error as { code?: unknown }).code,
  );

describe('with a provider that runs', () => {
  let provider: IdentityProvider;
  let http: ReturnType<typeof createHttp>;
  beforeAll(async () => {
    provider = await startIdentityProvider(CALLBACK);
    http = createHttp({ allowOrigins: [provider.issuer] });
  });
  afterAll(async () => {
    http.close();
    await provider.close();
  });

  const open = () => signInTo(provider, provider.clientSecret, http);
  const goThrough = async (signIn: ProviderSignIn, person: string) => {
    const { location, flow } = await signIn.begin(CALLBACK);
    const back = await signInAs(person, location, CALLBACK);
    return { flow, query: back.search.slice(1), callback: CALLBACK };
  };

  test.each([
    ['ada', 'Ada Admin', 'admin'],
    ['vic', 'Vic Viewer', 'viewer'],
  ])(`${verifies('REV-39a')} %s is signed in with code, PKCE, state and nonce, and has the role of the groups`, async (person, name, role) => {
    const signIn = open();
    const { location } = await signIn.begin(CALLBACK);
    expect(Object.fromEntries(new URL(location).searchParams)).toMatchObject({
      ...{ response_type: 'code', code_challenge_method: 'S256', scope: 'openid profile email groups', redirect_uri: CALLBACK },
      ...{ state: expect.any(String), nonce: expect.any(String), code_challenge: expect.any(String) },
    });
    expect(await signIn.finish(await goThrough(signIn, person))).toBe('session 1');
    expect(signIn.opened).toEqual([{ subject: `${provider.issuer}#${person}`, name, role }]);
  });

  test(`${verifies('REV-39a')} who has no role here is not let in, also with an address of an admin that is not verified`, async () => {
    const signIn = open();
    const back = await goThrough(signIn, 'eve');
    await expect(signIn.finish(back)).rejects.toMatchObject({ code: 'ROLE_REQUIRED', next: expect.stringContaining('sub:eve') });
    expect(signIn.opened).toEqual([]);
  });

  test(`${verifies('REV-39a')} an answer counts once, in the browser that asked, for the sign-in that it was made for`, async () => {
    const signIn = open();
    const [one, other] = [await goThrough(signIn, 'ada'), await goThrough(signIn, 'ada')];
    expect(await codeOf(signIn.finish({ ...one, flow: other.flow }))).toBe('SIGN_IN_REQUIRED');
    expect(await codeOf(signIn.finish({ ...one, flow: 'a.b.c' }))).toBe('SIGN_IN_REQUIRED');
    const state = new URLSearchParams(one.query).get('state') ?? '';
    expect(await codeOf(signIn.finish({ ...one, query: `code=forged&state=${state}&iss=${encodeURIComponent(provider.issuer)}` }))).toBe('SIGN_IN_REQUIRED');
    expect(await codeOf(signIn.finish({ ...one, query: one.query.replace(/iss=[^&]+/, 'iss=https%3A%2F%2Fother.example') }))).toBe('SIGN_IN_REQUIRED');
    expect(await codeOf(signIn.finish({ ...one, query: `error=access_denied&state=${state}&iss=${encodeURIComponent(provider.issuer)}` }))).toBe(
      'SIGN_IN_REQUIRED',
    );
    expect(await codeOf(signIn.finish({ ...one, query: '' }))).toBe('SIGN_IN_REQUIRED');
    expect(signIn.opened).toEqual([]);
    expect(await signIn.finish(other)).toBe('session 1');
    expect(await codeOf(signIn.finish(other))).toBe('SIGN_IN_REQUIRED');
  });

  test(`${verifies('REV-39a')} a provider that does not know the secret of this deployment has failed, not the person`, async () => {
    const signIn = signInTo(provider, 'another secret', http);
    await expect(signIn.finish(await goThrough(signIn, 'ada'))).rejects.toMatchObject({
      ...{ code: 'IDENTITY_PROVIDER_FAILED', message: 'The identity provider refuses the credentials of this server.' },
    });
  });

  test(`${verifies('REV-40')} the provider is asked through the guard alone`, async () => {
    const guarded = createHttp({ allowOrigins: [] });
    await expect(signInTo(provider, null, guarded).begin(CALLBACK)).rejects.toMatchObject({
      ...{ code: 'IDENTITY_PROVIDER_FAILED', message: expect.stringContaining('not reached') },
    });
    guarded.close();
  });
});

test.each(['client_secret_post', 'none'] as const)(`${verifies('REV-39a')} a client that proves itself by %s signs in`, async method => {
  const provider = await startIdentityProvider(CALLBACK, method);
  const http = createHttp({ allowOrigins: [provider.issuer] });
  const signIn = signInTo(provider, method === 'none' ? null : provider.clientSecret, http);
  const { location, flow } = await signIn.begin(CALLBACK);
  const back = await signInAs('vic', location, CALLBACK);
  expect(await signIn.finish({ callback: CALLBACK, flow, query: back.search.slice(1) })).toBe('session 1');
  http.close();
  await provider.close();
});

test(`${verifies('REV-39a')} a provider that is away, or answers with garbage, is asked again the next time`, async () => {
  let answer = '{"issuer":"https://other.example"}';
  const server = createServer((_request, response) => response.setHeader('content-type', 'application/json').end(answer));
  await new Promise<void>(resolve => void server.listen(0, '127.0.0.1', resolve));
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const http = createHttp({ allowOrigins: [issuer] });
  const signIn = signInTo({ issuer, clientId: 'weir' }, null, http);
  expect(await codeOf(signIn.begin(CALLBACK))).toBe('IDENTITY_PROVIDER_FAILED');
  answer = 'not json';
  expect(await codeOf(signIn.begin(CALLBACK))).toBe('IDENTITY_PROVIDER_FAILED');
  answer = JSON.stringify({ issuer, authorization_endpoint: `${issuer}/authorize`, token_endpoint: `${issuer}/token`, jwks_uri: `${issuer}/keys` });
  expect((await signIn.begin(CALLBACK)).location).toContain(`${issuer}/authorize?`);
  http.close();
  await new Promise(resolve => server.close(resolve));
});
