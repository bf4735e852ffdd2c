/** What every outbox has to do (REV-3a). `open` gives an empty one each time; two of them over one database, as two processes have. */
import type { BusMessage } from './bus.port.ts';
import { sampleEnvelope, sampleEnvelopes } from './envelope-sample.ts';
import type { Outbox, OutboxMessage } from './outbox.port.ts';
import type { SqlPort } from './sql.port.ts';
import { failureMessage, type SuiteTools } from './suite-tools.ts';

export interface OutboxSuiteSubject {
  readonly database: () => SqlPort;
  readonly open: (now: () => number) => Promise<readonly [Outbox, Outbox]>;
}

const messages = (prefix: string, count: number, dueAt?: number): readonly OutboxMessage[] =>
  sampleEnvelopes(prefix, count).map(envelope => ({ topic: 't', key: 'k', envelope, ...(dueAt === undefined ? {} : { dueAt }) }));

export function outboxSuite({ database, open }: OutboxSuiteSubject, { test, expect }: SuiteTools): void {
  const clock = { at: 1_000_000 };
  const published: string[] = [];
  const publish = (batch: readonly BusMessage[]): Promise<void> => {
    published.push(...batch.map(({ envelope }) => envelope.id));
    return Promise.resolve();
  };
  async function fresh(): Promise<readonly [Outbox, Outbox]> {
    published.length = 0;
    return open(() => clock.at);
  }

  test('messages are published in the order in which they were put, in pages, and once', async () => {
    const [one, two] = await fresh();
    await database().transaction(session => one.put(session, messages('a', 3)));
    await database().transaction(session => two.put(session, messages('b', 2)));
    expect([await two.publish(4, publish), await one.publish(4, publish), await one.publish(4, publish)]).toEqual([4, 1, 0]);
    expect(published).toEqual(['a-0', 'a-1', 'a-2', 'b-0', 'b-1']);
  });

  test('a message comes out as it went in', async () => {
    const [one, two] = await fresh();
    const message = { topic: 'a topic', key: `k'"é`, envelope: sampleEnvelope('whole', { data: { nul: '\0', deep: [{ a: null }] } }) };
    await database().transaction(session => one.put(session, [message]));
    const out: BusMessage[] = [];
    await two.publish(1, batch => {
      out.push(...batch);
      return Promise.resolve();
    });
    expect(out).toEqual([message]);
  });

  test('a message of a transaction that is undone is never published; nor is one lost when publishing fails', async () => {
    const [one, two] = await fresh();
    const undone = database().transaction(async session => {
      await one.put(session, messages('undone', 1));
      throw new Error('undone');
    });
    expect(await failureMessage(undone)).toBe('undone');
    await database().transaction(session => one.put(session, messages('kept', 2)));
    expect(await failureMessage(two.publish(9, () => Promise.reject(new Error('the broker is gone'))))).toBe('the broker is gone');
    expect(await two.publish(9, publish)).toBe(2);
    expect(published).toEqual(['kept-0', 'kept-1']);
  });

  test('a delayed message waits for its time and nothing waits for it', async () => {
    const [one] = await fresh();
    await database().transaction(async session => {
      await one.put(session, messages('late', 1, clock.at + 500));
      await one.put(session, messages('now', 1));
    });
    expect([await one.publish(9, publish), await one.publish(9, publish)]).toEqual([1, 0]);
    clock.at += 499;
    expect(await one.publish(9, publish)).toBe(0);
    clock.at += 1;
    expect(await one.publish(9, publish)).toBe(1);
    expect(published).toEqual(['now-0', 'late-0']);
  });

  test('a message is marked once for each group, by whichever process; a mark that is undone or forgotten can be made again', async () => {
    const [one, two] = await fresh();
    const mark = (outbox: Outbox, group: string, messageId: string): Promise<boolean> =>
      database().transaction(session => outbox.mark(session, { group, messageId }));
    const undone = database().transaction(async session => {
      await one.mark(session, { group: 'g', messageId: 'm' });
      throw new Error('undone');
    });
    expect(await failureMessage(undone)).toBe('undone');
    expect([await mark(one, 'g', 'm'), await mark(two, 'g', 'm'), await mark(two, 'h', 'm'), await mark(two, 'g', 'n')]).toEqual([true, false, true, true]);
    await one.forgetMarks(clock.at);
    expect(await mark(one, 'g', 'm')).toBe(false);
    await one.forgetMarks(clock.at + 1);
    expect(await mark(one, 'g', 'm')).toBe(true);
  });
}
