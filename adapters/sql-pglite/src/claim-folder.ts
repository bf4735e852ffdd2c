/**
 * One process alone may open a data folder; PGlite takes no lock itself, and two processes would diverge in silence.
 * Each process writes a note of its own name into `holders/` and only then looks for others: of two that come at the same
 * time at least one sees the other, so both never win. A note of a dead process is removed; since every note has a name
 * of its own, removing one can never hit the note of a newcomer.
 */
import { randomBytes } from 'node:crypto';
import { mkdir, readdir, readFile, rename, rm, stat, utimes, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { AppError } from '@weir/kernel';
import { livenessOf, ownIdentity, type ProcessIdentity } from './process-identity.ts';

/** A holder renews its note this often… */
const RENEW_MS = 5_000;
/** …and one in another container, that cannot be looked up from here, counts as dead when its note is older than this. */
const SILENT_MS = 30_000;
/** Two that meet both step back; the pauses differ, so one of them gets through. */
const ATTEMPTS = 5;
const PAUSE_MS = 100;

export interface FolderClaim {
  release(): Promise<void>;
}

interface Holder {
  readonly pid: number;
  readonly file: string;
}

/** @throws AppError DATABASE_LOCKED with the process id of the holder. */
export async function claimFolder(folder: string): Promise<FolderClaim> {
  const holders = path.join(folder, 'holders');
  await mkdir(holders, { recursive: true, mode: 0o700 });
  let holder: Holder | undefined;
  for (let attempt = 1; attempt <= ATTEMPTS; attempt += 1) {
    const note = await writeNote(holders);
    holder = await otherHolder(holders, note);
    if (holder === undefined) return held(note);
    await rm(note, { force: true });
    await new Promise(resolve => setTimeout(resolve, PAUSE_MS * attempt * (0.5 + Math.random())));
  }
  throw new AppError('DATABASE_LOCKED', `The embedded database ${folder} is open in process ${holder?.pid ?? 'unknown'}.`, {
    next: `Stop that process, or use another data directory. If it is not Weir, remove ${holder?.file ?? holders}.`,
  });
}

/** Written beside and renamed, so that nobody reads half a note. */
async function writeNote(holders: string): Promise<string> {
  const note = path.join(holders, `${process.pid}-${randomBytes(8).toString('hex')}.json`);
  await writeFile(`${note}.new`, JSON.stringify(ownIdentity()), { mode: 0o600 });
  await rename(`${note}.new`, note);
  return note;
}

async function otherHolder(holders: string, own: string): Promise<Holder | undefined> {
  const now = (await stat(own)).mtimeMs;
  for (const name of await readdir(holders)) {
    const file = path.join(holders, name);
    if (file === own || !name.endsWith('.json')) continue;
    const pid = await liveHolder(file, now);
    if (pid !== undefined) return { pid, file };
  }
  return undefined;
}

/** @returns its process id, or undefined when it is gone; its note is then removed. */
async function liveHolder(file: string, now: number): Promise<number | undefined> {
  try {
    const identity = JSON.parse(await readFile(file, 'utf8')) as ProcessIdentity;
    const liveness = livenessOf(identity);
    if (liveness === 'alive' || (liveness === 'elsewhere' && now - (await stat(file)).mtimeMs < SILENT_MS)) return identity.pid;
    await rm(file, { force: true });
    return undefined;
  } catch (error) {
    // Its holder has just released it.
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw error;
  }
}

function held(note: string): FolderClaim {
  const renew = setInterval(() => {
    const now = new Date();
    // A note that cannot be renewed is the concern of the next one who comes; the database works without.
    utimes(note, now, now).catch(() => undefined);
  }, RENEW_MS);
  renew.unref();
  return {
    async release() {
      clearInterval(renew);
      await rm(note, { force: true });
    },
  };
}
