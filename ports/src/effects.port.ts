/**
 * Every side effect of a review's pipeline that outlives its process, by name: calls of a forge, calls of a model, commits of the store.
 * The crash matrix has a row for each.
 */
export const REVIEW_EFFECTS = [
  'ingress.store',
  'intake.decide',
  'fetch.read',
  'fetch.result',
  'gather.store',
  'gather.result',
  'generate.ask',
  'generate.keep',
  'generate.store',
  'generate.result',
  'reconcile.ask',
  'post.review',
  'post.reply',
  'post.resolve',
  'post.summary',
  'post.check',
  'post.settle',
  'post.result',
  'command.append',
  'saga.offer',
  'outbox.publish',
  'conversation.ask',
  'conversation.keep',
  'conversation.post',
] as const;
export type ReviewEffect = (typeof REVIEW_EFFECTS)[number];

/** Runs a side effect. In production it runs the work and nothing else; a test may end the process before or after it. */
export type RunEffect = <T>(name: ReviewEffect, work: () => Promise<T>) => Promise<T>;
