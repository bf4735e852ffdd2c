/** What a round does in the threads of earlier findings: the reply and the resolve, each through a claim of its own (REV-22). */
import { renderReply } from '@weir/comment';
import type { ErrorCode, Thread } from '@weir/contract';
import { AppError } from '@weir/kernel';
import { type PostingClaim, standingReply, type ThreadStep } from '@weir/review';
import { z } from 'zod';
import { throughClaim } from './post-claim.ts';
import { commentsOf, type PostSession } from './post-session.ts';

/** `note` is a sentence for the summary where the thread could not be answered. */
export const Replied = z.object({ reply: z.string().nullable(), note: z.string().nullable() });
export const Resolved = z.object({ resolved: z.boolean().nullable(), note: z.string().nullable() });

/** A thread that is gone, locked, or not ours to settle: the round goes on and says so. */
const THREAD_REFUSALS: readonly ErrorCode[] = ['FORGE_NOT_FOUND', 'FORGE_FORBIDDEN', 'FORGE_UNPROCESSABLE', 'FORGE_CONFLICT', 'NOT_AVAILABLE'];

/** The thread of an earlier finding as it is now; undefined where it was deleted. */
async function threadOf({ review, threads }: PostSession, finding: string): Promise<Thread | undefined> {
  const stored = review.row.ledger.rows[finding]?.thread ?? null;
  return stored === null ? undefined : (await threads()).find(({ ref }) => ref.id === stored.id || ref.root === stored.root);
}

/** What the forge says, or why it does not. */
async function tried<Value>(ask: () => Promise<Value>): Promise<{ readonly value: Value } | { readonly refused: string }> {
  try {
    return { value: await ask() };
  } catch (error) {
    if (error instanceof AppError && THREAD_REFUSALS.includes(error.code)) return { refused: error.message };
    throw error;
  }
}

const SILENT = { reply: null, note: null };

/** A thread that a person has resolved already stays silent, also where no delivery told of it. */
export const postReply = (session: PostSession, claim: PostingClaim, { finding, verdict, reason }: ThreadStep) =>
  throughClaim(session, claim.key, Replied, async takenOver => {
    const { parts, port, on, by, aim, signal } = session;
    const thread = await threadOf(session, finding);
    if (thread === undefined) return { reply: null, note: `The thread of ${finding} is gone, so nothing is said in it.` };
    const stands = takenOver ? standingReply(finding, commentsOf(thread), by) : undefined;
    if (stands !== undefined) return { reply: stands.id, note: null };
    if (verdict === 'unchanged' || (verdict !== 'still_open' && thread.resolved === true)) return SILENT;
    const { body } = renderReply({ ...by, finding, verdict, commit: aim.head, reason, whole: null }, port.dialect);
    const answer = await tried(() => parts.effect('post.reply', () => port.ask('thread.reply', { ...on, thread: thread.ref, body }, signal)));
    return 'value' in answer ? { reply: answer.value.id, note: null } : { reply: null, note: `The thread of ${finding} takes no reply: ${answer.refused}` };
  });

export const postResolve = (session: PostSession, claim: PostingClaim, { finding }: ThreadStep) =>
  throughClaim(session, claim.key, Resolved, async () => {
    const { parts, port, on, signal } = session;
    const thread = await threadOf(session, finding);
    if (thread === undefined) return { resolved: null, note: null };
    if (thread.resolved === true) return { resolved: true, note: null };
    const answer = await tried(() => parts.effect('post.resolve', () => port.ask('thread.resolve', { ...on, thread: thread.ref }, signal)));
    return 'value' in answer
      ? { resolved: answer.value.resolved, note: null }
      : { resolved: null, note: `The thread of ${finding} stays open: ${answer.refused}` };
  });
