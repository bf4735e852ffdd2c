import { migrate } from '@weir/migrator';
import type { SqlPort } from '@weir/ports';
import { eventLogSuite, outboxSuite } from '@weir/ports/suites';
import { verifies } from '@weir/requirements';
import { createPglite } from '@weir/sql-pglite';
import { createPostgres } from '@weir/sql-postgres';
import { freshDatabase } from '@weir/test-infra';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { EVENT_STORE_MIGRATIONS } from './migrations.ts';
import { sqlEventLog } from './sql.event-log.ts';
import { sqlOutbox } from './sql.outbox.ts';

const server = await freshDatabase();

/** @param ports two of them, as two processes have. */
function storeTests(ports: () => readonly [SqlPort, SqlPort]): void {
  const now = (): number => 1_000;
  eventLogSuite(
    {
      database: () => ports()[0],
      logs: parts => {
        const [one, two] = ports();
        return [sqlEventLog(one, { outbox: sqlOutbox(one, { now }), ...parts }), sqlEventLog(two, { outbox: sqlOutbox(two, { now }), ...parts })];
      },
    },
    { test: (title, run) => void test(`${verifies('REV-2', 'REV-3', 'REV-3a')} ${title}`, run), expect },
  );
  outboxSuite(
    {
      database: () => ports()[0],
      open: async clock => {
        const [one, two] = ports();
        await one.query('delete from weir_outbox');
        return [sqlOutbox(one, { now: clock }), sqlOutbox(two, { now: clock })];
      },
    },
    { test: (title, run) => void test(`${verifies('REV-3a')} ${title}`, run), expect },
  );
}

describe('embedded', () => {
  let port: SqlPort;
  beforeAll(async () => {
    port = await createPglite({ dataFolder: null, onNotice: () => undefined });
    await migrate(port, EVENT_STORE_MIGRATIONS);
  });
  afterAll(() => port.close());
  storeTests(() => [port, port]);
});

describe.skipIf(server === undefined)('on a PostgreSQL server', () => {
  let ports: readonly [SqlPort, SqlPort];
  beforeAll(async () => {
    const url = server?.url ?? '';
    ports = [createPostgres({ url }), createPostgres({ url })];
    await migrate(ports[0], EVENT_STORE_MIGRATIONS);
  });
  afterAll(() => Promise.all(ports.map(port => port.close())));
  storeTests(() => ports);
});
