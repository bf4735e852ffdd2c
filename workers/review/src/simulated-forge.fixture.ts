/** A simulated forge with one change, and its engine as a ForgePort. */
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { ProviderDescriptor } from '@weir/contract';
import { createForgePort, createProvider, createReceiptSigner } from '@weir/forge';
import { type ForgeKind, startForge } from '@weir/forge-simulator';
import { createHttp } from '@weir/http';
import { readTable } from '@weir/operation-table';
import { readDescriptor } from '@weir/provider-descriptor';
import { memoryAuditStore, memoryEtagStore, memoryRateStore } from '@weir/provider-store';
import { generateKeyPairSync, randomUUID } from 'node:crypto';
import { parse } from 'yaml';

export const FORGES = ['github', 'gitlab', 'gitea', 'forgejo', 'bitbucket-cloud'] as const satisfies readonly ForgeKind[];

const ROOT = path.resolve(import.meta.dirname, '../../../descriptors/providers');
const { privateKey } = generateKeyPairSync('ed25519');
const PEM = privateKey.export({ format: 'pem', type: 'pkcs8' }).toString();

const treeOf = (name: string) =>
  parse(readFileSync(path.join(ROOT, name, 'provider.yaml'), 'utf8'), { maxAliasCount: 1_000, merge: true }) as Record<string, unknown>;

function descriptorOf(name: string): ProviderDescriptor {
  const own = treeOf(name);
  const parent = own['extends'];
  const reading = readDescriptor(own, typeof parent === 'string' ? { parent: treeOf(parent) } : {});
  if (!reading.ok) throw new Error(JSON.stringify(reading.problems));
  return reading.descriptor;
}

function tableOf(name: string) {
  const read = readTable(readFileSync(path.join(ROOT, name, 'optable.json'), 'utf8'));
  if (!read.ok) throw new Error(read.problem);
  return read.table;
}

const documentsOf = ({ graphql, name, extends: parent = name }: ProviderDescriptor) =>
  new Map(
    Object.entries(graphql?.documents ?? {}).map(([key, { file }]) => [
      key,
      readFileSync(path.join(ROOT, existsSync(path.join(ROOT, name, file)) ? name : parent, file), 'utf8'),
    ]),
  );

export const REPOSITORY = { owner: 'acme', name: 'shop' };
export const NAME = 'acme/shop';
/** 30 lines; those that are named differ. */
export const lines = (changed: readonly number[], word = 'changed'): string =>
  Array.from({ length: 30 }, (_, index) => `line ${index + 1}${changed.includes(index + 1) ? ` ${word}` : ''}\n`).join('');

export async function simulatedForge(kind: ForgeKind) {
  const forge = await startForge({ kind });
  const { seed } = forge;
  seed.account({ login: 'acme', kind: 'organization' });
  for (const login of ['alice', 'weir-bot']) seed.account({ login });
  await seed.repository(REPOSITORY);
  seed.permit(NAME, 'alice', 'write');
  seed.permit(NAME, 'weir-bot', 'admin');
  await seed.push({ repository: NAME, branch: 'main', by: 'alice', files: { 'src/app.ts': lines([]) } });
  const head = await seed.push({ repository: NAME, branch: 'feature', by: 'alice', files: { 'src/app.ts': lines([5, 12, 20]) } });
  const { number } = await seed.change({ repository: NAME, head: 'feature', title: 'A change', by: 'alice' });
  const http = createHttp({ allowOrigins: [forge.url] });
  const descriptor = descriptorOf(kind);
  // Waiting for a budget takes no time.
  let waited = 0;
  const now = (): number => Date.now() + waited;
  const provider = createProvider({
    ...{ descriptor, table: tableOf(kind), documents: documentsOf(descriptor), baseUrl: forge.url, http },
    rateStore: memoryRateStore({ now, newId: randomUUID }),
    etagStore: memoryEtagStore({ maxEntries: 100, maxBytes: 1_000_000, maxEntryBytes: 100_000 }),
    ...{ auditStore: memoryAuditStore(), credentials: { env: () => forge.token('weir-bot') }, now, random: () => 0 },
    sleep: async (milliseconds, signal) => {
      signal.throwIfAborted();
      waited += milliseconds;
    },
    signReceipt: createReceiptSigner(PEM),
  });
  const port = createForgePort(provider, descriptor, { actor: 'service:review' });
  const account = await port.ask('account.whoami', {}, new AbortController().signal);
  const change = () => forge.world.repositories[0]?.changes[0] ?? raise();
  const close = async (): Promise<void> => {
    http.close();
    await forge.close();
  };
  return { forge, seed, port, account, head, number, change, close };
}

function raise(): never {
  throw new Error('the forge has no change');
}
