/**
 * Reads the files of a change on both sides, each once, within limits. What could not be read is kept as a partial
 * reading, so that nothing is left out silently (REV-14).
 */
import { type DiffFile, pathOf } from '@weir/diff';
import type { CheckContext, PartialReading } from '@weir/specialist-kit';
import type { OpenedLock, OpenLock } from './lock/judge.ts';
import { type Piece, piecesOfDiff, wholePiece } from './piece.ts';

/** Characters of a manifest that are read; the largest known manifests have a tenth. */
export const MAX_MANIFEST_CHARS = 2_000_000;
/** Characters of a lockfile that are read. */
export const MAX_LOCK_CHARS = 32_000_000;

export interface Sides {
  readonly old: readonly Piece[];
  readonly new: readonly Piece[];
}

type ReadWhole = (path: string) => Promise<string | undefined>;

/** Reads each path once, however many rules ask for it. */
const remembering = (read: ReadWhole): ReadWhole => {
  const known = new Map<string, Promise<string | undefined>>();
  return path => {
    const asked = known.get(path) ?? read(path);
    known.set(path, asked);
    return asked;
  };
};

export class ChangeReader {
  /** Absent where the change is a bare diff. */
  readonly head: ReadWhole | undefined;
  readonly base: ReadWhole | undefined;
  private readonly locks = new Map<string, OpenedLock>();
  private readonly found = new Map<string, PartialReading>();

  constructor(context: CheckContext) {
    this.head = context.readHead && remembering(context.readHead);
    this.base = context.readBase && remembering(context.readBase);
  }

  /** Notes that a file could not be judged whole; the first reason stays. */
  notePartial(path: string, reason: string): void {
    if (!this.found.has(path)) this.found.set(path, { path, reason });
  }

  /** A lockfile of the head, read once however many manifests it serves. */
  opened(path: string, open: OpenLock, text: string): OpenedLock {
    const opened = this.locks.get(path) ?? open(text);
    this.locks.set(path, opened);
    return opened;
  }

  get partial(): readonly PartialReading[] {
    return [...this.found.values()];
  }

  /**
   * Both sides of a file of the change: whole where both can be read, else what the diff shows of each. A side that the
   * file does not have is empty. Null when the file is too large, which is noted.
   */
  async sides(file: DiffFile, limit: number): Promise<Sides | null> {
    const [old, head] = await Promise.all([this.whole(this.base, file.oldPath), this.whole(this.head, file.newPath)]);
    if (old === undefined || head === undefined) return { old: piecesOfDiff(file, 'old'), new: piecesOfDiff(file, 'new') };
    if (old.length > limit || head.length > limit) {
      this.notePartial(pathOf(file), `the file has more than ${limit} characters, so it is not compared as data`);
      return null;
    }
    return { old: file.oldPath === null ? [] : [wholePiece(old)], new: file.newPath === null ? [] : [wholePiece(head)] };
  }

  /** Text of one side; '' where the file has no such side, undefined where it cannot be read. */
  private whole(read: ReadWhole | undefined, path: string | null): Promise<string | undefined> {
    if (read === undefined) return Promise.resolve(undefined);
    return path === null ? Promise.resolve('') : read(path);
  }
}
