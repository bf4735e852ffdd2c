/**
 * The topics of Kafka: one for each group of consumers, not one for each topic of the bus, so that what a group reads of a key has one
 * order, whatever topics it is from. Made once, with a declared number of partitions, which nobody may change afterwards.
 */
import { AppError } from '@weir/kernel';
import type { Kafka } from 'kafkajs';

/** An envelope may be large; the broker's own default is 1 MiB for all records of a request to one partition. */
const MAX_MESSAGE_BYTES = 16 * 1024 * 1024;
const DAY_MS = 24 * 60 * 60 * 1_000;
/** A group that is away for longer loses messages. */
const RETENTION_MS = 30 * DAY_MS;

const CONFIG = [
  { name: 'max.message.bytes', value: String(MAX_MESSAGE_BYTES) },
  { name: 'retention.ms', value: String(RETENTION_MS) },
  { name: 'cleanup.policy', value: 'delete' },
];

export interface TopicPlan {
  readonly names: readonly string[];
  readonly partitions: number;
  readonly replicas: number;
}

/**
 * Makes what is missing.
 * @throws AppError CONFIG_INVALID when a topic has another number of partitions: keys would change their partition, and lose their order.
 */
export async function ensureTopics(kafka: Kafka, { names, partitions, replicas }: TopicPlan): Promise<void> {
  const admin = kafka.admin();
  await admin.connect();
  try {
    const topics = names.map(topic => ({ topic, numPartitions: partitions, replicationFactor: replicas, configEntries: CONFIG }));
    await admin.createTopics({ waitForLeaders: true, topics });
    const found = await admin.fetchTopicMetadata({ topics: [...names] });
    for (const { name, partitions: present } of found.topics) {
      if (present.length !== partitions) {
        throw new AppError('CONFIG_INVALID', `The Kafka topic ${name} has ${present.length} partitions, and ${partitions} are declared.`, {
          next: 'Declare the number that it has, or delete the topic when all its messages are handled.',
        });
      }
    }
  } finally {
    await admin.disconnect();
  }
}
