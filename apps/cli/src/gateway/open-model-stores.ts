/** Routes, keys and the ledger for one command: from the database, or through the gateway that has the embedded one open. */
import type { ModelStores } from '@weir/model-store';
import { HttpFailure } from '@weir/ports';
import { type Flags, type LoadedSettings, loadSettings, operatorSources } from '../composition/load-settings.ts';
import { openStorage } from '../composition/open-storage.ts';
import { readGatewayAddress } from './gateway-address.ts';
import type { OperatorStores } from './operator-calls.ts';
import { remoteStores } from './remote-stores.ts';

export interface OpenModelStores {
  readonly stores: OperatorStores;
  /** The same with everything that a gateway needs; undefined where another process has the database open. */
  readonly full: ModelStores | undefined;
  readonly settings: LoadedSettings;
  close(): Promise<void>;
}

/** Undefined where none runs; a file that a killed one left behind leads nowhere. */
async function runningGateway(settings: LoadedSettings): Promise<OpenModelStores | undefined> {
  const address = await readGatewayAddress();
  if (address === undefined) return undefined;
  const { createHttp } = await import('@weir/http');
  const http = createHttp({ allowOrigins: [address.origin] });
  const stores = remoteStores(address, http);
  try {
    await stores.keys.list(1);
  } catch (error) {
    http.close();
    if (error instanceof HttpFailure) return undefined;
    throw error;
  }
  return { stores, full: undefined, settings, close: async () => http.close() };
}

/** Throws the failures of openStorage. */
export async function openModelStores(flags: Flags): Promise<OpenModelStores> {
  const settings = loadSettings(await operatorSources(flags));
  const database = settings.get<string | null>('storage.database');
  const say = (sentence: string): void => void (settings.get<boolean>('output.quiet') || process.stderr.write(`${sentence}\n`));
  const running = database === null ? await runningGateway(settings) : undefined;
  if (running !== undefined) return running;
  const storage = await openStorage({ database, say });
  return { stores: storage.models, full: storage.models, settings, close: () => storage.close() };
}

/** Opens the stores for the work and closes them, whatever becomes of it. */
export async function withModelStores<T>(flags: Flags, work: (open: OpenModelStores) => Promise<T>): Promise<T> {
  const open = await openModelStores(flags);
  try {
    return await work(open);
  } finally {
    await open.close();
  }
}
