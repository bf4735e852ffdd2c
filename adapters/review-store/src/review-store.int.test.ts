import { createSecretBox, withNewKey } from '@weir/keyset';
import { migrate } from '@weir/migrator';
import type { SqlPort } from '@weir/ports';
import { artifactStoreSuite, deliveryStoreSuite, postingClaimsSuite, reviewRegistrySuite, reviewViewsSuite, type SuiteTools } from '@weir/ports/suites';
import { verifies } from '@weir/requirements';
import { createPglite } from '@weir/sql-pglite';
import { createPostgres } from '@weir/sql-postgres';
import { freshDatabase } from '@weir/test-infra';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ACKNOWLEDGEMENT_MIGRATIONS, sqlAcknowledgements } from './acknowledgements.ts';
import { DELIVERY_MIGRATIONS, sqlDeliveries } from './deliveries.ts';
import { REVIEW_STORE_MIGRATIONS } from './migrations.ts';
import { sqlArtifacts } from './sql.artifacts.ts';
import { sqlPostingClaims } from './sql.posting-claims.ts';
import { sqlReviewRegistry } from './sql.review-registry.ts';
import { sqlReviewViews } from './sql.review-views.ts';

const server = await freshDatabase();

const citing = (...ids: Parameters<typeof verifies>): SuiteTools => ({ test: (title, run) => void test(`${verifies(...ids)} ${title}`, run), expect });

/** @param ports two of them, as two processes have. */
function storeTests(ports: () => readonly [SqlPort, SqlPort]): void {
  const keyset = withNewKey(undefined, new Date(0));
  const box = createSecretBox(() => keyset);
  artifactStoreSuite(
    {
      stores: now => ({ artifacts: [sqlArtifacts(ports()[0], { box, now }), sqlArtifacts(ports()[1], { box, now })], box }),
      stored: async id => JSON.stringify((await ports()[0].query('select * from weir_artifacts where id = $1', [id])).rows),
      move: async (from, to) => {
        await ports()[0].query('update weir_artifacts set sealed = (select sealed from weir_artifacts where id = $1) where id = $2', [from, to]);
      },
    },
    citing('REV-39'),
  );
  deliveryStoreSuite(
    {
      open: () => [sqlDeliveries(ports()[0], box), sqlDeliveries(ports()[1], box)],
      transaction: work => ports()[0].transaction(work),
      stored: async id => JSON.stringify((await ports()[0].query('select * from weir_deliveries where id = $1', [id])).rows),
      move: async (from, to) => {
        await ports()[0].query('update weir_deliveries set sealed = (select sealed from weir_deliveries where id = $1) where id = $2', [from, to]);
      },
    },
    citing('REV-10', 'REV-39'),
  );
  postingClaimsSuite({ open: () => [sqlPostingClaims(ports()[0], { now: Date.now }), sqlPostingClaims(ports()[1], { now: Date.now })] }, citing('REV-18'));
  reviewRegistrySuite({ open: () => [sqlReviewRegistry(ports()[0]), sqlReviewRegistry(ports()[1])] }, citing('REV-8a', 'REV-9'));
  reviewViewsSuite(
    { database: () => ports()[0], open: parts => [sqlReviewViews(ports()[0], parts), sqlReviewViews(ports()[1], parts)] },
    citing('REV-3a', 'REV-28'),
  );

  test(`${verifies('REV-33')} what a person knows of is kept for all processes, and an older word does not replace a newer one`, async () => {
    const [here, there] = [sqlAcknowledgements(ports()[0]), sqlAcknowledgements(ports()[1])];
    const whole = { kind: 'unpriced_calls', subject: null, until: '2026-01-02T00:00:00.000Z', by: 'kim', at: 2 };
    const one = { kind: 'unregistered_delivery', subject: 'team/shop', until: '2026-01-01T00:00:00.000Z', by: 'kim', at: 1 };
    await Promise.all([here.save(whole), there.save(one)]);
    await there.save({ ...whole, until: '2026-01-01T00:00:00.000Z', by: 'late', at: 3 });
    expect(await there.list()).toEqual([whole, one]);
    await here.save({ ...one, until: '2026-01-03T00:00:00.000Z', by: 'ada', at: 4 });
    expect((await here.list())[0]).toMatchObject({ subject: 'team/shop', by: 'ada' });
  });
}

/** A database as it was before the lists of REV-27, with one repository. */
async function testOldRepository(port: SqlPort): Promise<void> {
  const { migrations } = REVIEW_STORE_MIGRATIONS;
  await migrate(port, { ...REVIEW_STORE_MIGRATIONS, migrations: migrations.filter(({ name }) => name < '0005') });
  await port.query(`insert into weir_forge_accounts values ('a', 'github', 'o', '{}', 's')`);
  await port.query(`insert into weir_hooks values ('h', 'a', 'github', 'o')`);
  const old = { id: 'r', path: { owner: 'acme', name: 'nul \u0000' } };
  await port.query(`insert into weir_repositories values ('r', 'a', null, 'h', 'github', 'o', '1', 'acme/shop', $1::json, null)`, [JSON.stringify(old)]);
  await migrate(port, REVIEW_STORE_MIGRATIONS);
  expect(await sqlReviewRegistry(port).repositories()).toEqual([{ ...old, deniedActors: [], grantedActors: [], lastDeliveryAt: null }]);
}

test(`${verifies('REV-27')} a repository of an older database denies and grants nobody`, async () => {
  const port = await createPglite({ dataFolder: null, onNotice: () => undefined });
  await testOldRepository(port);
  await port.close();
});

describe('embedded', () => {
  let port: SqlPort;
  beforeAll(async () => {
    port = await createPglite({ dataFolder: null, onNotice: () => undefined });
    for (const set of [REVIEW_STORE_MIGRATIONS, DELIVERY_MIGRATIONS, ACKNOWLEDGEMENT_MIGRATIONS]) await migrate(port, set);
  });
  afterAll(() => port.close());
  storeTests(() => [port, port]);
});

describe.skipIf(server === undefined)('on a PostgreSQL server', () => {
  let ports: readonly [SqlPort, SqlPort];
  beforeAll(async () => {
    const url = server?.url ?? '';
    ports = [createPostgres({ url }), createPostgres({ url })];
    for (const set of [REVIEW_STORE_MIGRATIONS, DELIVERY_MIGRATIONS, ACKNOWLEDGEMENT_MIGRATIONS]) await migrate(ports[0], set);
  });
  afterAll(() => Promise.all(ports.map(port => port.close())));
  storeTests(() => ports);
});
