/**
 * The SQL port on PGlite, PostgreSQL compiled to WebAssembly, inside this process. One connection: transactions run one
 * after another, in two lanes. Safe against a killed process, not against power loss, since PGlite never calls fsync.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { AppError } from '@weir/kernel';
import { createSqlPort, type SqlConnection, type SqlDatabase, type SqlDriver, type SqlPort, type TransactionMark } from '@weir/ports';
import { claimFolder, type FolderClaim } from './claim-folder.ts';
import { openWorker, type WorkerLink } from './worker-link.ts';

/** A step of the start, as a sentence for people. `durability` says what a power loss may cost. */
export interface PgliteNotice {
  readonly step: 'creating' | 'opening' | 'durability' | 'ready';
  readonly sentence: string;
}

export interface PgliteSettings {
  /** Made when it is missing. Null is a database in memory, for tests and one-shot runs. */
  readonly dataFolder: string | null;
  readonly onNotice: (notice: PgliteNotice) => void;
  /** A longer statement ends the database's thread, and the next work opens it again; 60 s when left out. */
  readonly statementTimeoutMs?: number;
}

const STATEMENT_TIMEOUT_MS = 60_000;

/** @throws AppError DATABASE_LOCKED when another process has the folder open, DATABASE_UNAVAILABLE when it cannot be opened. */
export async function createPglite({ dataFolder, onNotice, statementTimeoutMs = STATEMENT_TIMEOUT_MS }: PgliteSettings): Promise<SqlDatabase> {
  const claim = dataFolder === null ? undefined : await claimFolder(dataFolder);
  try {
    const files = dataFolder === null ? null : path.join(dataFolder, 'postgresql');
    announce(files, onNotice);
    if (files !== null) await mkdir(files, { recursive: true, mode: 0o700 });
    const link = await openWorker(files);
    onNotice({ step: 'ready', sentence: 'The embedded database is ready.' });
    const line = exclusiveLine(link, files, statementTimeoutMs);
    const scope = new AsyncLocalStorage<TransactionMark>();
    const portOf = (acquire: SqlDriver['acquire'], close: SqlDriver['close']): SqlPort =>
      createSqlPort({ driver: { acquire, close }, scope, failure: (code, sentence) => new AppError(code, sentence) });
    const ahead = portOf(
      () => line.acquire('ahead'),
      async () => undefined,
    );
    const sql = portOf(
      () => line.acquire('rest'),
      async () => {
        await ahead.close();
        await closeAll(line.current(), claim);
      },
    );
    return { ...sql, ahead };
  } catch (error) {
    await claim?.release();
    throw error;
  }
}

function announce(files: string | null, onNotice: PgliteSettings['onNotice']): void {
  const known = files !== null && existsSync(path.join(files, 'PG_VERSION'));
  const where = files ?? 'memory';
  if (known) onNotice({ step: 'opening', sentence: `Opening the embedded database in ${where}.` });
  else onNotice({ step: 'creating', sentence: `Creating the embedded database in ${where}; this takes some seconds, once.` });
  onNotice({
    step: 'durability',
    sentence:
      files === null
        ? 'The embedded database is in memory: it ends with this process.'
        : 'The embedded database does not call fsync: a killed process loses nothing, a power loss may lose the last writes. Use a PostgreSQL server where that matters.',
  });
}

async function closeAll(link: WorkerLink, claim: FolderClaim | undefined): Promise<void> {
  await link.close();
  await claim?.release();
}

interface ExclusiveLine {
  /** Waits for its turn; the one connection is held until it is released. */
  acquire(lane: Lane): Promise<SqlConnection>;
  current(): WorkerLink;
}

type Lane = 'ahead' | 'rest';

/** Turns that one lane may have in a row while the other waits, so that neither waits for ever. */
const AHEAD_IN_A_ROW = 8;

function exclusiveLine(first: WorkerLink, files: string | null, limitMs: number): ExclusiveLine {
  let link = first;
  let held = false;
  let inARow = 0;
  const waiting: Readonly<Record<Lane, (() => void)[]>> = { ahead: [], rest: [] };

  function turn(lane: Lane): Promise<void> {
    if (held) return new Promise(resolve => void waiting[lane].push(resolve));
    held = true;
    return Promise.resolve();
  }

  function free(): void {
    const lane: Lane = waiting.ahead.length > 0 && (waiting.rest.length === 0 || inARow < AHEAD_IN_A_ROW) ? 'ahead' : 'rest';
    inARow = lane === 'ahead' ? inARow + 1 : 0;
    const next = waiting[lane].shift();
    if (next === undefined) held = false;
    else next();
  }

  async function acquire(lane: Lane): Promise<SqlConnection> {
    await turn(lane);
    try {
      // A database in memory ended with its thread; one on disk is opened again.
      if (!link.alive() && files !== null) link = await openWorker(files);
    } catch (error) {
      free();
      throw error;
    }
    return embeddedConnection(link, limitMs, free);
  }

  return { acquire, current: () => link };
}

function embeddedConnection(link: WorkerLink, limitMs: number, free: () => void): SqlConnection {
  let open = false;

  async function run(statement: string, values: readonly (string | null)[], begins = false): ReturnType<SqlConnection['run']> {
    // PGlite's own statement_timeout never fires: one thread computes and would have to watch the clock.
    // Its begin may have run although the statement is refused.
    open ||= begins;
    const limit = setTimeout(() => link.terminate(`A statement took longer than ${limitMs} ms, so the embedded database was stopped.`), limitMs);
    try {
      const answer = await link.run(statement, values, begins);
      open = answer.status !== 'idle';
      return answer;
    } finally {
      clearTimeout(limit);
    }
  }

  async function release(): Promise<void> {
    // A rollback fails only with the thread, and with it the transaction ends too.
    if (open && link.alive()) await link.run('rollback', []).catch(() => undefined);
    free();
  }

  return { run, release };
}
