/**
 * The keyset in a file of mode 0600 in the configuration directory. A new version takes the place of the old one whole; one process
 * writes at a time.
 */
import { closeSync, constants, fstatSync, fsyncSync, linkSync, mkdirSync, openSync, readSync, renameSync, rmSync, statSync, writeSync } from 'node:fs';
import path from 'node:path';
import { AppError } from '@weir/kernel';
import type { KeysetSource } from './create-secret-box.ts';
import { type Keyset, keysetText, readKeyset, withNewKey } from './keyset.ts';

const MAX_BYTES = 65_536;
const OWNER_ONLY = 0o600;
const OTHERS = 0o077;

const codeOf = (error: unknown): unknown => (error instanceof Error && 'code' in error ? error.code : undefined);

/** Throws AppError KEYSET_INVALID when it is missing, open to others, or no keyset. */
export function readKeysetFile(file: string): Keyset {
  const descriptor = openFile(file);
  try {
    const { mode, size } = fstatSync(descriptor);
    if (process.platform !== 'win32' && (mode & OTHERS) !== 0) {
      throw new AppError('KEYSET_INVALID', `Others may read the keyset ${file}.`, { next: `Run: chmod 600 ${file}, and rotate it: \`weir keyset rotate\`.` });
    }
    if (size > MAX_BYTES) throw new AppError('KEYSET_INVALID', `${file} is too large for a keyset.`);
    const bytes = Buffer.alloc(size);
    return readKeyset(bytes.subarray(0, readSync(descriptor, bytes, 0, size, 0)).toString(), file);
  } finally {
    closeSync(descriptor);
  }
}

function openFile(file: string): number {
  try {
    return openSync(file, constants.O_RDONLY);
  } catch (cause) {
    const missing = codeOf(cause) === 'ENOENT';
    throw new AppError('KEYSET_INVALID', `The keyset ${file} ${missing ? 'is missing' : 'cannot be opened'}.`, { cause });
  }
}

/** Reads the file again whenever another one lies in its place. */
export function keysetFileSource(file: string): KeysetSource {
  let known: { readonly mark: string; readonly keyset: Keyset } | undefined;
  return () => {
    const found = statSync(file, { bigint: true, throwIfNoEntry: false });
    const mark = found === undefined ? 'missing' : `${found.ino} ${found.mtimeNs} ${found.size} ${found.mode}`;
    if (known?.mark !== mark) known = { mark, keyset: readKeysetFile(file) };
    return known.keyset;
  };
}

/** Makes a keyset with one key where there is none. @returns false when there is one, which stays as it is. */
export function createKeysetFile(file: string, now: Date): boolean {
  mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
  const draft = writeDraft(file, withNewKey(undefined, now));
  try {
    // A link, unlike a rename, never replaces what another process has made meanwhile.
    linkSync(draft, file);
    return true;
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error;
    return false;
  } finally {
    rmSync(draft, { force: true });
  }
}

/** Changes the keyset while no other process does. @returns the new one. */
export function changeKeysetFile(file: string, change: (keyset: Keyset) => Keyset): Keyset {
  const lock = `${file}.lock`;
  takeLock(lock);
  try {
    const changed = change(readKeysetFile(file));
    renameSync(writeDraft(file, changed), file);
    return changed;
  } finally {
    rmSync(lock, { force: true });
  }
}

function takeLock(lock: string): void {
  try {
    closeSync(openSync(lock, 'wx', OWNER_ONLY));
  } catch (cause) {
    if (codeOf(cause) !== 'EEXIST') throw cause;
    throw new AppError('KEYSET_INVALID', 'Another process is changing the keyset.', { next: `Wait for it. If there is none, delete ${lock} and run again.` });
  }
}

/** Beside the file, so that it can take its place; on the disk before it does. */
function writeDraft(file: string, keyset: Keyset): string {
  const draft = `${file}.${process.pid}.${Date.now()}.draft`;
  const descriptor = openSync(draft, 'wx', OWNER_ONLY);
  try {
    writeSync(descriptor, keysetText(keyset));
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
  return draft;
}
