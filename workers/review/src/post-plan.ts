/** What a round posts: where each finding goes, which calls that takes, and the facts of its texts. */
import { parseDiff } from '@weir/diff';
import { DEFAULT_PLACEMENT, type FindingRow, openBaseline, type PlacedComments, placeComments, planPosting, type PostingClaim } from '@weir/review';
import { earlierTexts, type FindingText } from './finding-texts.ts';
import { readForgeDiff } from './forge-diff.ts';
import type { PostSession } from './post-session.ts';
import { readRoundContent, type RoundContent } from './round-content.ts';

export interface RoundPlan {
  readonly content: RoundContent;
  readonly placed: PlacedComments;
  readonly claims: readonly PostingClaim[];
  /** Earlier findings: those that stay open, and those that are closed now or were before. */
  readonly stillOpen: readonly FindingRow[];
  readonly closed: readonly FindingRow[];
  readonly texts: ReadonlyMap<string, FindingText>;
  /** Everything that was cut, dropped or did not arrive (REV-14). */
  readonly notes: readonly string[];
}

const CLOSING: ReadonlySet<string> = new Set(['resolved', 'acknowledged', 'superseded']);

/** Throws Error where the content of the round is gone: it is kept as long as its review. */
export async function planRound(session: PostSession, contentId: string | null): Promise<RoundPlan> {
  const { parts, review, by, port } = session;
  const content = contentId === null ? undefined : await readRoundContent(parts.artifacts, contentId);
  if (content === undefined) throw new Error(`The content of round ${by.round} is gone: ${contentId ?? 'it has none'}.`);
  const { report, steps } = content;
  const placed = placeComments(report.findings, await diffFiles(session, content), { ...DEFAULT_PLACEMENT, multiLine: port.dialect.multi_line });
  const closing = new Set(steps.flatMap(({ finding, verdict }) => (CLOSING.has(verdict) ? [finding] : [])));
  const rows = Object.values(review.row.ledger.rows);
  const stillOpen = openBaseline(review.row.ledger).filter(({ id }) => !closing.has(id));
  const closed = rows.filter(({ id, status, posted }) => posted && (status !== 'open' || closing.has(id)));
  const notes = notesOf(session, content, placed);
  const facts = { reviewId: by.reviewId, round: by.round, complete: report.complete, placed, steps, stillOpen: stillOpen.length };
  return {
    ...{ content, placed, stillOpen, closed, notes },
    claims: planPosting({ ...facts, hadSummary: review.page.rounds.some(({ summary }) => summary !== null), notes: notes.length }),
    texts: await earlierTexts(parts.artifacts, review.page, [...stillOpen, ...closed]),
  };
}

/** Read again, since no line of a diff is stored (REV-12); not at all where nothing is to be placed. */
async function diffFiles({ parts, review, signal }: PostSession, { report }: RoundContent) {
  if (report.findings.length === 0) return [];
  const { diff } = await readForgeDiff(review, parts.sleep, signal);
  return parseDiff(diff);
}

function notesOf({ review }: PostSession, { report }: RoundContent, { kept }: PlacedComments): readonly string[] {
  const { missing, tracked } = review.round;
  return [
    ...report.notes,
    ...missing.map(({ source, reason }) => `Without ${source}: ${reason}`),
    ...(tracked === 0 ? [] : [`Found again, and left to the threads that they have: ${tracked}.`]),
    ...(kept.length === 0 ? [] : [`Shown by Weir alone, as the operator has it: ${kept.length}.`]),
  ];
}
