/**
 * A member of a group: reads the partitions that the group gives it, handles their messages in memory, and commits how far it has come.
 * What fails goes to the retry store at once, so a partition never waits for one of its keys.
 */
import { type BusConsumer, type BusMessage, pollLoop, type RetryStore, type Subscription } from '@weir/ports';
import { type Cluster, type Consumer, type EachBatchPayload, type Kafka, type PartitionAssigner, PartitionAssigners } from 'kafkajs';
import { isSharing, kafkaFailure } from './kafka-failure.ts';
import { createPermits } from './permits.ts';
import { fromRecord } from './record.ts';
import { createShare, type ReadMessage, type Share, within } from './share.ts';

/** How long a commit may be late; a process that dies has so much handled again, which the marks of the handlers see. */
const COMMIT_MS = 500;
/** A commit at the end of a share: a broker that is away is not waited for. */
const LAST_COMMIT_MS = 3_000;
/** Before a member that has crashed begins anew, and before the database is asked again. */
const PAUSE_MS = 1_000;
const BEAT_MS = 1_000;
/** A fetch that finds nothing waits so long at the broker. */
const FETCH_WAIT_MS = 500;
const MAX_FETCH_BYTES = 4 * 1024 * 1024;
/** Of the client, in one request; then the member begins anew. */
const CLIENT_RETRIES = { retries: 4, initialRetryTime: 100, maxRetryTime: 1_000 };

export interface GroupMemberParts {
  readonly kafka: Kafka;
  /** Of Kafka; the group has the same name. */
  readonly topic: string;
  /** Makes the topic where it is missing. */
  readonly prepare: () => Promise<void>;
  readonly retries: RetryStore;
  /** A member that says nothing for so long is dead, and its keys go to others. */
  readonly sessionMs: number;
  /** How long handlers under way are waited for before the keys are handed over. */
  readonly graceMs: number;
  readonly onFailure: (failure: unknown) => void;
}

export async function startGroupMember(subscription: Subscription, parts: GroupMemberParts): Promise<BusConsumer> {
  const { group, concurrency, retry, handle } = subscription;
  const { kafka, topic, retries, graceMs, onFailure } = parts;
  const permits = createPermits(concurrency);
  let share: Share | undefined;
  /** Of each partition of the share, where it ended when this member first read it. */
  let ends = new Map<number, bigint>();
  let end = (): void => undefined;
  let stopped = false;

  /** The database comes back; until then the key waits. */
  async function insist<T>(work: () => Promise<T>, signal: AbortSignal): Promise<T | undefined> {
    while (!signal.aborted) {
      try {
        return await work();
      } catch (failure) {
        onFailure(failure);
        await within(PAUSE_MS, new Promise(resolve => signal.addEventListener('abort', () => resolve(), { once: true })));
      }
    }
    return undefined;
  }

  async function deliver({ topic: of, key, envelope, mayRepeat }: ReadMessage, signal: AbortSignal): Promise<void> {
    const message = { topic: of, key, envelope };
    const waits = await insist(() => retries.follow(group, message), signal);
    if (waits !== false) return;
    if (mayRepeat && (await insist(() => retries.begin(group, message), signal)) !== true) return;
    await attempt(message, signal);
    if (mayRepeat) await insist(() => retries.end(group, message), signal);
  }

  async function attempt(message: BusMessage, signal: AbortSignal): Promise<void> {
    try {
      await handle({ ...message, attempt: 1, signal });
    } catch (failure) {
      await insist(() => retries.keep(group, message, { failure, delayMs: retry(failure, 1) }), signal);
    }
  }

  async function commit(consumer: Consumer, from: Share): Promise<void> {
    const positions = from.positions();
    if (positions.length === 0) return;
    try {
      await consumer.commitOffsets(positions.map(position => ({ ...position, topic })));
      from.committed(positions);
    } catch (failure) {
      if (!isSharing(failure)) onFailure(kafkaFailure(failure));
    }
  }

  async function closeShare(consumer: Consumer): Promise<void> {
    const closing = share;
    if (closing === undefined) return;
    share = undefined;
    await closing.close(graceMs);
    await within(LAST_COMMIT_MS, commit(consumer, closing));
    if (stopped) await closing.idle();
  }

  async function read({ batch, heartbeat }: EachBatchPayload): Promise<void> {
    const mine = share;
    if (mine === undefined) return;
    ends.set(batch.partition, ends.get(batch.partition) ?? BigInt(batch.highWatermark));
    mine.accept(batch.messages.flatMap(record => decoded(batch.partition, record)));
    while (await mine.full(BEAT_MS)) await heartbeat();
  }

  function decoded(partition: number, record: EachBatchPayload['batch']['messages'][number]): readonly ReadMessage[] {
    try {
      return [fromRecord(partition, record, ends.get(partition) ?? 0n)];
    } catch (failure) {
      onFailure(failure);
      return [];
    }
  }

  /** From joining the group to leaving it, or to a crash of the client. */
  async function live(): Promise<boolean> {
    await parts.prepare();
    let consumer: Consumer | undefined = undefined;
    const joined = kafka.consumer({
      groupId: topic,
      partitionAssigners: [beforeJoining(() => (consumer === undefined ? Promise.resolve() : closeShare(consumer)))],
      sessionTimeout: parts.sessionMs,
      rebalanceTimeout: parts.sessionMs + graceMs,
      heartbeatInterval: Math.min(BEAT_MS, parts.sessionMs / 3),
      maxWaitTimeInMs: FETCH_WAIT_MS,
      maxBytes: MAX_FETCH_BYTES,
      retry: { ...CLIENT_RETRIES, restartOnFailure: () => Promise.resolve(false) },
    });
    consumer = joined;
    const ended = new Promise<void>(resolve => (end = resolve));
    joined.on(joined.events.CRASH, ({ payload }) => {
      onFailure(kafkaFailure(payload.error));
      end();
    });
    joined.on(joined.events.GROUP_JOIN, () => {
      if (stopped) return;
      ends = new Map();
      share = createShare(permits, deliver);
    });
    const committing = setInterval(() => share !== undefined && void commit(joined, share), COMMIT_MS);
    try {
      await joined.connect();
      await joined.subscribe({ topics: [topic], fromBeginning: true });
      if (!stopped) await joined.run({ autoCommit: false, eachBatch: read });
      if (!stopped) await ended;
    } catch (failure) {
      throw kafkaFailure(failure);
    } finally {
      clearInterval(committing);
      await closeShare(joined);
      await joined.disconnect();
    }
    return false;
  }

  const loop = pollLoop({ step: live, idleMs: PAUSE_MS, onFailure });
  const again = await retries.subscribe({ ...subscription, handle: delivery => permits.with(() => handle(delivery)) });
  return {
    stop: async () => {
      stopped = true;
      end();
      await Promise.all([loop.stop(), again.stop()]);
    },
  };
}

/**
 * The client joins a group, for the first time or again, by asking who coordinates it; what is done before that question is done before any key
 * can go to another member. It has no other place for it.
 */
function beforeJoining(work: () => Promise<void>): PartitionAssigner {
  return config => {
    const cluster: Cluster = config.cluster;
    const ask = cluster.findGroupCoordinator.bind(cluster);
    cluster.findGroupCoordinator = async group => {
      await work();
      return ask(group);
    };
    return PartitionAssigners.roundRobin(config);
  };
}
