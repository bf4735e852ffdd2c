/** The lockfile that serves a manifest: the nearest one upwards, as the change leaves the repository. */
import { MAX_LOCK_CHARS, type ChangeReader } from '../change-reader.ts';
import type { Ecosystem, LockKind } from '../ecosystems.ts';
import { below, folderOf, joined, MAX_FOLDERS, upwards } from '../repository-path.ts';

export interface FoundLock {
  readonly kind: LockKind;
  readonly path: string;
  readonly text: string;
  /** Folder of the manifest below the lockfile's own. */
  readonly member: string;
  readonly changed: boolean;
}

/** True when the change alters the file, also where an ignore rule keeps it out of the reviewed files. */
const isChanged = async (reader: ChangeReader, path: string, text: string, inChange: ReadonlySet<string>): Promise<boolean> =>
  inChange.has(path) || (reader.base !== undefined && (await reader.base(path)) !== text);

const locksIn = async (
  reader: ChangeReader,
  manifestPath: string,
  folder: string,
  kinds: readonly LockKind[],
  inChange: ReadonlySet<string>,
): Promise<FoundLock[]> => {
  const found: FoundLock[] = [];
  for (const kind of kinds) {
    const path = joined(folder, kind.file);
    const text = await reader.head?.(path);
    if (text === undefined) continue;
    const changed = await isChanged(reader, path, text, inChange);
    found.push({ kind, path, text, member: below(folder, folderOf(manifestPath)), changed });
  }
  return found;
};

/**
 * Null where no lockfile exists. Of several in one folder the one that changes counts, since the others are left-overs.
 * @param inChange paths that the change touches.
 */
export const nearestLock = async (
  reader: ChangeReader,
  ecosystem: Ecosystem,
  manifestPath: string,
  inChange: ReadonlySet<string>,
): Promise<FoundLock | null> => {
  for (const folder of ecosystem.workspaces ? upwards(folderOf(manifestPath), MAX_FOLDERS) : [folderOf(manifestPath)]) {
    const found = await locksIn(reader, manifestPath, folder, ecosystem.locks, inChange);
    const lock = found.find(candidate => candidate.changed) ?? found[0];
    if (lock === undefined) continue;
    if (lock.text.length <= MAX_LOCK_CHARS) return lock;
    reader.notePartial(manifestPath, `${lock.path} has more than ${MAX_LOCK_CHARS} characters, so the manifest is not compared with it`);
    return null;
  }
  return null;
};
