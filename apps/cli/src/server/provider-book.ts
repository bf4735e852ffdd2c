/** The providers of this installation as the server uses them: files are read once, an engine is kept for each account. */
import { accountCredentials, type CompiledProvider, compileProvider, createForgePort, createProvider, createReceiptSigner } from '@weir/forge';
import { AppError } from '@weir/kernel';
import {
  accountSecretPlace,
  type ForgeAccount,
  type ForgePort,
  type HttpPort,
  type RateStore,
  type AuditStore,
  type RegisteredRepository,
  type ReviewRegistry,
  type SecretBox,
} from '@weir/ports';
import { memoryEtagStore } from '@weir/provider-store';
import type { StageForge } from '@weir/review-workers';
import { sleep } from '../gateway/real-time.ts';
import { type ReadProvider, readProvider } from '../provider/open-provider.ts';

/** Entries and bytes of the answers that one account remembers. */
const ETAG_BOUNDS = { maxEntries: 2_000, maxBytes: 32 * 1024 * 1024, maxEntryBytes: 1024 * 1024 };
/**
 * How long a call waits for the forge's limits, within the 10 s that it may take (REV-20). A longer wait is the round's: it comes back when
 * the forge allows it.
 */
const PATIENCE_MS = 5_000;
/** Stands in the audit log. */
const ACTOR = 'weir';

export interface ProviderBookParts {
  readonly registry: Pick<ReviewRegistry, 'account'>;
  readonly box: Pick<SecretBox, 'open'>;
  readonly http: HttpPort;
  readonly auditStore: AuditStore;
  readonly rateStore: RateStore;
  /** PEM; made when the first provider asks for receipts. */
  readonly receiptKey: () => Promise<string>;
}

export interface ProviderBook {
  /** For the ingress: opens no secret of an account. Throws AppError for a provider that is not there. */
  compiled(forge: string): Promise<CompiledProvider>;
  /** The account that reviews the repository, with its present secret. Throws AppError. */
  forgeOf(repository: RegisteredRepository): Promise<StageForge>;
}

interface OpenAccount {
  readonly key: string;
  readonly port: ForgePort;
}

export function createProviderBook(parts: ProviderBookParts): ProviderBook {
  const files = remembered(readProvider);
  const compiled = remembered(async (forge: string) => compileProvider((await files(forge)).files.descriptor));
  const accounts = new Map<string, OpenAccount>();

  async function portOf(account: ForgeAccount): Promise<ForgePort> {
    const key = JSON.stringify([account.sealedSecret, account.baseUrl, account.credential]);
    const known = accounts.get(account.id);
    if (known?.key === key) return known.port;
    const port = await openAccount(parts, await files(account.forge), account);
    accounts.set(account.id, { key, port });
    return port;
  }

  return {
    compiled,
    async forgeOf(repository) {
      const account = await parts.registry.account(repository.account);
      if (account === undefined) throw new AppError('REGISTRATION_INVALID', `The account ${repository.account} of a repository is not there.`);
      if (account.state === 'rejected') throw new AppError('FORGE_DENIED', `${repository.forge} rejected the credential of the account ${account.id}.`);
      return { port: await portOf(account), repository, account };
    },
  };
}

/** The account's forge with the account's secret; also for an account that is not saved yet. */
export async function openAccount(
  parts: Omit<ProviderBookParts, 'registry'>,
  { files, table, documents }: ReadProvider,
  account: ForgeAccount,
): Promise<ForgePort> {
  const { descriptor } = files;
  const { box, http, auditStore, rateStore } = parts;
  const signed = descriptor.policy.receipts === 'required';
  const provider = createProvider({
    ...{ descriptor, table, documents, http, auditStore, rateStore },
    baseUrl: account.baseUrl,
    etagStore: memoryEtagStore(ETAG_BOUNDS),
    ...(signed ? { signReceipt: createReceiptSigner(await parts.receiptKey()) } : {}),
    credentials: accountCredentials(account, box.open(account.sealedSecret, accountSecretPlace(account.id))),
    now: Date.now,
    random: Math.random,
    sleep,
  });
  return createForgePort(provider, descriptor, { actor: ACTOR, patienceMs: PATIENCE_MS });
}

/** A failed reading is not remembered. */
function remembered<Value>(read: (name: string) => Promise<Value>): (name: string) => Promise<Value> {
  const known = new Map<string, Promise<Value>>();
  return name => {
    const value =
      known.get(name) ??
      read(name).catch((error: unknown) => {
        known.delete(name);
        throw error;
      });
    known.set(name, value);
    return value;
  };
}
