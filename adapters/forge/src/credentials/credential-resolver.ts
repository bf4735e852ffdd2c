/**
 * The one resolver of credentials (PRV-13): every call gets its credential here, at the moment it is sent.
 */
import type { ProviderDescriptor } from '@weir/contract';
import type { OperationRow } from '@weir/operation-table';
import { createRedactor } from '@weir/redaction';
import type { Outcome } from '../provider-failure.ts';
import { type AppCredential, type AppIdentity, createAppCredential, type MintToken } from './app-credential.ts';
import type { Credential } from './credential.ts';
import { findToken, type TokenSources } from './find-token.ts';
import { type TokenAuth, writeCredential } from './header-schemes.ts';

export interface CredentialSources extends TokenSources {
  /** Where it is given, calls are made as this app's installation, whatever scheme the descriptor names. */
  readonly app?: AppIdentity;
  /** Calls carry no credential: for the few operations that take none. */
  readonly anonymous?: true;
}

export type ResolveCredential = (row: OperationRow, signal: AbortSignal) => Promise<Outcome<Credential>>;

export interface ResolverParts {
  readonly auth: ProviderDescriptor['auth'];
  readonly sources: CredentialSources;
  readonly baseUrl: string;
  readonly mint: MintToken;
  readonly now: () => number;
}

/** Operations of an app itself; an installation's token may not call them. */
const APP_PATH = /^\/app(?:\/|$)|^\/(?:orgs|users|repos)\/.{1,200}\/installation$/;

export const createCredentialResolver = ({ auth, sources, baseUrl, mint, now }: ResolverParts): ResolveCredential => {
  const { app, anonymous = false } = sources;
  const { scheme } = auth;
  if (scheme === 'none' || anonymous) return () => Promise.resolve({ ok: true, value: ANONYMOUS });
  if (app !== undefined) return appResolver(auth, app, createAppCredential(app, mint, now));
  return tokenResolver({ ...auth, scheme }, sources, baseUrl);
};

/** Calls that carry no credential share the limits of everyone who has none. */
const ANONYMOUS: Credential = { name: 'anonymous', headers: {}, redact: createRedactor([]) };

function appResolver(auth: ProviderDescriptor['auth'], { appId, installationId }: AppIdentity, app: AppCredential): ResolveCredential {
  const scheme = { ...auth, scheme: 'app' as const };
  const asApp = credentialWriter(scheme, `app:${appId}`);
  const asInstallation = credentialWriter(scheme, `app:${appId}:${installationId}`);
  return async row => {
    const own = APP_PATH.test(row.path);
    const token = own ? app.jwt() : await app.installationToken();
    if (!token.ok) return token;
    return { ok: true, value: own ? asApp(token.value) : asInstallation(token.value) };
  };
}

/** Writes a credential anew only where its token has changed. */
function credentialWriter(auth: TokenAuth, name?: string): (token: string) => Credential {
  let kept: { readonly token: string; readonly credential: Credential } | undefined;
  return token => {
    if (kept?.token !== token) kept = { token, credential: writeCredential(auth, token, name) };
    return kept.credential;
  };
}

/** The environment is read for each call, so a token can be changed; a CLI is asked once. */
function tokenResolver(auth: TokenAuth, { env, runTool }: TokenSources, baseUrl: string): ResolveCredential {
  const host = new URL(baseUrl).hostname.replace(/^api\./, '');
  let printed: Promise<string | undefined> | undefined;
  const write = credentialWriter(auth);
  const sources: TokenSources = {
    env,
    ...(runTool === undefined ? {} : { runTool: (command, signal) => (printed ??= runTool(command, signal)) }),
  };
  return async (_row, signal) => {
    const token = await findToken(auth, sources, host, signal);
    return token.ok ? { ok: true, value: write(token.value) } : token;
  };
}
