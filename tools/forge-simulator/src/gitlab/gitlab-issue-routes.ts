/** GitLab: issues, labels, milestones and project hooks. */
import { type Answer, type Call, empty, json, list, type RouteTable } from '../http/call.ts';
import type { DeliveryRecord, ForgeServices, Site } from '../http/dialect.ts';
import { actor, type RepositoryGuard } from '../http/repository-route.ts';
import { uuidOf } from '../state/account.ts';
import { ABSENT } from '../state/happening.ts';
import type { Label, Milestone } from '../state/issue.ts';
import { addLabel, addMilestone, editIssue, ensureLabel, findLabel, labelIssue, openIssue } from '../state/issue-actions.ts';
import type { Hook, Repository } from '../state/repository.ts';
import type { World } from '../state/world.ts';
import { issueOf } from './gitlab-note-routes.ts';
import { printLabelEvents, printStateEvents } from './gitlab-resource-events.ts';
import { need, printHook, printIssue, printLabel, printMilestone, refuse } from './gitlab-print.ts';

const names = (call: Call, field: string): readonly string[] | undefined => (call.fields.texts(field) ?? call.fields.text(field)?.split(','))?.filter(Boolean);

export function gitlabIssueRoutes(world: World, site: Site, guard: RepositoryGuard): RouteTable {
  const ISSUES = '/projects/{id}/issues';
  return {
    [`GET ${ISSUES}`]: guard('read', (call, repository) => {
      const wanted = { opened: 'open', closed: 'closed' }[call.query.get('state') ?? ''];
      const labels = call.query.get('labels')?.split(',') ?? [];
      const refused = call.query.get('not[labels]')?.split(',') ?? [];
      const has = (held: readonly Label[], name: string): boolean => held.some(label => label.name === name);
      const kept = repository.issues.filter(
        issue =>
          (wanted === undefined || issue.state === wanted) && labels.every(name => has(issue.labels, name)) && !refused.some(name => has(issue.labels, name)),
      );
      return list([...kept].reverse().map(issue => printIssue(site, repository, issue)));
    }),
    [`POST ${ISSUES}`]: guard('read', (call, repository) => {
      const issue = openIssue(world, repository, {
        title: call.fields.text('title') ?? '',
        body: call.fields.text('description') ?? '',
        by: actor(call),
        labels: (names(call, 'labels') ?? []).map(name => ensureLabel(world, repository, name)),
      });
      issue.milestone = repository.milestones.find(one => one.id === call.fields.number('milestone_id')) ?? null;
      return json(printIssue(site, repository, issue), 201);
    }),
    [`GET ${ISSUES}/{iid}`]: guard('read', (call, repository) => json(printIssue(site, repository, issueOf(repository, call)))),
    [`PUT ${ISSUES}/{iid}`]: guard('read', (call, repository) => updateIssue(world, site, call, repository)),
    [`GET ${ISSUES}/{iid}/resource_label_events`]: guard('read', (call, repository) => list(printLabelEvents(site, 'Issue', issueOf(repository, call)))),
    [`GET ${ISSUES}/{iid}/resource_state_events`]: guard('read', (call, repository) => list(printStateEvents(site, 'Issue', issueOf(repository, call)))),
    ...labels(world, guard),
    ...milestones(world, site, guard),
  };
}

function updateIssue(world: World, site: Site, call: Call, repository: Repository): Answer {
  const issue = issueOf(repository, call);
  const by = actor(call);
  if (by.id !== issue.author.id && !world.may(repository, by, 'triage')) return refuse(403, '403 Forbidden');
  const [title, body] = [call.fields.text('title'), call.fields.text('description')];
  const state = { close: 'closed', reopen: 'open' }[call.fields.text('state_event') ?? ''] as 'open' | 'closed' | undefined;
  editIssue(world, repository, issue, { by, ...(title && { title }), ...(body !== undefined && { body }), ...(state && { state }) });
  const [whole, added, removed] = [names(call, 'labels'), names(call, 'add_labels'), names(call, 'remove_labels')];
  if (whole ?? added ?? removed) {
    const wanted = [...(whole ?? issue.labels.map(label => label.name)), ...(added ?? [])].filter(name => removed?.includes(name) !== true);
    labelIssue(world, repository, issue, { labels: wanted.map(name => ensureLabel(world, repository, name)), by });
  }
  return json(printIssue(site, repository, issue));
}

function labels(world: World, guard: RepositoryGuard): RouteTable {
  const LABELS = '/projects/{id}/labels';
  const labelOf = (repository: Repository, call: Call): Label =>
    need(
      repository.labels.find(label => String(label.id) === call.params['label_id'] || label.name === call.params['label_id']),
      'Label',
    );
  return {
    [`GET ${LABELS}`]: guard('read', (_, repository) => list(repository.labels.map(label => printLabel(repository, label)))),
    [`POST ${LABELS}`]: guard('triage', (call, repository) => {
      const name = call.fields.text('name') ?? '';
      if (findLabel(repository, name) !== undefined) return refuse(409, 'Label already exists');
      if (!/^#?[0-9a-f]{3,6}$/i.test(call.fields.text('color') ?? '')) return refuse(400, { color: ['must be a valid color code'] });
      return json(
        printLabel(
          repository,
          addLabel(world, repository, { name, color: call.fields.text('color') ?? '', description: call.fields.text('description') ?? '' }),
        ),
        201,
      );
    }),
    [`GET ${LABELS}/{label_id}`]: guard('read', (call, repository) => json(printLabel(repository, labelOf(repository, call)))),
    [`PUT ${LABELS}/{label_id}`]: guard('triage', (call, repository) => {
      const label = labelOf(repository, call);
      label.name = call.fields.text('new_name') ?? label.name;
      label.color = (call.fields.text('color') ?? label.color).replace('#', '');
      label.description = call.fields.text('description') ?? label.description;
      return json(printLabel(repository, label));
    }),
    [`DELETE ${LABELS}/{label_id}`]: guard('triage', (call, repository) => {
      repository.labels.splice(repository.labels.indexOf(labelOf(repository, call)), 1);
      return empty();
    }),
  };
}

function milestones(world: World, site: Site, guard: RepositoryGuard): RouteTable {
  const MILESTONES = '/projects/{id}/milestones';
  const milestoneOf = (repository: Repository, call: Call): Milestone =>
    need(
      repository.milestones.find(one => String(one.id) === call.params['milestone_id']),
      'Milestone',
    );
  return {
    [`GET ${MILESTONES}`]: guard('read', (call, repository) => {
      const wanted = { active: 'open', closed: 'closed' }[call.query.get('state') ?? ''];
      return list(repository.milestones.filter(one => wanted === undefined || one.state === wanted).map(one => printMilestone(site, repository, one)));
    }),
    [`POST ${MILESTONES}`]: guard('triage', (call, repository) =>
      json(
        printMilestone(
          site,
          repository,
          addMilestone(world, repository, {
            title: call.fields.text('title') ?? '',
            description: call.fields.text('description') ?? '',
            dueOn: call.fields.text('due_date') ?? null,
            by: actor(call),
          }),
        ),
        201,
      ),
    ),
    [`GET ${MILESTONES}/{milestone_id}`]: guard('read', (call, repository) => json(printMilestone(site, repository, milestoneOf(repository, call)))),
  };
}

export function gitlabHookRoutes(world: World, guard: RepositoryGuard, forge: ForgeServices): RouteTable {
  const HOOKS = '/projects/{id}/hooks';
  const hookOf = (repository: Repository, call: Call): Hook => need(repository.hooks.find(hook => hook.id === Number(call.params['hook_id'])));
  const take = (hook: Hook, call: Call): void => {
    const { url, token, signing_token: signing, ...fields } = call.fields.all();
    hook.url = typeof url === 'string' ? url : hook.url;
    hook.secret = typeof token === 'string' ? token : hook.secret;
    hook.signingToken = typeof signing === 'string' ? signing : hook.signingToken;
    hook.fields = { ...hook.fields, ...fields };
    hook.updatedAt = world.now();
  };
  const print = (delivery: DeliveryRecord) => ({
    id: delivery.id,
    url: delivery.url,
    trigger: delivery.event,
    request_headers: delivery.headers,
    request_data: JSON.parse(delivery.body.toString()) as unknown,
    response_headers: {},
    response_body: delivery.answer,
    execution_duration: 0.01,
    response_status: String(delivery.status ?? 'internal error'),
  });
  return {
    [`GET ${HOOKS}`]: guard('maintain', (_, repository) => list(repository.hooks.map(hook => printHook(repository, hook)))),
    [`POST ${HOOKS}`]: guard('maintain', (call, repository) => {
      const url = call.fields.text('url') ?? '';
      if (!/^https?:/.test(url) || !URL.canParse(url)) return refuse(422, 'Invalid url given');
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
      return json(printHook(repository, hook), 201);
    }),
    [`GET ${HOOKS}/{hook_id}`]: guard('maintain', (call, repository) => json(printHook(repository, hookOf(repository, call)))),
    [`PUT ${HOOKS}/{hook_id}`]: guard('maintain', (call, repository) => {
      const hook = hookOf(repository, call);
      take(hook, call);
      return json(printHook(repository, hook));
    }),
    [`DELETE ${HOOKS}/{hook_id}`]: guard('maintain', (call, repository) => {
      repository.hooks.splice(repository.hooks.indexOf(hookOf(repository, call)), 1);
      return empty();
    }),
    [`POST ${HOOKS}/{hook_id}/test/{trigger}`]: guard('maintain', async (call, repository) => {
      if (call.params['trigger'] !== 'push_events') return refuse(422, `Ensure the project has ${call.params['trigger']?.replace('_events', '')}.`);
      const after = (await repository.git.resolve(repository.defaultBranch)) ?? ABSENT;
      forge.test(
        { kind: 'push', repository, by: actor(call), branch: repository.defaultBranch, before: after, after, forced: false },
        hookOf(repository, call),
      );
      return json({ message: '201 Created' }, 201);
    }),
    [`GET ${HOOKS}/{hook_id}/events`]: guard('maintain', (call, repository) => list([...forge.deliveries(hookOf(repository, call))].reverse().map(print))),
    [`POST ${HOOKS}/{hook_id}/events/{hook_log_id}/resend`]: guard('maintain', (call, repository) => {
      const delivery = need(forge.deliveries(hookOf(repository, call)).find(one => one.id === Number(call.params['hook_log_id'])));
      forge.redeliver(delivery.id);
      return json({ response_status: 200 }, 201);
    }),
  };
}
