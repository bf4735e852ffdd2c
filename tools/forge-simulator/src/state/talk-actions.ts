/** What can be said on a change or an issue: comments, threads, reviews. Each tells the world what happened. */
import type { Account } from './account.ts';
import type { Change, Place, Review, ReviewState, Thread } from './change.ts';
import type { Issue, Remark } from './issue.ts';
import type { Repository } from './repository.ts';
import type { World } from './world.ts';

export const isChange = (subject: Change | Issue): subject is Change => 'headSha' in subject;

export function addRemark(world: World, repository: Repository, subject: Change | Issue, said: { readonly by: Account; readonly body: string }): Remark {
  const remark = world.remark(said.by, said.body);
  subject.remarks.push(remark);
  subject.updatedAt = world.now();
  subject.timeline.push({ id: remark.id, kind: 'commented', by: said.by, at: remark.createdAt, remark });
  world.happen({ repository, by: said.by, kind: 'remark', action: 'created', subject, remark });
  return remark;
}

export interface RemarkEdit {
  readonly remark: Remark;
  readonly thread?: Thread;
  readonly by: Account;
}

export function editRemark(world: World, repository: Repository, subject: Change | Issue, edit: RemarkEdit & { readonly body: string }): void {
  const was = edit.remark.body;
  edit.remark.body = edit.body;
  edit.remark.updatedAt = world.now();
  world.happen({ repository, by: edit.by, kind: 'remark', action: 'edited', subject, remark: edit.remark, was, ...(edit.thread && { thread: edit.thread }) });
}

/** Takes the remark out, and its thread with it when it was the last one. `keep` leaves a tombstone, as Bitbucket does. */
export function deleteRemark(world: World, repository: Repository, subject: Change | Issue, edit: RemarkEdit & { readonly keep?: boolean }): void {
  edit.remark.deleted = true;
  if (edit.keep !== true) {
    const list = edit.thread?.remarks ?? subject.remarks;
    list.splice(list.indexOf(edit.remark), 1);
    if (edit.thread !== undefined && list.length === 0 && isChange(subject)) subject.threads.splice(subject.threads.indexOf(edit.thread), 1);
  }
  world.happen({ repository, by: edit.by, kind: 'remark', action: 'deleted', subject, remark: edit.remark, ...(edit.thread && { thread: edit.thread }) });
}

export interface ThreadPlan {
  readonly by: Account;
  readonly body: string;
  readonly place: Place | null;
  readonly review?: Review;
  readonly individual?: boolean;
  /** A pending review's comments are told of when it is submitted. */
  readonly silent?: boolean;
}

export function openThread(world: World, repository: Repository, change: Change, plan: ThreadPlan): Thread {
  const remark = world.remark(plan.by, plan.body);
  const id = world.id('thread');
  const thread: Thread = {
    id,
    key: `${id.toString(16).padStart(8, '0')}${'d'.repeat(32)}`,
    place: plan.place,
    remarks: [remark],
    review: plan.review ?? null,
    individual: plan.individual ?? false,
    resolved: false,
    resolvedBy: null,
  };
  change.threads.push(thread);
  plan.review?.threads.push(thread);
  change.updatedAt = world.now();
  if (plan.silent !== true) world.happen({ repository, by: plan.by, kind: 'remark', action: 'created', subject: change, remark, thread });
  return thread;
}

export function replyInThread(
  world: World,
  repository: Repository,
  change: Change,
  reply: { readonly thread: Thread; readonly by: Account; readonly body: string; readonly parent?: number },
): Remark {
  const remark = world.remark(reply.by, reply.body, reply.parent ?? reply.thread.remarks[0]?.id ?? null);
  reply.thread.remarks.push(remark);
  reply.thread.individual = false;
  change.updatedAt = world.now();
  world.happen({ repository, by: reply.by, kind: 'remark', action: 'created', subject: change, remark, thread: reply.thread });
  return remark;
}

export function resolveThread(
  world: World,
  repository: Repository,
  change: Change,
  edit: { readonly thread: Thread; readonly by: Account; readonly resolved: boolean },
): void {
  if (edit.thread.resolved === edit.resolved) return;
  edit.thread.resolved = edit.resolved;
  edit.thread.resolvedBy = edit.resolved ? edit.by : null;
  world.happen({ repository, by: edit.by, kind: 'thread', action: edit.resolved ? 'resolved' : 'unresolved', change, thread: edit.thread });
}

export interface ReviewPlan {
  readonly by: Account;
  readonly body: string;
  readonly state: ReviewState;
  readonly commit: string;
  readonly comments: readonly { readonly body: string; readonly place: Place }[];
}

export function addReview(world: World, repository: Repository, change: Change, plan: ReviewPlan): Review {
  const review: Review = { id: world.id('review'), author: plan.by, state: 'pending', body: plan.body, commit: plan.commit, submittedAt: null, threads: [] };
  change.reviews.push(review);
  for (const comment of plan.comments) openThread(world, repository, change, { by: plan.by, ...comment, review, silent: true });
  if (plan.state !== 'pending') submitReview(world, repository, change, { review, state: plan.state });
  return review;
}

export function submitReview(
  world: World,
  repository: Repository,
  change: Change,
  submission: { readonly review: Review; readonly state: ReviewState; readonly body?: string },
): void {
  const { review } = submission;
  review.state = submission.state;
  review.body = submission.body ?? review.body;
  review.submittedAt = world.now();
  change.updatedAt = world.now();
  change.timeline.push({ id: review.id, kind: 'reviewed', by: review.author, at: review.submittedAt });
  world.happen({ repository, by: review.author, kind: 'review', action: 'submitted', change, review });
  for (const thread of review.threads)
    for (const remark of thread.remarks) world.happen({ repository, by: review.author, kind: 'remark', action: 'created', subject: change, remark, thread });
}
