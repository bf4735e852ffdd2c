/**
 * The findings of a review as its events tell them: one fold for the decider and for every view, so that all agree on what is
 * open. Rows stand in the order in which they came in; ids are never compared (REV-24).
 */
import type { Actor, FindingCoordinates, ReviewEvent, ReviewEventOf, ReviewVerdict, ThreadRef } from '@weir/contract';
import { fold, type Folds } from './handlers.ts';

export type FindingStatus = 'open' | 'resolved' | 'acknowledged' | 'superseded' | 'dismissed';

export interface FindingRow extends FindingCoordinates {
  readonly round: number;
  readonly status: FindingStatus;
  /** It stands on the forge, in a thread or in the summary; false for a round that observed. */
  readonly posted: boolean;
  readonly thread: ThreadRef | null;
  /** Null while nobody has said. */
  readonly threadResolved: boolean | null;
  /** Who settled the thread last by hand; null when Weir did, or nobody. */
  readonly settledBy: Actor | null;
  readonly dismissedBy: Actor | null;
  /** Of a person's own finding: who wrote it, when, and the artifact with the text. Null for one of Weir's, whose round has the text. */
  readonly added: Pick<ReviewEventOf<'FindingAdded'>, 'by' | 'at' | 'content'> | null;
  /** What later rounds said, oldest first; kept when it is closed (REV-25). */
  readonly verdicts: readonly { readonly round: number; readonly verdict: ReviewVerdict }[];
}

export interface FindingLedger {
  readonly rows: Readonly<Record<string, FindingRow>>;
  /** What the last reading has found; part of the review once its round is posted or observed, else replaced by the next reading. */
  readonly pending: ReviewEventOf<'FindingsRecorded'> | null;
}

export const EMPTY_LEDGER: FindingLedger = { rows: {}, pending: null };

const CLOSING: Readonly<Partial<Record<ReviewVerdict, FindingStatus>>> = { resolved: 'resolved', acknowledged: 'acknowledged', superseded: 'superseded' };

const fresh = (finding: FindingCoordinates, round: number, posted: boolean): FindingRow => ({
  ...finding,
  round,
  status: 'open',
  posted,
  thread: null,
  threadResolved: null,
  settledBy: null,
  dismissedBy: null,
  added: null,
  verdicts: [],
});

function change(ledger: FindingLedger, id: string, update: (row: FindingRow) => FindingRow): FindingLedger {
  const row = Object.hasOwn(ledger.rows, id) ? ledger.rows[id] : undefined;
  return row === undefined ? ledger : { ...ledger, rows: { ...ledger.rows, [id]: update(row) } };
}

/** Takes the pending findings in; `posted` closes what their verdicts close. */
function commit({ rows, pending }: FindingLedger, posted: boolean): FindingLedger {
  if (pending === null) return { rows, pending };
  const added = pending.findings.map(finding => [finding.id, fresh(finding, pending.round, posted)] as const);
  const joined: FindingLedger = { rows: { ...rows, ...Object.fromEntries(added) }, pending: null };
  return pending.verdicts.reduce(
    (ledger, { finding, verdict }) =>
      change(ledger, finding, row => ({
        ...row,
        status: (posted && row.status === 'open' ? CLOSING[verdict] : undefined) ?? row.status,
        verdicts: [...row.verdicts, { round: pending.round, verdict }],
      })),
    joined,
  );
}

function post(ledger: FindingLedger, event: ReviewEventOf<'RoundPosted'>): FindingLedger {
  const placed = event.findings.reduce((next, { finding, thread }) => change(next, finding, row => ({ ...row, thread })), commit(ledger, true));
  return event.answers.reduce(
    (next, { finding, resolved }) =>
      change(next, finding, row =>
        resolved === null ? row : { ...row, threadResolved: resolved, settledBy: resolved === row.threadResolved ? row.settledBy : null },
      ),
    placed,
  );
}

const FOLDS: Folds<ReviewEvent, FindingLedger> = {
  FindingsRecorded: (event, ledger) => ({ ...ledger, pending: event }),
  RoundPosted: (event, ledger) => post(ledger, event),
  RoundObserved: (_, ledger) => commit(ledger, false),
  FindingDismissed: (event, ledger) => change(ledger, event.finding, row => ({ ...row, status: 'dismissed', dismissedBy: event.by })),
  FindingAdded: ({ finding, round, thread, by, at, content }, ledger) => ({
    ...ledger,
    rows: { ...ledger.rows, [finding.id]: { ...fresh(finding, round, true), thread, added: { by, at, content } } },
  }),
  ThreadSettled: (event, ledger) => change(ledger, event.finding, row => ({ ...row, threadResolved: event.resolved, settledBy: event.by })),
};

export const foldFindings = (ledger: FindingLedger, event: ReviewEvent): FindingLedger => fold(FOLDS, event, ledger);

/** The findings that a follow-up starts from: every one that stands on the forge and is not closed, oldest first (REV-24). */
export const openBaseline = ({ rows }: FindingLedger): readonly FindingRow[] => Object.values(rows).filter(row => row.posted && row.status === 'open');

const SETTLED: ReadonlySet<FindingStatus> = new Set(['dismissed', 'acknowledged']);

/** Findings that people have seen and do not want to hear of again, oldest first. */
export const settledByPeople = ({ rows }: FindingLedger): readonly FindingRow[] => Object.values(rows).filter(row => row.posted && SETTLED.has(row.status));
