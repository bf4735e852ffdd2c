/**
 * Tells whether the process that wrote a note still runs. A process id alone does not: ids are used again, and each
 * container counts from 1. So the note also holds when the process started and the place in which its id counts.
 */
import { readFileSync, readlinkSync } from 'node:fs';
import { hostname } from 'node:os';

export interface ProcessIdentity {
  readonly pid: number;
  /** The place in which the id counts: this boot of this machine, this id namespace. */
  readonly place: string;
  /** Clock ticks from the boot to the start of the process; null on systems without /proc. */
  readonly started: string | null;
}

/** `elsewhere`: the id counts in another place, so it cannot be looked up from here. */
export type Liveness = 'alive' | 'dead' | 'elsewhere';

const hasProc = process.platform === 'linux';

function readPlace(): string {
  if (!hasProc) return hostname();
  return `${readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()} ${readlinkSync('/proc/self/ns/pid')}`;
}

/** The 22nd field of /proc/<pid>/stat (proc(5)); the second is the name, in brackets, and may hold anything. */
function readStart(pid: number): string | null {
  if (!hasProc) return null;
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? null;
}

export function ownIdentity(): ProcessIdentity {
  return { pid: process.pid, place: readPlace(), started: readStart(process.pid) };
}

/** Without /proc a process that got the id again counts as alive: a lock too many is safe, one too few is not. */
export function livenessOf(holder: ProcessIdentity): Liveness {
  if (holder.place !== readPlace()) return 'elsewhere';
  if (!exists(holder.pid)) return 'dead';
  try {
    return readStart(holder.pid) === holder.started ? 'alive' : 'dead';
  } catch (error) {
    // It ended between the two looks.
    if (isMissing(error)) return 'dead';
    throw error;
  }
}

function exists(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EPERM') return true;
    if (error instanceof Error && 'code' in error && error.code === 'ESRCH') return false;
    throw error;
  }
}

/** A process that is gone has no folder, or one that cannot be read any more. */
const isMissing = (error: unknown): boolean => error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ESRCH');
