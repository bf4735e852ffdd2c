/** A real OpenID Connect provider (`oidc-provider`) in this process, with three people, and a person's way through it without a browser. */
import type { Server } from 'node:http';
import Provider from 'oidc-provider';
import { freePort } from './free-port.ts';

export interface IdentityProvider {
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
  close(): Promise<void>;
}

/** Who can sign in, with any password; `eve` is in no group. */
const PEOPLE: Readonly<Record<string, object>> = {
  ada: { name: 'Ada Admin', email: 'ada@example.com', email_verified: true, groups: ['platform', 'all'] },
  vic: { name: 'Vic Viewer', email: 'vic@example.com', email_verified: true, groups: ['all'] },
  eve: { name: 'Eve', email: 'ada@example.com', email_verified: false },
};

const CLIENT = { clientId: 'weir', clientSecret: 'the secret of this deployment' };

/**
 * @param callback the only address that it sends people back to
 * @param authMethod how the client proves itself; `none` is a public client
 */
export async function startIdentityProvider(
  callback: string,
  authMethod: 'client_secret_basic' | 'client_secret_post' | 'none' = 'client_secret_basic',
): Promise<IdentityProvider> {
  const port = await freePort();
  const issuer = `http://127.0.0.1:${port}`;
  const provider = new Provider(issuer, {
    clients: [
      {
        ...{ client_id: CLIENT.clientId, redirect_uris: [callback], token_endpoint_auth_method: authMethod },
        ...(authMethod === 'none' ? {} : { client_secret: CLIENT.clientSecret }),
      },
    ],
    clientAuthMethods: [authMethod],
    claims: { openid: ['sub'], profile: ['name'], email: ['email', 'email_verified'], groups: ['groups'] },
    findAccount: (_context, id) => ({ accountId: id, claims: async () => ({ sub: id, ...PEOPLE[id] }) }),
    pkce: { required: () => true },
    cookies: { keys: ['a key of the tests'] },
    // Plain http stands on this machine alone.
    clientDefaults: { id_token_signed_response_alg: 'RS256' },
  });
  const server = await new Promise<Server>(resolve => {
    const listening: Server = provider.listen(port, '127.0.0.1', () => resolve(listening));
  });
  return {
    ...{ issuer, ...CLIENT },
    close: () =>
      new Promise(resolve => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

const MAX_STEPS = 20;

/**
 * Goes through the provider's forms as a person does.
 * @param location where the sign-in begins at the provider
 * @returns the address that it sends the person back to
 */
export async function signInAs(person: string, location: string, callback: string): Promise<URL> {
  const jar = new Map<string, string>();
  const ask = async (url: URL, form?: Record<string, string>): Promise<Response> => {
    const answer = await fetch(url, {
      redirect: 'manual',
      headers: { cookie: [...jar].map(([name, value]) => `${name}=${value}`).join('; ') },
      ...(form === undefined ? {} : { method: 'POST', body: new URLSearchParams(form) }),
    });
    for (const cookie of answer.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? [];
      if (value === '') jar.delete(name);
      else jar.set(name, value);
    }
    return answer;
  };
  let at = new URL(location);
  for (let step = 0; step < MAX_STEPS; step += 1) {
    if (at.href.startsWith(callback)) return at;
    const answer = await ask(at);
    const text = await answer.text();
    const prompt = /name="prompt" value="(\w+)"/.exec(text)?.[1];
    const sent = prompt === undefined ? answer : await ask(at, { prompt, login: person, password: 'any' });
    const next = sent.headers.get('location');
    if (next === null) throw new Error(`The provider answers ${sent.status} without a way on: ${text.slice(0, 500)}`);
    at = new URL(next, at);
  }
  throw new Error('The provider leads in circles.');
}
