/** The credential of a registered account, whose secret comes from the encrypted store and from no environment (PRV-13, REV-39). */
import type { ForgeAccount } from '@weir/ports';
import type { CredentialSources } from './credentials/credential-resolver.ts';

/** @param secret the account's secret, opened: its token, or the PEM of its app's key. */
export function accountCredentials({ credential }: Pick<ForgeAccount, 'credential'>, secret: string): CredentialSources {
  if (credential.kind === 'token') return { env: () => secret };
  const { appId, installationId } = credential;
  return { env: () => undefined, app: { appId, installationId, privateKey: secret } };
}
