export { chargeLostCalls } from './charge-lost-calls.ts';
export { createKeyWatch, type KeyWatch, type KeyWatchSettings } from './key-watch.ts';
export { memoryModelStores } from './memory.model-stores.ts';
export { MODEL_STORE_MIGRATIONS } from './migrations.ts';
export type { ModelStores, StoreClock } from './model-stores.ts';
export { sqlModelStores } from './sql.model-stores.ts';
export { hashVirtualKey, newVirtualKeySecret, type VirtualKeySecret } from './virtual-key-secret.ts';
