import { createHash, randomUUID } from 'node:crypto';
import { migrate } from '@weir/migrator';
import type { SqlPort } from '@weir/ports';
import { auditStoreSuite, etagStoreSuite, rateStoreSuite } from '@weir/ports/suites';
import { verifies } from '@weir/requirements';
import { createPglite } from '@weir/sql-pglite';
import { createPostgres } from '@weir/sql-postgres';
import { freshDatabase } from '@weir/test-infra';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { PROVIDER_STORE_MIGRATIONS } from './migrations.ts';
import { sqlAuditStore } from './sql.audit-store.ts';
import { sqlEtagStore } from './sql.etag-store.ts';
import { sqlRateStore } from './sql.rate-store.ts';

const database = await freshDatabase();

/** @param ports two of them, as two processes have. */
function storeTests(ports: () => readonly [SqlPort, SqlPort]): void {
  const newId = (): string => randomUUID();
  rateStoreSuite(
    { stores: now => [sqlRateStore(ports()[0], { now, newId }), sqlRateStore(ports()[1], { now, newId })] },
    { test: (title, run) => void test(`${verifies('PRV-10')} ${title}`, run), expect },
  );
  etagStoreSuite(
    {
      open: async (bounds, now) => {
        await ports()[0].query('delete from weir_etags');
        return sqlEtagStore(ports()[0], bounds, { now });
      },
    },
    { test: (title, run) => void test(`${verifies('PRV-14')} ${title}`, run), expect },
  );
  auditStoreSuite(
    {
      stores: () => [sqlAuditStore(ports()[0]), sqlAuditStore(ports()[1])],
      hash: text => createHash('sha256').update(text).digest('hex'),
    },
    { test: (title, run) => void test(`${verifies('PRV-18')} ${title}`, run), expect },
  );

  test.each(['update weir_audit_log set text = text', 'delete from weir_audit_log', 'truncate weir_audit_log'])(
    `${verifies('PRV-18')} the database refuses: %s`,
    async statement => {
      await expect(ports()[0].query(statement)).rejects.toMatchObject({ code: 'DATABASE_REFUSED', message: expect.stringContaining('42501') });
    },
  );
}

describe('embedded', () => {
  let port: SqlPort;
  beforeAll(async () => {
    port = await createPglite({ dataFolder: null, onNotice: () => undefined });
    await migrate(port, PROVIDER_STORE_MIGRATIONS);
  });
  afterAll(() => port.close());
  storeTests(() => [port, port]);

  test(`${verifies('PRV-18')} an intent that cannot be written rejects, and so denies its call`, async () => {
    const closed = await createPglite({ dataFolder: null, onNotice: () => undefined });
    const log = sqlAuditStore(closed);
    const append = (): Promise<unknown> =>
      log.append({ kind: 'intent', actor: 'a', provider: 'p', capability: 'c', operation: 'o', argsDigest: 'd', receipt: null, at: 't' });
    await expect(append()).rejects.toMatchObject({ code: 'DATABASE_REFUSED' });
    await closed.close();
    await expect(Promise.allSettled([append(), append()])).resolves.toMatchObject([{ status: 'rejected' }, { status: 'rejected' }]);
  });
});

describe.skipIf(database === undefined)('on a PostgreSQL server', () => {
  let ports: readonly [SqlPort, SqlPort];
  beforeAll(async () => {
    const url = database?.url ?? '';
    ports = [createPostgres({ url }), createPostgres({ url })];
    await migrate(ports[0], PROVIDER_STORE_MIGRATIONS);
  });
  afterAll(() => Promise.all(ports.map(port => port.close())));
  storeTests(() => ports);
});
