/**
 * A round's comments on lines as one forge review (REV-18a): what stands already is adopted, what the forge refuses is named with its
 * reason, and the refusal of the whole costs only the comments that are wrong.
 */
import { ThreadRef } from '@weir/contract';
import { AppError } from '@weir/kernel';
import { adoptComments, type InlineComment, type PostingClaim, type StandingComment, standingRemark, type WantedComment } from '@weir/review';
import { z } from 'zod';
import { type InlineBody, inlineBodies } from './inline-bodies.ts';
import { throughClaim } from './post-claim.ts';
import { commentsOf, type PostSession } from './post-session.ts';

const ofFinding = { finding: z.string(), fingerprint: z.string() };
export const ReviewPosted = z.object({
  /** `thread` null where the forge tells none. */
  posted: z.array(z.object({ ...ofFinding, thread: ThreadRef.nullable() })),
  refused: z.array(z.object({ ...ofFinding, reason: z.string() })),
});
export type ReviewPosted = z.infer<typeof ReviewPosted>;

type Threads = ReadonlyMap<string, ThreadRef | null>;
interface Submitted {
  /** By finding; those that the answer names. */
  readonly threads: Threads;
  /** Reason by finding. */
  readonly refused: ReadonlyMap<string, string>;
}

export const postReview = (session: PostSession, claim: PostingClaim, inline: readonly InlineComment[]): Promise<ReviewPosted> =>
  throughClaim(session, claim.key, ReviewPosted, async takenOver => {
    const before: Threads = takenOver || session.mayStand ? await standing(session, inline) : new Map();
    const missing = await inlineBodies(
      session,
      inline.filter(({ finding }) => !before.has(finding.id)),
    );
    const { threads, refused } = missing.length === 0 ? { threads: before, refused: new Map<string, string>() } : await submit(session, missing);
    const isNamed = missing.every(({ finding: { id } }) => refused.has(id) || (threads.get(id) ?? null) !== null);
    const after = isNamed ? threads : await standing(session, missing, 'freshly');
    return {
      posted: inline.flatMap(({ finding: { id, fingerprint } }) =>
        refused.has(id) ? [] : [{ finding: id, fingerprint, thread: before.get(id) ?? after.get(id) ?? null }],
      ),
      refused: inline.flatMap(({ finding: { id, fingerprint } }) => {
        const reason = refused.get(id);
        return reason === undefined ? [] : [{ finding: id, fingerprint, reason }];
      }),
    };
  });

/** Threads of these findings that stand on the forge: of this round after a crash, or of a round that failed before it could tell. */
async function standing(session: PostSession, inline: readonly InlineComment[], freshly?: 'freshly'): Promise<Threads> {
  const threads = await session.threads(freshly);
  const known = new Set(Object.values(session.review.row.ledger.rows).map(({ thread }) => thread?.id));
  const all = threads.flatMap(commentsOf);
  const unsettled = threads.filter(({ ref, resolved }) => resolved !== true && !known.has(ref.id)).flatMap(commentsOf);
  const { adopted, missing } = adoptComments(inline.map(wantedOf), all, session.by);
  const remarks = inline.flatMap(({ finding: { id, fingerprint } }) => {
    const comment = missing.includes(id) ? standingRemark(fingerprint, unsettled, session.by) : undefined;
    return comment === undefined ? [] : [{ finding: id, comment }];
  });
  return new Map([...adopted, ...remarks].map(({ finding, comment }) => [finding, comment.thread]));
}

const wantedOf = ({ finding: { id, fingerprint }, anchor }: InlineComment): WantedComment => ({
  ...{ finding: id, fingerprint },
  ...{ path: anchor.path, line: anchor.line },
});

const commentOf = ({ anchor, body }: InlineBody) => ({ ...anchor, body });

async function submit(session: PostSession, comments: readonly InlineBody[]): Promise<Submitted> {
  const { parts, port, on, aim, by, signal } = session;
  const given = { ...on, commit: aim.head, body: '', comments: comments.map(commentOf) };
  try {
    const answer = await parts.effect('post.review', () => port.ask('review.submit', given, signal));
    const told = answer.comments.map(({ id, body, thread }): StandingComment => ({ id, author: by.account, body, thread }));
    const { adopted } = adoptComments(comments.map(wantedOf), told, by);
    return {
      threads: new Map(adopted.map(({ finding, comment }) => [finding, comment.thread])),
      refused: new Map(answer.failures.flatMap(({ index, reason }) => comments.slice(index, index + 1).map(({ finding }) => [finding.id, reason] as const))),
    };
  } catch (error) {
    if (!isRefusal(error)) throw error;
    return submitEach(session, comments);
  }
}

/** The forge takes none of them together: each alone, so that one costs only itself. */
async function submitEach({ parts, port, on, aim, signal }: PostSession, comments: readonly InlineBody[]): Promise<Submitted> {
  const threads = new Map<string, ThreadRef | null>();
  const refused = new Map<string, string>();
  for (const comment of comments) {
    const given = { ...on, commit: aim.head, ...commentOf(comment) };
    try {
      threads.set(comment.finding.id, (await parts.effect('post.review', () => port.ask('review.comment.create', given, signal))).thread);
    } catch (error) {
      if (!isRefusal(error)) throw error;
      refused.set(comment.finding.id, error.message);
    }
  }
  return { threads, refused };
}

const isRefusal = (error: unknown): error is AppError => error instanceof AppError && error.code === 'FORGE_UNPROCESSABLE';
