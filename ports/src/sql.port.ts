/** One row of an answer, by column name. A bigint and a numeric always arrive as text. */
export type SqlRow = Readonly<Record<string, unknown>>;

export interface SqlResult<Row extends SqlRow = SqlRow> {
  readonly rows: readonly Row[];
  /** Rows that a write changed. */
  readonly count: number;
}

export interface SqlSession {
  /**
   * Runs one statement of PostgreSQL's SQL with `$1`, `$2` … as parameters. An answer of more than 100,000 rows is refused; a write whose
   * `returning` is that large has happened by then.
   */
  query<Row extends SqlRow = SqlRow>(statement: string, parameters?: readonly unknown[]): Promise<SqlResult<Row>>;
}

/**
 * A PostgreSQL database, embedded or on a server; both pass one suite. Throws AppError DATABASE_UNAVAILABLE (retry later; from a commit it leaves the outcome unknown),
 * DATABASE_CONFLICT (a serialization failure or deadlock: run the transaction again) or DATABASE_REFUSED (a constraint, a
 * syntax error: a fault of the caller, with the SQL state in the message, never the values).
 */
export interface SqlPort extends SqlSession {
  /**
   * Runs the work in one transaction: committed when it resolves, rolled back when it rejects. Inside it only the handed
   * session may be used; a query on the port itself from inside is refused with a sentence, since it would wait for itself.
   */
  transaction<T>(work: (session: SqlSession) => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

/** A database with a second lane, for work that somebody outside waits for: it does not stand behind all the rest. */
export interface SqlDatabase extends SqlPort {
  /** Closed with the database. */
  readonly ahead: SqlPort;
}
