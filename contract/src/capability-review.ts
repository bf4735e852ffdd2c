/**
 * Arguments and results of the verbs that a review posts with: reviews, comments, threads, statuses and checks.
 */
import { z } from 'zod';
import { Anchor, ChangeNumber, CheckState, Comment, Commit, Id, RepositoryPath, ThreadRef, Url } from './capability-parts.ts';

const onChange = { repository: RepositoryPath, change: ChangeNumber };
const body = z.string().min(1);

/** A posted comment on lines. `thread` null where the answer does not name it; `thread.list` does. */
export const PostedComment = z.strictObject({ id: Id, thread: ThreadRef.nullable(), url: Url.nullable(), path: z.string().nullable(), body: z.string() });

export const Thread = z.strictObject({
  ref: ThreadRef,
  /** Null where the forge has no such state. */
  resolved: z.boolean().nullable(),
  /** The lines are no longer in the diff; null where the forge does not say. */
  outdated: z.boolean().nullable(),
  comments: z.array(Comment).min(1),
});
export type Thread = z.infer<typeof Thread>;

const Reaction = z.enum(['+1', '-1', 'laugh', 'confused', 'heart', 'hooray', 'rocket', 'eyes']);

const Annotation = z.strictObject({
  path: z.string().min(1),
  startLine: z.number().int().positive(),
  endLine: z.number().int().positive(),
  level: z.enum(['notice', 'warning', 'failure']),
  title: z.string(),
  message: z.string().min(1),
});

export const REVIEW_CAPABILITIES = {
  /** One review with all its comments. `failures` names, by index in `comments`, what the forge did not take (REV-18a). */
  'review.submit': {
    arguments: z.strictObject({
      ...onChange,
      commit: Commit,
      body: z.string(),
      event: z.enum(['comment', 'approve', 'request_changes']).default('comment'),
      comments: z.array(z.strictObject({ ...Anchor.shape, body })),
    }),
    result: z.strictObject({
      id: Id.nullable(),
      url: Url.nullable(),
      comments: z.array(PostedComment),
      failures: z.array(z.strictObject({ index: z.number().int().nonnegative(), reason: z.string() })),
    }),
  },
  'reaction.add': {
    arguments: z.strictObject({
      ...onChange,
      /** `thread`: a comment of a thread. `id` null for the change itself. */
      target: z.enum(['change', 'comment', 'thread']),
      id: Id.nullable().default(null),
      reaction: Reaction,
    }),
    result: z.strictObject({ reaction: Reaction }),
  },
  'comment.create': { arguments: z.strictObject({ ...onChange, body }), result: Comment },
  'comment.update': { arguments: z.strictObject({ ...onChange, comment: Id, body }), result: Comment },
  /** Comments of the conversation, without those of threads where the forge keeps them apart. */
  'comment.list': { arguments: z.strictObject(onChange), result: z.strictObject({ comments: z.array(Comment) }) },
  'review.comment.create': { arguments: z.strictObject({ ...onChange, commit: Commit, ...Anchor.shape, body }), result: PostedComment },
  'thread.list': { arguments: z.strictObject(onChange), result: z.strictObject({ threads: z.array(Thread) }) },
  'thread.reply': { arguments: z.strictObject({ ...onChange, thread: ThreadRef, body }), result: PostedComment },
  'thread.resolve': { arguments: z.strictObject({ ...onChange, thread: ThreadRef }), result: z.strictObject({ resolved: z.boolean() }) },
  'thread.unresolve': { arguments: z.strictObject({ ...onChange, thread: ThreadRef }), result: z.strictObject({ resolved: z.boolean() }) },
  'status.post': {
    arguments: z.strictObject({
      repository: RepositoryPath,
      commit: Commit,
      context: z.string().min(1),
      state: z.enum(['pending', 'success', 'failure', 'error']),
      description: z.string(),
      url: Url.nullable().default(null),
    }),
    result: z.strictObject({ context: z.string(), state: CheckState }),
  },
  'check.upsert': {
    arguments: z.strictObject({
      repository: RepositoryPath,
      commit: Commit,
      name: z.string().min(1),
      /** Null to create one. */
      id: Id.nullable().default(null),
      status: z.enum(['queued', 'in_progress', 'completed']),
      conclusion: z.enum(['success', 'failure', 'neutral', 'cancelled', 'skipped']).nullable().default(null),
      title: z.string().min(1),
      summary: z.string(),
      url: Url.nullable().default(null),
      annotations: z.array(Annotation).max(50).default([]),
    }),
    result: z.strictObject({ id: Id, url: Url.nullable() }),
  },
} as const;

/** A comment of a thread before it is grouped: what a forge without threads gives. */
export const LooseComment = z.strictObject({
  comment: Comment,
  /** Comment that it answers; null for a first one. */
  parent: Id.nullable(),
  /** Comments with an equal key are one thread; null where `parent` tells. */
  group: z.string().nullable(),
  ref: ThreadRef,
  resolved: z.boolean().nullable(),
  outdated: z.boolean().nullable(),
});
export type LooseComment = z.infer<typeof LooseComment>;
