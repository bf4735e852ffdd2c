/** The model stores over one database, after MODEL_STORE_MIGRATIONS. */
import type { SqlPort } from '@weir/ports';
import type { ModelStores, StoreClock } from './model-stores.ts';
import { sqlCredentialPool } from './sql.credential-pool.ts';
import { sqlLedgerStore } from './sql.ledger-store.ts';
import { sqlModelConfigStore } from './sql.model-config-store.ts';
import { sqlVirtualKeyStore } from './sql.virtual-key-store.ts';

export const sqlModelStores = (database: SqlPort, clock: StoreClock): ModelStores => ({
  config: sqlModelConfigStore(database),
  credentials: sqlCredentialPool(database, clock),
  keys: sqlVirtualKeyStore(database, clock),
  ledger: sqlLedgerStore(database),
});
