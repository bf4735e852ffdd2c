/** The bus on the database itself, for deployments without a broker: any number of processes on one PostgreSQL, or one embedded database. */
import type { Bus, BusConsumer, BusMessage, BusTopology, SqlPort, Subscription } from '@weir/ports';
import { type Consumer, type ConsumerParts, startConsumer } from './consumer.ts';
import { sqlQueue } from './sql.queue.ts';

export const DEFAULTS = { leaseMs: 30_000, idleMs: 500, graceMs: 10_000 };

export interface EmbeddedBusParts extends Pick<ConsumerParts, 'now' | 'onFailure'>, Partial<Pick<ConsumerParts, 'leaseMs' | 'idleMs' | 'graceMs'>> {
  readonly topology: BusTopology;
}

export interface EmbeddedBus extends Bus {
  /** Looks for messages at once: some became due, or were replayed, in this process. */
  wake(): void;
}

/**
 * Consumers of this process are woken by what this process publishes; what others publish is seen within `idleMs` (500 ms when left
 * out). A handler may take long: its lease of `leaseMs` (30 s) is prolonged while it runs. `publish` throws for a topic that no group reads,
 * since the message would be lost.
 */
export function embeddedBus(database: SqlPort, { topology, ...parts }: EmbeddedBusParts): EmbeddedBus {
  const queue = sqlQueue(database);
  const consumers = new Set<Consumer>();
  const wake = (): void => consumers.forEach(consumer => consumer.wake());

  function groupsOf(topic: string): readonly string[] {
    const groups = Object.keys(topology).filter(group => topology[group]?.includes(topic));
    if (groups.length === 0) throw new Error(`No group of this program reads the topic ${topic}.`);
    return groups;
  }

  return {
    wake,
    publish: async (messages: readonly BusMessage[]) => {
      const copies = messages.flatMap(message => groupsOf(message.topic).map(group => ({ ...message, group })));
      if (copies.length === 0) return;
      await queue.add(copies, parts.now());
      wake();
    },
    subscribe: (subscription: Subscription): Promise<BusConsumer> => {
      if (topology[subscription.group] === undefined) throw new Error(`The topology has no group ${subscription.group}.`);
      const consumer = startConsumer(subscription, { ...DEFAULTS, ...parts, queue });
      consumers.add(consumer);
      return Promise.resolve({
        stop: () => {
          consumers.delete(consumer);
          return consumer.stop();
        },
      });
    },
  };
}
