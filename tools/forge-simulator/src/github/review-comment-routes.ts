/** GitHub: inline comments outside a review's making, their replies, edits and deletion. */
import { type Answer, type Call, empty, json, list, type RouteTable } from '../http/call.ts';
import type { Site } from '../http/dialect.ts';
import { actor, type RepositoryGuard } from '../http/repository-route.ts';
import type { Change, Thread } from '../state/change.ts';
import type { Remark } from '../state/issue.ts';
import type { Repository } from '../state/repository.ts';
import { addReview, deleteRemark, editRemark, replyInThread } from '../state/talk-actions.ts';
import type { World } from '../state/world.ts';
import { bodyTooLong, invalid, need, refuse, tooLong, unprocessableSentence } from './github-words.ts';
import { placeComment } from './placement.ts';
import { printReviewComment } from './print-pull.ts';
import { changeOf } from './pull-routes.ts';
import { diffRange } from './review-routes.ts';

export interface Said {
  readonly change: Change;
  readonly thread: Thread;
  readonly remark: Remark;
}

/** Every inline comment that the caller may see, oldest first. */
export function saidIn(changes: readonly Change[], viewer: number | undefined): readonly Said[] {
  return changes
    .flatMap(change =>
      change.threads
        .filter(thread => thread.place !== null && (thread.review?.state !== 'pending' || thread.review.author.id === viewer))
        .flatMap(thread => thread.remarks.map(remark => ({ change, thread, remark }))),
    )
    .sort((one, other) => one.remark.id - other.remark.id);
}

export const saidOf = (repository: Repository, call: Call): Said =>
  need(saidIn(repository.changes, call.account?.id).find(said => said.remark.id === Number(call.params['comment_id'])));

/** since, sort and direction as the lists of comments take them. */
function order(call: Call, said: readonly Said[]): readonly Said[] {
  const since = call.query.get('since');
  const kept = since === null ? said : said.filter(one => one.remark.updatedAt >= new Date(since));
  return call.query.get('direction') === 'desc' && call.query.get('sort') !== null ? [...kept].reverse() : kept;
}

export function reviewCommentRoutes(world: World, site: Site, guard: RepositoryGuard): RouteTable {
  const print = (repository: Repository, said: Said) => printReviewComment(site, repository, said.change, said);
  const ONE = '/repos/{owner}/{repo}/pulls/comments/{comment_id}';
  return {
    'GET /repos/{owner}/{repo}/pulls/comments': guard('read', async (call, repository) =>
      list(await Promise.all(order(call, saidIn(repository.changes, call.account?.id)).map(said => print(repository, said)))),
    ),
    'GET /repos/{owner}/{repo}/pulls/{pull_number}/comments': guard('read', async (call, repository) =>
      list(await Promise.all(order(call, saidIn([changeOf(repository, call)], call.account?.id)).map(said => print(repository, said)))),
    ),
    'POST /repos/{owner}/{repo}/pulls/{pull_number}/comments': guard('read', (call, repository) => createComment(world, site, call, repository)),
    'POST /repos/{owner}/{repo}/pulls/{pull_number}/comments/{comment_id}/replies': guard('read', (call, repository) => reply(world, site, call, repository)),
    [`GET ${ONE}`]: guard('read', async (call, repository) => json(await print(repository, saidOf(repository, call)))),
    [`PATCH ${ONE}`]: guard('read', async (call, repository) => {
      const said = saidOf(repository, call);
      const body = call.fields.text('body') ?? '';
      if (!mayEdit(world, repository, call, said.remark)) return refuse(403, 'Must have admin rights to Repository.');
      if (tooLong(body)) return bodyTooLong('PullRequestReviewComment');
      editRemark(world, repository, said.change, { ...said, by: actor(call), body });
      return json(await print(repository, said));
    }),
    [`DELETE ${ONE}`]: guard('read', (call, repository) => {
      const said = saidOf(repository, call);
      if (!mayEdit(world, repository, call, said.remark)) return refuse(403, 'Must have admin rights to Repository.');
      deleteRemark(world, repository, said.change, { ...said, by: actor(call) });
      return empty();
    }),
  };
}

export const mayEdit = (world: World, repository: Repository, call: Call, remark: Remark): boolean =>
  remark.author.id === actor(call).id || world.may(repository, call.account, 'write');

async function createComment(world: World, site: Site, call: Call, repository: Repository): Promise<Answer> {
  const change = changeOf(repository, call);
  const { fields } = call;
  const body = fields.text('body') ?? '';
  if (tooLong(body)) return bodyTooLong('PullRequestReviewComment');
  const answered = fields.number('in_reply_to');
  if (answered !== undefined) return answer(world, site, call, { repository, change, parent: answered });
  const range = await diffRange(repository, change, fields.text('commit_id'));
  if (range === undefined) return invalid('PullRequestReviewComment', [{ field: 'commit_id', code: 'invalid' }]);
  const placed = placeComment(fields, range);
  if ('errors' in placed)
    return invalid('PullRequestReviewComment', [
      { field: 'pull_request_review_thread.line', code: 'custom', message: 'pull_request_review_thread.line must be part of the diff' },
      { field: 'pull_request_review_thread.diff_hunk', code: 'missing_field' },
    ]);
  const review = addReview(world, repository, change, {
    by: actor(call),
    body: '',
    state: 'commented',
    commit: range.commit,
    comments: [{ body, place: placed.place }],
  });
  const [thread] = review.threads;
  const remark = thread?.remarks[0];
  if (thread === undefined || remark === undefined) throw new Error('a review lost its comment');
  return json(await printReviewComment(site, repository, change, { thread, remark }), 201);
}

function reply(world: World, site: Site, call: Call, repository: Repository): Promise<Answer> {
  return answer(world, site, call, { repository, change: changeOf(repository, call), parent: Number(call.params['comment_id']) });
}

async function answer(
  world: World,
  site: Site,
  call: Call,
  to: { readonly repository: Repository; readonly change: Change; readonly parent: number },
): Promise<Answer> {
  const { repository, change } = to;
  const body = call.fields.text('body') ?? '';
  const thread = need(change.threads.find(one => one.remarks.some(remark => remark.id === to.parent)));
  if (tooLong(body)) return bodyTooLong('PullRequestReviewComment');
  if (thread.remarks[0]?.id !== to.parent) return unprocessableSentence('in_reply_to must be the id of a top-level comment');
  const remark = replyInThread(world, repository, change, { thread, by: actor(call), body });
  return json(await printReviewComment(site, repository, change, { thread, remark }), 201);
}
