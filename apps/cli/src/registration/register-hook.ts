/** The hook of a repository: an address and a secret of its own, registered at the forge, or told to the person who does it by hand (REV-10). */
import { randomBytes } from 'node:crypto';
import { ERRORS } from '@weir/contract';
import { AppError } from '@weir/kernel';
import { type ForgeAccount, hookSecretPlace, type HookRegistration, type RegisteredRepository, type SecretBox } from '@weir/ports';
import { originOf } from './api-address.ts';
import type { AccountForge } from './open-account-forge.ts';

const ID_BYTES = 12;
const SECRET_BYTES = 32;

export interface NewHook {
  readonly hook: HookRegistration;
  /** Shown once, where it has to be pasted. */
  readonly secret: string;
}

/** @param before of a hook that gets a new secret: deliveries under way with the old one are still taken. */
export function newHook({ id: account, forge, origin }: ForgeAccount, box: Pick<SecretBox, 'seal' | 'open'>, before?: HookRegistration): NewHook {
  const id = before?.id ?? randomBytes(ID_BYTES).toString('hex');
  const secret = randomBytes(SECRET_BYTES).toString('base64url');
  const old = (before?.sealedSecrets ?? []).slice(0, 1).map(sealed => box.open(sealed, hookSecretPlace(id, 0)));
  const sealedSecrets = [secret, ...old].map((text, index) => box.seal(text, hookSecretPlace(id, index)));
  return { hook: { id, account, forge, origin, sealedSecrets }, secret };
}

/** @param publicUrl where forges reach the ingress; undefined where nobody said so. Throws USAGE. */
export function hookAddress(publicUrl: string | undefined, hookId: string): string {
  if (publicUrl === undefined) return `<the address of your ingress>/hooks/${hookId}`;
  originOf(publicUrl, '--public-url');
  return `${publicUrl.replace(/\/+$/, '')}/hooks/${hookId}`;
}

export type HookOutcome = { readonly registered: true; readonly hookId: string } | { readonly registered: false; readonly because: string };

/** Asks the forge to deliver there. What the forge refuses is an answer here, since a person can do it by hand. */
export async function registerHook({ port }: AccountForge, repository: RegisteredRepository, hook: { url: string; secret: string }): Promise<HookOutcome> {
  if (!port.supports('webhook.upsert')) return { registered: false, because: `${repository.forge} registers no webhooks by its API` };
  try {
    const { id } = await port.ask('webhook.upsert', { repository: repository.path, ...hook }, new AbortController().signal);
    return { registered: true, hookId: id };
  } catch (error) {
    if (!(error instanceof AppError) || !Object.hasOwn(ERRORS, error.code)) throw error;
    return { registered: false, because: `${error.code}: ${error.message}` };
  }
}

/** What a person has to enter in the settings of the repository. */
export function pasteText({ read }: AccountForge, { url, secret }: { readonly url: string; readonly secret: string }): string {
  const events = read.files.descriptor.webhooks?.subscribe ?? [];
  return [
    `  address       ${url}`,
    `  secret        ${secret}   (shown once)`,
    '  content type  application/json',
    `  events        ${events.join(', ')}`,
    '',
  ].join('\n');
}

/** Takes the hook away at the forge. @returns why it could not; undefined where it is gone. */
export async function removeHook({ port }: AccountForge, { path, hookId, forge }: RegisteredRepository): Promise<string | undefined> {
  if (hookId === null) return 'it was entered by hand';
  if (!port.supports('webhook.delete')) return `${forge} deletes no webhooks by its API`;
  try {
    await port.ask('webhook.delete', { repository: path, id: hookId }, new AbortController().signal);
    return undefined;
  } catch (error) {
    if (!(error instanceof AppError) || !error.code.startsWith('FORGE_')) throw error;
    return error.code === 'FORGE_NOT_FOUND' ? undefined : `${error.code}: ${error.message}`;
  }
}
