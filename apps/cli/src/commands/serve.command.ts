/** `weir serve`: the server, whole or in some of its roles, until it is interrupted. */
import { EXIT, type ExitCode } from '@weir/contract';
import { AppError } from '@weir/kernel';
import { sqlReviewRegistry } from '@weir/review-store';
import { type Flags, loadSettings, operatorSources } from '../composition/load-settings.ts';
import { openStorage } from '../composition/open-storage.ts';
import { removeGatewayAddress, writeGatewayAddress } from '../gateway/gateway-address.ts';
import { openSecretBox, secretBoxForWriting } from '../gateway/open-secret-box.ts';
import { writeOut } from '../output.ts';
import { openServer, type Server } from '../server/open-server.ts';
import { readRoles, type Role, ROLES } from '../server/roles.ts';
import { createServerLog } from '../server/server-log.ts';

export interface ServeRequest {
  /** Names separated by commas; undefined for all. */
  readonly role: string | undefined;
  readonly host: string;
  /** Of the gateway; 0 takes a free one. */
  readonly port: string;
  readonly hooksPort: string;
  readonly dashboardPort: string;
  readonly flags: Flags;
}

function portOf(name: string, text: string): number {
  const port = Number(text);
  if (!/^\d{1,5}$/.test(text) || port > 65_535) throw new AppError('USAGE', `${name} is a number from 0 to 65535`);
  return port;
}

const untilAborted = (signal: AbortSignal): Promise<void> =>
  new Promise(resolve => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });

/** The embedded database has one process, so that roles apart need a server. */
function assertRoles(roles: ReadonlySet<Role>, database: string | null): void {
  if (database !== null || roles.size === ROLES.length || (roles.size === 1 && roles.has('gateway'))) return;
  throw new AppError('CONFIG_INVALID', 'With the embedded database one process has every role.', {
    next: 'Leave --role out, or set storage.database to a PostgreSQL server that all processes share.',
  });
}

export async function runServe({ role, host, port, hooksPort, dashboardPort, flags }: ServeRequest, signal: AbortSignal): Promise<ExitCode> {
  const roles = readRoles(role);
  const ports = { gatewayPort: portOf('--port', port), hooksPort: portOf('--hooks-port', hooksPort), dashboardPort: portOf('--dashboard-port', dashboardPort) };
  const sources = await operatorSources(flags);
  const settings = loadSettings(sources);
  const database = settings.get<string | null>('storage.database');
  assertRoles(roles, database);
  const quiet = settings.get<boolean>('output.quiet');
  const say = (sentence: string): void => void (quiet || process.stderr.write(`${sentence}\n`));
  const storage = await openStorage({ database, say });
  try {
    const embedded = database === null;
    // Whole, a server begins with nothing: its first start makes the keyset, which processes apart share.
    const box = embedded ? await secretBoxForWriting({ credentials: storage.models.credentials, registry: sqlReviewRegistry(storage.sql) }) : openSecretBox();
    const server = await openServer({ storage, embedded, box, sources, roles, host, ...ports, log: createServerLog(quiet) });
    try {
      // The commands of this machine go through the process that has the database open.
      if (embedded && server.gateway !== undefined) await writeGatewayAddress({ origin: server.gateway.origin, operatorKey: server.gateway.operatorKey });
      await writeOut(addressesOf(server));
      await untilAborted(signal);
      say('Stopping: what is under way may end, or is handed back.');
    } finally {
      if (embedded) await removeGatewayAddress();
      await server.close();
    }
  } finally {
    await storage.close();
  }
  return EXIT.clean;
}

/** A gateway alone prints its address; else each stands behind its name. */
function addressesOf({ hooks, gateway, dashboard }: Server): string {
  if (hooks === undefined) return `${gateway?.origin ?? ''}\n`;
  if (gateway === undefined && dashboard === undefined) return `${hooks}\n`;
  const lines = [
    `hooks ${hooks}`,
    ...(gateway === undefined ? [] : [`gateway ${gateway.origin}`]),
    ...(dashboard === undefined ? [] : [`dashboard ${dashboard.entrance}`]),
  ];
  return `${lines.join('\n')}\n`;
}
