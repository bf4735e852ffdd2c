/** A forge for one command. Writes are recorded in the audit log first, wherever the database is open (PRV-18). */
import { randomUUID } from 'node:crypto';
import type { CredentialSources, Provider } from '@weir/forge';
import { createHttp } from '@weir/http';
import type { ForgeAccount, ForgePort } from '@weir/ports';
import { memoryRateStore } from '@weir/provider-store';
import type { OpenOperatorStores } from '../gateway/open-operator-stores.ts';
import { openSecretBox } from '../gateway/open-secret-box.ts';
import { readProvider, type ReadProvider } from '../provider/open-provider.ts';
import { openReceiptKey } from '../provider/receipt-key.ts';
import { credentialsOf, forgePortOf, openEngine } from '../server/provider-book.ts';

export interface OpenForge {
  readonly read: ReadProvider;
  /**
   * The engine there with one credential.
   * @param asked writes that the operator's command is, beside those that the policy names (PRV-17).
   */
  engine(credentials: CredentialSources, asked?: readonly string[]): Promise<Provider>;
}

export interface AccountForge extends OpenForge {
  readonly port: ForgePort;
}

/** Opens the forge for the work and closes it. Throws AppError for an unknown provider. */
export async function withForge<T>(
  { stores, storage, settings }: OpenOperatorStores,
  { forge, baseUrl }: Pick<ForgeAccount, 'forge' | 'baseUrl'>,
  work: (forge: OpenForge) => Promise<T>,
): Promise<T> {
  const read = await readProvider(forge);
  const http = createHttp({ allowOrigins: settings.get<readonly string[]>('network.allowOrigins') });
  const auditStore = { append: stores.audit.append, read: () => Promise.resolve([]) };
  const rateStore = storage?.rateStore ?? memoryRateStore({ now: Date.now, newId: randomUUID });
  const parts = { http, auditStore, rateStore, receiptKey: openReceiptKey };
  try {
    return await work({ read, engine: (credentials, asked = []) => openEngine(parts, allowing(read, asked), { baseUrl, credentials }) });
  } finally {
    http.close();
  }
}

const allowing = (read: ReadProvider, asked: readonly string[]): ReadProvider => {
  const { descriptor } = read.files;
  const policy = { ...descriptor.policy, allowed_mutations: [...descriptor.policy.allowed_mutations, ...asked] };
  return { ...read, files: { ...read.files, descriptor: { ...descriptor, policy } } };
};

/** The same for an account, which need not be saved. Throws AppError: an unreadable secret, a provider that is no forge. */
export async function withAccountForge<T>(open: OpenOperatorStores, account: ForgeAccount, work: (forge: AccountForge) => Promise<T>): Promise<T> {
  return withForge(open, account, async forge =>
    work({ ...forge, port: forgePortOf(await forge.engine(credentialsOf(openSecretBox(), account)), forge.read) }),
  );
}
