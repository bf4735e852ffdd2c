/** Looks again at what the forge says of an account: whose it is, its scopes, where its app is installed, and whether its credential is good (REV-33). */
import { AppError } from '@weir/kernel';
import type { ForgeAccount, ForgePort } from '@weir/ports';
import type { OpenOperatorStores } from '../gateway/open-operator-stores.ts';
import { openSecretBox } from '../gateway/open-secret-box.ts';
import { credentialsOf } from '../server/provider-book.ts';
import { chooseInstallation, listInstallations } from './app-installation.ts';
import { withAccountForge, withForge } from './open-account-forge.ts';

/** Whom the forge takes the credential for. Throws AppError FORGE_*. */
export async function observe(port: ForgePort, signal: AbortSignal): Promise<Pick<ForgeAccount, 'identity' | 'scopes' | 'observedAt' | 'state'>> {
  const identity = await port.ask('account.whoami', {}, signal);
  const scopes = port.supports('account.scopes') ? (await port.ask('account.scopes', {}, signal)).scopes : null;
  return { identity, scopes, observedAt: Date.now(), state: 'active' };
}

export interface AccountCheck {
  /** The installation of an app, where the app does not say it alone. */
  readonly installation?: number;
  readonly signal: AbortSignal;
}

/** @returns the account as it is saved now. Throws AppError; a credential that is rejected is saved as such first. */
export async function checkAccount(open: OpenOperatorStores, account: ForgeAccount, check: AccountCheck): Promise<ForgeAccount> {
  try {
    const installed = { ...account, credential: await installedCredential(open, account, check) };
    const checked = { ...installed, ...(await withAccountForge(open, installed, ({ port }) => observe(port, check.signal))) };
    await open.stores.registry.saveAccount(checked);
    return checked;
  } catch (error) {
    if (error instanceof AppError && error.code === 'FORGE_UNAUTHORIZED')
      await open.stores.registry.noteCredential({ ...account, state: 'rejected', observedAt: Date.now() });
    throw error;
  }
}

async function installedCredential(
  open: OpenOperatorStores,
  account: ForgeAccount,
  { installation: wanted, signal }: AccountCheck,
): Promise<ForgeAccount['credential']> {
  const { credential } = account;
  if (credential.kind === 'token') {
    if (wanted === undefined) return credential;
    throw new AppError('USAGE', `${account.id} is no app, so that it has no --installation`);
  }
  const installations = await withForge(open, account, forge => listInstallations(forge, credentialsOf(openSecretBox(), account), signal));
  return { ...credential, installationId: chooseInstallation(installations, { wanted, known: credential.installationId }) };
}
