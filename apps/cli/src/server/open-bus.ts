/** The bus of this deployment: Kafka where brokers are named, else queues in the database. */
import { randomUUID } from 'node:crypto';
import { embeddedBus, sqlDeadLetters, sqlRetryStore } from '@weir/bus-embedded';
import { kafkaBus } from '@weir/bus-kafka';
import type { Bus, DeadLetters, SqlPort } from '@weir/ports';
import type { LoadedSettings } from '../composition/load-settings.ts';
import { readKafkaAccess } from './kafka-access.ts';
import { TOPOLOGY } from './topology.ts';

export interface OpenBus {
  readonly bus: Bus;
  readonly deadLetters: DeadLetters;
  /** Whether a broker answers; always, where the database carries the messages. */
  answers(): Promise<boolean>;
  /** After the consumers have stopped. */
  close(): Promise<void>;
}

export interface BusSettings {
  readonly settings: Pick<LoadedSettings, 'get'>;
  readonly database: SqlPort;
  readonly onFailure: (failure: unknown) => void;
}

/** A broker is called when something is published or consumed, not before. Throws AppError CONFIG_INVALID. */
export function openBus({ settings, database, onFailure }: BusSettings): OpenBus {
  const access = readKafkaAccess(settings);
  const leaseMs = settings.get<number>('server.leaseSeconds') * 1_000;
  const time = { now: Date.now };
  if (access === undefined) {
    const bus = embeddedBus(database, { topology: TOPOLOGY, leaseMs, onFailure, ...time });
    return { bus, deadLetters: sqlDeadLetters(database, time), answers: () => Promise.resolve(true), close: async () => undefined };
  }
  const retries = sqlRetryStore(database, { leaseMs, onFailure, ...time });
  const replicas = settings.get<number>('bus.kafkaReplicas');
  const bus = kafkaBus({ ...access, clientId: `weir-${randomUUID()}`, topology: TOPOLOGY, replicas, retries, onFailure });
  return { bus, deadLetters: sqlDeadLetters(database, { ...time, deliver: bus.deliver }), answers: bus.answers, close: () => bus.close() };
}
