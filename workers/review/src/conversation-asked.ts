/** Where an answer goes, and what was asked: read from the forge, since no event holds a person's words (REV-39). */
import type { ReviewWork, Thread, ThreadRef, Verb, VerbResult } from '@weir/contract';
import { AppError } from '@weir/kernel';
import type { StandingComment } from '@weir/review';
import { type ChangePlace, commentsOf, placeOf } from './post-session.ts';
import type { StageParts, StageReview } from './stage.ts';
import { withinBudget } from './within-budget.ts';

type Comment = Thread['comments'][number];
export type AnswerWork = Extract<ReviewWork, { readonly type: 'AnswerComment' }>;

/** REV-20: one call of a forge. */
const FORGE_CALL_MS = 10_000;

/** One answer under way. */
export interface Answering {
  readonly parts: StageParts;
  readonly review: StageReview;
  readonly fact: AnswerWork;
  /** Proves who holds the claim. */
  readonly fence: string;
  readonly on: ChangePlace;
  readonly signal: AbortSignal;
}

export const answering = (
  parts: StageParts,
  work: { readonly fact: AnswerWork; readonly fence: string },
  review: StageReview,
  signal: AbortSignal,
): Answering => ({
  ...{ parts, review, signal, fact: work.fact, fence: work.fence },
  on: placeOf(review),
});

/** Runs one call of the forge within its budget. */
export const forgeCall = <T>({ parts, signal }: Answering, what: string, call: (signal: AbortSignal) => Promise<T>): Promise<T> =>
  withinBudget({ sleep: parts.sleep, milliseconds: FORGE_CALL_MS, what }, signal, call);

export interface AskedPlace {
  /** The thread to answer in; null for the conversation of the change. */
  readonly ref: ThreadRef | null;
  /** The thread, or the comments of the conversation, oldest first. */
  readonly comments: readonly Comment[];
  /** The same, for what stands already. */
  readonly standing: readonly StandingComment[];
}

const inConversation = (comments: readonly Comment[]): AskedPlace => ({
  ref: null,
  comments,
  standing: comments.map(({ id, author, body }) => ({ id, author: author.id, body, thread: null })),
});

const inThread = (thread: Thread): AskedPlace => ({ ref: thread.ref, comments: thread.comments, standing: commentsOf(thread) });

export async function conversationOf(answer: Answering): Promise<AskedPlace> {
  const { port } = answer.review.forge;
  return inConversation((await forgeCall(answer, 'the conversation', abort => port.ask('comment.list', answer.on, abort))).comments);
}

/** Throws AppError FORGE_NOT_FOUND where the comment is gone: nobody waits for the answer any more. */
export async function askedPlace(answer: Answering): Promise<AskedPlace> {
  const { fact, review, on } = answer;
  const holds = (comments: readonly Comment[]): boolean => comments.some(({ id }) => id === fact.comment);
  if (fact.finding === null && fact.thread === null) {
    const place = await conversationOf(answer);
    if (holds(place.comments)) return place;
  } else {
    const { threads } = await forgeCall(answer, 'the threads', abort => review.forge.port.ask('thread.list', on, abort));
    const thread = threads.find(({ comments }) => holds(comments));
    if (thread !== undefined) return inThread(thread);
  }
  throw new AppError('FORGE_NOT_FOUND', 'The comment that was to be answered is gone.');
}

/** What of a forge's answer a model may read (PRV-20); null where all of it was dropped. */
export async function readable<V extends Verb>(
  { review, on, signal }: Answering,
  verb: V,
  value: VerbResult<V>,
  author?: { readonly id: string; readonly login: string },
): Promise<VerbResult<V> | null> {
  const place = { repository: on.repository, ...(author === undefined ? {} : { author: { id: author.id, login: author.login } }) };
  return (await review.forge.port.forModel(verb, value, place, signal)).value;
}
