/** GitLab: merge requests, their diffs, versions, commits, approvals and merge. */
import { type Answer, type Call, json, list, type RouteTable, text } from '../http/call.ts';
import type { Site } from '../http/dialect.ts';
import type { Fields } from '../http/fields.ts';
import { actor, type RepositoryGuard } from '../http/repository-route.ts';
import { changeFiles, diffBase } from '../state/anchor.ts';
import type { Change } from '../state/change.ts';
import { editChange, labelChange, mergeChange, openChange } from '../state/change-actions.ts';
import type { Label } from '../state/issue.ts';
import { ensureLabel } from '../state/issue-actions.ts';
import type { Repository } from '../state/repository.ts';
import type { World } from '../state/world.ts';
import { changeOf } from './gitlab-note-routes.ts';
import { printLabelEvents, printStateEvents } from './gitlab-resource-events.ts';
import { isDraftTitle, iso, need, printCommit, printDiff, printMergeRequest, printUser, printWholeMergeRequest, refuse } from './gitlab-print.ts';

const COMMITS_LIMIT = 1000;

const unidiff = (call: Call): boolean => call.query.get('unidiff') === 'true';

export function gitlabMergeRequestRoutes(world: World, site: Site, guard: RepositoryGuard): RouteTable {
  const LIST = '/projects/{id}/merge_requests';
  const ONE = `${LIST}/{iid}`;
  return {
    [`GET ${LIST}`]: guard('read', (call, repository) => list(filter(call, repository).map(change => printMergeRequest(site, repository, change)))),
    [`POST ${LIST}`]: guard('read', (call, repository) => create(world, site, call, repository)),
    [`GET ${ONE}`]: guard('read', async (call, repository) => json(await printWholeMergeRequest(site, repository, changeOf(repository, call)))),
    [`PUT ${ONE}`]: guard('read', (call, repository) => update(world, site, call, repository)),
    [`GET ${ONE}/diffs`]: guard('read', async (call, repository) =>
      list((await changeFiles(repository, changeOf(repository, call))).map(file => printDiff(file, unidiff(call)))),
    ),
    [`GET ${ONE}/changes`]: guard('read', async (call, repository) => {
      const change = changeOf(repository, call);
      const files = await changeFiles(repository, change);
      return json({ ...(await printWholeMergeRequest(site, repository, change)), changes: files.map(file => printDiff(file, unidiff(call))), overflow: false });
    }),
    [`GET ${ONE}/raw_diffs`]: guard('read', async (call, repository) => {
      const change = changeOf(repository, call);
      return text(await repository.git.diffText(await diffBase(repository, change), change.headSha), 'text/plain');
    }),
    [`GET ${ONE}/commits`]: guard('read', async (call, repository) => {
      const change = changeOf(repository, call);
      return list(
        (await repository.git.log(`${await diffBase(repository, change)}..${change.headSha}`, COMMITS_LIMIT)).map(commit =>
          printCommit(site, repository, commit),
        ),
      );
    }),
    [`GET ${ONE}/versions`]: guard('read', async (call, repository) => {
      const change = changeOf(repository, call);
      return list(await Promise.all([...change.heads].reverse().map(version => printVersion(repository, change, version))));
    }),
    [`GET ${ONE}/versions/{version_id}`]: guard('read', async (call, repository) => {
      const change = changeOf(repository, call);
      const version = need(change.heads.find(one => one.id === Number(call.params['version_id'])));
      const printed = await printVersion(repository, change, version);
      const base = String(printed['base_commit_sha']);
      const commits = await repository.git.log(`${base}..${version.head}`, COMMITS_LIMIT);
      return json({
        ...printed,
        commits: commits.map(commit => printCommit(site, repository, commit)),
        diffs: (await repository.git.files(base, version.head)).map(file => printDiff(file, unidiff(call))),
      });
    }),
    [`GET ${ONE}/approvals`]: guard('read', (call, repository) => json(printApprovals(site, changeOf(repository, call)))),
    [`POST ${ONE}/approve`]: guard('write', (call, repository) => {
      const change = changeOf(repository, call);
      const sha = call.fields.text('sha');
      if (sha !== undefined && sha !== change.headSha) return refuse(409, 'SHA does not match HEAD of source branch');
      if (change.approvals.some(account => account.id === actor(call).id)) return refuse(401, '401 Unauthorized');
      change.approvals.push(actor(call));
      world.happen({ repository, by: actor(call), kind: 'change', action: 'approved', change });
      return json(printApprovals(site, change), 201);
    }),
    [`POST ${ONE}/unapprove`]: guard('write', (call, repository) => {
      const change = changeOf(repository, call);
      const at = change.approvals.findIndex(account => account.id === actor(call).id);
      if (at < 0) return refuse(404, '404 Not found');
      change.approvals.splice(at, 1);
      world.happen({ repository, by: actor(call), kind: 'change', action: 'unapproved', change });
      return json(printApprovals(site, change), 201);
    }),
    [`PUT ${ONE}/merge`]: guard('write', (call, repository) => merge(world, site, call, repository)),
    [`POST ${ONE}/cancel_merge_when_pipeline_succeeds`]: guard('write', async (call, repository) => {
      const change = changeOf(repository, call);
      if (change.autoMerge === null) return refuse(406, '406 Not Acceptable');
      change.autoMerge = null;
      return json(await printWholeMergeRequest(site, repository, change), 201);
    }),
    [`GET ${ONE}/resource_label_events`]: guard('read', (call, repository) => list(printLabelEvents(site, 'MergeRequest', changeOf(repository, call)))),
    [`GET ${ONE}/resource_state_events`]: guard('read', (call, repository) => list(printStateEvents(site, 'MergeRequest', changeOf(repository, call)))),
  };
}

function filter(call: Call, repository: Repository): readonly Change[] {
  const state = call.query.get('state');
  const [source, target] = [call.query.get('source_branch'), call.query.get('target_branch')];
  const wanted = { opened: 'open', closed: 'closed', merged: 'merged' }[state ?? ''];
  const labels = call.query.get('labels')?.split(',') ?? [];
  return repository.changes
    .filter(
      change =>
        (wanted === undefined || change.state === wanted) &&
        (source === null || change.head === source) &&
        (target === null || change.base === target) &&
        labels.every(name => change.labels.some(label => label.name === name)),
    )
    .sort((one, other) => other.number - one.number);
}

async function create(world: World, site: Site, call: Call, repository: Repository): Promise<Answer> {
  const { fields } = call;
  const [head, base, title] = [fields.text('source_branch') ?? '', fields.text('target_branch') ?? '', fields.text('title') ?? ''];
  if ((await repository.git.resolve(`refs/heads/${head}`)) === undefined) return refuse(422, { source_branch: ['does not exist'] });
  if (head === base) return refuse(422, { base: ["You can't use same project/branch for source and target"] });
  const known = repository.changes.find(change => change.state === 'open' && change.head === head && change.base === base);
  if (known !== undefined) return refuse(409, [`Another open merge request already exists for this source branch: !${known.number}`]);
  const change = await openChange(world, repository, {
    title,
    body: fields.text('description') ?? '',
    head,
    base,
    author: actor(call),
    draft: isDraftTitle(title),
  });
  if (change === undefined) return refuse(422, { target_branch: ['does not exist'] });
  takeLabels(world, repository, change, { fields, by: actor(call) });
  return json(await printWholeMergeRequest(site, repository, change), 201);
}

async function update(world: World, site: Site, call: Call, repository: Repository): Promise<Answer> {
  const change = changeOf(repository, call);
  const by = actor(call);
  const { fields } = call;
  if (by.id !== change.author.id && !world.may(repository, by, 'write')) return refuse(403, '403 Forbidden');
  const [title, body, base, event] = [fields.text('title'), fields.text('description'), fields.text('target_branch'), fields.text('state_event')];
  const state = { close: 'closed', reopen: 'open' }[event ?? ''] as 'open' | 'closed' | undefined;
  await editChange(world, repository, change, {
    by,
    ...(title && { title, draft: isDraftTitle(title) }),
    ...(body !== undefined && { body }),
    ...(base && { base }),
    ...(state && { state }),
  });
  takeLabels(world, repository, change, { fields, by });
  return json(await printWholeMergeRequest(site, repository, change));
}

/** `labels` replaces, `add_labels` and `remove_labels` change; each is a list or a text with commas. */
function takeLabels(world: World, repository: Repository, change: Change, edit: { readonly fields: Fields; readonly by: Change['author'] }): void {
  const named = (field: string): readonly Label[] | undefined =>
    (edit.fields.texts(field) ?? edit.fields.text(field)?.split(','))?.filter(Boolean).map(name => ensureLabel(world, repository, name.trim()));
  const [whole, added, removed] = [named('labels'), named('add_labels'), named('remove_labels')];
  if (whole === undefined && added === undefined && removed === undefined) return;
  labelChange(world, repository, change, {
    labels: [...(whole ?? change.labels), ...(added ?? [])].filter(label => removed?.includes(label) !== true),
    by: edit.by,
  });
}

async function merge(world: World, site: Site, call: Call, repository: Repository): Promise<Answer> {
  const change = changeOf(repository, call);
  const sha = call.fields.text('sha');
  if (change.state !== 'open' || isDraftTitle(change.title)) return refuse(405, '405 Method Not Allowed');
  if (sha !== undefined && sha !== change.headSha) return refuse(409, `SHA does not match HEAD of source branch: ${change.headSha}`);
  if (call.fields.flag('auto_merge') ?? call.fields.flag('merge_when_pipeline_succeeds')) {
    change.autoMerge = { by: actor(call), method: 'merge' };
    return json(await printWholeMergeRequest(site, repository, change));
  }
  const message = call.fields.text('merge_commit_message');
  const merged = await mergeChange(world, repository, change, {
    method: call.fields.flag('squash') ? 'squash' : 'merge',
    by: actor(call),
    ...(message && { message }),
  });
  return merged === undefined ? refuse(422, 'Branch cannot be merged') : json(await printWholeMergeRequest(site, repository, change));
}

async function printVersion(repository: Repository, change: Change, version: Change['heads'][number]): Promise<Record<string, unknown>> {
  const base = version.head === change.headSha ? await diffBase(repository, change) : await repository.git.mergeBase(version.base, version.head);
  return {
    id: version.id,
    head_commit_sha: version.head,
    base_commit_sha: base,
    start_commit_sha: version.base,
    created_at: iso(version.at),
    merge_request_id: change.id,
    state: 'collected',
    real_size: '1',
    patch_id_sha: null,
  };
}

const printApprovals = (site: Site, change: Change) => ({
  user_has_approved: change.approvals.length > 0,
  user_can_approve: true,
  approved: change.approvals.length > 0,
  approved_by: change.approvals.map(account => ({ user: printUser(site, account), approved_at: iso(change.updatedAt) })),
});
