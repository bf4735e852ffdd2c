/** Where the brokers are and how they are spoken to, as the settings say. */
import { readFileSync } from 'node:fs';
import type { KafkaAccess } from '@weir/bus-kafka';
import { AppError } from '@weir/kernel';
import type { LoadedSettings } from '../composition/load-settings.ts';

const invalid = (sentence: string, next: string): AppError => new AppError('CONFIG_INVALID', sentence, { next });

/** @returns undefined where no broker is named. Throws AppError CONFIG_INVALID for settings that do not go together. */
export function readKafkaAccess(settings: Pick<LoadedSettings, 'get'>): KafkaAccess | undefined {
  const brokers = settings.get<readonly string[]>('bus.kafka');
  if (brokers.length === 0) return undefined;
  const tls = settings.get<boolean>('bus.kafkaTls');
  return { brokers, tls: tls ? { ca: authority(settings) } : null, sasl: saslOf(settings, tls) };
}

function authority(settings: Pick<LoadedSettings, 'get'>): string | null {
  const file = settings.get<string | null>('bus.kafkaCa');
  if (file === null) return null;
  try {
    return readFileSync(file, 'utf8');
  } catch (cause) {
    throw new AppError('CONFIG_INVALID', `The file ${file} of bus.kafkaCa cannot be read.`, { cause, next: 'Name a PEM file that this process may read.' });
  }
}

function saslOf(settings: Pick<LoadedSettings, 'get'>, tls: boolean): KafkaAccess['sasl'] {
  const mechanism = settings.get<NonNullable<KafkaAccess['sasl']>['mechanism'] | null>('bus.kafkaSasl');
  const username = settings.get<string | null>('bus.kafkaUser');
  const password = settings.get<string | null>('bus.kafkaPassword');
  if (mechanism === null) {
    if (username === null && password === null) return null;
    throw invalid('A name or a password for Kafka is set, and no way to tell it.', 'Set bus.kafkaSasl, or leave bus.kafkaUser and bus.kafkaPassword out.');
  }
  if (username === null || password === null) throw invalid('bus.kafkaSasl needs a name and a password.', 'Set bus.kafkaUser and bus.kafkaPassword.');
  if (mechanism === 'plain' && !tls) {
    throw invalid('With bus.kafkaSasl: plain the password would travel in clear text.', 'Set bus.kafkaTls, or choose scram-sha-512.');
  }
  return { mechanism, username, password };
}
