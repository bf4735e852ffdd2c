/** The facts that the summary and the check of a round are printed from. */
import type { CheckFacts, ClosedFinding, SummaryFacts, SummaryFinding } from '@weir/comment';
import type { ReviewFinding, Severity } from '@weir/contract';
import { coverageSentence } from '@weir/report';
import { type CheckConclusion, checkConclusion, type FindingRow } from '@weir/review';
import type { RoundPlan } from './post-plan.ts';
import type { ReviewPosted } from './post-review.ts';
import type { PostSession } from './post-session.ts';

/** What the calls before came to. */
export interface ToldSoFar {
  readonly posted: ReviewPosted;
  readonly notes: readonly string[];
}

const severitiesOf = ({ content, stillOpen }: RoundPlan): readonly Severity[] => [...content.report.findings, ...stillOpen].map(({ severity }) => severity);

export const conclusionOf = ({ review }: PostSession, plan: RoundPlan): CheckConclusion =>
  checkConclusion(severitiesOf(plan), plan.content.report.complete, { blockOn: review.forge.repository.blockOn });

export function summaryFacts({ aim, parts }: PostSession, plan: RoundPlan, told: ToldSoFar): SummaryFacts {
  const { content, notes } = plan;
  const { report, steps } = content;
  const counted = (...verdicts: readonly string[]): number => steps.filter(({ verdict }) => verdicts.includes(verdict)).length;
  return {
    ...{ reviewId: aim.reviewId, round: aim.round, head: aim.head, headline: report.headline },
    open: [...newFindings(plan, told.posted), ...plan.stillOpen.map(row => earlierFinding(plan, row))],
    closed: plan.closed.map(row => closedFinding(plan, row)),
    delta:
      steps.length === 0
        ? null
        : { resolved: counted('resolved', 'acknowledged', 'superseded'), stillOpen: counted('still_open'), unchanged: counted('unchanged') },
    reading: coverageSentence(report.coverage),
    unread: report.coverage.flatMap(({ path, reading, reason, byRule }) => (reading === 'full' || byRule ? [] : [{ path, reason: reason ?? reading }])),
    notes: [...notes, ...told.notes],
    ...{ cost: null, page: null, tasks: [], attended: parts.unattended !== true },
  };
}

/** Worst first. A finding is told whole where no thread tells it. */
function newFindings({ placed }: RoundPlan, { posted, refused }: ReviewPosted): readonly SummaryFinding[] {
  const standing = new Set(posted.map(({ fingerprint }) => fingerprint));
  const reasons = new Map(refused.map(({ fingerprint, reason }) => [fingerprint, `the forge does not take it on its lines: ${reason}`]));
  const inline = placed.inline.map(({ finding }) =>
    summaryFinding(
      finding,
      standing.has(finding.fingerprint) ? null : (reasons.get(finding.fingerprint) ?? 'an earlier attempt posted the comments of this round'),
    ),
  );
  return [...inline, ...placed.listed.map(({ finding, reason }) => summaryFinding(finding, reason))];
}

const summaryFinding = ({ id, severity, title, path, line, message }: ReviewFinding, reason: string | null): SummaryFinding => ({
  ...{ id, severity, title, path, line, url: null },
  unplaced: reason === null ? null : { message, reason },
});

function earlierFinding({ texts }: RoundPlan, { id, severity, path, line, rule, round, thread }: FindingRow): SummaryFinding {
  const { title, message } = texts.get(id) ?? { title: rule, message: '' };
  return { id, severity, title, path, line, url: null, unplaced: thread === null ? { message, reason: `of round ${round}` } : null };
}

type How = ClosedFinding['how'];

function closedFinding({ texts, content }: RoundPlan, { id, rule, status, dismissedBy }: FindingRow): ClosedFinding {
  const step = content.steps.find(({ finding }) => finding === id);
  const how = (status === 'open' ? step?.verdict : status) as How;
  const by = dismissedBy === null ? null : `by ${dismissedBy.login}`;
  return { id, title: texts.get(id)?.title ?? rule, how, reason: how === 'dismissed' ? by : (step?.reason ?? null) };
}

export function checkFacts({ aim, on }: PostSession, plan: RoundPlan, { blockedBy }: CheckConclusion, told: ToldSoFar): CheckFacts {
  const open: Record<Severity, number> = { blocker: 0, major: 0, minor: 0, note: 0 };
  for (const severity of severitiesOf(plan)) open[severity] += 1;
  const { headline, coverage } = plan.content.report;
  return {
    ...{ change: on.change, round: aim.round, head: aim.head, headline, open, blockedBy },
    reading: coverageSentence(coverage),
    notes: [...plan.notes, ...told.notes],
    page: null,
  };
}
