/**
 * What stands of a review on its forge, for a process that keeps nothing (REV-20a): the events of its earlier rounds, and their texts in
 * the place where later rounds look for them.
 */
import { type Change, REPORT_SCHEMA_VERSION, type ReviewCoordinates, type ReviewEvent, type ReviewFinding, type ReviewReport } from '@weir/contract';
import { adoptRounds } from '@weir/review';
import { cardOf } from './change-card.ts';
import { isWeirsCheck } from './post-check.ts';
import { commentsOf } from './post-session.ts';
import { writeRoundContent } from './round-content.ts';
import { instant, type StageForge, type StageParts } from './stage.ts';

export interface AdoptReviewInput {
  readonly parts: Pick<StageParts, 'artifacts' | 'now'> & { readonly weir: string };
  readonly forge: StageForge;
  readonly reviewId: string;
  readonly coordinates: ReviewCoordinates;
  /** As the forge has it now. */
  readonly change: Change;
}

export interface AdoptedReview {
  /** Empty where no round has come to its end. */
  readonly events: readonly ReviewEvent[];
  /** Earlier findings that stand in threads, by id. */
  readonly findings: ReadonlyMap<string, ReviewFinding>;
  /** The last round read the change whole. */
  readonly complete: boolean;
  /** Its head is the present one, and it did not come to its end. */
  readonly unfinished: boolean;
}

/** Throws AppError FORGE_*. */
export async function adoptReview({ parts, forge, reviewId, coordinates, change }: AdoptReviewInput, signal: AbortSignal): Promise<AdoptedReview> {
  const head = change.head.commit;
  if (head === null) return { events: [], findings: new Map(), complete: false, unfinished: false };
  const { port, repository, account } = forge;
  const on = { repository: repository.path, change: change.number };
  const { comments } = await port.ask('comment.list', on, signal);
  const { threads } = port.supports('thread.list') ? await port.ask('thread.list', on, signal) : { threads: [] };
  const at = instant(parts.now());
  const contentOf = (round: number): string => `${reviewId}/${round}/adopted/report`;
  const adopted = adoptRounds({
    ...{ reviewId, coordinates, at, head, contentOf, account: account.identity.id, change: cardOf(change) },
    checked: await isChecked(forge, head, signal),
    comments: comments.map(({ id, author, body }) => ({ id, author: author.id, body, thread: null })),
    threads: threads.map(thread => ({ ref: thread.ref, resolved: thread.resolved, comments: commentsOf(thread) })),
  });
  for (const [round, findings] of adopted.findings) {
    const text = writeRoundContent({ report: adoptedReport(parts.weir, at, findings), steps: [] });
    await parts.artifacts.put({ id: contentOf(round), reviewId, kind: 'report', text, expiresAt: null });
  }
  const { events, complete, unfinished } = adopted;
  return { events, complete, unfinished, findings: new Map([...adopted.findings.values()].flat().map(finding => [finding.id, finding])) };
}

/** The check is the last call of a round. */
async function isChecked({ port, repository }: StageForge, commit: string, signal: AbortSignal): Promise<boolean | null> {
  if (!port.supports('checks.list')) return null;
  const { checks } = await port.ask('checks.list', { repository: repository.path, commit }, signal);
  return checks.some(check => isWeirsCheck(check) && check.state !== 'pending');
}

/** Carries texts; what was read then is told nowhere. */
const adoptedReport = (weir: string, at: string, findings: readonly ReviewFinding[]): ReviewReport => ({
  ...{ schemaVersion: REPORT_SCHEMA_VERSION, weir, at, findings, headline: 'Told by the comments on the forge.', complete: false },
  change: { kind: 'range', base: null, head: null, files: 0, addedLines: 0, removedLines: 0 },
  ...{ coverage: [], specialists: [], notes: [] },
  model: { state: 'not_needed', model: null, usage: { calls: 0, inputTokens: 0, outputTokens: 0 }, failure: null, note: '' },
});
