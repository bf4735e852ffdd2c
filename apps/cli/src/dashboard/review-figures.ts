/**
 * The figures of a review: which events each folds, and the fold. A why lists exactly these events; folding them again gives the value.
 */
import type { ReviewEvent, ReviewEventOf, ReviewVerdict, Severity } from '@weir/contract';
import { type FindingLedger, findingRows, findingsView, openCounts } from '@weir/review';

export interface ReviewFigure {
  /** What the value counts. */
  readonly sentence: string;
  readonly picks: (events: readonly ReviewEvent[]) => readonly ReviewEvent[];
  readonly value: (picked: readonly ReviewEvent[]) => number | null;
}

/** Events that change the findings of a review. */
const LEDGER: ReadonlySet<ReviewEvent['type']> = new Set(['FindingsRecorded', 'RoundPosted', 'RoundObserved', 'FindingDismissed', 'FindingAdded']);
const ENDS: ReadonlySet<ReviewEvent['type']> = new Set(['RoundCompleted', 'RoundObserved', 'RoundRefused', 'RoundFailed', 'RoundCancelled', 'RoundSuperseded']);

const ofLedger = (events: readonly ReviewEvent[]): readonly ReviewEvent[] => events.filter(({ type }) => LEDGER.has(type));
export const isEnd = ({ type }: ReviewEvent): boolean => ENDS.has(type);

function ledgerOf(events: readonly ReviewEvent[]): FindingLedger {
  const [first, ...rest] = events;
  if (first === undefined) return { rows: {}, pending: null };
  return rest.reduce(findingsView, findingsView(undefined, first)).ledger;
}

const openOf = (events: readonly ReviewEvent[], severities: readonly Severity[]): number => {
  const counts = openCounts(ledgerOf(events));
  return severities.reduce((sum, severity) => sum + counts[severity], 0);
};

/** The round whose findings are the newest that were posted or observed; undefined before any. */
const lastRead = (events: readonly ReviewEvent[]): number | undefined =>
  events.findLast((event): event is ReviewEventOf<'RoundPosted' | 'RoundObserved'> => event.type === 'RoundPosted' || event.type === 'RoundObserved')?.round;

/** How many findings a round gave this verdict. */
export const verdictsOf = (ledger: FindingLedger, round: number, verdict: ReviewVerdict): number =>
  findingRows({ ledger }).filter(({ verdicts }) => verdicts.some(one => one.round === round && one.verdict === verdict)).length;

const verdict = (word: ReviewVerdict, said: string): ReviewFigure => ({
  sentence: `Findings of earlier rounds that the last read round says are ${said}.`,
  picks: ofLedger,
  value: events => {
    const round = lastRead(events);
    return round === undefined ? null : verdictsOf(ledgerOf(events), round, word);
  },
});

const open = (severities: readonly Severity[], said: string): ReviewFigure => ({
  sentence: `Open ${said} on the forge: found and posted, and neither closed by a later round nor dismissed.`,
  picks: ofLedger,
  value: events => openOf(events, severities),
});

type Recorded = ReviewEventOf<'FindingsRecorded'>;
const lastRecorded = (events: readonly ReviewEvent[]): Recorded | undefined => events.findLast((event): event is Recorded => event.type === 'FindingsRecorded');

function ofLastRound(events: readonly ReviewEvent[]): readonly ReviewEvent[] {
  const asked = events.findLast(({ type }) => type === 'RoundRequested');
  const end = asked === undefined ? undefined : events.slice(events.indexOf(asked)).find(isEnd);
  return [...(asked === undefined ? [] : [asked]), ...(end === undefined ? [] : [end])];
}

export const REVIEW_FIGURES: Readonly<Record<string, ReviewFigure>> = {
  rounds: {
    sentence: 'Rounds that were asked for and accepted.',
    picks: events => events.filter(({ type }) => type === 'RoundRequested'),
    value: events => events.length,
  },
  findings: {
    sentence: 'Findings of all rounds that were posted or observed, and those that people added.',
    picks: ofLedger,
    value: events => findingRows({ ledger: ledgerOf(events) }).length,
  },
  open: open(['blocker', 'major', 'minor', 'note'], 'findings'),
  open_blocker: open(['blocker'], 'blockers'),
  open_major: open(['major'], 'major findings'),
  open_minor: open(['minor'], 'minor findings'),
  open_note: open(['note'], 'notes'),
  resolved: verdict('resolved', 'resolved'),
  still_open: verdict('still_open', 'still open'),
  unchanged: verdict('unchanged', 'unchanged'),
  files_read: {
    sentence: 'Files of the change that the last reading read whole.',
    picks: events => [lastRecorded(events)].flatMap(event => event ?? []),
    value: events => lastRecorded(events)?.reading.full ?? null,
  },
  duration: {
    sentence: 'Milliseconds from the request of the last round to its end; not known before it.',
    picks: ofLastRound,
    value: ([asked, end]) => (asked === undefined || end === undefined ? null : Date.parse(end.at) - Date.parse(asked.at)),
  },
};
