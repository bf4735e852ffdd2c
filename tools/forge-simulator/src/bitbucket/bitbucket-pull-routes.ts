/** Bitbucket Cloud: pull requests, approvals, merge, and the diff that answers with a redirect. */
import { type Answer, type Call, empty, json, list, redirect, type RouteTable, text } from '../http/call.ts';
import type { Site } from '../http/dialect.ts';
import type { Fields } from '../http/fields.ts';
import { actor, type RepositoryGuard } from '../http/repository-route.ts';
import { diffBase } from '../state/anchor.ts';
import type { Change } from '../state/change.ts';
import { editChange, mergeChange, openChange } from '../state/change-actions.ts';
import type { Repository } from '../state/repository.ts';
import { addReview } from '../state/talk-actions.ts';
import type { World } from '../state/world.ts';
import { apiOf, need, printCommit, printDiffstat, printParticipant, printPull, refuse } from './bitbucket-print.ts';

export const changeOf = (repository: Repository, call: Call): Change =>
  need(repository.changes.find(change => change.number === Number(call.params['pull_request_id'])));

const STATES: Readonly<Record<string, Change['state']>> = { OPEN: 'open', MERGED: 'merged', DECLINED: 'closed' };
const COMMITS_LIMIT = 1000;

export function bitbucketPullRoutes(world: World, site: Site, guard: RepositoryGuard): RouteTable {
  const LIST = '/repositories/{workspace}/{repo_slug}/pullrequests';
  const ONE = `${LIST}/{pull_request_id}`;
  const tasks = new Map<string, { readonly change: Change }>();
  return {
    [`GET ${LIST}`]: guard('read', (call, repository) => {
      const asked = call.query.getAll('state');
      const states = (asked.length === 0 ? ['OPEN'] : asked).map(state => STATES[state]);
      return list(
        repository.changes
          .filter(change => states.includes(change.state))
          .sort((one, other) => other.number - one.number)
          .map(change => printPull(site, repository, change)),
      );
    }),
    [`POST ${LIST}`]: guard('write', (call, repository) => create(world, site, call, repository)),
    [`GET ${ONE}`]: guard('read', (call, repository) => json(printPull(site, repository, changeOf(repository, call)))),
    [`PUT ${ONE}`]: guard('read', (call, repository) => update(world, site, call, repository)),
    [`GET ${ONE}/commits`]: guard('read', async (call, repository) => {
      const change = changeOf(repository, call);
      return list(
        (await repository.git.log(`${await diffBase(repository, change)}..${change.headSha}`, COMMITS_LIMIT)).map(commit =>
          printCommit(site, repository, commit),
        ),
      );
    }),
    ...Object.fromEntries(
      ['diff', 'patch', 'diffstat'].map(kind => [
        `GET ${ONE}/${kind}`,
        guard('read', (call: Call, repository: Repository) => redirect(specUrl(site, repository, changeOf(repository, call), kind))),
      ]),
    ),
    [`POST ${ONE}/approve`]: guard('read', (call, repository) => {
      const change = changeOf(repository, call);
      if (change.approvals.includes(actor(call))) return refuse(409, 'You already approved this pull request.');
      change.approvals.push(actor(call));
      world.happen({ repository, by: actor(call), kind: 'change', action: 'approved', change });
      return json(printParticipant(site, change, actor(call)));
    }),
    [`DELETE ${ONE}/approve`]: guard('read', (call, repository) => {
      const change = changeOf(repository, call);
      const at = change.approvals.indexOf(actor(call));
      if (at < 0) return refuse(404, "You haven't approved this pull request.");
      change.approvals.splice(at, 1);
      world.happen({ repository, by: actor(call), kind: 'change', action: 'unapproved', change });
      return empty();
    }),
    [`POST ${ONE}/request-changes`]: guard('read', (call, repository) => {
      const change = changeOf(repository, call);
      addReview(world, repository, change, { by: actor(call), body: '', state: 'changes_requested', commit: change.headSha, comments: [] });
      return json(printParticipant(site, change, actor(call)));
    }),
    [`DELETE ${ONE}/request-changes`]: guard('read', (call, repository) => {
      for (const review of changeOf(repository, call).reviews)
        if (review.author.id === actor(call).id && review.state === 'changes_requested') review.state = 'dismissed';
      return empty();
    }),
    [`POST ${ONE}/decline`]: guard('write', async (call, repository) => {
      const change = changeOf(repository, call);
      if (change.state !== 'open') return refuse(555, 'This pull request is already closed.');
      await editChange(world, repository, change, { by: actor(call), state: 'closed' });
      return json(printPull(site, repository, change));
    }),
    [`POST ${ONE}/merge`]: guard('write', async (call, repository) => {
      const change = changeOf(repository, call);
      if (change.state !== 'open') return refuse(409, 'This pull request is already closed.');
      const method = call.fields.text('merge_strategy') === 'squash' ? 'squash' : 'merge';
      const message = call.fields.text('message');
      const merged = await mergeChange(world, repository, change, {
        method,
        by: actor(call),
        message: message ?? `Merged in ${change.head} (pull request #${change.number})\n\n${change.title}`,
      });
      if (merged === undefined) return refuse(409, 'Unable to merge: there are conflicts.');
      if (call.query.get('async') !== 'true') return json(printPull(site, repository, change));
      const id = String(world.id('task'));
      tasks.set(id, { change });
      return { status: 202, headers: { location: `${apiOf(site, repository)}/pullrequests/${change.number}/merge/task-status/${id}` } };
    }),
    [`GET ${ONE}/merge/task-status/{task_id}`]: guard('read', (call, repository) =>
      json({ task_status: 'SUCCESS', merge_result: printPull(site, repository, need(tasks.get(call.params['task_id'] ?? '')).change) }),
    ),
    ...specRoutes(site, guard),
  };
}

/** Where a pull request's diff really is: source and destination, divided by an escaped carriage return. */
function specUrl(site: Site, repository: Repository, change: Change, kind: string): string {
  return `${apiOf(site, repository)}/${kind}/${repository.fullName}:${change.headSha.slice(0, 12)}%0D${change.baseSha.slice(0, 12)}?from_pullrequest_id=${change.number}&topic=true`;
}

async function create(world: World, site: Site, call: Call, repository: Repository): Promise<Answer> {
  const branch = (end: Fields | undefined): string | undefined => end?.object('branch')?.text('name');
  const head = branch(call.fields.object('source'));
  const base = branch(call.fields.object('destination')) ?? repository.defaultBranch;
  const title = call.fields.text('title');
  if (title === undefined || title === '') return refuse(400, 'Bad request', { title: ['This field is required.'] });
  if (head === undefined || (await repository.git.resolve(`refs/heads/${head}`)) === undefined)
    return refuse(400, 'Bad request', { 'source.branch': [`branch not found: ${head}`] });
  const change = await openChange(world, repository, {
    title,
    body: call.fields.text('description') ?? '',
    head,
    base,
    author: actor(call),
    draft: call.fields.flag('draft') ?? false,
  });
  return change === undefined ? refuse(400, 'There are no changes to be pulled') : json(printPull(site, repository, change), 201);
}

async function update(world: World, site: Site, call: Call, repository: Repository): Promise<Answer> {
  const change = changeOf(repository, call);
  if (actor(call).id !== change.author.id && !world.may(repository, actor(call), 'write'))
    return refuse(403, 'Access denied. You must have write or admin access.');
  if (change.state !== 'open') return refuse(400, 'Pull request is closed.');
  const [title, body, draft] = [call.fields.text('title'), call.fields.text('description'), call.fields.flag('draft')];
  const base = call.fields.object('destination')?.object('branch')?.text('name');
  await editChange(world, repository, change, {
    by: actor(call),
    ...(title && { title }),
    ...(body !== undefined && { body }),
    ...(base && { base }),
    ...(draft !== undefined && { draft }),
  });
  return json(printPull(site, repository, change));
}

/** `source..destination`, `source%0Ddestination` or one commit; the first holds the changes. Three-dot unless topic is false. */
async function readSpec(call: Call, repository: Repository): Promise<{ readonly base: string; readonly head: string }> {
  const spec = (call.params['spec'] ?? '').replace(/^[^:]*\/[^:]*:/, '');
  const [first = '', second] = spec.split(/\.\.|\r/);
  const head = need(await repository.git.resolve(first));
  if (second === undefined) return { base: need((await repository.git.commitOf(head)).parents[0]), head };
  const other = need(await repository.git.resolve(second));
  if (call.query.get('topic') === 'false') return { base: other, head };
  return { base: (await repository.git.mergeBase(other, head)) ?? other, head };
}

function specRoutes(site: Site, guard: RepositoryGuard): RouteTable {
  const ROOT = '/repositories/{workspace}/{repo_slug}';
  return {
    [`GET ${ROOT}/diff/{spec*}`]: guard('read', async (call, repository) => {
      const { base, head } = await readSpec(call, repository);
      const paths = call.query.getAll('path');
      if (paths.length === 0) return text(await repository.git.diffText(base, head), 'text/plain');
      const files = await repository.git.files(base, head);
      return text(
        files
          .filter(file => paths.includes(file.path))
          .map(file => file.section)
          .join(''),
        'text/plain',
      );
    }),
    [`GET ${ROOT}/patch/{spec*}`]: guard('read', async (call, repository) => {
      const { base, head } = await readSpec(call, repository);
      return text(await repository.git.patchText(base, head), 'text/plain');
    }),
    [`GET ${ROOT}/diffstat/{spec*}`]: guard('read', async (call, repository) => {
      const commits = await readSpec(call, repository);
      return list((await repository.git.files(commits.base, commits.head)).map(file => printDiffstat(site, repository, file, commits)));
    }),
    [`GET ${ROOT}/merge-base/{spec}`]: guard('read', async (call, repository) => {
      const [one = '', other = ''] = (call.params['spec'] ?? '').split('..');
      const sha = await repository.git.mergeBase(need(await repository.git.resolve(one)), need(await repository.git.resolve(other)));
      return json(printCommit(site, repository, await repository.git.commitOf(need(sha))));
    }),
  };
}
