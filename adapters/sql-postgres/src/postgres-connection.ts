/** One connection of the pool: it goes back without a transaction, or it does not go back at all. */
import type { SqlAnswer, SqlConnection } from '@weir/ports';
import type pg from 'pg';
import { classifyFailure, failure } from './classify-failure.ts';
import { runStatement, SilentServer } from './run-statement.ts';

const ROLLBACK = { statement: 'rollback', values: [], begins: false };

/** @param limitMs the server's limit of a statement, 0 for none. */
export function postgresConnection(client: pg.PoolClient, limitMs: number): SqlConnection {
  let lost = false;
  /** A statement has failed; what `pg` says of the transaction is older than that. */
  let unsure = false;
  const onLoss = (): void => {
    lost = true;
  };
  // An error between two statements would end the process if nobody listened; the next statement reports it.
  client.on('error', onLoss);

  async function run(statement: string, values: readonly (string | null)[], begins = false): Promise<SqlAnswer> {
    if (lost) throw failure('DATABASE_UNAVAILABLE', 'The connection to the database was lost.');
    try {
      return await runStatement(client, { statement, values, begins }, limitMs);
    } catch (error) {
      unsure = true;
      if (error instanceof SilentServer) lost = true;
      throw classifyFailure(error, statement);
    }
  }

  async function release(): Promise<void> {
    if (!lost && (unsure || client.getTransactionStatus() !== 'I')) {
      // When the rollback fails too, the connection ends, and the server rolls back by itself.
      await runStatement(client, ROLLBACK, limitMs).catch(onLoss);
    }
    client.off('error', onLoss);
    client.release(lost || client.getTransactionStatus() !== 'I');
  }

  return { run, release };
}
