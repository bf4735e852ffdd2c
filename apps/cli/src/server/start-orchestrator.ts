/** The part of a process that decides: it reads the bus, writes the streams of reviews, and publishes what was written. */
import { keyedMutex, OUTBOX_RELAY, outboxRelay, retryPolicy, startWorkRunner } from '@weir/belt';
import type { Bus } from '@weir/ports';
import type { IntakeParts } from '@weir/review-workers';
import { sha256, sleep } from '../gateway/real-time.ts';
import { reviewCommands } from './review-commands.ts';
import { startReviewConsumers } from './review-consumers.ts';
import { tellRoundEnds } from './round-ends.ts';
import type { ServerWorld } from './server-world.ts';
import { RESULTS } from './topology.ts';

/** How long a published message of another process may wait. */
const RELAY_IDLE_MS = 250;
/** At most, so that publishing goes on soon after a process was killed. */
const RELAY_LEASE_MS = 6_000;
/** Heartbeats in the time of a lease. */
const RELAY_BEATS = 4;
const RELAY_RETRIES = { attempts: 3, baseMs: 500, maxMs: 5_000, random: Math.random };

export interface Stopping {
  stop(): Promise<void>;
}

export async function startOrchestrator(world: ServerWorld): Promise<Stopping> {
  const { storage, stores, leases, bus, box, envelopes, effect, log, metrics, written, offered } = world;
  const run = reviewCommands({ ...stores, envelopes, effect, mutex: keyedMutex(), onOutcome: afterCommand(world) });
  const relay = await startRelay(world);
  const consumers = await startReviewConsumers({
    ...{ ...stores, leases, box, envelopes, effect, run },
    bus: bus.bus,
    database: storage.sql,
    random: Math.random,
    intake: intakeOf(world),
    onOffered: offered.ring,
    onDropped: (reason, type) => {
      metrics.dropped(reason);
      log.outcome({ event: 'dropped', reason, type });
    },
  });
  written.answer(relay.wake);
  return {
    stop: async () => {
      await Promise.all(consumers.map(consumer => consumer.stop()));
      await relay.stop();
    },
  };
}

function afterCommand({ log, metrics, written }: ServerWorld): Parameters<typeof reviewCommands>[0]['onOutcome'] {
  const tell = tellRoundEnds(log, metrics);
  return (command, outcome) => {
    written.ring();
    tell(command, outcome);
  };
}

const intakeOf = ({ stores, providers }: ServerWorld): IntakeParts => ({
  registry: stores.registry,
  views: stores.views,
  artifacts: stores.artifacts,
  forge: repository => providers.forgeOf(repository),
  hash: sha256,
  now: Date.now,
  sleep,
});

/** One process of a deployment publishes at a time; every orchestrator stands ready. */
async function startRelay({ storage, stores, bus, envelopes, effect, log, leaseMs }: ServerWorld): Promise<Stopping & { wake(): void }> {
  const published: Bus = { ...bus.bus, publish: messages => effect('outbox.publish', () => bus.bus.publish(messages)) };
  const relay = outboxRelay({ outbox: stores.outbox, bus: published, idleMs: RELAY_IDLE_MS, onFailure: log.failure });
  await storage.sql.transaction(session => stores.leases.offer(session, [relay.work(envelopes)]));
  const relayLeaseMs = Math.min(RELAY_LEASE_MS, leaseMs);
  const runner = startWorkRunner({
    ...{ ...stores, envelopes },
    kinds: { [OUTBOX_RELAY]: relay.kind },
    resultTopic: RESULTS,
    retry: retryPolicy(RELAY_RETRIES),
    concurrency: 1,
    leaseMs: relayLeaseMs,
    beatMs: relayLeaseMs / RELAY_BEATS,
    idleMs: RELAY_IDLE_MS,
    now: Date.now,
    onFailure: log.failure,
  });
  return { wake: relay.wake, stop: () => runner.stop() };
}
