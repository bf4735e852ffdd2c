/** Gitea and Forgejo: pull requests, their diff, files, commits, merge and compare. */
import { type Answer, type Call, empty, json, list, type RouteTable, text } from '../http/call.ts';
import type { Site } from '../http/dialect.ts';
import { actor, type RepositoryGuard } from '../http/repository-route.ts';
import { changeFiles, diffBase } from '../state/anchor.ts';
import type { Change } from '../state/change.ts';
import { editChange, labelChange, mergeChange, openChange } from '../state/change-actions.ts';
import type { Repository } from '../state/repository.ts';
import type { World } from '../state/world.ts';
import { isDraftTitle, need, printCommit, printFile, printPull, printUser, refuse } from './gitea-print.ts';

const COMMITS_LIMIT = 1000;

export const changeOf = (repository: Repository, call: Call): Change => need(repository.changes.find(change => change.number === Number(call.params['index'])));

export function giteaPullRoutes(world: World, site: Site, guard: RepositoryGuard): RouteTable {
  const PULL = '/repos/{owner}/{repo}/pulls/{index}';
  const diff = (kind: 'diff' | 'patch') =>
    guard('read', async (call, repository) => {
      const change = changeOf(repository, call);
      const base = await diffBase(repository, change);
      return text(kind === 'diff' ? await repository.git.diffText(base, change.headSha) : await repository.git.patchText(base, change.headSha));
    });
  return {
    'GET /repos/{owner}/{repo}/pulls': guard('read', async (call, repository) => {
      const state = call.query.get('state') ?? 'open';
      const kept = repository.changes
        .filter(change => state === 'all' || (state === 'open') === (change.state === 'open'))
        .sort((one, other) => other.number - one.number);
      return list(await Promise.all(kept.map(change => printPull(site, repository, change))));
    }),
    'POST /repos/{owner}/{repo}/pulls': guard('read', (call, repository) => createPull(world, site, call, repository)),
    [`GET ${PULL}`]: guard('read', async (call, repository) => json(await printPull(site, repository, changeOf(repository, call)))),
    [`GET ${PULL}.diff`]: diff('diff'),
    [`GET ${PULL}.patch`]: diff('patch'),
    [`PATCH ${PULL}`]: guard('read', (call, repository) => updatePull(world, site, call, repository)),
    [`GET ${PULL}/files`]: guard('read', async (call, repository) => {
      const change = changeOf(repository, call);
      return list((await changeFiles(repository, change)).map(file => printFile(site, repository, file, change.headSha)));
    }),
    [`GET ${PULL}/commits`]: guard('read', async (call, repository) => {
      const change = changeOf(repository, call);
      const commits = await repository.git.log(`${await diffBase(repository, change)}..${change.headSha}`, COMMITS_LIMIT);
      return list(commits.map(commit => printCommit(site, repository, commit)));
    }),
    [`GET ${PULL}/merge`]: guard('read', (call, repository) => (changeOf(repository, call).state === 'merged' ? empty() : { status: 404 })),
    [`POST ${PULL}/merge`]: guard('write', (call, repository) => mergePull(world, call, repository)),
    [`DELETE ${PULL}/merge`]: guard('write', (call, repository) => {
      const change = changeOf(repository, call);
      if (change.autoMerge === null) return refuse(404, "The target couldn't be found.");
      change.autoMerge = null;
      return empty();
    }),
    [`POST ${PULL}/requested_reviewers`]: guard('read', async (call, repository) => {
      const change = changeOf(repository, call);
      const names = call.fields.texts('reviewers') ?? [];
      const asked = world.accounts.filter(account => names.includes(account.login));
      if (asked.length < names.length) return refuse(404, `user does not exist [name: ${names.find(name => !asked.some(one => one.login === name))}]`);
      if (asked.some(account => account.id === change.author.id)) return refuse(422, "poster of pr can't be reviewer");
      change.reviewers = [...new Set([...change.reviewers, ...asked])];
      return json(
        asked.map(account => ({ id: world.id('review'), user: printUser(site, account), state: 'REQUEST_REVIEW' })),
        201,
      );
    }),
    'GET /repos/{owner}/{repo}/compare/{basehead*}': guard('read', (call, repository) => compare(site, call, repository)),
  };
}

async function createPull(world: World, site: Site, call: Call, repository: Repository): Promise<Answer> {
  const { fields } = call;
  const head = (fields.text('head') ?? '').replace(`${repository.owner.login}:`, '');
  const base = fields.text('base') ?? '';
  for (const branch of [head, base])
    if ((await repository.git.resolve(`refs/heads/${branch}`)) === undefined)
      return refuse(404, "The target couldn't be found.", { errors: [`branch does not exist [name: ${branch}]`] });
  const known = repository.changes.find(change => change.state === 'open' && change.head === head && change.base === base);
  if (known !== undefined)
    return refuse(
      409,
      `pull request already exists for these targets [id: ${known.id}, issue_id: ${known.id}, head_repo_id: ${repository.id}, base_repo_id: ${repository.id}, head_branch: ${head}, base_branch: ${base}]`,
    );
  const title = fields.text('title') ?? '';
  if (title === '') return refuse(422, '[Title]: Required');
  const change = await openChange(world, repository, { title, body: fields.text('body') ?? '', head, base, author: actor(call), draft: isDraftTitle(title) });
  if (change === undefined) return refuse(422, 'there are no changes between the head and the base');
  const ids = fields.array('labels') ?? [];
  if (ids.length > 0) labelChange(world, repository, change, { labels: repository.labels.filter(label => ids.includes(label.id)), by: actor(call) });
  return json(await printPull(site, repository, change), 201);
}

async function updatePull(world: World, site: Site, call: Call, repository: Repository): Promise<Answer> {
  const change = changeOf(repository, call);
  const by = actor(call);
  if (by.id !== change.author.id && !world.may(repository, by, 'write')) return { status: 403 };
  const [title, body, base, state] = ['title', 'body', 'base', 'state'].map(name => call.fields.text(name));
  if (state !== undefined && change.state === 'merged') return refuse(412, 'cannot change state of this pull request, it was already merged');
  await editChange(world, repository, change, {
    by,
    ...(title && { title, draft: isDraftTitle(title) }),
    ...(body !== undefined && { body }),
    ...(base && { base }),
    ...(state && { state: state as 'open' | 'closed' }),
  });
  const ids = call.fields.array('labels');
  if (ids !== undefined) labelChange(world, repository, change, { labels: repository.labels.filter(label => ids.includes(label.id)), by });
  return json(await printPull(site, repository, change), 201);
}

async function mergePull(world: World, call: Call, repository: Repository): Promise<Answer> {
  const change = changeOf(repository, call);
  const refusal = mergeRefusal(change, call.fields.text('head_commit_id') ?? '');
  if (refusal !== null) return refusal;
  // Gitea's newer description writes `do`, Forgejo's and the older one `Do`.
  const plan = { method: call.fields.text('do') ?? call.fields.text('Do') ?? 'merge', by: actor(call) };
  if (call.fields.flag('merge_when_checks_succeed') === true && !hasPassed(repository, change)) {
    change.autoMerge = plan;
    return { status: 201 };
  }
  const merged = await mergeChange(world, repository, change, plan);
  return merged === undefined ? refuse(405, 'Please try again later') : { status: 200 };
}

function mergeRefusal(change: Change, head: string): Answer | null {
  if (change.state === 'merged') return refuse(405, 'The PR is already merged');
  if (change.state === 'closed') return refuse(404, "The target couldn't be found.");
  if (isDraftTitle(change.title)) return refuse(405, 'Work in progress PRs cannot be merged');
  return head !== '' && head !== change.headSha ? refuse(409, 'head out of date') : null;
}

/** Every status of the head is a success, and so is each that the target branch asks for. */
function hasPassed(repository: Repository, change: Change): boolean {
  const rule = repository.protections.get(change.base);
  const asked = rule?.['enable_status_check'] === true && Array.isArray(rule['status_check_contexts']) ? rule['status_check_contexts'] : [];
  const states = new Map(repository.statuses.filter(one => one.sha === change.headSha).map(one => [one.context, one.state]));
  return [...states.values()].every(state => state === 'success') && asked.every(name => states.get(String(name)) === 'success');
}

async function compare(site: Site, call: Call, repository: Repository): Promise<Answer> {
  const match = /^(.+?)\.{2,3}(.+)$/.exec(call.params['basehead'] ?? '');
  const [base, head] = await Promise.all([match?.[1], match?.[2]].map(name => repository.git.resolve(name ?? '')));
  const from = (await repository.git.mergeBase(need(base), need(head))) ?? need(base);
  const commits = await repository.git.log(`${from}..${need(head)}`, COMMITS_LIMIT);
  const output = call.query.get('output');
  if (output === 'diff') return text(await repository.git.diffText(from, need(head)));
  if (output === 'patch') return text(await repository.git.patchText(from, need(head)));
  const files = await repository.git.files(from, need(head));
  return json({
    total_commits: commits.length,
    commits: commits.map(commit => printCommit(site, repository, commit)),
    files: files.map(file => ({ filename: file.path, status: printFile(site, repository, file, need(head))['status'] })),
  });
}
