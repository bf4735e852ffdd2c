/** Runs one statement on a connection of `pg`, with a bound on the time without an answer. */
import type { SqlAnswer, SqlTransactionStatus } from '@weir/ports';
import type pg from 'pg';
import { type SentStatement, WireStatement } from './wire-statement.ts';

/** The server ends a statement at its limit. When even that word does not come, the network is gone. */
const SILENCE_MS = 5_000;

const STATUSES: Readonly<Record<string, SqlTransactionStatus>> = { I: 'idle', T: 'open', E: 'failed' };

/** No word from the server within the limit of the statement and some seconds. The connection is of no use any more. */
export class SilentServer extends Error {
  override readonly name = 'SilentServer';
}

/**
 * @param limitMs the server's own limit of a statement; 0 for none, and then for no bound on the silence either.
 * @throws what `pg` throws, or SilentServer.
 */
export function runStatement(client: pg.ClientBase, statement: SentStatement, limitMs: number): Promise<SqlAnswer> {
  return new Promise((resolve, reject) => {
    const silence = limitMs === 0 ? undefined : setTimeout(() => reject(new SilentServer('the server does not answer')), limitMs + SILENCE_MS);
    client.query(
      new WireStatement(statement, {
        onAnswer: answer => {
          clearTimeout(silence);
          resolve({ ...answer, status: STATUSES[client.getTransactionStatus() ?? ''] ?? 'failed' });
        },
        onError: error => {
          clearTimeout(silence);
          reject(error);
        },
      }),
    );
  });
}
