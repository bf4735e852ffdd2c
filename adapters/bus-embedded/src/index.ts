export { embeddedBus, type EmbeddedBus, type EmbeddedBusParts } from './embedded.bus.ts';
export { endLeases } from './end-leases.ts';
export { BUS_MIGRATIONS } from './migrations.ts';
export { sqlDeadLetters } from './sql.dead-letters.ts';
export { sqlLeaseStore } from './sql.lease-store.ts';
export { sqlRetryStore } from './sql.retry-store.ts';
