/** Whether a broker answers, for who asks how a process is. */
import { Kafka, type KafkaConfig } from 'kafkajs';
import { kafkaFailure } from './kafka-failure.ts';
import { AppError } from '@weir/kernel';

/** Of each of the few steps of a question. */
const PATIENCE_MS = 2_000;

/** Those who ask at the same time get one answer, so that they cost the broker one connection. */
export function createBrokerProbe(client: KafkaConfig): () => Promise<boolean> {
  const kafka = new Kafka({
    ...client,
    connectionTimeout: PATIENCE_MS,
    authenticationTimeout: PATIENCE_MS,
    requestTimeout: PATIENCE_MS,
    retry: { retries: 0 },
  });
  let asked: Promise<boolean> | undefined;
  return () => {
    asked ??= ask(kafka).finally(() => (asked = undefined));
    return asked;
  };
}

async function ask(kafka: Kafka): Promise<boolean> {
  const admin = kafka.admin();
  try {
    await admin.connect();
    await admin.describeCluster();
    return true;
  } catch (error) {
    const failure = kafkaFailure(error);
    if (failure instanceof AppError) return false;
    throw failure;
  } finally {
    await admin.disconnect();
  }
}
