/** What the main thread and the thread of the embedded database say to each other. */
import type { SqlErrorFields, SqlTransactionStatus } from '@weir/ports';

/** Handed to the thread when it starts. */
export interface WorkerStart {
  /** A folder of PostgreSQL's files, or null for a database in memory. */
  readonly folder: string | null;
  /** Rows of an answer that are kept at most. */
  readonly maxRows: number;
}

export interface WorkerStatement {
  readonly id: number;
  /** Null asks the thread to close the database and end. */
  readonly statement: string | null;
  readonly values: readonly (string | null)[];
  /** It is the first of a transaction, which begins with it. */
  readonly begins: boolean;
}

/** The rows stay text: text crosses threads faster than objects do. */
export interface WorkerRows {
  readonly columns: readonly { readonly name: string; readonly type: number }[];
  readonly rows: readonly (readonly (string | null)[])[];
  readonly count: number;
  readonly status: SqlTransactionStatus;
}

export type WorkerMessage =
  | { readonly kind: 'ready' }
  | { readonly kind: 'broken'; readonly reason: string }
  | { readonly kind: 'rows'; readonly id: number; readonly answer: WorkerRows }
  | { readonly kind: 'error'; readonly id: number; readonly fields: SqlErrorFields };
