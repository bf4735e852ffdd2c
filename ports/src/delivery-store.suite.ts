/** What every store of deliveries has to do (REV-3a, REV-10, REV-39). */
import { type DeliveryStore, MAX_DELIVERY_TEXT, type StoredDelivery } from './delivery-store.port.ts';
import type { SealedColumn } from './secret-box.port.ts';
import type { SqlSession } from './sql.port.ts';
import { failureMessage, type SuiteTools } from './suite-tools.ts';

type SuiteDeliveries = DeliveryStore & { readonly secrets: SealedColumn };

export interface DeliveryStoreSuiteSubject {
  /** Two over the same store, as two processes have. Called inside each test. */
  readonly open: () => readonly [SuiteDeliveries, SuiteDeliveries];
  readonly transaction: <T>(work: (session: SqlSession) => Promise<T>) => Promise<T>;
  /** All that is stored of the delivery, as text. */
  readonly stored: (id: string) => Promise<string>;
  /** Puts the ciphertext of one row into another. */
  readonly move: (from: string, to: string) => Promise<void>;
}

const delivery = (id: string, changes: Partial<StoredDelivery> = {}): StoredDelivery => ({
  ...{ id, registration: 'hook', headers: { 'x-event': 'push' }, body: `body of ${id}`, arrivedAt: 1_000, problem: null },
  ...changes,
});

export function deliveryStoreSuite(subject: DeliveryStoreSuiteSubject, tools: SuiteTools): void {
  rowTests(subject, tools);
  sealTests(subject, tools);
}

function rowTests({ open, transaction }: DeliveryStoreSuiteSubject, { test, expect }: SuiteTools): void {
  test('a delivery is found by the other process, and what comes again under its id changes nothing', async () => {
    const [one, two] = open();
    const kept = delivery('kept', { problem: 'no event' });
    await transaction(session => one.keep(session, kept));
    await transaction(session => two.keep(session, delivery('kept', { body: 'another', arrivedAt: 2_000 })));
    expect(await two.find('kept')).toEqual(kept);
    expect(await two.find('nobody')).toEqual(undefined);
  });

  test('a transaction that fails leaves no delivery', async () => {
    const [one, two] = open();
    const lost = transaction(async session => {
      await one.keep(session, delivery('lost'));
      throw new Error('the transaction fails');
    });
    expect(await failureMessage(lost)).toBe('the transaction fails');
    expect(await two.find('lost')).toEqual(undefined);
  });

  test('a body that is too large is not kept, in bytes and not in characters', async () => {
    const [one] = open();
    const bodies = { small: 'é'.repeat(MAX_DELIVERY_TEXT / 2), large: `${'é'.repeat(MAX_DELIVERY_TEXT / 2)}x` };
    for (const [id, body] of Object.entries(bodies)) await transaction(session => one.keep(session, delivery(id, { body })));
    expect([(await one.find('small'))?.body === bodies.small, (await one.find('large'))?.body]).toEqual([true, null]);
  });

  test('the list has the newest first, without bodies; what is too old goes, a batch at a time', async () => {
    const [one, two] = open();
    const ages = { 'old a': 10, 'old b': 20, 'old c': 30, young: 9_000 };
    for (const [id, arrivedAt] of Object.entries(ages)) await transaction(session => one.keep(session, delivery(id, { arrivedAt })));
    const [first] = await two.list(1);
    expect(first).toEqual({ id: 'young', registration: 'hook', arrivedAt: 9_000, problem: null });
    expect([await two.sweep(31, 2), await one.find('old a'), (await one.find('old c'))?.id]).toEqual([2, undefined, 'old c']);
    expect([await two.sweep(31, 2), await two.sweep(31, 2), (await one.find('young'))?.id]).toEqual([1, 0, 'young']);
  });
}

function sealTests({ open, transaction, stored, move }: DeliveryStoreSuiteSubject, { test, expect }: SuiteTools): void {
  test('a body is a ciphertext at rest, and opens in its own row alone', async () => {
    const [one] = open();
    for (const id of ['sealed', 'moved']) await transaction(session => one.keep(session, delivery(id, { body: `the words of ${id}` })));
    expect([(await stored('sealed')).includes('the words'), (await stored('sealed')).includes('x-event')]).toEqual([false, false]);
    await move('sealed', 'moved');
    expect((await failureMessage(one.find('moved'))).includes('the words')).toBe(false);
    expect((await one.find('sealed'))?.body).toBe('the words of sealed');
  });

  test('a rotation walks over every row, and replaces only what is still there', async () => {
    const [one, two] = open();
    for (let at = 0; at < 20; at += 1) await transaction(session => one.keep(session, delivery(`walk ${String(at).padStart(2, '0')}`)));
    const walked: string[] = [];
    for (let after = 'walk '; ; ) {
      const page = await two.secrets.list(after, 100);
      walked.push(...page.map(({ cursor }) => cursor).filter(cursor => cursor.startsWith('walk ')));
      const last = page.at(-1);
      if (last === undefined) break;
      after = last.cursor;
    }
    expect(walked).toEqual(Array.from({ length: 20 }, (_, at) => `walk ${String(at).padStart(2, '0')}`));
    const [row] = await two.secrets.list('walk 04', 1);
    expect([await one.secrets.replace('walk 05', 'another', 'new'), await one.secrets.replace('walk 05', row?.sealed ?? '', 'new')]).toEqual([false, true]);
    expect((await two.secrets.list('walk 04', 1)).map(({ sealed }) => sealed)).toEqual(['new']);
  });
}
