/** The engine of one provider for one command: credentials from the environment, the vendor's CLI as a last source. */
import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { createProvider, createReceiptSigner, type Provider } from '@weir/forge';
import { AppError } from '@weir/kernel';
import type { OperationTable } from '@weir/operation-table';
import type { AuditStore, HttpPort } from '@weir/ports';
import { memoryEtagStore, memoryRateStore } from '@weir/provider-store';
import type { Storage } from '../composition/open-storage.ts';
import { loadTable } from './compile-provider.ts';
import { loadProvider, providerFile, type ProviderFiles } from './provider-files.ts';

/** Entries and bytes of the answers that one command remembers. */
const ETAG_BOUNDS = { maxEntries: 100, maxBytes: 8 * 1024 * 1024, maxEntryBytes: 1024 * 1024 };
/** Milliseconds and bytes of a vendor's CLI that yields a token. */
const TOOL_TIMEOUT_MS = 10_000;
const TOOL_BYTES = 64 * 1024;

/** A write whose intent cannot be kept is not sent (PRV-18), so whoever forgets the database cannot write. */
const NO_AUDIT_LOG: AuditStore = {
  append: () => Promise.reject(new AppError('NOT_AVAILABLE', 'no audit log is open')),
  read: () => Promise.resolve([]),
};

const runTool = (command: readonly string[], signal: AbortSignal): Promise<string | undefined> =>
  new Promise(resolve => {
    const [file = '', ...args] = command;
    execFile(file, args, { signal, timeout: TOOL_TIMEOUT_MS, maxBuffer: TOOL_BYTES, encoding: 'utf8' }, (error, stdout) =>
      resolve(error === null ? stdout : undefined),
    );
  });

async function documentsOf(files: ProviderFiles): Promise<ReadonlyMap<string, string>> {
  const documents = new Map<string, string>();
  for (const [name, { file }] of Object.entries(files.descriptor.graphql?.documents ?? {}))
    documents.set(name, await readFile(providerFile(files, file), 'utf8'));
  return documents;
}

/** Everything of a provider that is read from files. */
export interface ReadProvider {
  readonly files: ProviderFiles;
  readonly table: OperationTable;
  readonly documents: ReadonlyMap<string, string>;
}

export async function readProvider(name: string): Promise<ReadProvider> {
  const files = await loadProvider(name);
  return { files, table: await loadTable(files), documents: await documentsOf(files) };
}

export interface EngineOptions {
  readonly baseUrl?: string | undefined;
  readonly http: HttpPort;
  /** What lasts: the stores, and the PEM of the receipt key where the policy asks for receipts. Without it no write passes, and nothing is remembered. */
  readonly durable?: { readonly storage: Storage; readonly receiptKey: string | undefined };
}

export function openProvider({ files, table, documents }: ReadProvider, { baseUrl, http, durable }: EngineOptions): Provider {
  const sources = { now: Date.now, newId: randomUUID };
  return createProvider({
    ...{ descriptor: files.descriptor, table, documents, http },
    ...(baseUrl === undefined ? {} : { baseUrl }),
    rateStore: durable?.storage.rateStore ?? memoryRateStore(sources),
    etagStore: memoryEtagStore(ETAG_BOUNDS),
    auditStore: durable?.storage.auditStore ?? NO_AUDIT_LOG,
    ...(durable?.receiptKey === undefined ? {} : { signReceipt: createReceiptSigner(durable.receiptKey) }),
    credentials: { env: variable => process.env[variable], runTool },
    now: Date.now,
    random: Math.random,
    sleep: (ms, signal) => sleep(ms, undefined, { signal }),
  });
}
