import type { ChangeSummary } from '@weir/contract';

/** A local change: its diff as bytes, and readers where there is more than a diff. */
export interface LocalChange {
  readonly kind: ChangeSummary['kind'];
  readonly base: string | null;
  readonly head: string | null;
  /** One line for people: `3 commits on feature since main`. */
  readonly label: string;
  /** For the ignore rules (REV-20d); null where the change has none. */
  readonly title: string | null;
  readonly branch: string | null;
  readonly author: string | null;
  /** The diff, streamed; ends early with an error if git fails. */
  diff(signal: AbortSignal): AsyncIterable<Uint8Array>;
  /**
   * The diff of the named files as text, whatever their attributes say: a change can mark its own files as binary. Absent for a bare diff.
   */
  readonly diffAsText?: (paths: readonly string[], signal: AbortSignal) => AsyncIterable<Uint8Array>;
  /** What could not be made part of the diff, known once it has been read; each a sentence. */
  readonly warnings?: () => readonly string[];
  /** Text of a file as the change leaves it; undefined when there is none. Absent for a bare diff. */
  readonly readHead?: (path: string) => Promise<string | undefined>;
  readonly readBase?: (path: string) => Promise<string | undefined>;
  /** Text of a file on the target branch (REV-36); absent for a bare diff outside a repository. */
  readonly readTarget?: (path: string) => Promise<string | undefined>;
  /** Those of the paths that .gitattributes marks as generated or vendored. Absent for a bare diff. */
  readonly generated?: (paths: readonly string[]) => Promise<ReadonlySet<string>>;
}
