/** The database of this installation, opened for one command: embedded in the data folder, or a PostgreSQL server. */
import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { BUS_MIGRATIONS } from '@weir/bus-embedded';
import { EVENT_STORE_MIGRATIONS } from '@weir/event-store';
import { IDENTITY_MIGRATIONS } from '@weir/identity';
import { migrate } from '@weir/migrator';
import { MODEL_STORE_MIGRATIONS, type ModelStores, sqlModelStores } from '@weir/model-store';
import type { AuditStore, RateStore, SqlDatabase, SqlPort } from '@weir/ports';
import { PROVIDER_STORE_MIGRATIONS, sqlAuditStore, sqlRateStore } from '@weir/provider-store';
import { ACKNOWLEDGEMENT_MIGRATIONS, DELIVERY_MIGRATIONS, REVIEW_STORE_MIGRATIONS } from '@weir/review-store';
import { createPglite } from '@weir/sql-pglite';
import { createPostgres } from '@weir/sql-postgres';
import { dataFolder } from '../paths.ts';

export interface Storage {
  readonly auditStore: AuditStore;
  readonly rateStore: RateStore;
  readonly models: ModelStores;
  /** For the stores of reviews: `openReviewStores`. */
  readonly sql: SqlDatabase;
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

const openEmbedded = (say: StorageAddress['say']): Promise<SqlDatabase> =>
  createPglite({ dataFolder: dataFolder(), onNotice: ({ step, sentence }) => (step === 'ready' ? undefined : say(sentence)) });

async function migrateAll(sql: SqlPort): Promise<void> {
  const sets = [
    PROVIDER_STORE_MIGRATIONS,
    MODEL_STORE_MIGRATIONS,
    EVENT_STORE_MIGRATIONS,
    BUS_MIGRATIONS,
    REVIEW_STORE_MIGRATIONS,
    DELIVERY_MIGRATIONS,
    ACKNOWLEDGEMENT_MIGRATIONS,
    IDENTITY_MIGRATIONS,
  ];
  for (const set of sets) await migrate(sql, set);
}

/** Migrations may take longer than any statement of a command, so they have a connection of their own. */
async function openServer(url: string): Promise<SqlDatabase> {
  const patient = createPostgres({ url, poolSize: 1, statementTimeoutMs: 0 });
  try {
    await migrateAll(patient);
  } finally {
    await patient.close();
  }
  return createPostgres({ url });
}

/** Throws the failures of SqlPort: DATABASE_LOCKED where another process has the embedded one open, DATABASE_UNAVAILABLE, CONFIG_INVALID for an address. */
export const openStorage = async ({ database, say }: StorageAddress): Promise<Storage> =>
  database === null ? embeddedStorage(await openEmbedded(say)) : storageOn(await openServer(database));

/** Over a database that nobody else has open; it is closed where a migration fails. */
export async function embeddedStorage(sql: SqlDatabase): Promise<Storage> {
  try {
    await migrateAll(sql);
  } catch (error) {
    await sql.close();
    throw error;
  }
  return storageOn(sql);
}

const storageOn = (sql: SqlDatabase): Storage => ({
  auditStore: sqlAuditStore(sql),
  rateStore: sqlRateStore(sql, { now: Date.now, newId: randomUUID }),
  models: sqlModelStores(sql, { now: Date.now }),
  sql,
  close: () => sql.close(),
});
