/**
 * Gitea and Forgejo: reviews. A comment stands on a line of the new file (`new_position`) or of the old one (`old_position`);
 * both are line numbers, and neither is checked against the diff. Gitea resolves and replies, Forgejo does not.
 */
import { type Answer, type Call, empty, json, list, type RouteTable } from '../http/call.ts';
import type { ForgeKind, Site } from '../http/dialect.ts';
import type { Fields } from '../http/fields.ts';
import { actor, type RepositoryGuard } from '../http/repository-route.ts';
import { changeFiles, diffBase } from '../state/anchor.ts';
import type { Change, Place, Review, ReviewState, Thread } from '../state/change.ts';
import type { Repository } from '../state/repository.ts';
import { addReview, openThread, replyInThread, resolveThread, submitReview } from '../state/talk-actions.ts';
import type { World } from '../state/world.ts';
import { need, printReview, printReviewComment, refuse } from './gitea-print.ts';
import { changeOf } from './gitea-pull-routes.ts';

const EVENTS: Readonly<Record<string, ReviewState>> = { APPROVED: 'approved', REQUEST_CHANGES: 'changes_requested', COMMENT: 'commented' };

const visible = (change: Change, call: Call): readonly Review[] =>
  change.reviews.filter(review => review.state !== 'pending' || review.author.id === call.account?.id);
const reviewOf = (change: Change, call: Call): Review => need(visible(change, call).find(review => review.id === Number(call.params['id'])));

export function giteaReviewRoutes(world: World, site: Site, guard: RepositoryGuard, kind: ForgeKind): RouteTable {
  const REVIEWS = '/repos/{owner}/{repo}/pulls/{index}/reviews';
  return {
    [`GET ${REVIEWS}`]: guard('read', (call, repository) => {
      const change = changeOf(repository, call);
      return list(visible(change, call).map(review => printReview(site, repository, change, review)));
    }),
    [`POST ${REVIEWS}`]: guard('read', (call, repository) => createReview(world, site, call, repository)),
    [`GET ${REVIEWS}/{id}`]: guard('read', (call, repository) => {
      const change = changeOf(repository, call);
      return json(printReview(site, repository, change, reviewOf(change, call)));
    }),
    [`POST ${REVIEWS}/{id}`]: guard('read', (call, repository) => {
      const change = changeOf(repository, call);
      const review = reviewOf(change, call);
      if (review.state !== 'pending') return refuse(422, 'only a pending review can be submitted');
      const refusal = checkEvent(change, call, review.threads.length);
      if (refusal !== null) return refusal;
      submitReview(world, repository, change, { review, state: EVENTS[call.fields.text('event') ?? ''] ?? 'pending', body: call.fields.text('body') ?? '' });
      return json(printReview(site, repository, change, review));
    }),
    [`DELETE ${REVIEWS}/{id}`]: guard('read', (call, repository) => {
      const change = changeOf(repository, call);
      const review = reviewOf(change, call);
      if (review.author.id !== actor(call).id && !world.may(repository, actor(call), 'admin')) return { status: 403 };
      change.reviews.splice(change.reviews.indexOf(review), 1);
      for (const thread of review.threads) change.threads.splice(change.threads.indexOf(thread), 1);
      return empty();
    }),
    [`GET ${REVIEWS}/{id}/comments`]: guard('read', async (call, repository) => {
      const change = changeOf(repository, call);
      const said = reviewOf(change, call).threads.flatMap(thread => thread.remarks.map(remark => ({ thread, remark })));
      return json(await Promise.all(said.map(one => printReviewComment(site, repository, change, one))));
    }),
    [`POST ${REVIEWS}/{id}/dismissals`]: guard('admin', (call, repository) => {
      const change = changeOf(repository, call);
      const review = reviewOf(change, call);
      review.state = 'dismissed';
      world.happen({ repository, by: actor(call), kind: 'review', action: 'dismissed', change, review });
      return json(printReview(site, repository, change, review));
    }),
    ...(kind === 'gitea' ? giteaThreads(world, site, guard) : forgejoComments(world, site, guard)),
  };
}

function findThread(repository: Repository, id: number): { readonly change: Change; readonly thread: Thread } {
  return need(
    repository.changes.flatMap(change => change.threads.map(thread => ({ change, thread }))).find(one => one.thread.remarks.some(remark => remark.id === id)),
  );
}

function giteaThreads(world: World, site: Site, guard: RepositoryGuard): RouteTable {
  const settle = (resolved: boolean) =>
    guard('read', (call, repository) => {
      const { change, thread } = findThread(repository, Number(call.params['id']));
      if (change.author.id !== actor(call).id && !world.may(repository, actor(call), 'write')) return { status: 403 };
      resolveThread(world, repository, change, { thread, by: actor(call), resolved });
      return empty();
    });
  return {
    'POST /repos/{owner}/{repo}/pulls/comments/{id}/resolve': settle(true),
    'POST /repos/{owner}/{repo}/pulls/comments/{id}/unresolve': settle(false),
    'POST /repos/{owner}/{repo}/pulls/{index}/comments/{id}/replies': guard('read', async (call, repository) => {
      const { change, thread } = findThread(repository, Number(call.params['id']));
      const body = call.fields.text('body') ?? '';
      if (body === '') return refuse(422, '[Body]: Required');
      const remark = replyInThread(world, repository, change, { thread, by: actor(call), body });
      return json(await printReviewComment(site, repository, change, { thread, remark }), 201);
    }),
  };
}

/** Forgejo adds single comments to a review; a reply is a comment on the same line. */
function forgejoComments(world: World, site: Site, guard: RepositoryGuard): RouteTable {
  const COMMENTS = '/repos/{owner}/{repo}/pulls/{index}/reviews/{id}/comments';
  const saidOf = (repository: Repository, call: Call) => {
    const change = changeOf(repository, call);
    const review = reviewOf(change, call);
    const said = review.threads.flatMap(thread => thread.remarks.map(remark => ({ thread, remark })));
    return { change, review, ...need(said.find(one => one.remark.id === Number(call.params['comment']))) };
  };
  return {
    [`POST ${COMMENTS}`]: guard('read', async (call, repository) => {
      const change = changeOf(repository, call);
      const review = reviewOf(change, call);
      const place = await placeOf(repository, change, call.fields);
      const thread = openThread(world, repository, change, { by: actor(call), body: call.fields.text('body') ?? '', place, review });
      const [remark] = thread.remarks;
      return json(await printReviewComment(site, repository, change, { thread, remark: need(remark) }));
    }),
    [`GET ${COMMENTS}/{comment}`]: guard('read', async (call, repository) => {
      const { change, thread, remark } = saidOf(repository, call);
      return json(await printReviewComment(site, repository, change, { thread, remark }));
    }),
    [`DELETE ${COMMENTS}/{comment}`]: guard('read', (call, repository) => {
      const { change, review, thread } = saidOf(repository, call);
      if (thread.remarks[0]?.author.id !== actor(call).id && !world.may(repository, actor(call), 'write')) return { status: 403 };
      change.threads.splice(change.threads.indexOf(thread), 1);
      review.threads.splice(review.threads.indexOf(thread), 1);
      return empty();
    }),
  };
}

function checkEvent(change: Change, call: Call, comments: number): Answer | null {
  const event = call.fields.text('event') ?? '';
  const hasBody = (call.fields.text('body') ?? '').trim() !== '';
  const own = change.author.id === actor(call).id;
  if (own && event === 'APPROVED') return refuse(422, 'approve your own pull is not allowed');
  if (own && event === 'REQUEST_CHANGES') return refuse(422, 'reject your own pull is not allowed');
  if (event === 'REQUEST_CHANGES' && !hasBody) return refuse(422, `review event ${event} requires a body`);
  if (event === 'COMMENT' && !hasBody && comments === 0) return refuse(422, `review event ${event} requires a body or a comment`);
  return null;
}

async function createReview(world: World, site: Site, call: Call, repository: Repository): Promise<Answer> {
  const change = changeOf(repository, call);
  const { fields } = call;
  const comments = fields.objects('comments');
  const refusal = checkEvent(change, call, comments.length);
  if (refusal !== null) return refusal;
  const asked = fields.text('commit_id');
  const commit = asked === undefined || asked === '' ? change.headSha : await repository.git.resolve(asked);
  if (commit === undefined) return refuse(404, "The target couldn't be found.");
  const places = await Promise.all(comments.map(comment => placeOf(repository, change, comment, commit)));
  const placed = comments.map((comment, at) => ({ body: comment.text('body') ?? '', place: need(places[at]) }));
  const review = addReview(world, repository, change, {
    by: actor(call),
    body: fields.text('body') ?? '',
    state: EVENTS[fields.text('event') ?? ''] ?? 'pending',
    commit,
    comments: placed,
  });
  return json(printReview(site, repository, change, review));
}

/** An old line wins over a new one, as in the vendor's code. */
async function placeOf(repository: Repository, change: Change, comment: Fields, commit = change.headSha): Promise<Place> {
  const path = comment.text('path') ?? '';
  const oldLine = comment.number('old_position') ?? 0;
  const newLine = comment.number('new_position') ?? 0;
  const file = (await changeFiles(repository, change)).find(one => one.path === path || one.oldPath === path);
  const side = oldLine > 0 ? 'OLD' : 'NEW';
  return {
    path,
    oldPath: file?.oldPath ?? path,
    side,
    oldLine: side === 'OLD' ? oldLine : null,
    newLine: side === 'NEW' ? newLine : null,
    startOldLine: null,
    startNewLine: null,
    startSide: null,
    base: await diffBase(repository, change),
    commit,
  };
}
