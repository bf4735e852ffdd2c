export { migrate } from './migrate.ts';
export { type Migration, type MigrationSet, type MigrationRecord, pendingMigrations } from './pending-migrations.ts';
