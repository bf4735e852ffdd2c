/**
 * What an import did not take, counted by reason, so that nothing is dropped silently (REV-14).
 */
export interface Dropped {
  readonly reason: string;
  readonly count: number;
}

export interface Tally {
  /** Counts one more entry under the reason. Reasons are fixed sentences, so the tally stays small. */
  readonly drop: (reason: DropReason, count?: number) => void;
  /** In the order in which the reasons came up. */
  readonly dropped: () => Dropped[];
}

export type DropReason =
  | 'it is suppressed in the report'
  | 'it is not a problem (it passed or does not apply)'
  | 'it is absent from the newer of two compared runs'
  | 'it names no file'
  | 'its file is outside of the repository'
  | 'its address is not a file'
  | 'it has no message'
  | 'it is not an entry of the format'
  | 'its severity is ignore'
  | 'the limit of imported findings is reached';

export function newTally(): Tally {
  const counts = new Map<DropReason, number>();
  return {
    drop: (reason, count = 1) => {
      counts.set(reason, (counts.get(reason) ?? 0) + count);
    },
    dropped: () => Array.from(counts, ([reason, count]) => ({ reason, count })),
  };
}
