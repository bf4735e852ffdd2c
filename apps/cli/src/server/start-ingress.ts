/** The part of a process that forges deliver to; a process without it shows its status in the same place. */
import { createIngressMetrics, type IngressDoor, type IngressServer, startIngressServer } from '@weir/ingress-http';
import { AppError } from '@weir/kernel';
import { sqlReviewRegistry } from '@weir/review-store';
import { createIngressDoor } from './accept-delivery.ts';
import type { ServerWorld } from './server-world.ts';

export interface IngressPlace {
  readonly host: string;
  readonly port: number;
  /** False: the status alone. */
  readonly takesHooks: boolean;
  /** Whether this process publishes and reads messages; the others need no broker. */
  readonly usesBus: boolean;
}

export function startIngress(world: ServerWorld, { host, port, takesHooks, usesBus }: IngressPlace): Promise<IngressServer> {
  const { log, metrics } = world;
  return startIngressServer({
    ...{ host, port },
    ...(takesHooks ? { hooks: { door: doorOf(world), metrics: createIngressMetrics() } } : {}),
    metrics: metrics.all,
    waitsFor: () => waitsFor(world, usesBus),
    onBug: log.bug,
  });
}

/** A forge waits for each answer, and gives up after seconds, so that its deliveries go ahead of the work of reviews. */
function doorOf({ storage, stores, providers, box, envelopes, effect, metrics, log, written }: ServerWorld): IngressDoor {
  return createIngressDoor({
    ...{ ...stores, box, envelopes, effect },
    database: storage.sql.ahead,
    registry: sqlReviewRegistry(storage.sql.ahead),
    provider: providers.compiled,
    now: Date.now,
    onAccepted: ({ outcome, forge, delivery, type, reason }) => {
      written.ring();
      metrics.delivery(outcome, forge);
      log.outcome({ event: 'delivery', outcome, forge, delivery, type, reason });
    },
  });
}

/** What has to answer before this process can do its part, by name. */
async function waitsFor({ storage, box, bus }: Pick<ServerWorld, 'storage' | 'box' | 'bus'>, usesBus: boolean): Promise<readonly string[]> {
  const [database, keyset, brokers] = await Promise.all([
    answers(() => storage.sql.query('select 1')),
    answers(async () => box.seal('ready', { store: 'readiness', row: 'probe', column: 'text' })),
    usesBus ? bus.answers() : true,
  ]);
  return [...(database ? [] : ['the database']), ...(keyset ? [] : ['the keyset']), ...(brokers ? [] : ['the Kafka brokers'])];
}

async function answers(ask: () => Promise<unknown>): Promise<boolean> {
  try {
    await ask();
    return true;
  } catch (error) {
    if (error instanceof AppError) return false;
    throw error;
  }
}
