/** Where an app is installed. The app itself is asked, with its own key, so that it can be asked before it is installed anywhere. */
import type { CredentialSources } from '@weir/forge';
import { AppError } from '@weir/kernel';
import { ACTOR } from '../server/provider-book.ts';
import type { OpenForge } from './open-account-forge.ts';

const LIST = 'apps/list-installations';

export interface Installation {
  readonly id: number;
  /** Login of the person or organization; null where the forge does not say. */
  readonly account: string | null;
}

/** Throws AppError FORGE_*, and OPERATION_UNKNOWN for a forge that has no apps. */
export async function listInstallations(forge: OpenForge, credentials: CredentialSources, signal: AbortSignal): Promise<readonly Installation[]> {
  const engine = await forge.engine(credentials);
  const found: Installation[] = [];
  for await (const { items } of engine.pages(LIST, {}, { signal, actor: ACTOR })) found.push(...items.flatMap(readInstallation));
  return found;
}

function readInstallation(item: unknown): readonly Installation[] {
  const { id, account } = (item ?? {}) as { readonly id?: unknown; readonly account?: { readonly login?: unknown } | null };
  const login = account?.login;
  return typeof id === 'number' ? [{ id, account: typeof login === 'string' ? login : null }] : [];
}

/**
 * The one that is asked for, else the one that is known, else the only one.
 * Throws REGISTRATION_INVALID for none, USAGE where several are left to choose from.
 */
export function chooseInstallation(installations: readonly Installation[], { wanted, known }: { wanted: number | undefined; known: number | null }): number {
  const given = wanted ?? (installations.some(({ id }) => id === known) ? known : null);
  const [only, ...more] = given === null ? installations : installations.filter(({ id }) => id === given);
  if (only === undefined) {
    const what = given === null ? 'The app is installed nowhere.' : `The app has no installation ${given}.`;
    throw new AppError('REGISTRATION_INVALID', what, { next: 'Install it where its repositories are, then look again: weir account check.' });
  }
  if (more.length === 0) return only.id;
  const names = installations.map(({ id, account }) => `${id} (${account ?? 'unknown'})`).join(', ');
  throw new AppError('USAGE', `the app is installed in several places, ${names}: name one with --installation`);
}
