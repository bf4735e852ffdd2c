/** GitLab: accounts, members, files, branches, commits, compare, statuses and protected branches. */
import { createHash } from 'node:crypto';
import { type Answer, type Call, empty, json, list, type RouteTable, text } from '../http/call.ts';
import type { Site } from '../http/dialect.ts';
import { actor, type RepositoryGuard } from '../http/repository-route.ts';
import { deleteBranch, pushBranch } from '../state/change-actions.ts';
import type { CommitStatus, Repository } from '../state/repository.ts';
import type { World } from '../state/world.ts';
import { iso, LEVELS, missing, need, pageOf, printCommit, printDiff, printOwnUser, printProject, printUser, refuse } from './gitlab-print.ts';

type Json = Record<string, unknown>;

export function gitlabProjectRoutes(world: World, site: Site, guard: RepositoryGuard): RouteTable {
  return {
    'GET /user': call => (call.account === null ? refuse(401, '401 Unauthorized') : json(printOwnUser(site, call.account))),
    'GET /users': call =>
      list(
        world.accounts
          .filter(account => call.query.get('username') === null || account.login === call.query.get('username'))
          .map(account => printUser(site, account)),
      ),
    'GET /users/{user_id}': call =>
      json(
        printUser(
          site,
          need(
            world.accounts.find(account => String(account.id) === call.params['user_id']),
            'User',
          ),
        ),
      ),
    'GET /personal_access_tokens/self': call =>
      call.account === null
        ? refuse(401, '401 Unauthorized')
        : json({ id: call.account.id, name: 'simulated', revoked: false, active: true, scopes: ['api'], user_id: call.account.id, expires_at: null }),
    'GET /version': call => (call.account === null ? refuse(401, '401 Unauthorized') : json({ version: '19.4.0-ee', revision: 'simulated' })),
    'GET /metadata': call =>
      call.account === null
        ? refuse(401, '401 Unauthorized')
        : json({ version: '19.4.0-ee', revision: 'simulated', kas: { enabled: false, externalUrl: null, version: null }, enterprise: true }),
    'GET /projects/{id}': guard('read', (_, repository) => json(printProject(site, repository))),
    'GET /projects/{id}/members/all/{user_id}': guard('read', (call, repository) => {
      const account = need(world.accounts.find(one => String(one.id) === call.params['user_id']));
      const held = repository.permissions.get(account.id);
      if (held === undefined || held === 'none') return refuse(404, '404 Not found');
      return json({
        ...printUser(site, account),
        access_level: LEVELS[held],
        created_at: iso(repository.createdAt),
        expires_at: null,
        membership_state: 'active',
      });
    }),
    ...files(site, guard),
    ...branches(world, site, guard),
    ...commits(world, site, guard),
    ...statuses(world, site, guard),
    ...protectedBranches(guard),
  };
}

function files(site: Site, guard: RepositoryGuard): RouteTable {
  const at = async (call: Call, repository: Repository) => {
    const path = call.params['file_path'] ?? '';
    const ref = call.query.get('ref') ?? repository.defaultBranch;
    const commit = need(await repository.git.resolve(ref === 'HEAD' ? repository.defaultBranch : ref), 'Commit');
    const [entry] = await repository.git.tree(commit, path);
    if (entry?.type !== 'blob') need(undefined, 'File');
    const sha = entry?.sha ?? '';
    return { path, ref, commit, sha, mode: entry?.mode, bytes: need(await repository.git.blob(sha), 'File') };
  };
  return {
    'GET /projects/{id}/repository/files/{file_path}/raw': guard('read', async (call, repository) =>
      text((await at(call, repository)).bytes, 'text/plain; charset=utf-8'),
    ),
    'GET /projects/{id}/repository/files/{file_path}': guard('read', async (call, repository) => {
      if (!call.query.has('ref')) return missing('ref');
      const file = await at(call, repository);
      return json({
        file_name: file.path.split('/').pop(),
        file_path: file.path,
        size: file.bytes.length,
        encoding: 'base64',
        content_sha256: createHash('sha256').update(file.bytes).digest('hex'),
        ref: file.ref,
        blob_id: file.sha,
        commit_id: file.commit,
        last_commit_id: file.commit,
        execute_filemode: file.mode === '100755',
        content: file.bytes.toString('base64'),
      });
    }),
    'GET /projects/{id}/repository/tree': guard('read', async (call, repository) => {
      const commit = need(await repository.git.resolve(call.query.get('ref') ?? repository.defaultBranch), 'Tree');
      const path = call.query.get('path') ?? '';
      const tree = await repository.git.tree(commit, path === '' ? '' : `${path.replace(/\/$/, '')}/`, call.query.get('recursive') === 'true');
      return list(tree.map(one => ({ id: one.sha, name: one.path.split('/').pop(), type: one.type, path: one.path, mode: one.mode })));
    }),
    'GET /projects/{id}/repository/blobs/{sha}/raw': guard('read', async (call, repository) =>
      text(need(await repository.git.blob(call.params['sha'] ?? ''), 'Blob'), 'text/plain'),
    ),
    'GET /projects/{id}/repository/compare': guard('read', async (call, repository) => {
      const [from, to] = await Promise.all([call.query.get('from'), call.query.get('to')].map(name => repository.git.resolve(name ?? '')));
      const [base, head] = [need(from, 'Ref'), need(to, 'Ref')];
      const start = call.query.get('straight') === 'true' ? base : ((await repository.git.mergeBase(base, head)) ?? base);
      const log = [...(await repository.git.log(`${base}..${head}`, 1000))].reverse().map(commit => printCommit(site, repository, commit));
      const diffs = (await repository.git.files(start, head)).map(file => printDiff(file, call.query.get('unidiff') === 'true'));
      return json({
        commit: log[log.length - 1] ?? null,
        commits: log,
        diffs,
        compare_timeout: false,
        compare_same_ref: base === head,
        web_url: `${pageOf(site, repository)}/-/compare/${base}...${head}`,
      });
    }),
  };
}

function branches(world: World, site: Site, guard: RepositoryGuard): RouteTable {
  const BRANCHES = '/projects/{id}/repository/branches';
  const print = async (repository: Repository, name: string, sha: string): Promise<Json> => ({
    name,
    commit: printCommit(site, repository, await repository.git.commitOf(sha)),
    merged: false,
    protected: repository.protections.has(name),
    developers_can_push: false,
    developers_can_merge: false,
    can_push: true,
    default: name === repository.defaultBranch,
    web_url: `${pageOf(site, repository)}/-/tree/${name}`,
  });
  return {
    [`GET ${BRANCHES}`]: guard('read', async (_, repository) =>
      list(await Promise.all((await repository.git.branches()).map(one => print(repository, one.name, one.sha)))),
    ),
    [`GET ${BRANCHES}/{branch}`]: guard('read', async (call, repository) =>
      json(await print(repository, call.params['branch'] ?? '', need(await repository.git.resolve(`refs/heads/${call.params['branch']}`), 'Branch'))),
    ),
    [`POST ${BRANCHES}`]: guard('write', async (call, repository) => {
      const [name, ref] = [call.fields.text('branch') ?? call.query.get('branch') ?? '', call.fields.text('ref') ?? call.query.get('ref') ?? ''];
      if ((await repository.git.resolve(`refs/heads/${name}`)) !== undefined) return refuse(400, 'Branch already exists');
      const sha = await repository.git.resolve(ref);
      if (sha === undefined) return refuse(400, `Invalid reference name: ${ref}`);
      await pushBranch(world, repository, name, { sha, by: actor(call) });
      return json(await print(repository, name, sha), 201);
    }),
    [`DELETE ${BRANCHES}/{branch}`]: guard('write', async (call, repository) =>
      (await deleteBranch(world, repository, call.params['branch'] ?? '', actor(call))) ? empty() : refuse(404, '404 Branch Not Found'),
    ),
  };
}

function commits(world: World, site: Site, guard: RepositoryGuard): RouteTable {
  const COMMITS = '/projects/{id}/repository/commits';
  const shaOf = async (repository: Repository, call: Call): Promise<string> => need(await repository.git.resolve(call.params['sha'] ?? ''), 'Commit');
  return {
    [`GET ${COMMITS}`]: guard('read', async (call, repository) =>
      list(
        (await repository.git.log(need(await repository.git.resolve(call.query.get('ref_name') ?? repository.defaultBranch)), 1000)).map(commit =>
          printCommit(site, repository, commit),
        ),
      ),
    ),
    [`POST ${COMMITS}`]: guard('write', (call, repository) => commitActions(world, site, call, repository)),
    [`GET ${COMMITS}/{sha}`]: guard('read', async (call, repository) =>
      json({
        ...printCommit(site, repository, await repository.git.commitOf(await shaOf(repository, call))),
        status: null,
        project_id: repository.id,
        last_pipeline: null,
      }),
    ),
    [`GET ${COMMITS}/{sha}/diff`]: guard('read', async (call, repository) => {
      const commit = await repository.git.commitOf(await shaOf(repository, call));
      const [parent] = commit.parents;
      return list(
        parent === undefined ? [] : (await repository.git.files(parent, commit.sha)).map(file => printDiff(file, call.query.get('unidiff') === 'true')),
      );
    }),
  };
}

async function commitActions(world: World, site: Site, call: Call, repository: Repository): Promise<Answer> {
  const branch = call.fields.text('branch') ?? '';
  const start = call.fields.text('start_sha') ?? call.fields.text('start_branch') ?? branch;
  const parent = await repository.git.resolve(start);
  if (parent === undefined) return refuse(400, 'You can only create or edit files when you are on a branch');
  const actions = call.fields.objects('actions');
  const bytes = (action: (typeof actions)[number]) => Buffer.from(action.text('content') ?? '', action.text('encoding') === 'base64' ? 'base64' : 'utf8');
  const written = Object.fromEntries(
    actions
      .filter(action => action.text('action') !== 'move')
      .map(action => [action.text('file_path') ?? '', action.text('action') === 'delete' ? null : bytes(action)]),
  );
  const renames = actions
    .filter(action => action.text('action') === 'move')
    .map(action => [action.text('previous_path') ?? '', action.text('file_path') ?? ''] as const);
  const sha = await repository.git.commit({
    parents: [parent],
    files: written,
    renames,
    message: call.fields.text('commit_message') ?? '',
    author: actor(call),
    at: world.now(),
  });
  await pushBranch(world, repository, branch, { sha, by: actor(call) });
  return json({ ...printCommit(site, repository, await repository.git.commitOf(sha)), status: null, project_id: repository.id }, 201);
}

function statuses(world: World, site: Site, guard: RepositoryGuard): RouteTable {
  const print = (status: CommitStatus): Json => ({
    id: status.id,
    sha: status.sha,
    ref: null,
    status: status.state,
    name: status.context,
    target_url: status.targetUrl,
    description: status.description,
    created_at: iso(status.createdAt),
    started_at: null,
    finished_at: null,
    allow_failure: false,
    coverage: null,
    pipeline_id: 1,
    author: printUser(site, status.by),
  });
  return {
    'POST /projects/{id}/statuses/{sha}': guard('write', async (call, repository) => {
      const sha = need(await repository.git.resolve(call.params['sha'] ?? ''), 'Commit');
      const value = (name: string): string | null => call.fields.text(name) ?? call.query.get(name);
      const context = value('name') ?? value('context') ?? 'default';
      const state = value('state') ?? '';
      const same = repository.statuses.filter(status => status.sha === sha && status.context === context).pop();
      // GitLab has states, not a log: the same state again is no transition, and refused.
      if (same?.state === state) return refuse(400, `Cannot transition status via :run from :${state} (Reason(s): Status cannot transition via "run")`);
      const at = world.now();
      const status = {
        id: world.id('status'),
        sha,
        state,
        context,
        description: value('description'),
        targetUrl: value('target_url'),
        by: actor(call),
        createdAt: at,
        updatedAt: at,
      };
      repository.statuses.push(status);
      world.happen({ repository, by: actor(call), kind: 'status', status });
      return json(print(status), 201);
    }),
    'GET /projects/{id}/repository/commits/{sha}/statuses': guard('read', async (call, repository) => {
      const sha = need(await repository.git.resolve(call.params['sha'] ?? ''), 'Commit');
      const held = repository.statuses.filter(status => status.sha === sha);
      const last = call.query.get('all') === 'true' ? held : [...new Map(held.map(status => [status.context, status])).values()];
      return list(last.map(print));
    }),
  };
}

function protectedBranches(guard: RepositoryGuard): RouteTable {
  const BRANCHES = '/projects/{id}/protected_branches';
  const print = (name: string, asked: Json): Json => ({
    id: 1,
    name,
    push_access_levels: [{ id: 1, access_level: asked['push_access_level'] ?? 40, access_level_description: 'Maintainers', user_id: null, group_id: null }],
    merge_access_levels: [{ id: 1, access_level: asked['merge_access_level'] ?? 40, access_level_description: 'Maintainers', user_id: null, group_id: null }],
    allow_force_push: asked['allow_force_push'] === true,
    unprotect_access_levels: [],
    code_owner_approval_required: asked['code_owner_approval_required'] === true,
    inherited: false,
  });
  return {
    [`GET ${BRANCHES}`]: guard('maintain', (_, repository) => list([...repository.protections].map(([name, asked]) => print(name, asked)))),
    [`POST ${BRANCHES}`]: guard('maintain', (call, repository) => {
      const name = call.fields.text('name') ?? call.query.get('name') ?? '';
      if (repository.protections.has(name)) return refuse(409, `Protected branch '${name}' already exists`);
      repository.protections.set(name, { ...call.fields.all() });
      return json(print(name, call.fields.all()), 201);
    }),
    [`GET ${BRANCHES}/{name}`]: guard('maintain', (call, repository) =>
      json(print(call.params['name'] ?? '', need(repository.protections.get(call.params['name'] ?? '')))),
    ),
    [`PATCH ${BRANCHES}/{name}`]: guard('maintain', (call, repository) => {
      const name = call.params['name'] ?? '';
      const rule = { ...need(repository.protections.get(name)), ...call.fields.all() };
      repository.protections.set(name, rule);
      return json(print(name, rule));
    }),
    [`DELETE ${BRANCHES}/{name}`]: guard('maintain', (call, repository) =>
      repository.protections.delete(call.params['name'] ?? '') ? empty() : refuse(404, '404 Not found'),
    ),
  };
}
