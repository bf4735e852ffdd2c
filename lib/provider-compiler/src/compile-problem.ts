/**
 * What a compile says when it refuses (operation, place, reason, mend) and when it notes how it read something odd.
 */
export interface CompileProblem {
  /** `GET /path`; empty where the whole description is meant. */
  readonly operation: string;
  /** JSON Pointer into the description, or `overlay/3` for an entry of the overlay. */
  readonly place: string;
  readonly reason: string;
  /** What the person does about it. */
  readonly mend: string;
}

/** An odd spot of the description that was read in a stated way; nothing to mend. */
export interface CompileNote {
  readonly operation: string;
  readonly place: string;
  readonly note: string;
}

/** At most so many problems are reported at once. */
export const MAX_PROBLEMS = 100;
