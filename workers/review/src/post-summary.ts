/** The one summary comment of a review, rewritten in place; deleted or edited away, a new one (REV-19). */
import { renderSummary, type SummaryFacts } from '@weir/comment';
import { AppError } from '@weir/kernel';
import { type PostingClaim, standingSummary } from '@weir/review';
import { z } from 'zod';
import { throughClaim } from './post-claim.ts';
import type { PostSession } from './post-session.ts';

export const SummaryPosted = z.object({ id: z.string() });

export const postSummary = (session: PostSession, claim: PostingClaim, facts: SummaryFacts) =>
  throughClaim(session, claim.key, SummaryPosted, async takenOver => {
    const { body } = renderSummary(facts, session.port.dialect);
    const standing = takenOver || session.mayStand ? await summaryNow(session) : undefined;
    const rewritten = standing === undefined ? undefined : await rewrite(session, standing, body);
    return { id: rewritten ?? (await create(session, body)) };
  });

async function summaryNow({ port, on, by, review, signal }: PostSession): Promise<string | undefined> {
  const stored = review.page.rounds.findLast(({ summary }) => summary !== null)?.summary ?? null;
  const { comments } = await port.ask('comment.list', on, signal);
  const told = comments.map(({ id, author, body }) => ({ id, author: author.id, body, thread: null }));
  return standingSummary(stored, told, by)?.id;
}

/** Undefined where it has been deleted since it was seen. */
async function rewrite({ parts, port, on, signal }: PostSession, comment: string, body: string): Promise<string | undefined> {
  try {
    return (await parts.effect('post.summary', () => port.ask('comment.update', { ...on, comment, body }, signal))).id;
  } catch (error) {
    if (error instanceof AppError && error.code === 'FORGE_NOT_FOUND') return undefined;
    throw error;
  }
}

const create = async ({ parts, port, on, signal }: PostSession, body: string): Promise<string> =>
  (await parts.effect('post.summary', () => port.ask('comment.create', { ...on, body }, signal))).id;
