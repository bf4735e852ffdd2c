/** Bitbucket Cloud: one kind of comment for conversation, lines, ranges and replies; deleted ones stay as stones. */
import { type Answer, type Call, empty, json, list, type RouteTable } from '../http/call.ts';
import type { Site } from '../http/dialect.ts';
import type { Fields } from '../http/fields.ts';
import { actor, type RepositoryGuard } from '../http/repository-route.ts';
import { changeFiles, diffBase } from '../state/anchor.ts';
import type { Change, Place, Thread } from '../state/change.ts';
import type { Remark } from '../state/issue.ts';
import type { Repository } from '../state/repository.ts';
import { deleteRemark, editRemark, openThread, replyInThread, resolveThread } from '../state/talk-actions.ts';
import type { World } from '../state/world.ts';
import { need, printComment, printResolution, refuse } from './bitbucket-print.ts';
import { changeOf } from './bitbucket-pull-routes.ts';

interface Said {
  readonly thread: Thread;
  readonly remark: Remark;
}

const saidIn = (change: Change): readonly Said[] =>
  change.threads.flatMap(thread => thread.remarks.map(remark => ({ thread, remark }))).sort((one, other) => one.remark.id - other.remark.id);
const saidOf = (change: Change, call: Call): Said => need(saidIn(change).find(said => said.remark.id === Number(call.params['comment_id'])));

export function bitbucketCommentRoutes(world: World, site: Site, guard: RepositoryGuard): RouteTable {
  const COMMENTS = '/repositories/{workspace}/{repo_slug}/pullrequests/{pull_request_id}/comments';
  const settle = (resolved: boolean) =>
    guard('read', (call, repository) => {
      const change = changeOf(repository, call);
      const { thread, remark } = saidOf(change, call);
      if (thread.remarks[0] !== remark || thread.place === null) return refuse(403, 'Only top-level comments on the diff can be resolved.');
      if (thread.resolved === resolved)
        return resolved ? refuse(409, 'The comment has already been resolved.') : refuse(404, 'The comment has not been resolved.');
      resolveThread(world, repository, change, { thread, by: actor(call), resolved });
      return resolved ? json(printResolution(site, thread, remark)) : empty();
    });
  return {
    [`GET ${COMMENTS}`]: guard('read', (call, repository) => {
      const change = changeOf(repository, call);
      const newest = call.query.get('sort') === '-created_on';
      const said = saidIn(change);
      return list((newest ? [...said].reverse() : said).map(one => printComment(site, repository, change, one)));
    }),
    [`POST ${COMMENTS}`]: guard('read', (call, repository) => create(world, site, call, repository)),
    [`GET ${COMMENTS}/{comment_id}`]: guard('read', (call, repository) => {
      const change = changeOf(repository, call);
      return json(printComment(site, repository, change, saidOf(change, call)));
    }),
    [`PUT ${COMMENTS}/{comment_id}`]: guard('read', (call, repository) => {
      const change = changeOf(repository, call);
      const said = saidOf(change, call);
      const body = call.fields.object('content')?.text('raw');
      if (said.remark.author.id !== actor(call).id) return refuse(403, 'You do not have permission to edit this comment.');
      if (body === undefined || body === '') return refuse(400, 'Bad request', { content: ['This field is required.'] });
      editRemark(world, repository, change, { ...said, by: actor(call), body });
      return json(printComment(site, repository, change, said));
    }),
    [`DELETE ${COMMENTS}/{comment_id}`]: guard('read', (call, repository) => {
      const change = changeOf(repository, call);
      const said = saidOf(change, call);
      if (said.remark.author.id !== actor(call).id && !world.may(repository, actor(call), 'admin'))
        return refuse(403, 'You do not have permission to delete this comment.');
      deleteRemark(world, repository, change, { ...said, by: actor(call), keep: true });
      return empty();
    }),
    [`POST ${COMMENTS}/{comment_id}/resolve`]: settle(true),
    [`DELETE ${COMMENTS}/{comment_id}/resolve`]: settle(false),
  };
}

async function create(world: World, site: Site, call: Call, repository: Repository): Promise<Answer> {
  const change = changeOf(repository, call);
  const body = call.fields.object('content')?.text('raw');
  if (body === undefined || body === '') return refuse(400, 'Bad request', { content: ['This field is required.'] });
  const parent = call.fields.object('parent')?.number('id');
  if (parent !== undefined) {
    const thread = change.threads.find(one => one.remarks.some(remark => remark.id === parent));
    if (thread === undefined) return refuse(400, 'Bad request', { parent: ['Invalid parent comment.'] });
    const remark = replyInThread(world, repository, change, { thread, by: actor(call), body, parent });
    return json(printComment(site, repository, change, { thread, remark }), 201);
  }
  const inline = call.fields.object('inline');
  const problem = inline === undefined ? null : inlineProblem(inline);
  if (problem !== null) return refuse(400, 'Bad request', { inline: [problem] });
  const place = inline === undefined ? null : await placeOf(repository, change, inline);
  const thread = openThread(world, repository, change, { by: actor(call), body, place });
  return json(printComment(site, repository, change, { thread, remark: need(thread.remarks[0]) }), 201);
}

/** A path always, lines from 1, a range in order. Whether the line is in the diff is not checked there. */
function inlineProblem(inline: Fields): string | null {
  if (inline.text('path') === undefined) return 'path is required';
  for (const [start, end] of [
    ['start_to', 'to'],
    ['start_from', 'from'],
  ] as const) {
    const [first, last] = [inline.number(start), inline.number(end)];
    if ((first !== undefined && first < 1) || (last !== undefined && last < 1)) return `${end} must be a positive line number`;
    if (first !== undefined && (last === undefined || first > last)) return `${start} must not be after ${end}`;
  }
  return null;
}

async function placeOf(repository: Repository, change: Change, inline: Fields): Promise<Place> {
  const path = inline.text('path') ?? '';
  const file = (await changeFiles(repository, change)).find(one => one.path === path);
  const numbers = Object.fromEntries(['from', 'to', 'start_from', 'start_to'].map(name => [name, inline.number(name) ?? null]));
  const side = numbers['to'] === null && numbers['from'] !== null ? 'OLD' : 'NEW';
  return {
    path,
    oldPath: file?.oldPath ?? path,
    side,
    oldLine: numbers['from'] ?? null,
    newLine: numbers['to'] ?? null,
    startOldLine: numbers['start_from'] ?? null,
    startNewLine: numbers['start_to'] ?? null,
    startSide: null,
    base: await diffBase(repository, change),
    commit: change.headSha,
    vendor: { ...numbers, path },
  };
}
