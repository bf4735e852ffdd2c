/** One row a review, for the list: what is being read and what came of it. A fold; rows are plain JSON. */
import { type ChangeCard, type ReviewCoordinates, type ReviewEvent, type RoundStatus, type Severity, type Stage, STAGES } from '@weir/contract';
import { EMPTY_LEDGER, type FindingLedger, foldFindings, openBaseline } from './finding-ledger.ts';
import { fold, type Folds } from './handlers.ts';

export interface ReviewListRow {
  readonly reviewId: string;
  /** Null where an older version turned every request away. */
  readonly coordinates: ReviewCoordinates | null;
  readonly change: ChangeCard | null;
  readonly archived: boolean;
  readonly round: number;
  readonly head: string | null;
  readonly attempt: number;
  /** Null where every request was turned away. */
  readonly status: RoundStatus | null;
  /** The last stage that the round was in; absent before the first, and in a row that an older version wrote last. */
  readonly stage?: Stage | null;
  /** When the status began. */
  readonly since: string;
  readonly updatedAt: string;
  /** Code of the refusal or failure that ended the last round; null for none. */
  readonly code: string | null;
  readonly headline: string | null;
  /** The last reading was whole; null before any. */
  readonly complete: boolean | null;
  /** Open findings on the forge. */
  readonly open: Readonly<Record<Severity, number>>;
  readonly ledger: FindingLedger;
}

const none: Readonly<Record<Severity, number>> = { blocker: 0, major: 0, minor: 0, note: 0 };

const newRow = ({ reviewId, at }: ReviewEvent): ReviewListRow => ({
  reviewId,
  coordinates: null,
  change: null,
  archived: false,
  round: 0,
  head: null,
  attempt: 0,
  status: null,
  since: at,
  updatedAt: at,
  code: null,
  headline: null,
  complete: null,
  open: none,
  ledger: EMPTY_LEDGER,
});

const inStage = (status: RoundStatus): Pick<ReviewListRow, 'stage'> => {
  const stage = STAGES.find(one => one === status);
  return stage === undefined ? {} : { stage };
};

const to =
  (status: RoundStatus) =>
  (event: { readonly at: string }, row: ReviewListRow): ReviewListRow => ({ ...row, ...inStage(status), status, since: event.at });

/** For a review that has had no round. */
const place = ({ coordinates, change }: Pick<ReviewListRow, 'coordinates' | 'change'>, row: ReviewListRow): ReviewListRow => ({
  ...row,
  coordinates: row.coordinates ?? coordinates,
  change: row.change ?? change,
});

const FOLDS: Folds<ReviewEvent, ReviewListRow> = {
  RoundRequested: ({ at, round, head, attempt, coordinates, change }, row) => ({
    ...row,
    stage: null,
    status: 'queued',
    since: at,
    code: null,
    round,
    head,
    attempt,
    coordinates,
    change,
  }),
  RoundBegan: to('fetching'),
  DiffRecorded: to('gathering'),
  ContextRecorded: to('generating'),
  FindingsRecorded: ({ headline, complete }, row) => ({ ...row, headline, complete }),
  PostingBegan: to('posting'),
  RoundCompleted: to('completed'),
  RoundObserved: to('observed'),
  RoundCancelled: to('cancelled'),
  RoundSuperseded: to('superseded'),
  RoundRefused: (event, row) => ({ ...to('refused')(event, row), code: event.code }),
  RoundFailed: (event, row) => ({ ...to('failed')(event, row), code: event.failure }),
  RoundRetried: (event, row) => ({ ...to('queued')(event, row), attempt: event.attempt }),
  ChangeNoted: ({ change }, row) => ({ ...row, change }),
  RequestDropped: place,
  AnswerGranted: place,
  ReviewArchived: (_, row) => ({ ...row, archived: true }),
  ReviewRestored: (_, row) => ({ ...row, archived: false }),
};

/** Counts of open findings by severity. */
export function openCounts(ledger: FindingLedger): Readonly<Record<Severity, number>> {
  const counts = { ...none };
  for (const { severity } of openBaseline(ledger)) counts[severity] += 1;
  return counts;
}

export function reviewList(row: ReviewListRow | undefined, event: ReviewEvent): ReviewListRow {
  const next = fold(FOLDS, event, row ?? newRow(event));
  const ledger = foldFindings(next.ledger, event);
  return { ...next, ledger, open: ledger.rows === next.ledger.rows ? next.open : openCounts(ledger), updatedAt: event.at };
}
