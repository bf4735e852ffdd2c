/** GitHub: reviews, all or nothing, with one pending review an account. */
import { type Answer, type Call, json, list, type RouteTable } from '../http/call.ts';
import type { Site } from '../http/dialect.ts';
import type { Fields } from '../http/fields.ts';
import { actor, type RepositoryGuard } from '../http/repository-route.ts';
import { diffBase } from '../state/anchor.ts';
import type { Change, Place, Review, ReviewState } from '../state/change.ts';
import type { Repository } from '../state/repository.ts';
import { addReview, submitReview } from '../state/talk-actions.ts';
import type { World } from '../state/world.ts';
import { bodyTooLong, need, notFound, refuse, tooLong, unprocessable } from './github-words.ts';
import { type DiffRange, placeComment, sentences } from './placement.ts';
import { printReview, printReviewComment } from './print-pull.ts';
import { changeOf } from './pull-routes.ts';

const EVENTS: Readonly<Record<string, ReviewState>> = { APPROVE: 'approved', REQUEST_CHANGES: 'changes_requested', COMMENT: 'commented' };

/** The diff that a comment on `commit` is checked against; undefined when the commit is none of this repository's. */
export async function diffRange(repository: Repository, change: Change, commit: string | undefined): Promise<DiffRange | undefined> {
  const sha = commit === undefined ? change.headSha : await repository.git.resolve(commit);
  if (sha === undefined) return undefined;
  const base = sha === change.headSha ? await diffBase(repository, change) : ((await repository.git.mergeBase(change.baseSha, sha)) ?? change.baseSha);
  return { base, commit: sha, files: await repository.git.files(base, sha) };
}

/** A pending review is its author's alone. */
const visible = (change: Change, call: Call): readonly Review[] =>
  change.reviews.filter(review => review.state !== 'pending' || review.author.id === call.account?.id);

const reviewOf = (change: Change, call: Call): Review => need(visible(change, call).find(review => review.id === Number(call.params['review_id'])));

export function reviewRoutes(world: World, site: Site, guard: RepositoryGuard): RouteTable {
  const REVIEW = '/repos/{owner}/{repo}/pulls/{pull_number}/reviews';
  return {
    [`GET ${REVIEW}`]: guard('read', (call, repository) => {
      const change = changeOf(repository, call);
      return list(visible(change, call).map(review => printReview(site, repository, change, review)));
    }),
    [`POST ${REVIEW}`]: guard('read', (call, repository) => createReview(world, site, call, repository)),
    [`GET ${REVIEW}/{review_id}`]: guard('read', (call, repository) => {
      const change = changeOf(repository, call);
      return json(printReview(site, repository, change, reviewOf(change, call)));
    }),
    [`PUT ${REVIEW}/{review_id}`]: guard('read', (call, repository) => updateReview(world, site, call, repository)),
    [`DELETE ${REVIEW}/{review_id}`]: guard('read', (call, repository) => {
      const change = changeOf(repository, call);
      const review = reviewOf(change, call);
      if (review.state !== 'pending') return unprocessable('Can not delete a non-pending pull request review');
      change.reviews.splice(change.reviews.indexOf(review), 1);
      for (const thread of review.threads) change.threads.splice(change.threads.indexOf(thread), 1);
      return json(printReview(site, repository, change, review));
    }),
    [`GET ${REVIEW}/{review_id}/comments`]: guard('read', async (call, repository) => {
      const change = changeOf(repository, call);
      const said = reviewOf(change, call).threads.flatMap(thread => thread.remarks.slice(0, 1).map(remark => ({ thread, remark })));
      return list(await Promise.all(said.map(one => printReviewComment(site, repository, change, one))));
    }),
    [`POST ${REVIEW}/{review_id}/events`]: guard('read', (call, repository) => {
      const change = changeOf(repository, call);
      const review = reviewOf(change, call);
      if (review.author.id !== actor(call).id) return notFound();
      if (review.state !== 'pending') return unprocessable('Can not submit a pull request review that is not pending');
      const refusal = checkEvent(change, call, review.threads.length);
      if (refusal !== null) return refusal;
      const body = call.fields.text('body');
      submitReview(world, repository, change, { review, state: EVENTS[call.fields.text('event') ?? ''] ?? 'commented', ...(body !== undefined && { body }) });
      return json(printReview(site, repository, change, review));
    }),
    [`PUT ${REVIEW}/{review_id}/dismissals`]: guard('write', (call, repository) => {
      const change = changeOf(repository, call);
      const review = reviewOf(change, call);
      if (review.state !== 'approved' && review.state !== 'changes_requested') return unprocessable(`Can not dismiss a ${review.state} pull request review`);
      review.state = 'dismissed';
      world.happen({ repository, by: actor(call), kind: 'review', action: 'dismissed', change, review });
      return json(printReview(site, repository, change, review));
    }),
  };
}

function checkEvent(change: Change, call: Call, comments: number): Answer | null {
  const event = call.fields.text('event');
  const body = call.fields.text('body') ?? '';
  const own = change.author.id === actor(call).id;
  if (own && (event === 'APPROVE' || event === 'REQUEST_CHANGES'))
    return unprocessable(event === 'APPROVE' ? 'Can not approve your own pull request' : 'Can not request changes on your own pull request');
  if (event === 'REQUEST_CHANGES' && body === '') return unprocessable('Body can not be blank');
  if (event === 'COMMENT' && body === '' && comments === 0) return unprocessable('Body can not be blank');
  return null;
}

async function createReview(world: World, site: Site, call: Call, repository: Repository): Promise<Answer> {
  const change = changeOf(repository, call);
  const by = actor(call);
  const { fields } = call;
  const comments = fields.objects('comments');
  if (tooLong(fields.text('body')) || comments.some(comment => tooLong(comment.text('body')))) return bodyTooLong('PullRequestReview');
  const refusal = checkEvent(change, call, comments.length);
  if (refusal !== null) return refusal;
  if (change.reviews.some(review => review.state === 'pending' && review.author.id === by.id))
    return unprocessable('User can only have one pending review per pull request');
  const range = await diffRange(repository, change, fields.text('commit_id'));
  if (range === undefined) return unprocessable('The commit_id is not part of the pull request');
  const placed = placeAll(comments, range);
  if ('errors' in placed) return unprocessable(sentences(placed.errors));
  const review = addReview(world, repository, change, {
    by,
    body: fields.text('body') ?? '',
    state: EVENTS[fields.text('event') ?? ''] ?? 'pending',
    commit: range.commit,
    comments: placed.comments,
  });
  return json(printReview(site, repository, change, review));
}

type PlacedAll = { readonly comments: readonly { readonly body: string; readonly place: Place }[] } | { readonly errors: readonly string[] };

/** The first comment that has no place ends the batch; the answer does not say which it was. */
function placeAll(comments: readonly Fields[], range: DiffRange): PlacedAll {
  const out: { body: string; place: Place }[] = [];
  for (const comment of comments) {
    const placed = placeComment(comment, range);
    if ('errors' in placed) return placed;
    if ((comment.text('body') ?? '').trim() === '') return { errors: ["Pull request review comment body can't be blank"] };
    out.push({ body: comment.text('body') ?? '', place: placed.place });
  }
  return { comments: out };
}

function updateReview(world: World, site: Site, call: Call, repository: Repository): Answer {
  const change = changeOf(repository, call);
  const review = reviewOf(change, call);
  if (review.author.id !== actor(call).id) return refuse(403, 'Must be the author of the review.');
  if (tooLong(call.fields.text('body'))) return bodyTooLong('PullRequestReview');
  review.body = call.fields.text('body') ?? review.body;
  world.happen({ repository, by: actor(call), kind: 'review', action: 'edited', change, review });
  return json(printReview(site, repository, change, review));
}
