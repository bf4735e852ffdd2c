import { migrate } from '@weir/migrator';
import type { SqlPort } from '@weir/ports';
import { credentialPoolSuite, ledgerStoreSuite, modelConfigStoreSuite, type SuiteTools, virtualKeyStoreSuite } from '@weir/ports/suites';
import { verifies } from '@weir/requirements';
import { createPglite } from '@weir/sql-pglite';
import { createPostgres } from '@weir/sql-postgres';
import { freshDatabase } from '@weir/test-infra';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { lostCalls } from './charge-lost-calls.fixture.ts';
import { MODEL_STORE_MIGRATIONS } from './migrations.ts';
import type { ModelStores } from './model-stores.ts';
import { sqlModelStores } from './sql.model-stores.ts';

const database = await freshDatabase();

const citing = (...ids: Parameters<typeof verifies>): SuiteTools => ({ test: (title, run) => void test(`${verifies(...ids)} ${title}`, run), expect });

/** @param ports two of them, as two processes have. */
function storeTests(ports: () => readonly [SqlPort, SqlPort]): void {
  const open = (now: () => number = Date.now): readonly [ModelStores, ModelStores] => [
    sqlModelStores(ports()[0], { now }),
    sqlModelStores(ports()[1], { now }),
  ];

  ledgerStoreSuite({ stores: () => [open()[0].ledger, open()[1].ledger] }, citing('REV-29', 'REV-31'));
  virtualKeyStoreSuite({ stores: now => [open(now)[0].keys, open(now)[1].keys] }, citing('MOD-17'));
  modelConfigStoreSuite({ stores: () => ({ configs: [open()[0].config, open()[1].config], credentials: open()[0].credentials }) }, citing('REV-30', 'MOD-1'));
  credentialPoolSuite(
    { stores: now => ({ pools: [open(now)[0].credentials, open(now)[1].credentials], providers: open(now)[0].config }) },
    citing('REV-32', 'MOD-16'),
  );

  const line = (
    changes: string,
  ): string => `insert into weir_charges (call_ref, token_type, pricing_mode, at, capability, model_provider, model, tokens, rate, cost)
    values ('direct', ${changes})`;
  test.each([
    ["'total', 'unknown', 1, 'c', 'p', 'm', null, null, 0"],
    ["'input', 'metered', 1, 'c', 'p', 'm', 5, 1000000, 6"],
    ["'input', 'metered', 1, 'c', 'p', 'm', 5, 1000000, null"],
    ["'input', 'unmetered', 1, 'c', 'p', 'm', 5, null, null"],
    ["'input', 'metered', 1, 'c', 'p', 'm', 2000000000, 1, 2000"],
    ["'input', 'free', 1, 'c', 'p', 'm', 5, null, 0"],
  ])(`${verifies('REV-29')} the database itself refuses a line like (%s)`, async values => {
    await expect(ports()[0].query(line(values))).rejects.toMatchObject({ code: 'DATABASE_REFUSED', message: expect.stringContaining('23514') });
  });

  test.each(['update weir_charges set cost = 0', 'delete from weir_charges', 'truncate weir_charges'])(
    `${verifies('REV-29')} the database refuses: %s`,
    async statement => {
      await expect(ports()[0].query(statement)).rejects.toMatchObject({ code: 'DATABASE_REFUSED', message: expect.stringContaining('42501') });
    },
  );

  test(`${verifies('MOD-17', 'REV-29')} calls of a process that died are charged as unknown, once, and their keys are settled`, () => lostCalls(open()[0]));

  test(`${verifies('REV-30')} a price that another hand wrote into the row is no price`, async () => {
    const { config } = open()[0];
    await config.saveProvider({
      name: 'hand',
      baseUrl: 'https://models.example/v1',
      protocol: 'chat',
      auth: { scheme: 'none' },
      headers: {},
      facts: {},
      profile: { outputTokens: 'max_tokens', temperature: 'allowed', reasoningEffort: [], extra: {} },
      usageRule: 'openai',
    });
    await config.saveModel({ modelProvider: 'hand', name: 'm', upstreamModel: 'm', price: { mode: 'unmetered' } });
    await ports()[0].query(`update weir_models set model = jsonb_set(model, '{price}', '{"mode":"metered","rates":{"input":0,"output":0}}')`);
    expect((await config.rows()).models.find(({ modelProvider }) => modelProvider === 'hand')?.price).toBe(null);
  });
}

describe('embedded', () => {
  let port: SqlPort;
  beforeAll(async () => {
    port = await createPglite({ dataFolder: null, onNotice: () => undefined });
    await migrate(port, MODEL_STORE_MIGRATIONS);
  });
  afterAll(() => port.close());
  storeTests(() => [port, port]);

  test(`${verifies('REV-31')} a ledger that is gone rejects, so that its caller can allow and say so`, async () => {
    const closed = await createPglite({ dataFolder: null, onNotice: () => undefined });
    await closed.close();
    await expect(sqlModelStores(closed, { now: Date.now }).ledger.sum({})).rejects.toMatchObject({ code: 'DATABASE_UNAVAILABLE' });
  });
});

describe.skipIf(database === undefined)('on a PostgreSQL server', () => {
  let ports: readonly [SqlPort, SqlPort];
  beforeAll(async () => {
    const url = database?.url ?? '';
    ports = [createPostgres({ url }), createPostgres({ url })];
    await migrate(ports[0], MODEL_STORE_MIGRATIONS);
  });
  afterAll(() => Promise.all(ports.map(port => port.close())));
  storeTests(() => ports);
});
