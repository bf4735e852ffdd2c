/** `weir serve --role gateway`: the model gateway as a server, until it is interrupted. */
import { EXIT, type ExitCode } from '@weir/contract';
import { type GatewayServer, startGatewayServer } from '@weir/gateway-http';
import { createHttp } from '@weir/http';
import { AppError } from '@weir/kernel';
import { chargeLostCalls } from '@weir/model-store';
import { type Flags, type LoadedSettings, loadSettings, operatorSources } from '../composition/load-settings.ts';
import { openStorage, type Storage } from '../composition/open-storage.ts';
import { composeGateway, MODEL_CONNECTIONS } from '../gateway/compose-gateway.ts';
import { removeGatewayAddress, writeGatewayAddress } from '../gateway/gateway-address.ts';
import { createGatewayLog } from '../gateway/gateway-log.ts';
import { runStoreCall } from '../gateway/operator-calls.ts';
import { operatorKey } from '../gateway/operator-key.ts';
import { openSecretBox } from '../gateway/open-secret-box.ts';
import { readCaps } from '../gateway/read-caps.ts';
import { writeOut } from '../output.ts';
import { operatorStores } from '../server/operator-stores.ts';

export interface ServeRequest {
  readonly role: string;
  readonly port: string;
  readonly host: string;
  readonly flags: Flags;
}

/** How long calls under way may go on after the server was told to stop. */
const GRACE_MS = 30_000;
/** Longer than any call lasts: one that is open for so long has lost its process. */
const LOST_AFTER_MS = 3 * 3_600_000;
const LOST_PAUSE_MS = 600_000;

function portOf(text: string): number {
  const port = Number(text);
  if (!/^\d{1,5}$/.test(text) || port > 65_535) throw new AppError('USAGE', '--port is a number from 0 to 65535');
  return port;
}

const untilAborted = (signal: AbortSignal): Promise<void> =>
  new Promise(resolve => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });

export async function runServe({ role, port, host, flags }: ServeRequest, signal: AbortSignal): Promise<ExitCode> {
  if (role !== 'gateway') throw new AppError('USAGE', `there is no role ${JSON.stringify(role.slice(0, 40))}; this version has the role gateway`);
  const listenOn = { host, port: portOf(port) };
  const settings = loadSettings(await operatorSources(flags));
  const database = settings.get<string | null>('storage.database');
  const say = (sentence: string): void => void (settings.get<boolean>('output.quiet') || process.stderr.write(`${sentence}\n`));
  const storage = await openStorage({ database, say });
  try {
    await serve({ storage, settings, listenOn, embedded: database === null, say }, signal);
  } finally {
    await storage.close();
  }
  return EXIT.clean;
}

interface Serving {
  readonly storage: Storage;
  readonly settings: LoadedSettings;
  readonly listenOn: { readonly host: string; readonly port: number };
  /** Nobody else has the database open. */
  readonly embedded: boolean;
  readonly say: (sentence: string) => void;
}

async function serve({ storage, settings, listenOn, embedded, say }: Serving, signal: AbortSignal): Promise<void> {
  const log = createGatewayLog(settings.get<boolean>('output.quiet'));
  const operator = operatorKey(settings.get<string | null>('gateway.operatorKey'));
  const caps = readCaps(settings);
  const http = createHttp({ allowOrigins: settings.get<readonly string[]>('network.allowOrigins'), maxPerOrigin: MODEL_CONNECTIONS });
  const { models } = storage;
  const stores = operatorStores(storage, openSecretBox());
  const { gateway, metrics, tell } = composeGateway({ http, stores: models, secrets: openSecretBox(), spendLimits: caps.spend, report: log.event });
  for (const sentence of caps.problems) tell({ event: 'attention', code: 'LIMIT_UNREADABLE', callRef: null, sentence });
  // In the embedded database every open call is one of a process that has ended.
  await chargeLostCalls(models, embedded ? Date.now() : Date.now() - LOST_AFTER_MS);
  const lost = setInterval(() => void chargeLostCalls(models, Date.now() - LOST_AFTER_MS).catch(log.bug), LOST_PAUSE_MS);
  let server: GatewayServer | undefined;
  try {
    server = await startGatewayServer({
      ...listenOn,
      gateway,
      metrics,
      isOperator: operator.isKey,
      operate: request => runStoreCall(request, stores),
      isReady: () =>
        models.config.revision().then(
          () => true,
          () => false,
        ),
      onBug: log.bug,
    });
    if (embedded) await writeGatewayAddress({ origin: server.origin, operatorKey: operator.key });
    await writeOut(`${server.origin}\n`);
    await untilAborted(signal);
    say('Stopping: calls under way may end.');
  } finally {
    clearInterval(lost);
    if (embedded) await removeGatewayAddress();
    await server?.close(GRACE_MS);
    http.close();
  }
}
