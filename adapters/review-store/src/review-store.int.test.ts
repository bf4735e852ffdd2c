import { createSecretBox, withNewKey } from '@weir/keyset';
import { migrate } from '@weir/migrator';
import type { SqlPort } from '@weir/ports';
import { artifactStoreSuite, postingClaimsSuite, reviewRegistrySuite, reviewViewsSuite, type SuiteTools } from '@weir/ports/suites';
import { verifies } from '@weir/requirements';
import { createPglite } from '@weir/sql-pglite';
import { createPostgres } from '@weir/sql-postgres';
import { freshDatabase } from '@weir/test-infra';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
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
  postingClaimsSuite({ open: () => [sqlPostingClaims(ports()[0], { now: Date.now }), sqlPostingClaims(ports()[1], { now: Date.now })] }, citing('REV-18'));
  reviewRegistrySuite({ open: () => [sqlReviewRegistry(ports()[0]), sqlReviewRegistry(ports()[1])] }, citing('REV-9'));
  reviewViewsSuite(
    { database: () => ports()[0], open: parts => [sqlReviewViews(ports()[0], parts), sqlReviewViews(ports()[1], parts)] },
    citing('REV-3a', 'REV-28'),
  );
}

describe('embedded', () => {
  let port: SqlPort;
  beforeAll(async () => {
    port = await createPglite({ dataFolder: null, onNotice: () => undefined });
    await migrate(port, REVIEW_STORE_MIGRATIONS);
  });
  afterAll(() => port.close());
  storeTests(() => [port, port]);
});

describe.skipIf(server === undefined)('on a PostgreSQL server', () => {
  let ports: readonly [SqlPort, SqlPort];
  beforeAll(async () => {
    const url = server?.url ?? '';
    ports = [createPostgres({ url }), createPostgres({ url })];
    await migrate(ports[0], REVIEW_STORE_MIGRATIONS);
  });
  afterAll(() => Promise.all(ports.map(port => port.close())));
  storeTests(() => ports);
});
