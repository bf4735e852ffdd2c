/** The forge of an account for one command. Writes are recorded in the audit log first, wherever the database is open (PRV-18). */
import { createHttp } from '@weir/http';
import type { ForgeAccount, ForgePort } from '@weir/ports';
import { memoryRateStore } from '@weir/provider-store';
import { randomUUID } from 'node:crypto';
import type { OpenOperatorStores } from '../gateway/open-operator-stores.ts';
import { openSecretBox } from '../gateway/open-secret-box.ts';
import { readProvider, type ReadProvider } from '../provider/open-provider.ts';
import { openReceiptKey } from '../provider/receipt-key.ts';
import { openAccount } from '../server/provider-book.ts';

export interface AccountForge {
  readonly port: ForgePort;
  readonly read: ReadProvider;
  close(): void;
}

/** Throws AppError: an unknown provider, an unreadable secret, a provider that is no forge. */
export async function openAccountForge({ stores, storage, settings }: OpenOperatorStores, account: ForgeAccount): Promise<AccountForge> {
  const read = await readProvider(account.forge);
  const http = createHttp({ allowOrigins: settings.get<readonly string[]>('network.allowOrigins') });
  const auditStore = { append: stores.audit.append, read: () => Promise.resolve([]) };
  const rateStore = storage?.rateStore ?? memoryRateStore({ now: Date.now, newId: randomUUID });
  const port = await openAccount({ box: openSecretBox(), http, auditStore, rateStore, receiptKey: openReceiptKey }, read, account);
  return { port, read, close: () => http.close() };
}

/** Opens the forge for the work and closes it. */
export async function withAccountForge<T>(open: OpenOperatorStores, account: ForgeAccount, work: (forge: AccountForge) => Promise<T>): Promise<T> {
  const forge = await openAccountForge(open, account);
  try {
    return await work(forge);
  } finally {
    forge.close();
  }
}
