/** The stores for one command of an operator: from the database, or through the server that has the embedded one open. */
import { HttpFailure } from '@weir/ports';
import { type Flags, type LoadedSettings, loadSettings, operatorSources } from '../composition/load-settings.ts';
import { openStorage, type Storage } from '../composition/open-storage.ts';
import { openBus } from '../server/open-bus.ts';
import { operatorStores } from '../server/operator-stores.ts';
import { readGatewayAddress } from './gateway-address.ts';
import { openSecretBox } from './open-secret-box.ts';
import type { OperatorStores } from './operator-calls.ts';
import { remoteStores } from './remote-stores.ts';

export interface OpenOperatorStores {
  readonly stores: OperatorStores;
  /** The database itself; undefined where another process has it open. */
  readonly storage: Storage | undefined;
  readonly settings: LoadedSettings;
  close(): Promise<void>;
}

/** Undefined where none runs; a file that a killed one left behind leads nowhere. */
async function runningServer(settings: LoadedSettings): Promise<OpenOperatorStores | undefined> {
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
  return { stores, storage: undefined, settings, close: async () => http.close() };
}

/** Throws the failures of openStorage. */
export async function openOperatorStores(flags: Flags): Promise<OpenOperatorStores> {
  const settings = loadSettings(await operatorSources(flags));
  const database = settings.get<string | null>('storage.database');
  const say = (sentence: string): void => void (settings.get<boolean>('output.quiet') || process.stderr.write(`${sentence}\n`));
  const running = database === null ? await runningServer(settings) : undefined;
  if (running !== undefined) return running;
  const storage = await openStorage({ database, say });
  // A command consumes nothing, so that nothing can fail behind its back.
  const bus = openBus({ settings, database: storage.sql, onFailure: () => undefined });
  const close = async (): Promise<void> => {
    await bus.close();
    await storage.close();
  };
  return { stores: operatorStores(storage, openSecretBox(), bus.deadLetters), storage, settings, close };
}

/** Opens the stores for the work and closes them, whatever becomes of it. */
export async function withOperatorStores<T>(flags: Flags, work: (open: OpenOperatorStores) => Promise<T>): Promise<T> {
  const open = await openOperatorStores(flags);
  try {
    return await work(open);
  } finally {
    await open.close();
  }
}
