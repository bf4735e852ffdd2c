/** GitHub: pull requests, their diff, files, commits, merge and compare. */
import { type Answer, type Call, empty, json, list, type RouteTable, text } from '../http/call.ts';
import { actor, type RepositoryGuard } from '../http/repository-route.ts';
import type { Site } from '../http/dialect.ts';
import { changeFiles, diffBase } from '../state/anchor.ts';
import type { Change } from '../state/change.ts';
import { editChange, mergeChange, openChange } from '../state/change-actions.ts';
import type { Repository } from '../state/repository.ts';
import type { World } from '../state/world.ts';
import { bodyTooLong, invalid, need, refuse, tooLong } from './github-words.ts';
import { pageOf, printUser, repositoryUrl } from './print-account.ts';
import { printCommit, printFile, printPull, printWholePull } from './print-pull.ts';

const FILES_LIMIT = 3000;
const COMPARE_FILES_LIMIT = 300;
const COMMITS_LIMIT = 250;
export const DIFF_FILES_LIMIT = 300;
const DIFF_LINES_LIMIT = 20_000;

export const changeOf = (repository: Repository, call: Call): Change =>
  need(repository.changes.find(change => change.number === Number(call.params['pull_number'])));

/** The media type that Accept names: diff, patch, raw, or JSON. */
export function media(call: Call): 'diff' | 'patch' | 'raw' | 'object' | 'json' {
  const accept = call.headers['accept'] ?? '';
  const named = /application\/vnd\.github\.(?:v3\.)?(diff|patch|raw|object)/.exec(accept)?.[1];
  return (named as 'diff' | 'patch' | 'raw' | 'object' | undefined) ?? 'json';
}

export const tooLarge = (what: string): Answer =>
  refuse(
    406,
    `Sorry, the diff exceeded the maximum number of ${what}. Consider using 'List pull requests files' API or locally cloning the repository instead.`,
    {
      errors: [{ resource: 'PullRequest', field: 'diff', code: 'too_large' }],
    },
  );

export async function diffAnswer(repository: Repository, base: string, head: string, kind: 'diff' | 'patch'): Promise<Answer> {
  const files = await repository.git.files(base, head);
  if (files.length > DIFF_FILES_LIMIT) return tooLarge(`files (${DIFF_FILES_LIMIT})`);
  const diff = await repository.git.diffText(base, head);
  if (diff.split('\n').length > DIFF_LINES_LIMIT) return tooLarge(`lines (${DIFF_LINES_LIMIT})`);
  return text(kind === 'diff' ? diff : await repository.git.patchText(base, head), `application/vnd.github.${kind}; charset=utf-8`);
}

export function pullRoutes(world: World, site: Site, guard: RepositoryGuard): RouteTable {
  return {
    'GET /repos/{owner}/{repo}/pulls': guard('read', (call, repository) =>
      list(filterPulls(call, repository).map(change => printPull(site, repository, change))),
    ),
    'POST /repos/{owner}/{repo}/pulls': guard('read', (call, repository) => createPull(world, site, call, repository)),
    'GET /repos/{owner}/{repo}/pulls/{pull_number}': guard('read', async (call, repository) => {
      const change = changeOf(repository, call);
      const kind = media(call);
      if (kind === 'diff' || kind === 'patch') return diffAnswer(repository, await diffBase(repository, change), change.headSha, kind);
      return json(await printWholePull(site, repository, change));
    }),
    'PATCH /repos/{owner}/{repo}/pulls/{pull_number}': guard('read', (call, repository) => updatePull(world, site, call, repository)),
    'GET /repos/{owner}/{repo}/pulls/{pull_number}/files': guard('read', async (call, repository) => {
      const change = changeOf(repository, call);
      return list((await changeFiles(repository, change)).slice(0, FILES_LIMIT).map(file => printFile(site, repository, file, change.headSha)));
    }),
    'GET /repos/{owner}/{repo}/pulls/{pull_number}/commits': guard('read', async (call, repository) => {
      const change = changeOf(repository, call);
      const commits = await repository.git.log(`${await diffBase(repository, change)}..${change.headSha}`, COMMITS_LIMIT);
      return list([...commits].reverse().map(commit => printCommit(site, repository, commit)));
    }),
    'GET /repos/{owner}/{repo}/pulls/{pull_number}/merge': guard('read', (call, repository) =>
      changeOf(repository, call).state === 'merged' ? empty() : refuse(404, 'Not Found'),
    ),
    'PUT /repos/{owner}/{repo}/pulls/{pull_number}/merge': guard('write', (call, repository) => mergePull(world, call, repository)),
    'GET /repos/{owner}/{repo}/pulls/{pull_number}/requested_reviewers': guard('read', (call, repository) =>
      json({ users: changeOf(repository, call).reviewers.map(account => printUser(site, account)), teams: [] }),
    ),
    'POST /repos/{owner}/{repo}/pulls/{pull_number}/requested_reviewers': guard('write', (call, repository) => {
      const change = changeOf(repository, call);
      const logins = call.fields.texts('reviewers') ?? [];
      const asked = world.accounts.filter(account => logins.includes(account.login));
      if (asked.some(account => account.id === change.author.id)) return refuse(422, 'Review cannot be requested from pull request author.');
      change.reviewers = [...new Set([...change.reviewers, ...asked])];
      return json(printPull(site, repository, change), 201);
    }),
    'GET /repos/{owner}/{repo}/compare/{basehead*}': guard('read', (call, repository) => compare(site, call, repository)),
  };
}

function filterPulls(call: Call, repository: Repository): readonly Change[] {
  const state = call.query.get('state') ?? 'open';
  const head = call.query.get('head')?.split(':').pop();
  const base = call.query.get('base');
  const wanted = repository.changes.filter(
    change =>
      (state === 'all' || (state === 'open') === (change.state === 'open')) &&
      (head === undefined || change.head === head) &&
      (base === null || change.base === base),
  );
  const direction = call.query.get('direction') ?? (call.query.get('sort') === null || call.query.get('sort') === 'created' ? 'desc' : 'asc');
  const key = call.query.get('sort') === 'updated' ? 'updatedAt' : 'createdAt';
  return wanted.sort((one, other) => (one[key].getTime() - other[key].getTime() || one.number - other.number) * (direction === 'asc' ? 1 : -1));
}

async function createPull(world: World, site: Site, call: Call, repository: Repository): Promise<Answer> {
  const { fields } = call;
  const head = fields.text('head')?.replace(`${repository.owner.login}:`, '') ?? '';
  const base = fields.text('base') ?? '';
  if (tooLong(fields.text('body'))) return bodyTooLong('PullRequest');
  const sha = await repository.git.resolve(`refs/heads/${head}`);
  if (sha === undefined) return invalid('PullRequest', [{ field: 'head', code: 'invalid' }]);
  if ((await repository.git.resolve(`refs/heads/${base}`)) === undefined) return invalid('PullRequest', [{ field: 'base', code: 'invalid' }]);
  if (repository.changes.some(change => change.state === 'open' && change.head === head && change.base === base))
    return invalid('PullRequest', [{ code: 'custom', message: `A pull request already exists for ${repository.owner.login}:${head}.` }]);
  const change = await openChange(world, repository, {
    title: fields.text('title') ?? head,
    body: fields.text('body') ?? '',
    head,
    base,
    author: actor(call),
    draft: fields.flag('draft') ?? false,
  });
  if (change === undefined) return invalid('PullRequest', [{ code: 'custom', message: `No commits between ${base} and ${head}` }]);
  return json(await printWholePull(site, repository, change), 201);
}

async function updatePull(world: World, site: Site, call: Call, repository: Repository): Promise<Answer> {
  const change = changeOf(repository, call);
  const by = actor(call);
  if (by.id !== change.author.id && !world.may(repository, by, 'write')) return refuse(403, 'Must have admin rights to Repository.');
  const [title, body, base, state] = ['title', 'body', 'base', 'state'].map(name => call.fields.text(name));
  if (tooLong(body)) return bodyTooLong('PullRequest');
  if (base !== undefined && (await repository.git.resolve(`refs/heads/${base}`)) === undefined)
    return invalid('PullRequest', [{ field: 'base', code: 'invalid' }]);
  if (state === 'open' && change.state === 'merged')
    return invalid('PullRequest', [{ field: 'state', code: 'custom', message: 'state cannot be changed. The pull request was merged.' }]);
  await editChange(world, repository, change, {
    by,
    ...(title && { title }),
    ...(body !== undefined && { body }),
    ...(base && { base }),
    ...(state && { state: state as 'open' | 'closed' }),
  });
  return json(await printWholePull(site, repository, change));
}

async function mergePull(world: World, call: Call, repository: Repository): Promise<Answer> {
  const change = changeOf(repository, call);
  const sha = call.fields.text('sha');
  if (change.state !== 'open' || change.draft) return refuse(405, change.draft ? 'Pull Request is still a draft' : 'Pull Request is not mergeable');
  if (sha !== undefined && sha !== change.headSha) return refuse(409, 'Head branch was modified. Review and try the merge again.');
  const title = call.fields.text('commit_title');
  const merged = await mergeChange(world, repository, change, {
    method: call.fields.text('merge_method') ?? 'merge',
    by: actor(call),
    ...(title && { message: `${title}\n\n${call.fields.text('commit_message') ?? ''}` }),
  });
  return merged === undefined ? refuse(405, 'Pull Request is not mergeable') : json({ sha: merged, merged: true, message: 'Pull Request successfully merged' });
}

const relation = (ahead: number, behind: number): string => (ahead > 0 ? (behind > 0 ? 'diverged' : 'ahead') : behind > 0 ? 'behind' : 'identical');

async function compare(site: Site, call: Call, repository: Repository): Promise<Answer> {
  const [, left = '', dots, right = ''] = /^(.+?)(\.{2,3})(.+)$/.exec(call.params['basehead'] ?? '') ?? [];
  const [base, head] = await Promise.all([left, right].map(name => repository.git.resolve(name.replace(`${repository.owner.login}:`, ''))));
  if (base === undefined || head === undefined) return refuse(404, 'Not Found');
  const mergeBase = (await repository.git.mergeBase(base, head)) ?? base;
  const from = dots === '..' ? base : mergeBase;
  const kind = media(call);
  if (kind === 'diff' || kind === 'patch') return diffAnswer(repository, from, head, kind);
  const [ahead, behind] = await Promise.all([repository.git.count(`${base}..${head}`), repository.git.count(`${head}..${base}`)]);
  const commits = [...(await repository.git.log(`${base}..${head}`, COMMITS_LIMIT))].reverse();
  const url = `${repositoryUrl(site, repository)}/compare/${call.params['basehead']}`;
  const page = `${pageOf(site, repository)}/compare/${call.params['basehead']}`;
  const files = (await repository.git.files(from, head)).slice(0, COMPARE_FILES_LIMIT);
  const whole = {
    url,
    html_url: page,
    permalink_url: page,
    diff_url: `${page}.diff`,
    patch_url: `${page}.patch`,
    base_commit: printCommit(site, repository, await repository.git.commitOf(base)),
    merge_base_commit: printCommit(site, repository, await repository.git.commitOf(mergeBase)),
    status: relation(ahead, behind),
    ahead_by: ahead,
    behind_by: behind,
    total_commits: ahead,
  };
  // Commits are paged; the files come with the first page.
  return list(
    commits.map(commit => printCommit(site, repository, commit)),
    page => ({
      ...whole,
      commits: page,
      ...(Number(call.query.get('page') ?? 1) === 1 && { files: files.map(file => printFile(site, repository, file, head)) }),
    }),
  );
}
