export { EVENT_STORE_MIGRATIONS } from './migrations.ts';
export { sqlEventLog, type SqlEventLogParts } from './sql.event-log.ts';
export { sqlOutbox } from './sql.outbox.ts';
