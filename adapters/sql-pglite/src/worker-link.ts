/** The main thread's end of the line to the thread of the embedded database. */
import { Worker } from 'node:worker_threads';
import { AppError } from '@weir/kernel';
import { SQL_MAX_ROWS, type SqlAnswer, sqlDecoder, sqlFailure } from '@weir/ports';
import type { WorkerMessage, WorkerRows, WorkerStatement } from './worker-messages.ts';

interface Pending {
  readonly statement: string;
  readonly resolve: (answer: SqlAnswer) => void;
  readonly reject: (error: Error) => void;
}

export interface WorkerLink {
  /** Throws the port's failures. */
  run(statement: string, values: readonly (string | null)[], begins?: boolean): Promise<SqlAnswer>;
  /** False when the thread has ended; what it was asked has then been rejected. */
  alive(): boolean;
  /** Closes the database and waits for the end of the thread. */
  close(): Promise<void>;
  /** Ends the thread at once, as a kill of the process would; the files stay whole. */
  terminate(sentence: string): void;
}

/** From sources the thread needs a loader of TypeScript; a build puts the thread's JavaScript beside this file. */
const WORKER = new URL(import.meta.url.endsWith('.ts') ? './pglite-worker-from-source.js' : './pglite-worker.js', import.meta.url);

/** @param folder of PostgreSQL's files; null for a database in memory. */
export async function openWorker(folder: string | null): Promise<WorkerLink> {
  const worker = new Worker(WORKER, { workerData: { folder, maxRows: SQL_MAX_ROWS }, execArgv: [], env: {} });
  const pending = new Map<number, Pending>();
  let alive = true;
  let lastId = 0;
  const ended = new Promise<void>(resolve => worker.once('exit', () => resolve()));

  function fail(sentence: string, cause?: unknown): void {
    alive = false;
    const failure = new AppError('DATABASE_UNAVAILABLE', sentence, cause === undefined ? {} : { cause });
    for (const { reject } of pending.values()) reject(failure);
    pending.clear();
    void worker.terminate();
  }

  function settle(message: WorkerMessage): void {
    if (message.kind === 'broken') fail(`The embedded database stopped: ${message.reason}.`);
    if (message.kind !== 'rows' && message.kind !== 'error') return;
    const asked = pending.get(message.id);
    pending.delete(message.id);
    if (message.kind === 'rows') {
      asked?.resolve(decodeRows(message.answer));
    } else {
      const { code, sentence } = sqlFailure(message.fields, asked?.statement ?? '');
      asked?.reject(new AppError(code, sentence));
    }
  }

  await new Promise<void>((resolve, reject) => {
    pending.set(0, { statement: 'open', resolve: () => undefined, reject });
    worker.on('message', (message: WorkerMessage) => {
      if (message.kind === 'ready') resolve();
      settle(message);
    });
    worker.on('error', error => fail('The embedded database stopped.', error));
    worker.once('exit', () => fail('The embedded database has ended.'));
  });
  pending.delete(0);

  return {
    alive: () => alive,
    terminate: fail,
    run: (statement, values, begins = false) =>
      new Promise((resolve, reject) => {
        if (!alive) {
          reject(new AppError('DATABASE_UNAVAILABLE', 'The embedded database has ended.'));
          return;
        }
        lastId += 1;
        pending.set(lastId, { statement, resolve, reject });
        worker.postMessage({ id: lastId, statement, values, begins } satisfies WorkerStatement);
      }),
    async close() {
      if (alive) worker.postMessage({ id: 0, statement: null, values: [], begins: false } satisfies WorkerStatement);
      await ended;
    },
  };
}

function decodeRows({ columns, rows, count, status }: WorkerRows): SqlAnswer {
  const decoders = columns.map(({ name, type }) => ({ name, decode: sqlDecoder(type) }));
  return {
    count,
    status,
    rows: rows.map(fields => {
      const row: Record<string, unknown> = {};
      for (const [index, { name, decode }] of decoders.entries()) {
        const text = fields[index] ?? null;
        row[name] = text === null ? null : decode(text);
      }
      return row;
    }),
  };
}
