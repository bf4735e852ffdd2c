/** The bus of this deployment: Kafka where brokers are named, else queues in the database. */
import { randomUUID } from 'node:crypto';
import { embeddedBus, sqlDeadLetters, sqlRetryStore } from '@weir/bus-embedded';
import { kafkaBus } from '@weir/bus-kafka';
import type { Bus, DeadLetters, SqlPort } from '@weir/ports';
import type { LoadedSettings } from '../composition/load-settings.ts';
import { TOPOLOGY } from './topology.ts';

export interface OpenBus {
  readonly bus: Bus;
  readonly deadLetters: DeadLetters;
  /** After the consumers have stopped. */
  close(): Promise<void>;
}

export interface BusSettings {
  readonly settings: Pick<LoadedSettings, 'get'>;
  readonly database: SqlPort;
  readonly onFailure: (failure: unknown) => void;
}

/** A broker is called when something is published or consumed, not before. */
export function openBus({ settings, database, onFailure }: BusSettings): OpenBus {
  const brokers = settings.get<readonly string[]>('bus.kafka');
  const leaseMs = settings.get<number>('server.leaseSeconds') * 1_000;
  const time = { now: Date.now };
  if (brokers.length === 0) {
    const bus = embeddedBus(database, { topology: TOPOLOGY, leaseMs, onFailure, ...time });
    return { bus, deadLetters: sqlDeadLetters(database, time), close: async () => undefined };
  }
  const retries = sqlRetryStore(database, { leaseMs, onFailure, ...time });
  const bus = kafkaBus({ brokers, clientId: `weir-${randomUUID()}`, topology: TOPOLOGY, retries, onFailure });
  return { bus, deadLetters: sqlDeadLetters(database, { ...time, deliver: bus.deliver }), close: () => bus.close() };
}
