/** GitHub: commit statuses, check runs, branch protection. */
import { type Answer, type Call, empty, json, list, type RouteTable } from '../http/call.ts';
import type { Site } from '../http/dialect.ts';
import { actor, type RepositoryGuard } from '../http/repository-route.ts';
import type { CheckRun, CommitStatus, Repository } from '../state/repository.ts';
import type { World } from '../state/world.ts';
import { invalid, iso, need, nodeId, refuse } from './github-words.ts';
import { pageOf, printRepository, printUser, repositoryUrl } from './print-account.ts';

type Json = Record<string, unknown>;
const ANNOTATIONS_LIMIT = 50;
const DESCRIPTION_LIMIT = 140;

const shaOf = async (repository: Repository, name: string | undefined): Promise<string> => need(await repository.git.resolve(name ?? ''));

export const printStatus = (site: Site, repository: Repository, status: CommitStatus): Json => ({
  url: `${repositoryUrl(site, repository)}/statuses/${status.sha}`,
  avatar_url: `${site.url}/avatars/u/${status.by.id}?v=4`,
  id: status.id,
  node_id: nodeId('SC', status.id),
  state: status.state,
  description: status.description,
  target_url: status.targetUrl,
  context: status.context,
  created_at: iso(status.createdAt),
  updated_at: iso(status.updatedAt),
});

/** The last status of each context. */
export function latest(statuses: readonly CommitStatus[], sha: string): readonly CommitStatus[] {
  return [...new Map(statuses.filter(status => status.sha === sha).map(status => [status.context, status])).values()];
}

export function statusRoutes(world: World, site: Site, guard: RepositoryGuard): RouteTable {
  return {
    'POST /repos/{owner}/{repo}/statuses/{sha*}': guard('write', async (call, repository) => {
      const sha = await repository.git.resolve(call.params['sha'] ?? '');
      if (sha === undefined) return refuse(422, `No commit found for SHA: ${call.params['sha']}`);
      const description = call.fields.text('description') ?? null;
      if (description !== null && description.length > DESCRIPTION_LIMIT)
        return invalid('Status', [{ field: 'description', code: 'custom', message: 'description is too long (maximum is 140 characters)' }]);
      const at = world.now();
      const status = {
        id: world.id('status'),
        sha,
        state: call.fields.text('state') ?? '',
        context: call.fields.text('context') ?? 'default',
        description,
        targetUrl: call.fields.text('target_url') ?? null,
        by: actor(call),
        createdAt: at,
        updatedAt: at,
      };
      repository.statuses.push(status);
      world.happen({ repository, by: actor(call), kind: 'status', status });
      return json({ ...printStatus(site, repository, status), creator: printUser(site, status.by) }, 201);
    }),
    'GET /repos/{owner}/{repo}/commits/{ref*}/statuses': guard('read', async (call, repository) => {
      const sha = await shaOf(repository, call.params['ref']);
      return list(
        [...repository.statuses]
          .reverse()
          .filter(status => status.sha === sha)
          .map(status => ({ ...printStatus(site, repository, status), creator: printUser(site, status.by) })),
      );
    }),
    'GET /repos/{owner}/{repo}/commits/{ref*}/status': guard('read', async (call, repository) => {
      const sha = await shaOf(repository, call.params['ref']);
      const statuses = latest(repository.statuses, sha);
      const states = statuses.map(status => status.state);
      const state = states.some(one => one === 'failure' || one === 'error')
        ? 'failure'
        : states.length === 0 || states.includes('pending')
          ? 'pending'
          : 'success';
      const url = `${repositoryUrl(site, repository)}/commits/${sha}`;
      return list(
        statuses.map(status => printStatus(site, repository, status)),
        (page, total) => ({
          state,
          statuses: page,
          sha,
          total_count: total,
          repository: printRepository(site, repository),
          commit_url: url,
          url: `${url}/status`,
        }),
      );
    }),
    'POST /repos/{owner}/{repo}/check-runs': guard('write', (call, repository) => createCheck(world, site, call, repository)),
    'GET /repos/{owner}/{repo}/check-runs/{check_run_id}': guard('read', (call, repository) =>
      json(printCheck(world, site, repository, checkOf(repository, call))),
    ),
    'PATCH /repos/{owner}/{repo}/check-runs/{check_run_id}': guard('write', (call, repository) => {
      const check = checkOf(repository, call);
      const refusal = appOnly(call);
      if (refusal !== null) return refusal;
      const tooMany = takeOutput(check, call);
      return tooMany ?? json(printCheck(world, site, repository, check));
    }),
    'GET /repos/{owner}/{repo}/check-runs/{check_run_id}/annotations': guard('read', (call, repository) => list(checkOf(repository, call).annotations)),
    'GET /repos/{owner}/{repo}/commits/{ref*}/check-runs': guard('read', async (call, repository) => {
      const sha = await shaOf(repository, call.params['ref']);
      const name = call.query.get('check_name');
      const runs = repository.checks.filter(check => check.sha === sha && (name === null || check.fields['name'] === name));
      return list(
        runs.map(check => printCheck(world, site, repository, check)),
        (page, total) => ({ total_count: total, check_runs: page }),
      );
    }),
    ...protectionRoutes(site, guard),
  };
}

const checkOf = (repository: Repository, call: Call): CheckRun => need(repository.checks.find(check => check.id === Number(call.params['check_run_id'])));

/** Check runs are written by GitHub Apps alone. */
const appOnly = (call: Call): Answer | null => (actor(call).kind === 'bot' ? null : refuse(403, 'You must authenticate via a GitHub App.'));

async function createCheck(world: World, site: Site, call: Call, repository: Repository): Promise<Answer> {
  const refusal = appOnly(call);
  if (refusal !== null) return refusal;
  const sha = await repository.git.resolve(call.fields.text('head_sha') ?? '');
  if (sha === undefined) return refuse(422, `No commit found for SHA: ${call.fields.text('head_sha')}`);
  const check: CheckRun = {
    id: world.id('check'),
    sha,
    by: actor(call),
    fields: { status: 'queued', conclusion: null, started_at: iso(world.now()) },
    annotations: [],
  };
  const tooMany = takeOutput(check, call);
  if (tooMany !== null) return tooMany;
  repository.checks.push(check);
  return json(printCheck(world, site, repository, check), 201);
}

/** Lays the fields of a write over the run; annotations add up, at most 50 a request. */
function takeOutput(check: CheckRun, call: Call): Answer | null {
  const output = call.fields.object('output');
  const annotations = output?.array('annotations') ?? [];
  if (annotations.length > ANNOTATIONS_LIMIT)
    return refuse(422, `Invalid request.\n\nNo more than ${ANNOTATIONS_LIMIT} items are allowed; ${annotations.length} were supplied.`);
  check.annotations.push(...(annotations as Json[]));
  const said = Object.fromEntries(Object.entries(output?.all() ?? {}).filter(([name]) => name !== 'annotations'));
  check.fields = {
    ...check.fields,
    ...call.fields.all(),
    ...(call.fields.has('conclusion') && { status: 'completed' }),
    output: { ...(check.fields['output'] as Json | undefined), ...said },
  };
  return null;
}

function printCheck(world: World, site: Site, repository: Repository, check: CheckRun): Json {
  const url = `${repositoryUrl(site, repository)}/check-runs/${check.id}`;
  const output = check.fields['output'] as Json;
  const app = world.apps.find(one => one.bot.id === check.by.id);
  return {
    id: check.id,
    name: check.fields['name'],
    node_id: nodeId('CR', check.id),
    head_sha: check.sha,
    external_id: check.fields['external_id'] ?? '',
    url,
    html_url: `${pageOf(site, repository)}/runs/${check.id}`,
    details_url: check.fields['details_url'] ?? null,
    status: check.fields['status'],
    conclusion: check.fields['conclusion'] ?? null,
    started_at: check.fields['started_at'] ?? null,
    completed_at: check.fields['completed_at'] ?? null,
    output: {
      title: output['title'] ?? null,
      summary: output['summary'] ?? null,
      text: output['text'] ?? null,
      annotations_count: check.annotations.length,
      annotations_url: `${url}/annotations`,
    },
    check_suite: { id: check.id },
    app: app === undefined ? null : { id: app.id, slug: app.slug, node_id: nodeId('A', app.id), owner: printUser(site, app.by), name: app.slug },
    pull_requests: [],
  };
}

function protectionRoutes(site: Site, guard: RepositoryGuard): RouteTable {
  const PROTECTION = '/repos/{owner}/{repo}/branches/{branch*}/protection';
  const print = (repository: Repository, branch: string): Json => {
    const asked = need(repository.protections.get(branch));
    const url = `${repositoryUrl(site, repository)}/branches/${branch}/protection`;
    const on = (name: string): Json => ({ enabled: asked[name] === true });
    return {
      url,
      ...(asked['required_status_checks']
        ? {
            required_status_checks: {
              url: `${url}/required_status_checks`,
              contexts_url: `${url}/required_status_checks/contexts`,
              checks: [],
              contexts: [],
              ...(asked['required_status_checks'] as Json),
            },
          }
        : {}),
      ...(asked['required_pull_request_reviews']
        ? {
            required_pull_request_reviews: {
              url: `${url}/required_pull_request_reviews`,
              dismiss_stale_reviews: false,
              require_code_owner_reviews: false,
              ...(asked['required_pull_request_reviews'] as Json),
            },
          }
        : {}),
      enforce_admins: { url: `${url}/enforce_admins`, enabled: asked['enforce_admins'] === true },
      ...Object.fromEntries(
        [
          'required_linear_history',
          'allow_force_pushes',
          'allow_deletions',
          'block_creations',
          'required_conversation_resolution',
          'lock_branch',
          'allow_fork_syncing',
        ].map(name => [name, on(name)]),
      ),
    };
  };
  return {
    [`GET ${PROTECTION}`]: guard('admin', (call, repository) => {
      const branch = call.params['branch'] ?? '';
      return repository.protections.has(branch) ? json(print(repository, branch)) : refuse(404, 'Branch not protected');
    }),
    [`PUT ${PROTECTION}`]: guard('admin', async (call, repository) => {
      const branch = call.params['branch'] ?? '';
      if ((await repository.git.resolve(`refs/heads/${branch}`)) === undefined) return refuse(404, 'Branch not found');
      repository.protections.set(branch, { ...call.fields.all() });
      return json(print(repository, branch));
    }),
    [`DELETE ${PROTECTION}`]: guard('admin', (call, repository) =>
      repository.protections.delete(call.params['branch'] ?? '') ? empty() : refuse(404, 'Branch not protected'),
    ),
    'GET /repos/{owner}/{repo}/rules/branches/{branch*}': guard('read', () => list([])),
  };
}
