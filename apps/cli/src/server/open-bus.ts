/** The bus of this deployment: Kafka where brokers are named, else queues in the database. */
import { randomUUID } from 'node:crypto';
import { embeddedBus, sqlDeadLetters, sqlRetryStore } from '@weir/bus-embedded';
import { kafkaBus } from '@weir/bus-kafka';
import type { Bus, DeadLetters, SqlPort } from '@weir/ports';
import { TOPOLOGY } from './topology.ts';

export interface OpenBus {
  readonly bus: Bus;
  readonly deadLetters: DeadLetters;
  /** After the consumers have stopped. */
  close(): Promise<void>;
}

export interface BusSettings {
  /** Host and port of each; none for the database. */
  readonly brokers: readonly string[];
  readonly database: SqlPort;
  /** After which another consumer takes a message whose process is silent. */
  readonly leaseMs: number;
  readonly onFailure: (failure: unknown) => void;
}

export function openBus({ brokers, database, leaseMs, onFailure }: BusSettings): OpenBus {
  const time = { now: Date.now };
  if (brokers.length === 0) {
    const bus = embeddedBus(database, { topology: TOPOLOGY, leaseMs, onFailure, ...time });
    return { bus, deadLetters: sqlDeadLetters(database, time), close: async () => undefined };
  }
  const retries = sqlRetryStore(database, { leaseMs, onFailure, ...time });
  const bus = kafkaBus({ brokers, clientId: `weir-${randomUUID()}`, topology: TOPOLOGY, retries, onFailure });
  return { bus, deadLetters: sqlDeadLetters(database, { ...time, deliver: bus.deliver }), close: () => bus.close() };
}
