/**
 * One process of the server, with the roles that it was asked for. `close` takes nothing more, lets end or hands back what is under way,
 * and leaves nothing behind.
 */
import { endLeases } from '@weir/bus-embedded';
import { chargeLostCalls } from '@weir/model-store';
import { composeGateway, type ComposedGateway } from '../gateway/compose-gateway.ts';
import { readCaps } from '../gateway/read-caps.ts';
import { reviewWorkers } from './review-workers.ts';
import { reviewModel } from './review-model.ts';
import type { Role } from './roles.ts';
import { openWorld, type ServerParts, type ServerWorld } from './server-world.ts';
import { type Dashboard, startDashboard } from './start-dashboard.ts';
import { startGateway, type StartedGateway } from './start-gateway.ts';
import { startIngress } from './start-ingress.ts';
import { startOrchestrator, type Stopping } from './start-orchestrator.ts';
import { startReviewer } from './start-reviewer.ts';
import { LOST_AFTER_MS, startSweeper } from './start-sweeper.ts';

export interface ServerSettings extends ServerParts {
  readonly roles: ReadonlySet<Role>;
  readonly host: string;
  /** Of the hooks and the status; 0 takes a free one. */
  readonly hooksPort: number;
  readonly gatewayPort: number;
  readonly dashboardPort: number;
}

export interface Server {
  /** Where forges deliver, and where the status is; undefined for a process that is a gateway alone, which shows its own. */
  readonly hooks: string | undefined;
  /** Where models are asked, and the key of the operator's commands; undefined for a process without that role. */
  readonly gateway: Pick<StartedGateway, 'origin' | 'operatorKey'> | undefined;
  /** Where people look, and what they open first; undefined for a process without that role. */
  readonly dashboard: Pick<Dashboard, 'origin' | 'entrance'> | undefined;
  readonly world: ServerWorld;
  /** The database stays open. */
  close(): Promise<void>;
}

/** How long deliveries and calls under way may go on after the server was told to stop. */
const GRACE_MS = 30_000;

type Started = Stopping & { readonly origin?: string };

/** Throws AppError CONFIG_INVALID for addresses and settings that cannot be used, and the failures of the store. */
export async function openServer(settings: ServerSettings): Promise<Server> {
  const world = openWorld(settings);
  const started: Started[] = [{ stop: () => world.close() }];
  const close = async (): Promise<void> => {
    for (const part of started.splice(0).reverse()) await part.stop();
  };
  try {
    return { ...(await startRoles(settings, world, started)), world, close };
  } catch (error) {
    await close();
    throw error;
  }
}

async function startRoles(settings: ServerSettings, world: ServerWorld, started: Started[]): Promise<Pick<Server, 'hooks' | 'gateway' | 'dashboard'>> {
  const { roles, host, hooksPort, gatewayPort, dashboardPort } = settings;
  const { models } = world.storage;
  await takeOver(world);
  await readProviders(world);
  const composed = gatewayOf(world);
  if (roles.has('sweeper') || roles.has('gateway')) started.push(startSweeper({ ...world.stores, models, onFailure: world.log.failure }));
  if (roles.has('reviewer')) started.push(reviewerOf(world, composed));
  if (roles.has('orchestrator')) started.push(await startOrchestrator(world));
  const keep = keeper(started);
  const gateway = roles.has('gateway') ? keep(await startGateway(world, composed, { host, port: gatewayPort })) : undefined;
  const dashboard = roles.has('dashboard') ? keep(await startDashboard(world, dashboardPort)) : undefined;
  const alone = gateway !== undefined && roles.size === 1;
  const hooks = alone
    ? undefined
    : keep(await startIngress(world, { host, port: hooksPort, takesHooks: roles.has('ingress'), usesBus: roles.has('orchestrator') }));
  return { hooks: hooks?.origin, gateway, dashboard };
}

/** Lets what is under way in a listening part end when the process stops. */
const keeper =
  (started: Started[]) =>
  <Part extends { close(graceMs: number): Promise<void> }>(part: Part): Part => {
    started.push({ stop: () => part.close(GRACE_MS) });
    return part;
  };

/** In the embedded database every lease and every open call is one of a process that has ended; in another one those that are too old are. */
async function takeOver({ storage, embedded }: ServerWorld): Promise<void> {
  const now = Date.now();
  if (embedded) await endLeases(storage.sql, now);
  await chargeLostCalls(storage.models, embedded ? now : now - LOST_AFTER_MS);
}

/** Before the first delivery, which would wait half a second for it. One that cannot be read fails where it is asked for. */
async function readProviders({ stores, providers }: ServerWorld): Promise<void> {
  const hooks = await stores.registry.hooks();
  await Promise.allSettled([...new Set(hooks.map(({ forge }) => forge))].map(providers.compiled));
}

/** The gateway of the process, which its own reviews ask too. */
function gatewayOf({ storage, box, settings, http, log }: ServerWorld): ComposedGateway {
  const caps = readCaps(settings);
  const composed = composeGateway({ http, stores: storage.models, secrets: box, spendLimits: caps.spend, report: log.gateway });
  for (const sentence of caps.problems) composed.tell({ event: 'attention', code: 'LIMIT_UNREADABLE', callRef: null, sentence });
  return composed;
}

function reviewerOf(world: ServerWorld, { gateway }: ComposedGateway): Stopping {
  const { leases, stores, envelopes, leaseMs, log, metrics, offered, settings } = world;
  const runner = startReviewer({
    ...{ leases, envelopes, leaseMs, log, metrics },
    outbox: stores.outbox,
    workers: reviewWorkers(world, reviewModel(settings, gateway)),
    time: { now: Date.now, random: Math.random },
    concurrency: settings.get<number>('server.reviews'),
  });
  offered.answer(runner.wake);
  return runner;
}
