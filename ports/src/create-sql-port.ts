/**
 * The part of the SQL port that both databases share: encoding, transactions, the guard against nested use, the drain at
 * the end. A database adds a driver: a connection that runs one statement.
 */
import type { SqlFailureCode } from './sql-failure.ts';
import { encodeSqlValue } from './sql-values.ts';
import type { SqlPort, SqlResult, SqlRow, SqlSession } from './sql.port.ts';

/** Rows of one answer at most; more is refused, so that a forgotten condition cannot fill the memory. */
export const SQL_MAX_ROWS = 100_000;

/** What a statement left behind: no transaction, an open one, or one that can only be rolled back. */
export type SqlTransactionStatus = 'idle' | 'open' | 'failed';

export interface SqlAnswer {
  /** At most SQL_MAX_ROWS + 1, however many there are. */
  readonly rows: readonly SqlRow[];
  readonly count: number;
  readonly status: SqlTransactionStatus;
}

export interface SqlConnection {
  /**
   * One statement, after the one before has ended. With `begins` it is the first of a transaction, and both go out together: where the
   * transaction cannot begin, the statement does not run. Throws the port's AppErrors.
   */
  run(statement: string, values: readonly (string | null)[], begins?: boolean): Promise<SqlAnswer>;
  /** Gives the connection back without a transaction: what is open is rolled back. Never rejects. */
  release(): Promise<void>;
}

export interface SqlDriver {
  acquire(): Promise<SqlConnection>;
  /** Called once, when every connection is back. */
  close(): Promise<void>;
}

/** Node's AsyncLocalStorage, one for each port: it tells what runs inside a transaction's work. */
export interface TransactionScope {
  run<T>(mark: TransactionMark, work: () => T): T;
  getStore(): TransactionMark | undefined;
}

export interface TransactionMark {
  open: boolean;
}

export interface SqlPortParts {
  readonly driver: SqlDriver;
  readonly scope: TransactionScope;
  /** Makes the AppError; the error class lives a floor away. */
  readonly failure: (code: SqlFailureCode, sentence: string) => Error;
}

export function createSqlPort({ driver, scope, failure }: SqlPortParts): SqlPort {
  const underway = new Set<Promise<unknown>>();
  let closing: Promise<void> | undefined;

  function admit(): void {
    if (closing !== undefined) throw failure('DATABASE_UNAVAILABLE', 'The database is closed.');
    if (scope.getStore()?.open) {
      throw failure('DATABASE_REFUSED', 'Inside a transaction only its session may be used: a query on the port would wait for the transaction itself.');
    }
  }

  function track<T>(work: Promise<T>): Promise<T> {
    const settled = work.then(
      () => undefined,
      () => undefined,
    );
    underway.add(settled);
    void settled.then(() => underway.delete(settled));
    return work;
  }

  async function onConnection<T>(work: (connection: SqlConnection) => Promise<T>): Promise<T> {
    const connection = await driver.acquire();
    try {
      return await work(connection);
    } finally {
      await connection.release();
    }
  }

  async function query<Row extends SqlRow>(statement: string, parameters: readonly unknown[] = []): Promise<SqlResult<Row>> {
    admit();
    const values = encode(statement, parameters, failure);
    return track(
      onConnection(async connection => {
        const answer = await connection.run(statement, values);
        if (answer.status !== 'idle') throw failure('DATABASE_REFUSED', 'A transaction is opened with `transaction`, not with a statement.');
        return toResult<Row>(answer, failure);
      }),
    );
  }

  async function transaction<T>(work: (session: SqlSession) => Promise<T>): Promise<T> {
    admit();
    return track(onConnection(connection => runTransaction(connection, work, { scope, failure })));
  }

  async function drain(): Promise<void> {
    await Promise.all(underway);
    await driver.close();
  }

  function close(): Promise<void> {
    if (scope.getStore()?.open) return Promise.reject(failure('DATABASE_REFUSED', 'A database cannot be closed from inside a transaction.'));
    closing ??= drain();
    return closing;
  }

  return { query, transaction, close };
}

async function runTransaction<T>(
  connection: SqlConnection,
  work: (session: SqlSession) => Promise<T>,
  { scope, failure }: Pick<SqlPortParts, 'scope' | 'failure'>,
): Promise<T> {
  const mark: TransactionMark = { open: true };
  const { session, end } = openSession(connection, failure);
  let result: T;
  try {
    result = await scope.run(mark, () => work(session));
  } finally {
    mark.open = false;
    await end();
  }
  const { status, failed } = await end();
  if (status === 'none') return result;
  // A failed statement dooms the transaction, also when the work goes on: the database would answer `commit` with a rollback.
  if (status === 'failed') throw failed;
  if (status === 'idle') throw failure('DATABASE_REFUSED', 'A statement ended the transaction; only its work may do that, by resolving or rejecting.');
  await connection.run('commit', []);
  return result;
}

interface SessionEnd {
  /** `none`: no statement was run, so that there is nothing to commit. */
  readonly status: SqlTransactionStatus | 'none';
  /** The first failure of a statement. */
  readonly failed: unknown;
}

/** Statements of a session run one after another, also when the work starts them together. */
function openSession(connection: SqlConnection, failure: SqlPortParts['failure']): { session: SqlSession; end: () => Promise<SessionEnd> } {
  let last: Promise<unknown> = Promise.resolve();
  let status: SessionEnd['status'] = 'none';
  let failed: unknown;
  let ended = false;

  async function run(statement: string, values: readonly (string | null)[]): Promise<SqlAnswer> {
    if (status === 'idle') throw failure('DATABASE_REFUSED', 'A statement ended the transaction before this one.');
    try {
      const answer = await connection.run(statement, values, status === 'none');
      status = answer.status;
      return answer;
    } catch (error) {
      failed ??= error;
      status = 'failed';
      throw error;
    }
  }

  async function query<Row extends SqlRow>(statement: string, parameters: readonly unknown[] = []): Promise<SqlResult<Row>> {
    if (ended) throw failure('DATABASE_REFUSED', 'The transaction of this session has ended.');
    const values = encode(statement, parameters, failure);
    const answer = last.then(() => run(statement, values));
    last = answer.catch(() => undefined);
    return toResult<Row>(await answer, failure);
  }

  async function end(): Promise<SessionEnd> {
    ended = true;
    await last;
    return { status, failed };
  }

  return { session: { query }, end };
}

function encode(statement: string, parameters: readonly unknown[], failure: SqlPortParts['failure']): (string | null)[] {
  // The wire ends a statement at the first NUL, so the rest would be dropped without a word.
  if (statement.includes('\0')) throw failure('DATABASE_REFUSED', 'The statement holds a NUL character.');
  return parameters.map((parameter, index) => {
    const text = encodeSqlValue(parameter);
    if (text === undefined) throw failure('DATABASE_REFUSED', `Parameter $${index + 1} is ${typeof parameter}, or holds something that has no SQL form.`);
    return text;
  });
}

function toResult<Row extends SqlRow>(answer: SqlAnswer, failure: SqlPortParts['failure']): SqlResult<Row> {
  if (answer.rows.length > SQL_MAX_ROWS) throw failure('DATABASE_REFUSED', `The answer has more than ${SQL_MAX_ROWS} rows; read it in pages.`);
  // The caller names the shape of its own statement; a database cannot prove it to a compiler.
  return { rows: answer.rows as readonly Row[], count: answer.count };
}
