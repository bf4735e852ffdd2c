/** Posts one answer, once (REV-18): a claim, a look at what stands after a crash, one call of the forge. */
import { commentKey, readMarker, reviewTag } from '@weir/comment';
import { AppError } from '@weir/kernel';
import { z } from 'zod';
import { type Answering, type AskedPlace, forgeCall } from './conversation-asked.ts';

const Posted = z.object({ posted: z.string() });

/** One claim for a comment; one for a thread where that has only one notice, whichever comment asked for it. */
const subjectOf = ({ fact }: Answering): string =>
  fact.kind === 'turn_notice' ? `notice/${fact.finding ?? fact.thread ?? 'change'}` : `answer/${fact.comment}`;

/** For the mark of the answer: tells it from the others of its thread. */
export const keyOf = (answer: Answering): string => commentKey(answer.parts.hash(subjectOf(answer)));

const overtaken = (): AppError => new AppError('DATABASE_CONFLICT', 'Another worker answers this comment now.');

/** Id of Weir's own comment that carries the mark; undefined while none stands. */
function standing(answer: Answering, { standing: comments }: AskedPlace): string | undefined {
  const key = keyOf(answer);
  const own = comments.filter(({ author }) => author === answer.review.forge.account.identity.id);
  return own.find(({ body }) => {
    const marker = readMarker(body);
    return marker?.review === reviewTag(answer.fact.reviewId) && marker.key === key;
  })?.id;
}

/**
 * @param post writes the comment and gives its id.
 * @returns id of the comment, written now or before. Throws AppError DATABASE_CONFLICT where another holder has the claim: the work is given
 * back, and no attempt is spent.
 */
export async function postOnce(answer: Answering, post: (takenOver: boolean) => Promise<string>): Promise<string> {
  const { parts, fact, fence } = answer;
  const key = `${fact.reviewId}/${subjectOf(answer)}`;
  const claim = await parts.claims.claim(key, { reviewId: fact.reviewId, fence });
  if (claim.state === 'done') return Posted.parse(claim.result).posted;
  if (claim.state === 'held') throw overtaken();
  const posted = await post(claim.state === 'taken_over');
  if (!(await parts.effect('post.settle', () => parts.claims.settle(key, fence, { posted })))) throw overtaken();
  return posted;
}

/** Answers in the thread, or in the conversation. What an earlier holder has written already is taken as it is. */
export async function postInPlace(answer: Answering, place: AskedPlace, takenOver: boolean, write: () => Promise<string>): Promise<string> {
  const stands = takenOver ? standing(answer, place) : undefined;
  if (stands !== undefined) return stands;
  const { review, on, parts } = answer;
  const { port } = review.forge;
  const body = await write();
  const { ref } = place;
  const written = await parts.effect('conversation.post', () =>
    forgeCall<{ readonly id: string }>(answer, 'the answer', abort =>
      ref === null ? port.ask('comment.create', { ...on, body }, abort) : port.ask('thread.reply', { ...on, thread: ref, body }, abort),
    ),
  );
  return written.id;
}

/** Rewrites Weir's own description, or writes the first one. */
export async function postDescription(answer: Answering, conversation: AskedPlace, body: string): Promise<string> {
  const { review, on, parts, fact } = answer;
  const { port, account } = review.forge;
  const old = conversation.standing.findLast(({ author, body: text }) => {
    const marker = author === account.identity.id ? readMarker(text) : undefined;
    return marker?.kind === 'description' && marker.review === reviewTag(fact.reviewId);
  });
  const written = await parts.effect('conversation.post', () =>
    forgeCall(answer, 'the description', abort =>
      old === undefined ? port.ask('comment.create', { ...on, body }, abort) : port.ask('comment.update', { ...on, comment: old.id, body }, abort),
    ),
  );
  return written.id;
}
