/**
 * A follow-up round (REV-21 to REV-24): what is asked about earlier findings, what the answers do to their threads, and which
 * new findings an open one tracks already.
 */
import { findingKey } from '@weir/comment';
import type { FindingVerdict, ReviewFinding, ReviewReport, ReviewVerdict } from '@weir/contract';
import type { FindingRow } from './finding-ledger.ts';
import { headline } from './headline.ts';
import { sameCommit } from './review-state.ts';

/** Open findings under the paths that their files have now; both calls and the collision rule use these (REV-24). */
export function followRenames(open: readonly FindingRow[], renames: readonly { readonly from: string; readonly to: string }[]): readonly FindingRow[] {
  const now = new Map(renames.map(({ from, to }) => [from, to]));
  return open.map(row => ({ ...row, path: now.get(row.path) ?? row.path }));
}

export interface CompareFacts {
  /** Null in the first round. */
  readonly previousHead: string | null;
  /** Where the compare diff starts; null where the forge offers none. */
  readonly mergeBase: string | null;
}

/** `whole`: the change's diff, since history was rewritten or the forge does not compare. `none`: nothing to reconcile, no call. */
export function reconcileBy(open: readonly FindingRow[], { previousHead, mergeBase }: CompareFacts): 'compare' | 'whole' | 'none' {
  if (open.length === 0 || previousHead === null) return 'none';
  return mergeBase !== null && sameCommit(mergeBase, previousHead) ? 'compare' : 'whole';
}

export interface Answered {
  readonly finding: string;
  readonly verdict: ReviewVerdict;
  readonly reason: string;
}

export interface ThreadStep extends Answered {
  /** Each is a claim of its own (REV-22). */
  readonly reply: boolean;
  readonly resolve: boolean;
}

export interface VerdictFacts {
  readonly open: readonly FindingRow[];
  readonly answers: readonly Answered[];
  /** Paths of the compare diff; null when the whole diff was read, which tells nothing of what is new. */
  readonly touched: ReadonlySet<string> | null;
  /** False where the forge can't resolve a thread: the reply alone says it. */
  readonly canResolve: boolean;
}

const CLOSING: ReadonlySet<ReviewVerdict> = new Set(['resolved', 'acknowledged', 'superseded']);

/** The verdict closes its finding. */
export const isClosing = (verdict: ReviewVerdict | undefined): boolean => verdict !== undefined && CLOSING.has(verdict);

function stepFor(row: FindingRow, answer: Answered | undefined, { touched, canResolve }: VerdictFacts): ThreadStep {
  const { verdict, reason } = answer ?? { verdict: 'unchanged' as const, reason: '' };
  const step = { finding: row.id, verdict, reason, reply: false, resolve: false };
  if (CLOSING.has(verdict)) {
    const byHand = row.threadResolved === true && row.settledBy !== null;
    const threaded = row.thread !== null && !byHand;
    return { ...step, reply: threaded, resolve: threaded && canResolve && row.threadResolved !== true };
  }
  if (verdict === 'still_open' && touched?.has(row.path) !== false) return { ...step, reply: row.thread !== null };
  return { ...step, verdict: 'unchanged' };
}

/** One step for every open finding. One that got no answer is unchanged; an answer about anything else is ignored; the first answer counts. */
export function settleVerdicts(facts: VerdictFacts): readonly ThreadStep[] {
  return facts.open.map(row =>
    stepFor(
      row,
      facts.answers.find(({ finding }) => finding === row.id),
      facts,
    ),
  );
}

const overlaps = (a: FindingRow, b: ReviewFinding): boolean => a.side === b.side && a.line <= b.endLine && b.line <= a.endLine;

/** The same remark: by its fingerprint, which survives moved lines (of an adopted finding its mark has the first digits), or by rule and lines. */
const collides = (open: FindingRow, found: ReviewFinding): boolean =>
  findingKey(open.fingerprint) === findingKey(found.fingerprint) || (open.path === found.path && open.rule === found.rule && overlaps(open, found));

export interface FollowUp {
  /** With the findings that are new, and a headline over everything that is open now. */
  readonly report: ReviewReport;
  readonly verdicts: readonly FindingVerdict[];
  /** New findings that an earlier one stands for, and that one: it is open still, or a person has settled it (REV-23). */
  readonly tracked: readonly { readonly found: string; readonly by: string }[];
  /** Earlier findings that stay open. */
  readonly stillOpen: readonly FindingRow[];
}

/**
 * Joins a concluded round with what it says of earlier findings.
 * @param settled what people have dismissed or acknowledged in earlier rounds: while its code is the same, it is not posted again.
 */
export function followUp(report: ReviewReport, open: readonly FindingRow[], steps: readonly ThreadStep[], settled: readonly FindingRow[] = []): FollowUp {
  const closed = new Map(steps.flatMap(({ finding, verdict }) => (CLOSING.has(verdict) ? [[finding, verdict]] : [])));
  const stillOpen = open.filter(row => !closed.has(row.id));
  const standing = open.filter(row => !closed.has(row.id) || closed.get(row.id) === 'acknowledged');
  const tracked = report.findings.flatMap(found => {
    const by = standing.find(row => collides(row, found)) ?? settled.find(row => row.fingerprint === found.fingerprint);
    return by === undefined ? [] : [{ found: found.id, by: by.id }];
  });
  const dropped = new Set(tracked.map(({ found }) => found));
  const findings = report.findings.filter(({ id }) => !dropped.has(id));
  const severities = [...findings, ...stillOpen].map(({ severity }) => severity);
  return {
    report: { ...report, findings, headline: headline(severities, report.coverage, report.complete ? 0 : 1) },
    verdicts: steps.map(({ finding, verdict }) => ({ finding, verdict })),
    tracked,
    stillOpen,
  };
}
