/** Bitbucket Cloud: accounts, permissions, source, branches, commits, build statuses, reports, restrictions and hooks. */
import { type Answer, type Call, empty, json, list, type RouteTable, text } from '../http/call.ts';
import type { Site } from '../http/dialect.ts';
import { actor, type RepositoryGuard } from '../http/repository-route.ts';
import { uuidOf } from '../state/account.ts';
import { deleteBranch, pushBranch } from '../state/change-actions.ts';
import type { CheckRun, CommitStatus, Hook, Repository } from '../state/repository.ts';
import type { World } from '../state/world.ts';
import {
  apiOf,
  braced,
  iso,
  need,
  permissionWord,
  printCommit,
  printHook,
  printRepository,
  printStatus,
  printUser,
  printWholeRepository,
  refuse,
} from './bitbucket-print.ts';

type Json = Record<string, unknown>;
const ROOT = '/repositories/{workspace}/{repo_slug}';

export function bitbucketRepositoryRoutes(world: World, site: Site, guard: RepositoryGuard): RouteTable {
  const account = (word: string | undefined) => need(world.accounts.find(one => braced(one.uuid) === word || `557058:${one.uuid}` === word));
  const permission = (repository: Repository, one: ReturnType<typeof account>): Json => ({
    type: 'repository_user_permission',
    permission: permissionWord(world.permission(repository, one)),
    user: printUser(site, one),
    links: { self: { href: `${apiOf(site, repository)}/permissions-config/users/${braced(one.uuid)}` } },
  });
  return {
    'GET /user': call =>
      call.account === null
        ? refuse(401, 'Token is invalid, expired, or not supported for this endpoint.')
        : json({
            ...printUser(site, call.account),
            username: call.account.login,
            created_on: iso(world.now()),
            is_staff: false,
            account_status: 'active',
            has_2fa_enabled: null,
          }),
    'GET /users/{selected_user}': call => json(printUser(site, account(call.params['selected_user']))),
    [`GET ${ROOT}`]: guard('read', (_, repository) => json(printWholeRepository(site, repository))),
    [`GET ${ROOT}/permissions-config/users/{selected_user_id}`]: guard('admin', (call, repository) => {
      const one = account(call.params['selected_user_id']);
      const held = repository.permissions.get(one.id);
      return held === undefined || held === 'none' ? json({ ...permission(repository, one), permission: 'none' }) : json(permission(repository, one));
    }),
    [`GET ${ROOT}/permissions-config/users`]: guard('admin', (_, repository) =>
      list(world.accounts.filter(one => repository.permissions.has(one.id)).map(one => permission(repository, one))),
    ),
    'GET /workspaces/{workspace}/permissions/repositories/{repo_slug}': guard('admin', (call, repository) => {
      const named = /user\.(?:uuid|account_id)\s*=\s*"([^"]+)"/.exec(call.query.get('q') ?? '')?.[1];
      const held = world.accounts.filter(
        one => repository.permissions.has(one.id) && (named === undefined || braced(one.uuid) === named || `557058:${one.uuid}` === named),
      );
      return list(
        held.map(one => ({
          type: 'repository_permission',
          permission: permissionWord(world.permission(repository, one)),
          user: printUser(site, one),
          repository: printRepository(site, repository),
        })),
      );
    }),
    ...source(world, site, guard),
    ...branches(world, site, guard),
    ...statuses(world, site, guard),
    ...reports(world, site, guard),
    ...restrictions(world, guard),
    ...hooks(world, site, guard),
  };
}

function source(world: World, site: Site, guard: RepositoryGuard): RouteTable {
  return {
    [`GET ${ROOT}/src/{commit}/{path*}`]: guard('read', async (call, repository) => {
      const commit = need(await repository.git.resolve(call.params['commit'] ?? ''));
      const path = (call.params['path'] ?? '').replace(/\/$/, '');
      const entry = need((await repository.git.tree(commit, path))[0]);
      const print = (one: typeof entry): Json => ({
        type: one.type === 'tree' ? 'commit_directory' : 'commit_file',
        path: one.path,
        commit: { type: 'commit', hash: commit },
        ...(one.size !== null && { size: one.size }),
        attributes: one.mode === '100755' ? ['executable'] : one.mode === '120000' ? ['link'] : [],
        links: { self: { href: `${apiOf(site, repository)}/src/${commit}/${one.path}` } },
      });
      if (call.query.get('format') === 'meta') return json(print(entry));
      if (entry.type === 'tree') return list((await repository.git.tree(commit, `${path}/`)).map(print));
      return text(need(await repository.git.blob(entry.sha)), 'text/plain; charset=utf-8');
    }),
    [`POST ${ROOT}/src`]: guard('write', async (call, repository) => {
      const { message, branch, parents, files, ...rest } = call.fields.all();
      const written = Object.entries(rest).filter(([name]) => name !== 'author');
      const name = typeof branch === 'string' ? branch : repository.defaultBranch;
      const parent =
        (await repository.git.resolve(`refs/heads/${name}`)) ??
        (await repository.git.resolve(typeof parents === 'string' ? parents : repository.defaultBranch));
      const removed = [files].flat().filter(path => typeof path === 'string' && !(path in rest)) as string[];
      const contents = Object.fromEntries([
        ...written.map(([path, content]) => [path.replace(/^\//, ''), String(content)] as const),
        ...removed.map(path => [path, null] as const),
      ]);
      const sha = await repository.git.commit({
        parents: parent === undefined ? [] : [parent],
        files: contents,
        message: typeof message === 'string' ? message : 'Edited',
        author: actor(call),
        at: world.now(),
      });
      await pushBranch(world, repository, name, { sha, by: actor(call) });
      return { status: 201, headers: { location: `${apiOf(site, repository)}/commit/${sha}` } };
    }),
    [`GET ${ROOT}/commit/{commit}`]: guard('read', async (call, repository) =>
      json(printCommit(site, repository, await repository.git.commitOf(need(await repository.git.resolve(call.params['commit'] ?? ''))))),
    ),
    [`GET ${ROOT}/commits/{revision*}`]: guard('read', async (call, repository) =>
      list(
        (await repository.git.log(need(await repository.git.resolve(call.params['revision'] ?? '')), 1000)).map(commit =>
          printCommit(site, repository, commit),
        ),
      ),
    ),
    [`GET ${ROOT}/commits`]: guard('read', async (_, repository) =>
      list((await repository.git.log(repository.defaultBranch, 1000)).map(commit => printCommit(site, repository, commit))),
    ),
  };
}

function branches(world: World, site: Site, guard: RepositoryGuard): RouteTable {
  const print = async (repository: Repository, name: string, sha: string): Promise<Json> => ({
    type: 'branch',
    name,
    target: printCommit(site, repository, await repository.git.commitOf(sha)),
    merge_strategies: ['merge_commit', 'squash', 'fast_forward'],
    default_merge_strategy: 'merge_commit',
    links: { self: { href: `${apiOf(site, repository)}/refs/branches/${name}` } },
  });
  return {
    [`GET ${ROOT}/refs/branches`]: guard('read', async (_, repository) =>
      list(await Promise.all((await repository.git.branches()).map(one => print(repository, one.name, one.sha)))),
    ),
    [`GET ${ROOT}/refs/branches/{name*}`]: guard('read', async (call, repository) =>
      json(await print(repository, call.params['name'] ?? '', need(await repository.git.resolve(`refs/heads/${call.params['name']}`)))),
    ),
    [`POST ${ROOT}/refs/branches`]: guard('write', async (call, repository) => {
      const name = call.fields.text('name') ?? '';
      if ((await repository.git.resolve(`refs/heads/${name}`)) !== undefined) return refuse(400, `Branch "${name}" already exists.`);
      const sha = await repository.git.resolve(call.fields.object('target')?.text('hash') ?? '');
      if (sha === undefined) return refuse(400, 'Bad request', { target: ['Invalid target.'] });
      await pushBranch(world, repository, name, { sha, by: actor(call) });
      return json(await print(repository, name, sha), 201);
    }),
    [`DELETE ${ROOT}/refs/branches/{name*}`]: guard('write', async (call, repository) =>
      (await deleteBranch(world, repository, call.params['name'] ?? '', actor(call))) ? empty() : refuse(404, 'Branch not found'),
    ),
  };
}

function statuses(world: World, site: Site, guard: RepositoryGuard): RouteTable {
  const STATUSES = `${ROOT}/commit/{commit}/statuses`;
  const names = new Map<CommitStatus, string>();
  const print = (repository: Repository, status: CommitStatus): Json => printStatus(site, repository, status, names.get(status) ?? null);
  const statusOf = async (repository: Repository, call: Call): Promise<CommitStatus | undefined> => {
    const sha = need(await repository.git.resolve(call.params['commit'] ?? ''));
    return repository.statuses.find(one => one.sha === sha && one.context === call.params['key']);
  };
  /** The same key again moves the status that is there. */
  const put = (call: Call, repository: Repository, sha: string, key: string): CommitStatus => {
    const at = world.now();
    const known = repository.statuses.find(one => one.sha === sha && one.context === key);
    const status = known ?? {
      id: world.id('status'),
      sha,
      context: key,
      state: '',
      description: null,
      targetUrl: null,
      by: actor(call),
      createdAt: at,
      updatedAt: at,
    };
    status.state = call.fields.text('state') ?? status.state;
    status.description = call.fields.text('description') ?? status.description;
    status.targetUrl = call.fields.text('url') ?? status.targetUrl;
    status.updatedAt = at;
    const name = call.fields.text('name');
    if (name !== undefined) names.set(status, name);
    if (known === undefined) repository.statuses.push(status);
    world.happen({ repository, by: actor(call), kind: 'status', status });
    return status;
  };
  return {
    [`GET ${STATUSES}`]: guard('read', async (call, repository) => {
      const sha = need(await repository.git.resolve(call.params['commit'] ?? ''));
      return list(repository.statuses.filter(one => one.sha === sha).map(one => print(repository, one)));
    }),
    [`POST ${STATUSES}/build`]: guard('write', async (call, repository) => {
      const sha = need(await repository.git.resolve(call.params['commit'] ?? ''));
      const absent = ['key', 'state', 'url'].filter(name => call.fields.text(name) === undefined);
      if (absent.length > 0) return refuse(400, 'Bad request', Object.fromEntries(absent.map(name => [name, ['required key not provided']])));
      if ((call.fields.text('key') ?? '').length > 40) return refuse(400, 'Bad request', { key: ['Ensure this value has at most 40 characters.'] });
      return json(print(repository, put(call, repository, sha, call.fields.text('key') ?? '')), 201);
    }),
    [`GET ${STATUSES}/build/{key}`]: guard('read', async (call, repository) => json(print(repository, need(await statusOf(repository, call))))),
    [`PUT ${STATUSES}/build/{key}`]: guard('write', async (call, repository) => {
      const status = need(await statusOf(repository, call));
      return json(print(repository, put(call, repository, status.sha, status.context)));
    }),
    [`GET ${ROOT}/pullrequests/{pull_request_id}/statuses`]: guard('read', (call, repository) => {
      const change = need(repository.changes.find(one => one.number === Number(call.params['pull_request_id'])));
      return list(repository.statuses.filter(one => one.sha === change.headSha).map(one => print(repository, one)));
    }),
  };
}

/** Code Insights: a report of a commit and its annotations, at most 100 a request. */
function reports(world: World, site: Site, guard: RepositoryGuard): RouteTable {
  const REPORT = `${ROOT}/commit/{commit}/reports/{reportId}`;
  const reportOf = async (repository: Repository, call: Call): Promise<CheckRun | undefined> => {
    const sha = need(await repository.git.resolve(call.params['commit'] ?? ''));
    return repository.checks.find(one => one.sha === sha && one.fields['external_id'] === call.params['reportId']);
  };
  const print = (check: CheckRun): Json => ({ type: 'report', uuid: braced(uuidOf(`report ${check.id}`)), ...check.fields });
  return {
    [`GET ${ROOT}/commit/{commit}/reports`]: guard('read', async (call, repository) => {
      const sha = need(await repository.git.resolve(call.params['commit'] ?? ''));
      return list(repository.checks.filter(one => one.sha === sha).map(print));
    }),
    [`GET ${REPORT}`]: guard('read', async (call, repository) => json(print(need(await reportOf(repository, call))))),
    [`PUT ${REPORT}`]: guard('write', async (call, repository) => {
      const sha = need(await repository.git.resolve(call.params['commit'] ?? ''));
      if (call.fields.text('title') === undefined || call.fields.text('details') === undefined) return refuse(400, 'title and details are required');
      const known = await reportOf(repository, call);
      const fields = { ...call.fields.all(), external_id: call.params['reportId'], created_on: iso(world.now()), updated_on: iso(world.now()) };
      if (known !== undefined) known.fields = fields;
      const report: CheckRun = known ?? { id: world.id('check'), sha, by: actor(call), fields, annotations: [] };
      if (known === undefined) repository.checks.push(report);
      return json(print(report));
    }),
    [`DELETE ${REPORT}`]: guard('write', async (call, repository) => {
      repository.checks.splice(repository.checks.indexOf(need(await reportOf(repository, call))), 1);
      return empty();
    }),
    [`GET ${REPORT}/annotations`]: guard('read', async (call, repository) => list(need(await reportOf(repository, call)).annotations)),
    [`POST ${REPORT}/annotations`]: guard('write', async (call, repository) => annotate(call, need(await reportOf(repository, call)), site)),
  };
}

const ANNOTATIONS_A_REQUEST = 100;
const ANNOTATIONS_A_REPORT = 1000;
const SUMMARY_LIMIT = 450;

function annotate(call: Call, report: CheckRun, site: Site): Answer {
  const given = Array.isArray(call.body) ? (call.body as Json[]) : [];
  if (given.length === 0 || given.length > ANNOTATIONS_A_REQUEST) return refuse(400, `Between 1 and ${ANNOTATIONS_A_REQUEST} annotations are allowed.`);
  if (report.annotations.length + given.length > ANNOTATIONS_A_REPORT) return refuse(400, `A report holds at most ${ANNOTATIONS_A_REPORT} annotations.`);
  if (given.some(one => String(one['summary'] ?? '').length > SUMMARY_LIMIT)) return refuse(400, `summary is longer than ${SUMMARY_LIMIT} characters`);
  const made = given.map(one => ({ type: 'report_annotation', uuid: braced(uuidOf(`${site.url} ${report.id} ${String(one['external_id'])}`)), ...one }));
  report.annotations.push(...made);
  return json(made);
}

function restrictions(world: World, guard: RepositoryGuard): RouteTable {
  const LIST = `${ROOT}/branch-restrictions`;
  return {
    [`GET ${LIST}`]: guard('admin', (call, repository) =>
      list(
        [...repository.protections.values()].filter(
          one => (call.query.get('kind') ?? one['kind']) === one['kind'] && (call.query.get('pattern') ?? one['pattern']) === one['pattern'],
        ),
      ),
    ),
    [`POST ${LIST}`]: guard('admin', (call, repository) => {
      const id = world.id('restriction');
      const rule = { type: 'branchrestriction', users: [], groups: [], branch_match_kind: 'glob', ...call.fields.all(), id };
      repository.protections.set(String(id), rule);
      return json(rule, 201);
    }),
    [`GET ${LIST}/{id}`]: guard('admin', (call, repository) => json(need(repository.protections.get(call.params['id'] ?? '')))),
    [`PUT ${LIST}/{id}`]: guard('admin', (call, repository) => {
      const rule = { ...need(repository.protections.get(call.params['id'] ?? '')), ...call.fields.all() };
      repository.protections.set(call.params['id'] ?? '', rule);
      return json(rule);
    }),
    [`DELETE ${LIST}/{id}`]: guard('admin', (call, repository) =>
      repository.protections.delete(call.params['id'] ?? '') ? empty() : refuse(404, 'Resource not found'),
    ),
  };
}

function hooks(world: World, site: Site, guard: RepositoryGuard): RouteTable {
  const HOOKS = `${ROOT}/hooks`;
  const hookOf = (repository: Repository, call: Call): Hook =>
    need(repository.hooks.find(hook => braced(hook.uuid) === call.params['uid'] || hook.uuid === call.params['uid']));
  const take = (hook: Hook, call: Call): void => {
    hook.url = call.fields.text('url') ?? hook.url;
    hook.active = call.fields.flag('active') ?? hook.active;
    hook.events = [...(call.fields.texts('events') ?? hook.events)];
    // A secret that is left out stays; null takes it away.
    if (call.fields.has('secret')) hook.secret = call.fields.text('secret') ?? null;
    hook.fields = { description: call.fields.text('description') ?? hook.fields['description'] ?? '' };
    hook.updatedAt = world.now();
  };
  return {
    [`GET ${HOOKS}`]: guard('admin', (_, repository) => list(repository.hooks.map(hook => printHook(site, repository, hook)))),
    [`POST ${HOOKS}`]: guard('admin', (call, repository) => {
      const url = call.fields.text('url') ?? '';
      if (!URL.canParse(url)) return refuse(400, 'Bad request', { url: ['Enter a valid URL.'] });
      if ((call.fields.texts('events') ?? []).length === 0) return refuse(400, 'Bad request', { events: ['This field is required.'] });
      const id = world.id('hook');
      const at = world.now();
      const hook: Hook = {
        id,
        uuid: uuidOf(`hook ${id}`),
        url,
        secret: null,
        signingToken: null,
        contentType: 'json',
        events: [],
        active: true,
        createdAt: at,
        updatedAt: at,
        fields: {},
      };
      take(hook, call);
      repository.hooks.push(hook);
      return json(printHook(site, repository, hook), 201);
    }),
    [`GET ${HOOKS}/{uid}`]: guard('admin', (call, repository) => json(printHook(site, repository, hookOf(repository, call)))),
    [`PUT ${HOOKS}/{uid}`]: guard('admin', (call, repository) => {
      const hook = hookOf(repository, call);
      take(hook, call);
      return json(printHook(site, repository, hook));
    }),
    [`DELETE ${HOOKS}/{uid}`]: guard('admin', (call, repository) => {
      repository.hooks.splice(repository.hooks.indexOf(hookOf(repository, call)), 1);
      return empty();
    }),
  };
}
