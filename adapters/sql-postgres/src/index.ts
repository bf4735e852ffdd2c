export { createPostgres, type PostgresSettings } from './create-postgres.ts';
