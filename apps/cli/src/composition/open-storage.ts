/** The database of this installation, opened for one command: embedded in the data folder, or a PostgreSQL server. */
import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { migrate } from '@weir/migrator';
import { MODEL_STORE_MIGRATIONS, type ModelStores, sqlModelStores } from '@weir/model-store';
import type { AuditStore, RateStore, SqlPort } from '@weir/ports';
import { PROVIDER_STORE_MIGRATIONS, sqlAuditStore, sqlRateStore } from '@weir/provider-store';
import { createPglite } from '@weir/sql-pglite';
import { createPostgres } from '@weir/sql-postgres';
import { dataFolder } from '../paths.ts';

export interface Storage {
  readonly auditStore: AuditStore;
  readonly rateStore: RateStore;
  readonly models: ModelStores;
  close(): Promise<void>;
}

export interface StorageAddress {
  /** The setting `storage.database`; holds a password, so it is never printed. */
  readonly database: string | null;
  /** Takes sentences about the start, for people. */
  readonly say: (sentence: string) => void;
}

/** Whether anything was ever written. A server is taken to hold something. */
export const storageExists = (database: string | null): boolean => database !== null || existsSync(path.join(dataFolder(), 'postgresql', 'PG_VERSION'));

const openEmbedded = (say: StorageAddress['say']): Promise<SqlPort> =>
  createPglite({ dataFolder: dataFolder(), onNotice: ({ step, sentence }) => (step === 'ready' ? undefined : say(sentence)) });

async function migrateAll(sql: SqlPort): Promise<void> {
  for (const set of [PROVIDER_STORE_MIGRATIONS, MODEL_STORE_MIGRATIONS]) await migrate(sql, set);
}

/** Migrations may take longer than any statement of a command, so they have a connection of their own. */
async function openServer(url: string): Promise<SqlPort> {
  const patient = createPostgres({ url, poolSize: 1, statementTimeoutMs: 0 });
  try {
    await migrateAll(patient);
  } finally {
    await patient.close();
  }
  return createPostgres({ url });
}

/** Throws the failures of SqlPort: DATABASE_LOCKED where another process has the embedded one open, DATABASE_UNAVAILABLE, CONFIG_INVALID for an address. */
export async function openStorage({ database, say }: StorageAddress): Promise<Storage> {
  const sql = database === null ? await openEmbedded(say) : await openServer(database);
  try {
    if (database === null) await migrateAll(sql);
  } catch (error) {
    await sql.close();
    throw error;
  }
  return {
    auditStore: sqlAuditStore(sql),
    rateStore: sqlRateStore(sql, { now: Date.now, newId: randomUUID }),
    models: sqlModelStores(sql, { now: Date.now }),
    close: () => sql.close(),
  };
}
