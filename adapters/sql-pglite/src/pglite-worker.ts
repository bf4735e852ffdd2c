/**
 * The thread of the embedded database: PGlite computes in WebAssembly and blocks its thread while it does.
 * It speaks PostgreSQL's extended protocol to PGlite in one message for each statement, which is half the time of its
 * `query`, leaves every value as text, and tells after each statement whether a transaction is open.
 */
import { parentPort, workerData } from 'node:worker_threads';
import { messages, PGlite, protocol } from '@electric-sql/pglite';
import type { SqlTransactionStatus } from '@weir/ports';
import type { WorkerMessage, WorkerRows, WorkerStart, WorkerStatement } from './worker-messages.ts';

const { serialize } = protocol;
const { folder, maxRows } = workerData as WorkerStart;

/** PostgreSQL's own state of an internal error, for the one case that an answer has none. */
const INTERNAL_ERROR = 'XX000';
const STATUSES: Readonly<Record<string, SqlTransactionStatus>> = { I: 'idle', T: 'open', E: 'failed' };
const WRITES: readonly string[] = ['INSERT', 'UPDATE', 'DELETE', 'MERGE'];

function say(message: WorkerMessage): void {
  parentPort?.postMessage(message);
}

function concatenated(parts: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let offset = 0;
  for (const part of parts) {
    whole.set(part, offset);
    offset += part.length;
  }
  return whole;
}

async function run(database: PGlite, { id, statement, values, begins }: WorkerStatement): Promise<WorkerMessage> {
  // The database skips the rest of a piece after an error, so a statement never runs outside of the transaction that it begins.
  const begin = begins ? [serialize.parse({ text: 'begin' }), serialize.bind({ values: [] }), serialize.execute({})] : [];
  const request = concatenated([
    ...begin,
    serialize.parse({ text: statement ?? '' }),
    serialize.bind({ values: [...values] }),
    serialize.describe({ type: 'P' }),
    // One row beyond the limit shows that there is more; the rest stays unread.
    serialize.execute({ rows: maxRows + 1 }),
    serialize.sync(),
  ]);
  const { messages: answers } = await database.execProtocol(request, { throwOnError: false });
  return readAnswers(id, answers);
}

function readAnswers(id: number, answers: Awaited<ReturnType<PGlite['execProtocol']>>['messages']): WorkerMessage {
  let columns: WorkerRows['columns'] = [];
  const rows: WorkerRows['rows'][number][] = [];
  let count = 0;
  let status: SqlTransactionStatus = 'failed';
  let refused: messages.DatabaseError | undefined;
  for (const message of answers) {
    if (message instanceof messages.DataRowMessage) rows.push(message.fields);
    else if (message instanceof messages.RowDescriptionMessage) columns = readColumns(message);
    else if (message instanceof messages.CommandCompleteMessage) count = readCount(message.text);
    else if (message instanceof messages.ReadyForQueryMessage) status = STATUSES[message.status] ?? 'failed';
    else if (message instanceof messages.DatabaseError) refused = message;
  }
  if (refused === undefined) return { kind: 'rows', id, answer: { columns, rows, count, status } };
  const { code = INTERNAL_ERROR, table, column, constraint, position } = refused;
  return { kind: 'error', id, fields: { state: code, table, column, constraint, position } };
}

const readColumns = (message: messages.RowDescriptionMessage): WorkerRows['columns'] =>
  message.fields.map(({ name, dataTypeID }) => ({ name, type: dataTypeID }));

/** The tag of a finished command: `INSERT 0 5`, `UPDATE 3`, `SELECT 2`, `CREATE TABLE`. */
function readCount(tag: string): number {
  const words = tag.split(' ');
  return WRITES.includes(words[0] ?? '') ? Number(words.at(-1)) : 0;
}

const describe = (error: unknown): string => (error instanceof Error ? error.message : String(error));

async function serve(): Promise<void> {
  const database = new PGlite(folder === null ? 'memory://' : folder);
  await database.waitReady;
  let last: Promise<void> = Promise.resolve();
  parentPort?.on('message', (request: WorkerStatement) => {
    last = last.then(() => answer(database, request));
  });
  say({ kind: 'ready' });
}

async function answer(database: PGlite, request: WorkerStatement): Promise<void> {
  try {
    if (request.statement === null) {
      await database.close();
      parentPort?.close();
    } else {
      say(await run(database, request));
    }
  } catch (error) {
    // Not a refusal of a statement, which is an answer, but PGlite itself: this thread is of no use any more.
    say({ kind: 'broken', reason: describe(error) });
  }
}

serve().catch((error: unknown) => say({ kind: 'broken', reason: describe(error) }));
