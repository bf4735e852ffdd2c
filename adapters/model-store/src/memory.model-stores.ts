/** The model stores of one process; what they hold ends with it. */
import { memoryCredentialPool } from './memory.credential-pool.ts';
import { memoryLedgerStore } from './memory.ledger-store.ts';
import { memoryModelConfigStore } from './memory.model-config-store.ts';
import type { MemoryModelRows } from './memory.model-rows.ts';
import { memoryVirtualKeyStore } from './memory.virtual-key-store.ts';
import type { ModelStores, StoreClock } from './model-stores.ts';

export function memoryModelStores(clock: StoreClock): ModelStores {
  const rows: MemoryModelRows = { providers: new Map(), models: new Map(), uses: new Map(), credentials: new Map() };
  return {
    config: memoryModelConfigStore(rows),
    credentials: memoryCredentialPool(rows, clock),
    keys: memoryVirtualKeyStore(clock),
    ledger: memoryLedgerStore(),
  };
}
