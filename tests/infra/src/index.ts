export { findPostgres } from './find-postgres.ts';
export { freshDatabase, type TestDatabase } from './fresh-database.ts';
export { type PostgresServer, startPostgres, type TlsPair } from './start-postgres.ts';
