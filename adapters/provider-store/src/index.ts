export { memoryAuditStore } from './memory.audit-store.ts';
export { memoryEtagStore } from './memory.etag-store.ts';
export { memoryRateStore } from './memory.rate-store.ts';
export { PROVIDER_STORE_MIGRATIONS } from './migrations.ts';
export { sqlAuditStore } from './sql.audit-store.ts';
export { sqlEtagStore } from './sql.etag-store.ts';
export { sqlRateStore } from './sql.rate-store.ts';
export type { StoreSources } from './store-sources.ts';
