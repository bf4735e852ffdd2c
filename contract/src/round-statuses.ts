/**
 * The statuses of a round, one list for every surface (REV-11), as plain words apart from their schemas: the dashboard needs no schema library.
 * Labels, tones and filters are read from here. The state of the change (open, merged, closed) and whether the review is archived are fields of
 * their own, never a status.
 */

interface RoundStatusRow {
  readonly label: string;
  /** Mark and colour of page 80, 4.3. */
  readonly tone: 'run' | 'ok' | 'wait' | 'bad' | 'idle' | 'unknown';
  /** Nothing follows it. */
  readonly terminal: boolean;
}

export const ROUND_STATUSES = {
  queued: { label: 'queued', tone: 'run', terminal: false },
  fetching: { label: 'reading the change', tone: 'run', terminal: false },
  gathering: { label: 'gathering context', tone: 'run', terminal: false },
  generating: { label: 'reviewing', tone: 'run', terminal: false },
  posting: { label: 'posting', tone: 'run', terminal: false },
  completed: { label: 'completed', tone: 'ok', terminal: true },
  observed: { label: 'observed, nothing posted', tone: 'ok', terminal: true },
  refused: { label: 'refused', tone: 'wait', terminal: true },
  failed: { label: 'failed', tone: 'bad', terminal: true },
  cancelled: { label: 'cancelled', tone: 'idle', terminal: true },
  superseded: { label: 'superseded', tone: 'idle', terminal: true },
} as const satisfies Record<string, RoundStatusRow>;

export type RoundStatus = keyof typeof ROUND_STATUSES;

/** The stages that work is done in; a round in one of them is in flight, as is a queued one. */
export const STAGES = ['fetching', 'gathering', 'generating', 'posting'] as const satisfies readonly RoundStatus[];
export type Stage = (typeof STAGES)[number];

const UNKNOWN_STATUS: RoundStatusRow = { label: 'unknown', tone: 'unknown', terminal: false };

/** The row of a status as a newer or older program may have written it; a word that is not in the list is unknown, never success. */
export const roundStatusRow = (status: string): RoundStatusRow =>
  Object.hasOwn(ROUND_STATUSES, status) ? ROUND_STATUSES[status as RoundStatus] : UNKNOWN_STATUS;
