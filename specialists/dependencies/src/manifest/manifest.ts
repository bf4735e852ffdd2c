import type { DependencyEntry } from '../dependency-entry.ts';

/** A manifest as data. Scripts and build permissions are entries of their own sections. */
export interface Manifest {
  /** The package's own name; null when it has none or a fragment does not show it. */
  readonly name: string | null;
  readonly entries: readonly DependencyEntry[];
  /** Patterns of workspace members. */
  readonly workspaces: readonly string[];
  /** True for a package that is never published; false when it is or when that is not shown. */
  readonly private: boolean;
  /** Why it could not be read whole; null when it was. */
  readonly problem: string | null;
}

export const EMPTY_MANIFEST: Manifest = { name: null, entries: [], workspaces: [], private: false, problem: null };
