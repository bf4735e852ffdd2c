/** The providers of this installation as the server uses them: files are read once, an engine is kept for each account. */
import {
  accountCredentials,
  type CompiledProvider,
  compileProvider,
  createForgePort,
  createProvider,
  createReceiptSigner,
  type CredentialSources,
  type Provider,
} from '@weir/forge';
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
import { watchedPort } from './watched-port.ts';

/** Entries and bytes of the answers that one account remembers. */
const ETAG_BOUNDS = { maxEntries: 2_000, maxBytes: 32 * 1024 * 1024, maxEntryBytes: 1024 * 1024 };
/**
 * How long a call waits for the forge's limits, within the 10 s that it may take (REV-20). A longer wait is the round's: it comes back when
 * the forge allows it.
 */
const PATIENCE_MS = 5_000;
/** Stands in the audit log. */
export const ACTOR = 'weir';

export interface ProviderBookParts {
  readonly registry: Pick<ReviewRegistry, 'account' | 'noteCredential'>;
  readonly box: Pick<SecretBox, 'open'>;
  readonly http: HttpPort;
  readonly auditStore: AuditStore;
  readonly rateStore: RateStore;
  /** PEM; made when the first provider asks for receipts. */
  readonly receiptKey: () => Promise<string>;
  /** The forge has rejected a credential, or takes it again. */
  readonly onCredential: (account: string, state: ForgeAccount['state']) => void;
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
    const read = await files(account.forge);
    const port = forgePortOf(await openEngine(parts, read, { baseUrl: account.baseUrl, credentials: credentialsOf(parts.box, account) }), read);
    accounts.set(account.id, { key, port });
    return port;
  }

  return {
    compiled,
    async forgeOf(repository) {
      const account = await parts.registry.account(repository.account);
      if (account === undefined) throw new AppError('REGISTRATION_INVALID', `The account ${repository.account} of a repository is not there.`);
      if (isShut(account, Date.now())) throw shut(account);
      const note = async (state: ForgeAccount['state']): Promise<void> => {
        parts.onCredential(account.id, state);
        await parts.registry.noteCredential({ ...account, state, observedAt: Date.now() });
      };
      return { port: watchedPort(await portOf(account), account.state, note), repository, account };
    },
  };
}

/** After which a rejected credential is tried once more, so that a forge which was wrong about it is found out. */
const TRY_REJECTED_AFTER_MS = 300_000;

const isShut = ({ state, observedAt }: ForgeAccount, now: number): boolean => state === 'rejected' && now - observedAt < TRY_REJECTED_AFTER_MS;

const shut = ({ id, origin }: ForgeAccount): AppError =>
  new AppError('FORGE_UNAUTHORIZED', `${origin} does not accept the credential of the account ${id}.`, {
    next: `Give it another one: weir account add. If this one is good again: weir account check ${id}.`,
  });

export type EngineParts = Omit<ProviderBookParts, 'registry' | 'box' | 'onCredential'>;

/** The account's credential, opened; also of an account that is not saved yet. Throws AppError for one that cannot be opened. */
export const credentialsOf = (box: Pick<SecretBox, 'open'>, account: ForgeAccount): CredentialSources =>
  accountCredentials(account, box.open(account.sealedSecret, accountSecretPlace(account.id)));

export const forgePortOf = (provider: Provider, { files }: ReadProvider): ForgePort =>
  createForgePort(provider, files.descriptor, { actor: ACTOR, patienceMs: PATIENCE_MS });

/** The engine at one address, with one credential. */
export async function openEngine(
  parts: EngineParts,
  { files, table, documents }: ReadProvider,
  { baseUrl, credentials }: { readonly baseUrl: string; readonly credentials: CredentialSources },
): Promise<Provider> {
  const { descriptor } = files;
  const { http, auditStore, rateStore } = parts;
  const signed = descriptor.policy.receipts === 'required';
  return createProvider({
    ...{ descriptor, table, documents, http, auditStore, rateStore },
    ...{ baseUrl, credentials },
    etagStore: memoryEtagStore(ETAG_BOUNDS),
    ...(signed ? { signReceipt: createReceiptSigner(await parts.receiptKey()) } : {}),
    now: Date.now,
    random: Math.random,
    sleep,
  });
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
