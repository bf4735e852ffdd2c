/** GitHub: labels of a repository and of an issue, milestones, reactions. */
import { type Answer, type Call, empty, json, list, type RouteTable } from '../http/call.ts';
import type { Site } from '../http/dialect.ts';
import { actor, type RepositoryGuard } from '../http/repository-route.ts';

import type { Label, Milestone, Reaction } from '../state/issue.ts';
import { addLabel, addMilestone, ensureLabel, findLabel } from '../state/issue-actions.ts';
import type { Repository } from '../state/repository.ts';
import type { World } from '../state/world.ts';
import { invalid, iso, need, nodeId, refuse } from './github-words.ts';
import { labelNames, printLabels, remarkOf, setLabels, subjectOf } from './issue-routes.ts';
import { printLabel, printMilestone, printUser } from './print-account.ts';
import { saidOf } from './review-comment-routes.ts';

const labelOf = (repository: Repository, call: Call): Label => need(findLabel(repository, call.params['name'] ?? ''));
const milestoneOf = (repository: Repository, call: Call): Milestone =>
  need(repository.milestones.find(one => one.number === Number(call.params['milestone_number'])));

export function labelRoutes(world: World, site: Site, guard: RepositoryGuard): RouteTable {
  const LABELS = '/repos/{owner}/{repo}/labels';
  const ON_ISSUE = '/repos/{owner}/{repo}/issues/{issue_number}/labels';
  return {
    [`GET ${LABELS}`]: guard('read', (_, repository) => printLabels(site, repository, repository.labels)),
    [`POST ${LABELS}`]: guard('write', (call, repository) => {
      const name = call.fields.text('name') ?? '';
      if (findLabel(repository, name) !== undefined) return invalid('Label', [{ field: 'name', code: 'already_exists' }]);
      if (!/^[0-9a-f]{6}$/i.test(call.fields.text('color') ?? 'ededed')) return invalid('Label', [{ field: 'color', code: 'invalid' }]);
      const label = addLabel(world, repository, { name, color: call.fields.text('color') ?? 'ededed', description: call.fields.text('description') ?? '' });
      return json(printLabel(site, repository, label), 201);
    }),
    [`GET ${LABELS}/{name}`]: guard('read', (call, repository) => json(printLabel(site, repository, labelOf(repository, call)))),
    [`PATCH ${LABELS}/{name}`]: guard('write', (call, repository) => {
      const label = labelOf(repository, call);
      label.name = call.fields.text('new_name') ?? label.name;
      label.color = call.fields.text('color') ?? label.color;
      label.description = call.fields.text('description') ?? label.description;
      return json(printLabel(site, repository, label));
    }),
    [`DELETE ${LABELS}/{name}`]: guard('write', (call, repository) => {
      repository.labels.splice(repository.labels.indexOf(labelOf(repository, call)), 1);
      return empty();
    }),
    [`GET ${ON_ISSUE}`]: guard('read', (call, repository) => printLabels(site, repository, subjectOf(repository, call).labels)),
    [`POST ${ON_ISSUE}`]: guard('triage', (call, repository) => put(world, site, call, { repository, keep: true })),
    [`PUT ${ON_ISSUE}`]: guard('triage', (call, repository) => put(world, site, call, { repository, keep: false })),
    [`DELETE ${ON_ISSUE}`]: guard('triage', (call, repository) => {
      setLabels(world, repository, subjectOf(repository, call), { labels: [], by: actor(call) });
      return empty();
    }),
    [`DELETE ${ON_ISSUE}/{name}`]: guard('triage', (call, repository) => {
      const subject = subjectOf(repository, call);
      const label = findLabel(repository, call.params['name'] ?? '');
      if (label === undefined || !subject.labels.includes(label)) return refuse(404, 'Label does not exist');
      setLabels(world, repository, subject, { labels: subject.labels.filter(one => one !== label), by: actor(call) });
      return printLabels(site, repository, subject.labels);
    }),
  };
}

/** The body is `{labels: [...]}` or a bare list. Unknown names become labels. */
function put(world: World, site: Site, call: Call, target: { readonly repository: Repository; readonly keep: boolean }): Answer {
  const { repository } = target;
  const subject = subjectOf(repository, call);
  const names = labelNames(Array.isArray(call.body) ? call.body : (call.fields.array('labels') ?? []));
  const labels = [...(target.keep ? subject.labels : []), ...names.map(name => ensureLabel(world, repository, name))];
  setLabels(world, repository, subject, { labels, by: actor(call) });
  return printLabels(site, repository, subject.labels);
}

export function milestoneRoutes(world: World, site: Site, guard: RepositoryGuard): RouteTable {
  const MILESTONES = '/repos/{owner}/{repo}/milestones';
  return {
    [`GET ${MILESTONES}`]: guard('read', (call, repository) => {
      const state = call.query.get('state') ?? 'open';
      return list(repository.milestones.filter(one => state === 'all' || one.state === state).map(one => printMilestone(site, repository, one)));
    }),
    [`POST ${MILESTONES}`]: guard('write', (call, repository) => {
      const title = call.fields.text('title') ?? String(call.fields.value('title'));
      if (repository.milestones.some(one => one.title === title)) return invalid('Milestone', [{ field: 'title', code: 'already_exists' }]);
      const milestone = addMilestone(world, repository, {
        title,
        description: call.fields.text('description') ?? '',
        dueOn: call.fields.text('due_on') ?? null,
        by: actor(call),
      });
      return json(printMilestone(site, repository, milestone), 201);
    }),
    [`GET ${MILESTONES}/{milestone_number}`]: guard('read', (call, repository) => json(printMilestone(site, repository, milestoneOf(repository, call)))),
    [`PATCH ${MILESTONES}/{milestone_number}`]: guard('write', (call, repository) => {
      const milestone = milestoneOf(repository, call);
      milestone.title = call.fields.text('title') ?? milestone.title;
      milestone.description = call.fields.text('description') ?? milestone.description;
      milestone.state = (call.fields.text('state') as 'open' | 'closed' | undefined) ?? milestone.state;
      milestone.dueOn = call.fields.text('due_on') ?? milestone.dueOn;
      return json(printMilestone(site, repository, milestone));
    }),
    [`DELETE ${MILESTONES}/{milestone_number}`]: guard('write', (call, repository) => {
      repository.milestones.splice(repository.milestones.indexOf(milestoneOf(repository, call)), 1);
      return empty();
    }),
  };
}

export function reactionRoutes(world: World, site: Site, guard: RepositoryGuard): RouteTable {
  const print = (reaction: Reaction) => ({
    id: reaction.id,
    node_id: nodeId('REA', reaction.id),
    user: printUser(site, reaction.by),
    content: reaction.content,
    created_at: iso(reaction.at),
  });
  const on = (path: string, reactions: (repository: Repository, call: Call) => Reaction[]): RouteTable => ({
    [`GET ${path}/reactions`]: guard('read', (call, repository) => list(reactions(repository, call).map(print))),
    [`POST ${path}/reactions`]: guard('read', (call, repository) => {
      const held = reactions(repository, call);
      const content = call.fields.text('content') ?? '';
      const known = held.find(one => one.content === content && one.by.id === actor(call).id);
      if (known !== undefined) return json(print(known), 200);
      const reaction = { id: world.id('reaction'), content, by: actor(call), at: world.now() };
      held.push(reaction);
      return json(print(reaction), 201);
    }),
    [`DELETE ${path}/reactions/{reaction_id}`]: guard('read', (call, repository) => {
      const held = reactions(repository, call);
      held.splice(held.indexOf(need(held.find(one => one.id === Number(call.params['reaction_id'])))), 1);
      return empty();
    }),
  });
  return {
    ...on('/repos/{owner}/{repo}/issues/{issue_number}', (repository, call) => subjectOf(repository, call).reactions),
    ...on('/repos/{owner}/{repo}/issues/comments/{comment_id}', (repository, call) => remarkOf(repository, call).remark.reactions),
    ...on('/repos/{owner}/{repo}/pulls/comments/{comment_id}', (repository, call) => saidOf(repository, call).remark.reactions),
  };
}
