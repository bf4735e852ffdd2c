/** The engine of one provider for one command: in-memory stores, credentials from the environment, the vendor's CLI as a last source. */
import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createProvider, type Provider } from '@weir/forge';
import { createHttp } from '@weir/http';
import { memoryAuditStore, memoryEtagStore, memoryRateStore } from '@weir/provider-store';
import { loadTable } from './compile-provider.ts';
import { loadProvider, type ProviderFiles } from './provider-files.ts';

/** Entries and bytes of the answers that one command remembers. */
const ETAG_BOUNDS = { maxEntries: 100, maxBytes: 8 * 1024 * 1024, maxEntryBytes: 1024 * 1024 };
/** Milliseconds and bytes of a vendor's CLI that yields a token. */
const TOOL_TIMEOUT_MS = 10_000;
const TOOL_BYTES = 64 * 1024;

const runTool = (command: readonly string[], signal: AbortSignal): Promise<string | undefined> =>
  new Promise(resolve => {
    const [file = '', ...args] = command;
    execFile(file, args, { signal, timeout: TOOL_TIMEOUT_MS, maxBuffer: TOOL_BYTES, encoding: 'utf8' }, (error, stdout) =>
      resolve(error === null ? stdout : undefined),
    );
  });

async function documentsOf({ descriptor, folder }: ProviderFiles): Promise<ReadonlyMap<string, string>> {
  const documents = new Map<string, string>();
  for (const [name, { file }] of Object.entries(descriptor.graphql?.documents ?? {})) documents.set(name, await readFile(path.join(folder, file), 'utf8'));
  return documents;
}

export interface OpenOptions {
  readonly baseUrl?: string | undefined;
  readonly allowOrigins: readonly string[];
}

/** Opens a provider. Writes are denied: no receipt can be kept by a command that remembers nothing. */
export async function openProvider(name: string, { baseUrl, allowOrigins }: OpenOptions): Promise<Provider> {
  const files = await loadProvider(name);
  const sources = { now: Date.now, newId: randomUUID };
  return createProvider({
    descriptor: files.descriptor,
    table: await loadTable(files),
    documents: await documentsOf(files),
    ...(baseUrl === undefined ? {} : { baseUrl }),
    http: createHttp({ allowOrigins }),
    rateStore: memoryRateStore(sources),
    etagStore: memoryEtagStore(ETAG_BOUNDS),
    auditStore: memoryAuditStore(),
    credentials: { env: variable => process.env[variable], runTool },
    now: Date.now,
    random: Math.random,
    sleep: (ms, signal) => sleep(ms, undefined, { signal }),
  });
}
