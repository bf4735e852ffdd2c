/** The SQL port on a PostgreSQL server, 15 or newer, through a pool of connections. */
import { AsyncLocalStorage } from 'node:async_hooks';
import { createSqlPort, type SqlDatabase, type SqlDriver, type TransactionMark } from '@weir/ports';
import pg from 'pg';
import { classifyFailure, failure } from './classify-failure.ts';
import { type ConnectionAddress, readConnectionAddress } from './connection-address.ts';
import { postgresConnection } from './postgres-connection.ts';

export interface PostgresSettings {
  /** `postgres://user:password@host:port/database`, with `sslmode=disable | require | verify-ca | verify-full`. */
  readonly url: string;
  /** Connections at most, besides those of the lane ahead; further work waits. 10 when left out. */
  readonly poolSize?: number;
  /** The server ends a longer statement; 30 s when left out, 0 for no limit (for migrations). */
  readonly statementTimeoutMs?: number;
  /** The server ends a transaction that is idle for longer; 60 s when left out. */
  readonly idleTransactionTimeoutMs?: number;
  /** Waiting for a free or a new connection; 10 s when left out. */
  readonly acquireTimeoutMs?: number;
}

const DEFAULTS = { poolSize: 10, statementTimeoutMs: 30_000, idleTransactionTimeoutMs: 60_000, acquireTimeoutMs: 10_000 };
const AHEAD_POOL_SIZE = 3;
const IDLE_CONNECTION_MS = 30_000;
const KEEP_ALIVE_MS = 10_000;

/** The text forms that `sqlDecoder` reads, whatever the defaults of the server and of its user are. */
const TEXT_FORMS = '-c TimeZone=UTC -c DateStyle=ISO,YMD -c bytea_output=hex -c extra_float_digits=1 -c standard_conforming_strings=on';

/**
 * Opens no connection yet: the first query does. A lost connection fails the work on it with DATABASE_UNAVAILABLE, and
 * the next work gets a new one. When it is lost during `commit`, whether the transaction is committed is unknown.
 * @throws AppError CONFIG_INVALID for an unusable address.
 */
export function createPostgres(settings: PostgresSettings): SqlDatabase {
  const limits = { ...DEFAULTS, ...settings };
  const address = readConnectionAddress(settings.url);
  const scope = new AsyncLocalStorage<TransactionMark>();
  const ahead = createSqlPort({ driver: poolDriver(address, { ...limits, poolSize: AHEAD_POOL_SIZE }), scope, failure });
  const driver = poolDriver(address, limits);
  const close = async (): Promise<void> => {
    await ahead.close();
    await driver.close();
  };
  return { ...createSqlPort({ driver: { ...driver, close }, scope, failure }), ahead };
}

function poolDriver(address: ConnectionAddress, limits: typeof DEFAULTS): SqlDriver {
  const pool = new pg.Pool(poolSettings(address, limits));
  // A waiting connection that breaks is dropped by the pool itself; unheard, its error would end the process.
  pool.on('error', () => undefined);
  return {
    async acquire() {
      try {
        return postgresConnection(await pool.connect(), limits.statementTimeoutMs);
      } catch (error) {
        throw classifyFailure(error, 'connect');
      }
    },
    close: () => pool.end(),
  };
}

function poolSettings(address: ConnectionAddress, limits: typeof DEFAULTS): pg.PoolConfig {
  return {
    host: address.host,
    port: address.port,
    user: address.user,
    password: address.password,
    database: address.database,
    ssl: address.tls,
    application_name: address.applicationName ?? 'weir',
    max: limits.poolSize,
    statement_timeout: limits.statementTimeoutMs,
    idle_in_transaction_session_timeout: limits.idleTransactionTimeoutMs,
    connectionTimeoutMillis: limits.acquireTimeoutMs,
    idleTimeoutMillis: IDLE_CONNECTION_MS,
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_MS,
    options: TEXT_FORMS,
  };
}
