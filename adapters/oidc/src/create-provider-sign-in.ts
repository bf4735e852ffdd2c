/**
 * Signing in by OpenID Connect: authorization code with PKCE, state and nonce (REV-39a). What a browser has to bring back stands in its
 * own cookie, so that no process keeps anything of a sign-in that is under way.
 */
import type { Role } from '@weir/contract';
import { AppError } from '@weir/kernel';
import type { HttpPort, ProviderSignIn } from '@weir/ports';
import * as oidc from 'openid-client';
import { guardedFetch } from './guarded-fetch.ts';
import { type Claims, type PersonRules, roleOf } from './person-rules.ts';
import { signInFailure } from './sign-in-failure.ts';

export interface ProviderSettings {
  /** Its metadata stand below it at `/.well-known/openid-configuration`. */
  readonly issuer: string;
  readonly clientId: string;
  /** Null: a public client, which PKCE alone proves. */
  readonly clientSecret: string | null;
  /** `openid` is asked for in any case. */
  readonly scopes: readonly string[];
  readonly people: PersonRules;
}

export interface ProviderSignInParts {
  readonly settings: ProviderSettings;
  readonly http: HttpPort;
  /** @returns the secret of the new session. */
  readonly openSession: (person: { readonly subject: string; readonly name: string; readonly role: Role }) => Promise<string>;
  readonly now: () => number;
}

/** After which the metadata are read again. */
const METADATA_MS = 3_600_000;
const TIMEOUT_SECONDS = 15;

interface Flow {
  readonly state: string;
  readonly nonce: string;
  readonly verifier: string;
}

const sealFlow = ({ state, nonce, verifier }: Flow): string => [state, nonce, verifier].join('.');

function openFlow(text: string): Flow {
  const [, state, nonce, verifier] = /^([\w-]{20,100})\.([\w-]{20,100})\.([\w-]{43,128})$/.exec(text) ?? [];
  if (state === undefined || nonce === undefined || verifier === undefined)
    throw new AppError('SIGN_IN_REQUIRED', 'This sign-in was not begun by this server.');
  return { state, nonce, verifier };
}

export function createProviderSignIn({ settings, http, openSession, now }: ProviderSignInParts): ProviderSignIn {
  let held: { readonly at: number; readonly found: Promise<oidc.Configuration> } | undefined;
  const configuration = async (): Promise<oidc.Configuration> => {
    if (held === undefined || now() - held.at >= METADATA_MS) held = { at: now(), found: discover(settings, http) };
    const asked = held;
    try {
      return await asked.found;
    } catch (error) {
      if (held === asked) held = undefined;
      throw error instanceof oidc.ClientError && signInFailure(error)?.code === 'SIGN_IN_REQUIRED'
        ? new AppError('IDENTITY_PROVIDER_FAILED', 'The metadata of the identity provider do not hold.', { cause: error })
        : error;
    }
  };
  return {
    begin: callback =>
      inOurWords(async () => {
        const flow: Flow = { state: oidc.randomState(), nonce: oidc.randomNonce(), verifier: oidc.randomPKCECodeVerifier() };
        const location = oidc.buildAuthorizationUrl(await configuration(), {
          ...{ redirect_uri: callback, scope: [...new Set(['openid', ...settings.scopes])].join(' '), state: flow.state, nonce: flow.nonce },
          ...{ code_challenge: await oidc.calculatePKCECodeChallenge(flow.verifier), code_challenge_method: 'S256' },
        });
        return { location: location.href, flow: sealFlow(flow) };
      }),
    finish: ({ callback, query, flow: sealed }) =>
      inOurWords(async () => {
        const flow = openFlow(sealed);
        const claims = await claimsOf(await configuration(), new URL(`${callback}?${query}`), flow);
        const role = roleOf(claims, settings.people);
        const { iss, sub } = claims;
        if (role === null) {
          throw new AppError('ROLE_REQUIRED', 'You are known to the identity provider, and have no role here.', {
            next: `Ask an admin to add you to oidc.viewers or oidc.admins; you are sub:${String(sub)}.`,
          });
        }
        return openSession({ subject: `${String(iss)}#${String(sub)}`, name: nameOf(claims), role });
      }),
  };
}

async function discover({ issuer, clientId, clientSecret }: ProviderSettings, http: HttpPort): Promise<oidc.Configuration> {
  const server = new URL(issuer);
  return oidc.discovery(server, clientId, undefined, clientSecret === null ? oidc.None() : bySecret(clientSecret), {
    [oidc.customFetch]: guardedFetch(http),
    timeout: TIMEOUT_SECONDS,
    // Whether an address without TLS may be asked is the guard's to say.
    execute: server.protocol === 'http:' ? [oidc.allowInsecureRequests] : [],
  });
}

/** In the header, unless the provider takes the secret in the body alone. */
const bySecret =
  (secret: string): oidc.ClientAuth =>
  (server, ...rest) =>
    (server.token_endpoint_auth_methods_supported?.includes('client_secret_basic') === false ? oidc.ClientSecretPost(secret) : oidc.ClientSecretBasic(secret))(
      server,
      ...rest,
    );

async function claimsOf(configuration: oidc.Configuration, back: URL, { state, nonce, verifier }: Flow): Promise<Claims> {
  const tokens = await oidc.authorizationCodeGrant(configuration, back, {
    ...{ expectedState: state, expectedNonce: nonce, pkceCodeVerifier: verifier, idTokenExpected: true },
  });
  const proven = tokens.claims();
  if (proven === undefined) throw new AppError('SIGN_IN_REQUIRED', 'The identity provider has not said who you are.');
  if (configuration.serverMetadata().userinfo_endpoint === undefined) return proven;
  // The issuer and the subject are those of the signed token; the rest may stand in either.
  const { iss, sub } = proven;
  return { ...proven, ...(await oidc.fetchUserInfo(configuration, tokens.access_token, sub)), iss, sub };
}

const MAX_NAME = 200;

function nameOf(claims: Claims): string {
  const names = ['name', 'preferred_username', 'email', 'sub'].map(claim => claims[claim]);
  const name = names.find((one): one is string => typeof one === 'string' && one.trim() !== '') ?? 'somebody';
  return name.slice(0, MAX_NAME);
}

async function inOurWords<Result>(run: () => Promise<Result>): Promise<Result> {
  try {
    return await run();
  } catch (error) {
    throw signInFailure(error) ?? error;
  }
}
