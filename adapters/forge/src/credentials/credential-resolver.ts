/**
 * The one resolver of credentials (PRV-13): every call gets its credential here, at the moment it is sent.
 */
import type { ProviderDescriptor } from '@weir/contract';
import type { OperationRow } from '@weir/operation-table';
import type { Outcome } from '../provider-failure.ts';
import { type AppCredential, type AppIdentity, createAppCredential, type MintToken } from './app-credential.ts';
import type { Credential } from './credential.ts';
import { findToken, type TokenSources } from './find-token.ts';
import { writeCredential } from './header-schemes.ts';

export interface CredentialSources extends TokenSources {
  /** Where it is given, calls are made as this app's installation, whatever scheme the descriptor names. */
  readonly app?: AppIdentity;
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
  const { app } = sources;
  return app === undefined ? tokenResolver(auth, sources, baseUrl) : appResolver(auth, app, createAppCredential(app, mint, now));
};

function appResolver(auth: ProviderDescriptor['auth'], { appId, installationId }: AppIdentity, app: AppCredential): ResolveCredential {
  const scheme = { ...auth, scheme: 'app' as const };
  return async row => {
    const own = APP_PATH.test(row.path);
    const token = own ? app.jwt() : await app.installationToken();
    if (!token.ok) return token;
    return { ok: true, value: writeCredential(scheme, token.value, own ? `app:${appId}` : `app:${appId}:${installationId}`) };
  };
}

/** The environment is read for each call, so a token can be changed; a CLI is asked once. */
function tokenResolver(auth: ProviderDescriptor['auth'], { env, runTool }: TokenSources, baseUrl: string): ResolveCredential {
  const host = new URL(baseUrl).hostname.replace(/^api\./, '');
  let printed: Promise<string | undefined> | undefined;
  let kept: Credential | undefined;
  const sources: TokenSources = {
    env,
    ...(runTool === undefined ? {} : { runTool: (command, signal) => (printed ??= runTool(command, signal)) }),
  };
  return async (_row, signal) => {
    const token = await findToken(auth, sources, host, signal);
    if (!token.ok) return token;
    if (kept?.secrets[0] !== token.value) kept = writeCredential(auth, token.value);
    return { ok: true, value: kept };
  };
}
