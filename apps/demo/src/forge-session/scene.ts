/** What a session plays in: a simulated forge with one change to review, and the engine in front of it. */
import { generateKeyPairSync, randomUUID } from 'node:crypto';
import { type RepositoryPath, type Thread, type Verb, VERBS } from '@weir/contract';
import { createProvider, createReceiptSigner, type Provider, type ProviderOptions } from '@weir/forge';
import { type Forge, type ForgeKind, type Receiver, startForge, startReceiver } from '@weir/forge-simulator';
import { createHttp } from '@weir/http';
import { memoryAuditStore, memoryEtagStore, memoryRateStore } from '@weir/provider-store';
import { type BuiltinProvider, loadBuiltinProvider } from './load-builtin-provider.ts';

export const REPOSITORY: RepositoryPath = { owner: 'acme', name: 'shop' };
export const FULL_NAME = 'acme/shop';
export const REVIEWER = 'weir-bot';
export const SECRET = 'a secret that the hook signs with';

/** What earlier steps leave for later ones. */
export interface Findings {
  me: { readonly id: string; readonly login: string };
  threads: readonly Thread[];
  comment: string;
  check: string;
  hook: string;
  issue: number;
  /** The change that the session opens itself. */
  made: number;
}

export interface Scene {
  readonly kind: ForgeKind;
  readonly forge: Forge;
  readonly provider: Provider;
  /** Acts as an app where the forge keeps something for apps; else the same as `provider`. */
  readonly app: Provider;
  readonly descriptor: BuiltinProvider['descriptor'];
  readonly receiver: Receiver;
  /** The change under review, its head, and the commit that it starts from. */
  readonly change: number;
  readonly head: string;
  readonly base: string;
  readonly found: Findings;
  readonly close: () => Promise<void>;
}

const lines = (count: number, edit: (at: number) => string | null = at => `line ${at}`): string =>
  Array.from({ length: count }, (_, index) => edit(index + 1))
    .filter(line => line !== null)
    .map(line => `${line}\n`)
    .join('');

/** Line 5 and lines 12 to 14 change, line 20 goes. */
const edited = (at: number): string | null => (at === 20 ? null : at === 5 || (at >= 12 && at <= 14) ? `line ${at} changed` : `line ${at}`);

async function seedForge({ seed }: Forge): Promise<{ readonly change: number; readonly base: string; readonly head: string }> {
  seed.account({ login: 'acme', kind: 'organization' });
  for (const login of ['alice', REVIEWER]) seed.account({ login });
  await seed.repository(REPOSITORY);
  seed.permit(FULL_NAME, 'alice', 'write');
  seed.permit(FULL_NAME, REVIEWER, 'admin');
  const push = (branch: string, files: Record<string, string | null>) => seed.push({ repository: FULL_NAME, branch, by: 'alice', files });
  const base = await push('main', { 'src/app.ts': lines(30), 'src/old-name.ts': lines(20) });
  const renamed = lines(20, at => (at === 10 ? 'line 10 changed' : `line ${at}`));
  const head = await push('feature', { 'src/app.ts': lines(30, edited), 'src/old-name.ts': null, 'src/new-name.ts': renamed });
  await push('second', { 'docs/note.md': 'A note.\n' });
  const { number } = await seed.change({ repository: FULL_NAME, head: 'feature', title: 'A change', body: 'Why it is made.', by: 'alice' });
  return { change: number, base, head };
}

/** The engine as it runs in earnest, with stores in memory and receipts; waits for limits are skipped, not slept through. */
function engineOf(forge: Forge, { descriptor, table, documents }: BuiltinProvider, credentials: ProviderOptions['credentials']): Provider {
  let skipped = 0;
  const now = (): number => Date.now() + skipped;
  const { privateKey } = generateKeyPairSync('ed25519');
  return createProvider({
    ...{ descriptor, table, documents, credentials, now },
    baseUrl: forge.url,
    http: createHttp({ allowOrigins: [forge.url] }),
    rateStore: memoryRateStore({ now, newId: randomUUID }),
    etagStore: memoryEtagStore({ maxEntries: 100, maxBytes: 8_000_000, maxEntryBytes: 1_000_000 }),
    auditStore: memoryAuditStore(),
    random: Math.random,
    sleep: (milliseconds, signal) => {
      signal.throwIfAborted();
      skipped += milliseconds;
      return Promise.resolve();
    },
    signReceipt: createReceiptSigner(privateKey.export({ format: 'pem', type: 'pkcs8' }).toString()),
  });
}

/** Everything that the forge can do is allowed here: the session is the operator. */
function allowingAll(provider: BuiltinProvider): BuiltinProvider {
  const { descriptor } = provider;
  const allowed: readonly Verb[] = VERBS.filter(verb => descriptor.capabilities[verb] !== undefined);
  return { ...provider, descriptor: { ...descriptor, policy: { ...descriptor.policy, allowed_mutations: [...allowed] } } };
}

function asApp(forge: Forge, provider: BuiltinProvider): Provider {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2_048 });
  const { id, installation } = forge.seed.app({ slug: 'weir', publicKey: publicKey.export({ format: 'pem', type: 'spki' }).toString(), by: 'alice' });
  const pem = privateKey.export({ format: 'pem', type: 'pkcs8' }).toString();
  return engineOf(forge, provider, { env: () => undefined, app: { appId: String(id), installationId: installation, privateKey: pem } });
}

/** Starts everything; `close` leaves nothing behind. */
export async function openScene(kind: ForgeKind): Promise<Scene> {
  const forge = await startForge({ kind });
  const [seeded, receiver] = await Promise.all([seedForge(forge), startReceiver()]);
  const builtin = allowingAll(loadBuiltinProvider(kind));
  const provider = engineOf(forge, builtin, { env: () => forge.token(REVIEWER) });
  return {
    ...{ kind, forge, provider, receiver, ...seeded },
    app: kind === 'github' ? asApp(forge, builtin) : provider,
    descriptor: builtin.descriptor,
    found: { me: { id: '', login: '' }, threads: [], comment: '', check: '', hook: '', issue: 0, made: 0 },
    close: async () => {
      await Promise.all([forge.close(), receiver.close()]);
    },
  };
}
