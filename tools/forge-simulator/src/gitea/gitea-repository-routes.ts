/** Gitea and Forgejo: accounts, settings, files, branches, commits, statuses, protections and hooks. */
import { type Answer, type Call, empty, json, list, type RouteTable, text } from '../http/call.ts';
import type { ForgeServices, Site } from '../http/dialect.ts';
import { actor, type RepositoryGuard } from '../http/repository-route.ts';
import { uuidOf } from '../state/account.ts';
import { deleteBranch, pushBranch } from '../state/change-actions.ts';
import { ABSENT } from '../state/happening.ts';
import type { CommitStatus, Hook, Repository } from '../state/repository.ts';
import type { World } from '../state/world.ts';
import { iso, need, pageOf, printCommit, printHook, printRepository, printStatus, printUser, refuse } from './gitea-print.ts';

type Json = Record<string, unknown>;

export function giteaRepositoryRoutes(world: World, site: Site, guard: RepositoryGuard): RouteTable {
  return {
    'GET /repos/{owner}/{repo}': guard('read', (call, repository) => json(printRepository(site, repository, world.permission(repository, call.account)))),
    'GET /repos/{owner}/{repo}/collaborators/{collaborator}/permission': guard('write', (call, repository) => {
      const account = need(world.accounts.find(one => one.login === call.params['collaborator']));
      const held = account.id === repository.owner.id ? 'owner' : world.permission(repository, account);
      return json({ permission: held, role_name: held, user: printUser(site, account) });
    }),
    'GET /repos/{owner}/{repo}/raw/{filepath*}': guard('read', async (call, repository) => {
      const entry = await entryAt(call, repository);
      return text(need(await repository.git.blob(entry.sha)));
    }),
    'GET /repos/{owner}/{repo}/contents/{filepath*}': guard('read', (call, repository) => contents(site, call, repository)),
    'POST /repos/{owner}/{repo}/contents': guard('write', (call, repository) => changeFiles(world, site, call, repository)),
    'GET /repos/{owner}/{repo}/git/blobs/{sha}': guard('read', async (call, repository) => {
      const bytes = need(await repository.git.blob(call.params['sha'] ?? ''));
      return json({ content: bytes.toString('base64'), encoding: 'base64', url: call.url.href, sha: call.params['sha'], size: bytes.length });
    }),
    'GET /repos/{owner}/{repo}/git/trees/{sha}': guard('read', async (call, repository) => {
      const commit = need(await repository.git.resolve(call.params['sha'] ?? ''));
      const tree = await repository.git.tree(commit, '', call.query.get('recursive') === 'true' || call.query.get('recursive') === '1');
      return json({
        sha: commit,
        url: call.url.href,
        tree: tree.map(one => ({ path: one.path, mode: one.mode, type: one.type, size: one.size ?? 0, sha: one.sha })),
        truncated: false,
        page: 1,
        total_count: tree.length,
      });
    }),
    'GET /repos/{owner}/{repo}/commits': guard('read', async (call, repository) => {
      const sha = need(await repository.git.resolve(call.query.get('sha') ?? repository.defaultBranch));
      return list((await repository.git.log(sha, 1000)).map(commit => printCommit(site, repository, commit)));
    }),
    'GET /repos/{owner}/{repo}/git/commits/{sha}': guard('read', async (call, repository) => {
      const sha = need(await repository.git.resolve(call.params['sha'] ?? ''));
      return json(printCommit(site, repository, await repository.git.commitOf(sha)));
    }),
    ...branches(world, site, guard),
    ...statuses(world, site, guard),
    ...protections(guard),
  };
}

async function entryAt(call: Call, repository: Repository) {
  const commit = need(await repository.git.resolve(call.query.get('ref') ?? repository.defaultBranch));
  return need((await repository.git.tree(commit, call.params['filepath'] ?? ''))[0]);
}

async function contents(site: Site, call: Call, repository: Repository): Promise<Answer> {
  const entry = await entryAt(call, repository);
  const ref = call.query.get('ref') ?? repository.defaultBranch;
  const print = (one: typeof entry, content: string | null): Json => ({
    name: one.path.split('/').pop(),
    path: one.path,
    sha: one.sha,
    type: one.type === 'tree' ? 'dir' : one.mode === '120000' ? 'symlink' : 'file',
    size: one.size ?? 0,
    encoding: content === null ? null : 'base64',
    content,
    url: call.url.href,
    html_url: `${pageOf(site, repository)}/src/${ref}/${one.path}`,
    download_url: `${pageOf(site, repository)}/raw/${ref}/${one.path}`,
  });
  if (entry.type !== 'tree') return json(print(entry, need(await repository.git.blob(entry.sha)).toString('base64')));
  const commit = need(await repository.git.resolve(ref));
  return json((await repository.git.tree(commit, `${entry.path}/`)).map(one => print(one, null)));
}

async function changeFiles(world: World, site: Site, call: Call, repository: Repository): Promise<Answer> {
  const from = call.fields.text('branch') ?? repository.defaultBranch;
  const branch = call.fields.text('new_branch') ?? from;
  const parent = need(await repository.git.resolve(`refs/heads/${from}`));
  const files = Object.fromEntries(
    call.fields
      .objects('files')
      .map(file => [file.text('path') ?? '', file.text('operation') === 'delete' ? null : Buffer.from(file.text('content') ?? '', 'base64')]),
  );
  const sha = await repository.git.commit({
    parents: [parent],
    files,
    message: call.fields.text('message') ?? 'Update files',
    author: actor(call),
    at: world.now(),
  });
  await pushBranch(world, repository, branch, { sha, by: actor(call) });
  return json(
    { files: Object.keys(files).map(path => ({ path })), commit: printCommit(site, repository, await repository.git.commitOf(sha)), verification: null },
    201,
  );
}

function branches(world: World, site: Site, guard: RepositoryGuard): RouteTable {
  const BRANCHES = '/repos/{owner}/{repo}/branches';
  const print = async (repository: Repository, name: string, sha: string): Promise<Json> => {
    const commit = await repository.git.commitOf(sha);
    return {
      name,
      commit: {
        id: sha,
        message: commit.message,
        url: `${pageOf(site, repository)}/commit/${sha}`,
        author: { ...commit.author, username: '' },
        committer: { ...commit.author, username: '' },
        verification: null,
        timestamp: commit.author.date,
        added: null,
        removed: null,
        modified: null,
      },
      protected: repository.protections.has(name),
      required_approvals: 0,
      enable_status_check: false,
      status_check_contexts: [],
      user_can_push: true,
      user_can_merge: true,
      effective_branch_protection_name: '',
    };
  };
  return {
    [`GET ${BRANCHES}`]: guard('read', async (_, repository) =>
      list(await Promise.all((await repository.git.branches()).map(one => print(repository, one.name, one.sha)))),
    ),
    [`GET ${BRANCHES}/{branch*}`]: guard('read', async (call, repository) =>
      json(await print(repository, call.params['branch'] ?? '', need(await repository.git.resolve(`refs/heads/${call.params['branch']}`)))),
    ),
    [`POST ${BRANCHES}`]: guard('write', async (call, repository) => {
      const name = call.fields.text('new_branch_name') ?? '';
      if ((await repository.git.resolve(`refs/heads/${name}`)) !== undefined) return refuse(409, 'The branch already exists.');
      const sha = need(await repository.git.resolve(call.fields.text('old_ref_name') ?? call.fields.text('old_branch_name') ?? repository.defaultBranch));
      await pushBranch(world, repository, name, { sha, by: actor(call) });
      return json(await print(repository, name, sha), 201);
    }),
    [`DELETE ${BRANCHES}/{branch*}`]: guard('write', async (call, repository) =>
      (await deleteBranch(world, repository, call.params['branch'] ?? '', actor(call))) ? empty() : refuse(404, "The target couldn't be found."),
    ),
  };
}

function statuses(world: World, site: Site, guard: RepositoryGuard): RouteTable {
  const of = async (repository: Repository, name: string | undefined): Promise<{ readonly sha: string; readonly held: readonly CommitStatus[] }> => {
    const sha = need(await repository.git.resolve(name ?? ''));
    return { sha, held: [...repository.statuses].reverse().filter(status => status.sha === sha) };
  };
  const all = guard('read', async (call, repository) =>
    list((await of(repository, call.params['sha'])).held.map(status => printStatus(site, repository, status))),
  );
  return {
    'POST /repos/{owner}/{repo}/statuses/{sha}': guard('write', async (call, repository) => {
      const sha = need(await repository.git.resolve(call.params['sha'] ?? ''));
      const state = call.fields.text('state') ?? '';
      if (!['pending', 'success', 'error', 'failure', 'warning', 'skipped'].includes(state)) return refuse(400, `invalid commit status state: ${state}`);
      const at = world.now();
      const status = {
        id: world.id('status'),
        sha,
        state,
        context: call.fields.text('context') ?? 'default',
        description: call.fields.text('description') ?? null,
        targetUrl: call.fields.text('target_url') ?? null,
        by: actor(call),
        createdAt: at,
        updatedAt: at,
      };
      repository.statuses.push(status);
      world.happen({ repository, by: actor(call), kind: 'status', status });
      return json(printStatus(site, repository, status), 201);
    }),
    'GET /repos/{owner}/{repo}/statuses/{sha}': all,
    'GET /repos/{owner}/{repo}/commits/{sha}/statuses': all,
    'GET /repos/{owner}/{repo}/commits/{sha}/status': guard('read', async (call, repository) => {
      const { sha, held } = await of(repository, call.params['sha']);
      const last = [...new Map([...held].reverse().map(status => [status.context, status])).values()];
      const worst = ['error', 'failure', 'warning', 'pending', 'success'].find(state => last.some(status => status.state === state)) ?? '';
      return json({
        state: worst,
        sha,
        total_count: last.length,
        statuses: last.map(status => printStatus(site, repository, status)),
        repository: printRepository(site, repository),
        commit_url: '',
        url: call.url.href,
      });
    }),
  };
}

function protections(guard: RepositoryGuard): RouteTable {
  const RULES = '/repos/{owner}/{repo}/branch_protections';
  const lay = (call: Call, repository: Repository, name: string): Json => {
    const rule = { rule_name: name, branch_name: name, ...repository.protections.get(name), ...call.fields.all() };
    repository.protections.set(name, rule);
    return rule;
  };
  return {
    [`GET ${RULES}`]: guard('admin', (_, repository) => json([...repository.protections.values()])),
    [`POST ${RULES}`]: guard('admin', (call, repository) => {
      const name = call.fields.text('rule_name') ?? call.fields.text('branch_name') ?? '';
      return repository.protections.has(name) ? refuse(403, 'Branch protection already exist') : json(lay(call, repository, name), 201);
    }),
    [`GET ${RULES}/{name}`]: guard('admin', (call, repository) => json(need(repository.protections.get(call.params['name'] ?? '')))),
    [`PATCH ${RULES}/{name}`]: guard('admin', (call, repository) => {
      const name = call.params['name'] ?? '';
      need(repository.protections.get(name));
      return json(lay(call, repository, name));
    }),
    [`DELETE ${RULES}/{name}`]: guard('admin', (call, repository) =>
      repository.protections.delete(call.params['name'] ?? '') ? empty() : refuse(404, "The target couldn't be found."),
    ),
  };
}

export function giteaHookRoutes(world: World, guard: RepositoryGuard, forge: ForgeServices): RouteTable {
  const HOOKS = '/repos/{owner}/{repo}/hooks';
  const hookOf = (repository: Repository, call: Call): Hook => need(repository.hooks.find(hook => hook.id === Number(call.params['id'])));
  return {
    [`GET ${HOOKS}`]: guard('admin', (_, repository) => list(repository.hooks.map(printHook))),
    [`POST ${HOOKS}`]: guard('admin', (call, repository) => {
      const config = call.fields.object('config');
      const url = config?.text('url');
      if (url === undefined) return refuse(422, 'Missing config option: url');
      if (!URL.canParse(url)) return refuse(422, 'Invalid url: url');
      const id = world.id('hook');
      const at = world.now();
      const hook: Hook = {
        id,
        uuid: uuidOf(`hook ${id}`),
        url,
        secret: config?.text('secret') ?? null,
        signingToken: null,
        contentType: config?.text('content_type') === 'form' ? 'form' : 'json',
        events: [...(call.fields.texts('events') ?? ['push'])],
        active: call.fields.flag('active') ?? false,
        createdAt: at,
        updatedAt: at,
        fields: {},
      };
      repository.hooks.push(hook);
      return json(printHook(hook), 201);
    }),
    [`GET ${HOOKS}/{id}`]: guard('admin', (call, repository) => json(printHook(hookOf(repository, call)))),
    [`PATCH ${HOOKS}/{id}`]: guard('admin', (call, repository) => {
      const hook = hookOf(repository, call);
      const config = call.fields.object('config');
      hook.url = config?.text('url') ?? hook.url;
      hook.secret = config?.text('secret') ?? hook.secret;
      hook.events = [...(call.fields.texts('events') ?? hook.events)];
      hook.active = call.fields.flag('active') ?? hook.active;
      hook.updatedAt = world.now();
      return json(printHook(hook));
    }),
    [`DELETE ${HOOKS}/{id}`]: guard('admin', (call, repository) => {
      repository.hooks.splice(repository.hooks.indexOf(hookOf(repository, call)), 1);
      return empty();
    }),
    [`POST ${HOOKS}/{id}/tests`]: guard('admin', async (call, repository) => {
      const after = (await repository.git.resolve(repository.defaultBranch)) ?? ABSENT;
      forge.test(
        { kind: 'push', repository, by: actor(call), branch: repository.defaultBranch, before: after, after, forced: false },
        hookOf(repository, call),
      );
      return empty();
    }),
  };
}

export function giteaServerRoutes(
  world: World,
  site: Site,
  server: { readonly version: string; readonly pageMaximum: number; readonly pageDefault: number },
): RouteTable {
  return {
    'GET /version': () => json({ version: server.version }),
    'GET /settings/api': () =>
      json({
        max_response_items: server.pageMaximum,
        default_paging_num: server.pageDefault,
        default_git_trees_per_page: 1000,
        default_max_blob_size: 10485760,
      }),
    'GET /user': call => (call.account === null ? refuse(401, 'token is required') : json({ ...printUser(site, call.account), last_login: iso(world.now()) })),
    'GET /users/{username}': call => json(printUser(site, need(world.accounts.find(account => account.login === call.params['username'])))),
  };
}
