/** The bus on Apache Kafka, for deployments of several processes: the broker carries what goes well, the database what has to wait. */
import type { Bus, BusMessage, BusTopology } from '@weir/ports';
import { Kafka, type Message, Partitioners, type TopicMessages } from 'kafkajs';
import { type GroupMemberParts, startGroupMember } from './group-member.ts';
import { createBrokerProbe } from './broker-probe.ts';
import { clientSettings, type KafkaAccess } from './kafka-access.ts';
import { kafkaFailure } from './kafka-failure.ts';
import { type SizedRecord, toRecord } from './record.ts';
import { ensureTopics } from './topics.ts';

const DEFAULTS = { tls: null, sasl: null, prefix: 'weir.', partitions: 12, replicas: 1, sessionMs: 30_000, graceMs: 10_000 };
/** A request holds no more, but for one message that is larger alone. */
const MAX_REQUEST_BYTES = 512 * 1024;
/** Of the client, about 6 s: a topic that has just been made has no leader for a moment. Then `publish` fails, and the outbox tries again. */
const CLIENT_RETRIES = { retries: 8, initialRetryTime: 100, maxRetryTime: 1_000 };

type MemberParts = Pick<GroupMemberParts, 'retries' | 'onFailure'> & Partial<Pick<GroupMemberParts, 'sessionMs' | 'graceMs'>>;

export interface KafkaBusParts extends MemberParts, Pick<KafkaAccess, 'brokers'>, Partial<Omit<KafkaAccess, 'brokers'>> {
  /** Names this process in the broker's log. */
  readonly clientId: string;
  readonly topology: BusTopology;
  /** Begins the names of topics and groups, for brokers that others use too; `weir.` when left out. */
  readonly prefix?: string;
  /** Of each topic when it is made: the most processes of a group that have work; 12 when left out. */
  readonly partitions?: number;
  /** Copies of each message when the topic is made; 1 when left out, no more than there are brokers. */
  readonly replicas?: number;
}

export interface KafkaBus extends Bus {
  /** Hands a message to one group alone: a dead letter that is replayed. */
  deliver(group: string, message: BusMessage): Promise<void>;
  /** Whether a broker answers now, within a few seconds. */
  answers(): Promise<boolean>;
  /** After the consumers have stopped. */
  close(): Promise<void>;
}

/**
 * A group has a topic of Kafka of its own, so that its keys keep one order over all topics of the bus; a message is copied to each group that reads
 * it. Order and copies hold within one call of `publish` after another. Publishing throws AppError KAFKA_UNAVAILABLE (retry later: it may
 * have been stored), INPUT_TOO_LARGE, CONFIG_INVALID for a topic with other partitions than declared, or an Error for a topic that no group reads. A
 * consumer waits for a broker that is away, and tells `onFailure`.
 */
export function kafkaBus({ topology, ...given }: KafkaBusParts): KafkaBus {
  const { brokers, tls, sasl, clientId, prefix, partitions, replicas, ...parts } = { ...DEFAULTS, ...given };
  const client = clientSettings({ brokers, tls, sasl }, clientId);
  const kafka = new Kafka(client);
  // Not the client's idempotent mode: after a failed call it gives its numbers to other messages, which the broker then drops as copies.
  const producer = kafka.producer({ createPartitioner: Partitioners.DefaultPartitioner, maxInFlightRequests: 1, retry: CLIENT_RETRIES });
  const topicOf = (group: string): string => `${prefix}${group}`;
  const prepare = once(() => ensureTopics(kafka, { names: Object.keys(topology).map(topicOf), partitions, replicas }));
  const ready = once(async () => {
    await prepare();
    await producer.connect();
  });

  function groupsOf(topic: string): readonly string[] {
    const groups = Object.keys(topology).filter(group => topology[group]?.includes(topic));
    if (groups.length === 0) throw new Error(`No group of this program reads the topic ${topic}.`);
    return groups;
  }

  async function send(copies: readonly GroupCopy[]): Promise<void> {
    if (copies.length === 0) return;
    try {
      await ready();
      for (const request of requests(copies)) await producer.sendBatch({ acks: ALL, topicMessages: byGroup(request, topicOf) });
    } catch (failure) {
      throw kafkaFailure(failure);
    }
  }

  return {
    publish: async messages => send(messages.flatMap(message => groupsOf(message.topic).map(group => ({ group, ...toRecord(message) })))),
    deliver: (group, message) => send([{ group, ...toRecord(message) }]),
    subscribe: subscription => {
      if (topology[subscription.group] === undefined) throw new Error(`The topology has no group ${subscription.group}.`);
      return startGroupMember(subscription, { ...parts, kafka, prepare, topic: topicOf(subscription.group) });
    },
    answers: createBrokerProbe(client),
    close: () => producer.disconnect(),
  };
}

/** Every replica that is in step has it. */
const ALL = -1;

type GroupCopy = SizedRecord & { readonly group: string };

/** In their order, as many in a request as its bound allows. */
function requests(copies: readonly GroupCopy[]): readonly (readonly GroupCopy[])[] {
  const made: GroupCopy[][] = [];
  let size = MAX_REQUEST_BYTES;
  for (const copy of copies) {
    if (size + copy.size > MAX_REQUEST_BYTES) {
      made.push([]);
      size = 0;
    }
    made.at(-1)?.push(copy);
    size += copy.size;
  }
  return made;
}

function byGroup(copies: readonly GroupCopy[], topicOf: (group: string) => string): TopicMessages[] {
  const topics = new Map<string, Message[]>();
  for (const { group, record } of copies) topics.set(group, [...(topics.get(group) ?? []), record]);
  return [...topics].map(([group, messages]) => ({ topic: topicOf(group), messages }));
}

/** One call for all that ask; after a failure the next one tries again. */
function once(work: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | undefined;
  return () => {
    running ??= work().catch((failure: unknown) => {
      running = undefined;
      throw failure;
    });
    return running;
  };
}
