/** Runs one statement on a connection of `pg`, with a bound on the rows that are kept and on the time without an answer. */
import { SQL_MAX_ROWS, type SqlAnswer, sqlDecoder, type SqlRow, type SqlTransactionStatus } from '@weir/ports';
import pg from 'pg';

/** The server ends a statement at its limit. When even that word does not come, the network is gone. */
const SILENCE_MS = 5_000;

const STATUSES: Readonly<Record<string, SqlTransactionStatus>> = { I: 'idle', T: 'open', E: 'failed' };
const WRITES: readonly string[] = ['INSERT', 'UPDATE', 'DELETE', 'MERGE'];

const types = { getTypeParser: (type: number) => sqlDecoder(type) };

/** No word from the server within the limit of the statement and some seconds. The connection is of no use any more. */
export class SilentServer extends Error {
  override readonly name = 'SilentServer';
}

/**
 * @param limitMs the server's own limit of a statement; 0 for none, and then for no bound on the silence either.
 * @throws what `pg` throws, or SilentServer.
 */
export function runStatement(client: pg.ClientBase, statement: string, values: readonly (string | null)[], limitMs: number): Promise<SqlAnswer> {
  return new Promise((resolve, reject) => {
    const rows: SqlRow[] = [];
    // The extended protocol takes one statement alone, also without parameters.
    const query = new pg.Query<SqlRow>({ text: statement, values: [...values], types, ...{ queryMode: 'extended' } });
    const silence = limitMs === 0 ? undefined : setTimeout(() => reject(new SilentServer('the server does not answer')), limitMs + SILENCE_MS);
    query.on('row', row => {
      if (rows.length <= SQL_MAX_ROWS) rows.push(row);
    });
    query.on('error', error => {
      clearTimeout(silence);
      reject(error);
    });
    query.on('end', ({ command, rowCount }) => {
      clearTimeout(silence);
      const status = STATUSES[client.getTransactionStatus() ?? ''] ?? 'failed';
      resolve({ rows, count: WRITES.includes(command) ? (rowCount ?? 0) : 0, status });
    });
    client.query(query);
  });
}
