/** What must hold when the broker dies in the middle of the flow and comes back: nothing lost, nothing doubled after dedupe, the order of each key kept. */
import type { Bus, BusMessage } from '@weir/ports';
import { sampleEnvelope } from '@weir/ports/suites';

export interface BrokerAway {
  readonly bus: Bus;
  /** Read by the group of the same name. */
  readonly topic: string;
  readonly broker: { kill(): Promise<void>; restart(): Promise<void> };
  readonly awayMs: number;
}

export interface AfterBroker {
  /** Ids by key, in the order in which they were published. */
  readonly published: ReadonlyMap<string, readonly string[]>;
  /** Ids by key, in the order in which they were first handled. */
  readonly handled: ReadonlyMap<string, readonly string[]>;
  /** Publications that failed and were made again, as the outbox does. */
  readonly failedPublications: number;
}

const KEYS = 7;
const TOTAL = 700;
const PAUSE_MS = 50;
const pause = (): Promise<void> => new Promise(resolve => setTimeout(resolve, PAUSE_MS));

export async function throughBrokerAway({ bus, topic, broker, awayMs }: BrokerAway): Promise<AfterBroker> {
  const published = new Map<string, string[]>();
  const handled = new Map<string, string[]>();
  const marks = new Set<string>();
  let failedPublications = 0;

  async function insist(message: BusMessage): Promise<void> {
    for (;;) {
      try {
        await bus.publish([message]);
        return;
      } catch {
        failedPublications += 1;
        await pause();
      }
    }
  }

  async function flow(): Promise<void> {
    for (let index = 0; index < TOTAL; index += 1) {
      const key = `key-${index % KEYS}`;
      const message = { topic, key, envelope: sampleEnvelope(`${topic}-${index}`) };
      published.set(key, [...(published.get(key) ?? []), message.envelope.id]);
      await insist(message);
    }
  }

  const consumer = await bus.subscribe({
    group: topic,
    concurrency: 4,
    retry: () => 10,
    handle: async ({ key, envelope, attempt }) => {
      await new Promise(resolve => setTimeout(resolve, 1));
      if (envelope.id.endsWith('3') && attempt === 1) throw new Error('once more');
      if (marks.has(envelope.id)) return;
      marks.add(envelope.id);
      handled.set(key, [...(handled.get(key) ?? []), envelope.id]);
    },
  });
  const flowing = flow();
  while (marks.size < TOTAL / 10) await pause();
  await broker.kill();
  await new Promise(resolve => setTimeout(resolve, awayMs));
  await broker.restart();
  await flowing;
  while (marks.size < TOTAL) await pause();
  await consumer.stop();
  return { published, handled, failedPublications };
}
