export { findKafka, requireKafka } from './find-kafka.ts';
export { findPostgres } from './find-postgres.ts';
export { freePort } from './free-port.ts';
export { freshDatabase, type TestDatabase } from './fresh-database.ts';
export { type KafkaBroker, startKafka } from './start-kafka.ts';
export { type PostgresServer, startPostgres, type TlsPair } from './start-postgres.ts';
