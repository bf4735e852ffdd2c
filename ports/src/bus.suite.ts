/**
 * What every bus has to do (REV-4, REV-20), a queue in the database and a broker alike: at least once, ordered per key, whoever
 * joins or leaves a group. Each test has a group and a topic of its own; nothing is asked about how long anything takes.
 */
import type { Bus, BusConsumer, BusMessage, BusTopology, DeadLetter, DeadLetters, Delivery, RetryPolicy, Subscription } from './bus.port.ts';
import { sampleEnvelope } from './envelope-sample.ts';
import type { SuiteTools } from './suite-tools.ts';

export interface BusSuiteSubject {
  /** Two of them over one bus, as two processes have, both with `BUS_SUITE_TOPOLOGY`. */
  readonly buses: () => readonly [Bus, Bus];
  readonly deadLetters: () => DeadLetters;
}

/** Group by topic: every topic has the group of its name, and `shared` has two. */
export const BUS_SUITE_TOPOLOGY: BusTopology = {
  ...Object.fromEntries(['whole', 'early', 'order', 'parallel', 'retry', 'persist', 'dead', 'dropped', 'leave', 'join'].map(name => [name, [name]])),
  'shared-one': ['shared'],
  'shared-two': ['shared', 'shared-more'],
};

/** Far more than a loaded machine needs; a test that waits so long has failed. */
const PATIENCE_MS = 40_000;
const LOOK_MS = 5;
const SOON_MS = 20;

const never: RetryPolicy = () => undefined;
const soon: RetryPolicy = () => SOON_MS;

const message = (topic: string, id: string, key = 'k'): BusMessage => ({ topic, key, envelope: sampleEnvelope(`${topic}-${id}`) });
const idOf = ({ envelope }: BusMessage): string => envelope.id;

async function until(condition: () => boolean | Promise<boolean>, what: string): Promise<void> {
  for (let waited = 0; waited < PATIENCE_MS; waited += LOOK_MS) {
    if (await condition()) return;
    await new Promise(resolve => setTimeout(resolve, LOOK_MS));
  }
  throw new Error(`It did not happen: ${what}.`);
}

type Plan = Partial<Subscription> & Pick<Subscription, 'group' | 'handle'>;
const join = (bus: Bus, plan: Plan): Promise<BusConsumer> => bus.subscribe({ concurrency: 8, retry: never, ...plan });

/** A handler that remembers what came, in the order in which it was handled. */
function recorder(): { readonly seen: Delivery[]; readonly handle: Subscription['handle'] } {
  const seen: Delivery[] = [];
  return {
    seen,
    handle: delivery => {
      seen.push(delivery);
      return Promise.resolve();
    },
  };
}

/** At least once: copies after the first say nothing about the order. */
const firsts = (deliveries: readonly BusMessage[]): string[] => [...new Set(deliveries.map(idOf))];

export function busSuite(subject: BusSuiteSubject, tools: SuiteTools): void {
  deliveryTests(subject, tools);
  orderTests(subject, tools);
  retryTests(subject, tools);
  deadLetterTests(subject, tools);
  groupTests(subject, tools);
}

function deliveryTests({ buses }: BusSuiteSubject, { test, expect }: SuiteTools): void {
  test('a message arrives as it was published, also at a group that was not there yet', async () => {
    const [one, two] = buses();
    const sent: BusMessage = {
      topic: 'early',
      key: `k'"é 漢`,
      envelope: sampleEnvelope('early-whole', { data: { nul: 'a\0b', list: [null, 1.5] }, causationid: 'c' }),
    };
    await one.publish([sent]);
    const { seen, handle } = recorder();
    const consumer = await join(two, { group: 'early', handle });
    await until(() => seen.length > 0, 'a message that was published before arrives');
    await consumer.stop();
    const [delivery] = seen;
    expect({ topic: delivery?.topic, key: delivery?.key, envelope: delivery?.envelope }).toEqual(sent);
    expect(delivery?.attempt).toBe(1);
  });

  test('every group of a topic gets every message, and no other topic', async () => {
    const [one, two] = buses();
    const [first, second] = [recorder(), recorder()];
    const consumers = [await join(one, { group: 'shared-one', handle: first.handle }), await join(two, { group: 'shared-two', handle: second.handle })];
    await two.publish([message('shared', '1', 'a'), message('shared-more', '1', 'b'), message('shared', '2', 'c')]);
    await until(() => firsts(first.seen).length >= 2 && firsts(second.seen).length >= 3, 'all groups got their messages');
    await Promise.all(consumers.map(consumer => consumer.stop()));
    expect(firsts(first.seen).sort()).toEqual(['shared-1', 'shared-2']);
    expect(firsts(second.seen).sort()).toEqual(['shared-1', 'shared-2', 'shared-more-1']);
  });
}

const KEYS = 6;
const EACH = 15;

function orderTests({ buses }: BusSuiteSubject, { test, expect }: SuiteTools): void {
  test('messages of a key come in their order and one at a time, over two consumers and with failures in between', async () => {
    const both = buses();
    const seen: string[] = [];
    const busy = new Set<string>();
    let overlaps = 0;
    const handle: Subscription['handle'] = async ({ key, envelope, attempt }) => {
      if (busy.has(key)) overlaps += 1;
      busy.add(key);
      await new Promise(resolve => setTimeout(resolve, 1));
      busy.delete(key);
      if (envelope.id.endsWith('3') && attempt === 1) throw new Error('once more');
      seen.push(`${key} ${envelope.id}`);
    };
    const consumers = [await join(both[0], { group: 'order', handle, retry: soon }), await join(both[1], { group: 'order', handle, retry: soon })];
    for (let index = 0; index < EACH; index += 1) {
      await (index % 2 === 0 ? both[0] : both[1]).publish(Array.from({ length: KEYS }, (_, key) => message('order', `${key}-${index}`, `k${key}`)));
    }
    await until(() => new Set(seen).size >= KEYS * EACH, 'all messages are handled');
    await Promise.all(consumers.map(consumer => consumer.stop()));
    expect(overlaps).toBe(0);
    for (let key = 0; key < KEYS; key += 1) {
      const ofKey = [...new Set(seen.filter(entry => entry.startsWith(`k${key} `)))];
      expect(ofKey).toEqual(Array.from({ length: EACH }, (_, index) => `k${key} order-${key}-${index}`));
    }
  });

  test('keys run in parallel: one that waits for another is not waited for', async () => {
    const [one] = buses();
    let release = (): void => undefined;
    const other = new Promise<void>(resolve => {
      release = resolve;
    });
    const handled: string[] = [];
    const consumer = await join(one, {
      group: 'parallel',
      handle: async ({ key }) => {
        if (key === 'waits') await other;
        else release();
        handled.push(key);
      },
    });
    await one.publish([message('parallel', '1', 'waits'), message('parallel', '2', 'is waited for')]);
    await until(() => new Set(handled).size === 2, 'both keys are handled');
    await consumer.stop();
    expect(handled[0]).toBe('is waited for');
  });
}

function retryTests({ buses }: BusSuiteSubject, { test, expect }: SuiteTools): void {
  test('after a failure the key waits and others go on; the policy is told the failure and the attempt', async () => {
    const [one] = buses();
    const { seen, handle } = recorder();
    const told: string[] = [];
    const consumer = await join(one, {
      group: 'retry',
      retry: (failure, attempt) => {
        told.push(`${failure instanceof Error ? failure.message : ''} ${attempt}`);
        return SOON_MS;
      },
      handle: async delivery => {
        if (idOf(delivery) === 'retry-bad' && (delivery.attempt < 3 || !firsts(seen).includes('retry-other'))) throw new Error('not yet');
        await handle(delivery);
      },
    });
    await one.publish([message('retry', 'bad'), message('retry', 'next'), message('retry', 'other', 'other')]);
    await until(() => firsts(seen).length === 3, 'all are handled');
    await consumer.stop();
    const ofKey = seen.filter(({ key }) => key === 'k');
    expect(firsts(ofKey)).toEqual(['retry-bad', 'retry-next']);
    expect(told.slice(0, 2)).toEqual(['not yet 1', 'not yet 2']);
    expect((ofKey[0]?.attempt ?? 0) >= 3).toBe(true);
  });

  test('attempts are counted on by another process', async () => {
    const both = buses();
    const attempts: number[] = [];
    const handle: Subscription['handle'] = ({ attempt }) => {
      attempts.push(attempt);
      return attempt >= 3 ? Promise.resolve() : Promise.reject(new Error('not yet'));
    };
    await both[0].publish([message('persist', '1')]);
    for (const bus of [both[0], both[1], both[0]]) {
      const before = attempts.length;
      const consumer = await join(bus, { group: 'persist', handle, retry: soon });
      await until(() => attempts.length > before, 'the next attempt is made');
      await consumer.stop();
    }
    const first = attempts.slice(0, attempts.indexOf(3) + 1);
    expect([...new Set(first)]).toEqual([1, 2, 3]);
  });
}

const lettersOf = async (letters: DeadLetters, group: string): Promise<readonly DeadLetter[]> =>
  (await letters.list({ limit: 100 })).filter(letter => letter.group === group);

function deadLetterTests({ buses, deadLetters }: BusSuiteSubject, { test, expect }: SuiteTools): void {
  test('a message that is given up is a dead letter with its failure, its key goes on, and a replay hands it over with fresh attempts', async () => {
    const [one, two] = buses();
    const { seen, handle } = recorder();
    let poison = true;
    const consumer = await join(two, {
      group: 'dead',
      retry: (_, attempt) => (attempt < 2 ? SOON_MS : undefined),
      handle: async delivery => {
        if (poison && idOf(delivery) === 'dead-poison') throw new Error('it is poison\0');
        await handle(delivery);
      },
    });
    const sent = message('dead', 'poison');
    await one.publish([sent, message('dead', 'behind')]);
    await until(() => seen.length > 0, 'the message behind is handled');
    const [letter] = await lettersOf(deadLetters(), 'dead');
    expect({ ...letter, id: '', diedAt: 0, failure: '' }).toEqual({ ...sent, id: '', origin: 'bus', group: 'dead', attempts: 2, diedAt: 0, failure: '' });
    expect(letter?.failure.includes('it is poison')).toBe(true);
    poison = false;
    expect(await deadLetters().replay(letter?.id ?? '')).toBe(true);
    expect(await deadLetters().replay(letter?.id ?? '')).toBe(false);
    await until(() => firsts(seen).includes('dead-poison'), 'the replayed message is handled');
    await consumer.stop();
    expect(seen.find(delivery => idOf(delivery) === 'dead-poison')?.attempt).toBe(1);
    expect(await lettersOf(deadLetters(), 'dead')).toEqual([]);
  });

  test('dead letters are listed newest first, in pages, and can be dropped', async () => {
    const [one] = buses();
    const consumer = await join(one, { group: 'dropped', handle: () => Promise.reject(new Error('no')) });
    await one.publish([message('dropped', '1'), message('dropped', '2'), message('dropped', '3')]);
    await until(async () => (await lettersOf(deadLetters(), 'dropped')).length === 3, 'three dead letters are there');
    await consumer.stop();
    const letters = await lettersOf(deadLetters(), 'dropped');
    expect(letters.map(idOf)).toEqual(['dropped-3', 'dropped-2', 'dropped-1']);
    const [newest] = await deadLetters().list({ limit: 1 });
    expect((await deadLetters().list({ limit: 100, before: newest?.id ?? '' })).some(({ id }) => id === newest?.id)).toBe(false);
    for (const { id } of letters) expect(await deadLetters().drop(id)).toBe(true);
    for (const id of [letters[0]?.id ?? '', 'no id', '']) {
      expect([await deadLetters().drop(id), await deadLetters().replay(id)]).toEqual([false, false]);
    }
  });
}

function groupTests({ buses }: BusSuiteSubject, { test, expect }: SuiteTools): void {
  test('a consumer that stops ends what it has begun and takes nothing more; another one of its group takes over', async () => {
    const [one, two] = buses();
    const [leaving, staying] = [recorder(), recorder()];
    let begun = (): void => undefined;
    const underway = new Promise<void>(resolve => {
      begun = resolve;
    });
    let finish = (): void => undefined;
    const finished = new Promise<void>(resolve => {
      finish = resolve;
    });
    const consumer = await join(one, {
      group: 'leave',
      concurrency: 1,
      handle: async delivery => {
        begun();
        await finished;
        await leaving.handle(delivery);
      },
    });
    await two.publish([message('leave', '1'), message('leave', '2'), message('leave', '3', 'other')]);
    await underway;
    const stopped = consumer.stop();
    finish();
    await stopped;
    expect(leaving.seen.length).toBe(1);
    const next = await join(two, { group: 'leave', handle: staying.handle });
    const all = (): string[] => firsts([...leaving.seen, ...staying.seen]);
    await until(() => all().length === 3, 'the other consumer handles the rest');
    await next.stop();
    expect(all().filter(id => id !== 'leave-3')).toEqual(['leave-1', 'leave-2']);
    expect(leaving.seen.length).toBe(1);
  });

  test('consumers that come and go in the middle of the flow lose nothing and keep the order of each key', async () => {
    const both = buses();
    const { seen, handle } = recorder();
    const total = 120;
    const flow = (async () => {
      for (let index = 0; index < total; index += 1) await (index % 2 === 0 ? both[0] : both[1]).publish([message('join', String(index), `k${index % 5}`)]);
    })();
    const steady = await join(both[0], { group: 'join', handle, concurrency: 2 });
    for (let round = 0; round < 3; round += 1) {
      const guest = await join(both[1], { group: 'join', handle, concurrency: 2 });
      await until(() => firsts(seen).length >= (round + 1) * 20, 'the flow goes on');
      await guest.stop();
    }
    await flow;
    await until(() => firsts(seen).length === total, 'all messages are handled');
    await steady.stop();
    for (let key = 0; key < 5; key += 1) {
      const ofKey = firsts(seen.filter(delivery => delivery.key === `k${key}`));
      expect(ofKey).toEqual(Array.from({ length: total / 5 }, (_, index) => `join-${index * 5 + key}`));
    }
  });
}
