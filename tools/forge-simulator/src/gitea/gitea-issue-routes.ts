/** Gitea and Forgejo: issues, conversation comments, labels, milestones, reactions, the timeline. */
import { type Answer, type Call, empty, json, list, type RouteTable } from '../http/call.ts';
import type { ForgeKind, Site } from '../http/dialect.ts';
import { actor, type RepositoryGuard } from '../http/repository-route.ts';
import type { Change } from '../state/change.ts';
import { editChange, labelChange } from '../state/change-actions.ts';
import type { Issue, Label, Milestone, Reaction, Remark, TimelineEntry } from '../state/issue.ts';
import { addLabel, addMilestone, editIssue, findLabel, labelIssue, openIssue } from '../state/issue-actions.ts';
import type { Repository } from '../state/repository.ts';
import { addRemark, deleteRemark, editRemark, isChange } from '../state/talk-actions.ts';
import type { World } from '../state/world.ts';
import { iso, need, printIssue, printLabel, printMilestone, printReaction, printRemark, printUser, refuse } from './gitea-print.ts';

type Subject = Change | Issue;

const subjects = (repository: Repository): readonly Subject[] => [...repository.issues, ...repository.changes].sort((one, other) => other.number - one.number);
const subjectOf = (repository: Repository, call: Call): Subject => need(subjects(repository).find(one => one.number === Number(call.params['index'])));

/** Conversation comments and inline ones share their ids and the operations on one comment. */
function remarkOf(repository: Repository, call: Call): { readonly subject: Subject; readonly remark: Remark } {
  const all = subjects(repository).flatMap(subject =>
    [...subject.remarks, ...(isChange(subject) ? subject.threads.flatMap(thread => thread.remarks) : [])].map(remark => ({ subject, remark })),
  );
  return need(all.find(one => one.remark.id === Number(call.params['id'])));
}

export function giteaIssueRoutes(world: World, site: Site, guard: RepositoryGuard): RouteTable {
  const ISSUE = '/repos/{owner}/{repo}/issues/{index}';
  const COMMENT = '/repos/{owner}/{repo}/issues/comments/{id}';
  return {
    'GET /repos/{owner}/{repo}/issues': guard('read', (call, repository) => {
      const [state, type, labels] = [call.query.get('state') ?? 'open', call.query.get('type'), call.query.get('labels')?.split(',') ?? []];
      const kept = subjects(repository).filter(
        one =>
          (state === 'all' || (state === 'open') === (one.state === 'open')) &&
          (type === null || (type === 'pulls') === isChange(one)) &&
          labels.every(name => one.labels.some(label => label.name === name)),
      );
      return list(kept.map(issue => printIssue(site, repository, issue)));
    }),
    'POST /repos/{owner}/{repo}/issues': guard('read', (call, repository) => {
      const ids = call.fields.array('labels') ?? [];
      const issue = openIssue(world, repository, {
        title: call.fields.text('title') ?? '',
        body: call.fields.text('body') ?? '',
        by: actor(call),
        labels: repository.labels.filter(label => ids.includes(label.id)),
      });
      issue.milestone = repository.milestones.find(one => one.id === call.fields.number('milestone')) ?? null;
      return json(printIssue(site, repository, issue), 201);
    }),
    [`GET ${ISSUE}`]: guard('read', (call, repository) => json(printIssue(site, repository, subjectOf(repository, call)))),
    [`PATCH ${ISSUE}`]: guard('read', (call, repository) => updateIssue(world, site, call, repository)),
    [`GET ${ISSUE}/comments`]: guard('read', (call, repository) => {
      const subject = subjectOf(repository, call);
      return json(subject.remarks.map(remark => printRemark(site, repository, subject, remark)));
    }),
    [`POST ${ISSUE}/comments`]: guard('read', (call, repository) => {
      const subject = subjectOf(repository, call);
      const remark = addRemark(world, repository, subject, { by: actor(call), body: call.fields.text('body') ?? '' });
      return json(printRemark(site, repository, subject, remark), 201);
    }),
    'GET /repos/{owner}/{repo}/issues/comments': guard('read', (_, repository) =>
      list(subjects(repository).flatMap(subject => subject.remarks.map(remark => printRemark(site, repository, subject, remark)))),
    ),
    [`GET ${COMMENT}`]: guard('read', (call, repository) => {
      const { subject, remark } = remarkOf(repository, call);
      return json(printRemark(site, repository, subject, remark));
    }),
    [`PATCH ${COMMENT}`]: guard('read', (call, repository) => {
      const { subject, remark } = remarkOf(repository, call);
      if (remark.author.id !== actor(call).id && !world.may(repository, actor(call), 'write')) return { status: 403 };
      editRemark(world, repository, subject, { remark, by: actor(call), body: call.fields.text('body') ?? '' });
      return json(printRemark(site, repository, subject, remark));
    }),
    [`DELETE ${COMMENT}`]: guard('read', (call, repository) => {
      const { subject, remark } = remarkOf(repository, call);
      if (remark.author.id !== actor(call).id && !world.may(repository, actor(call), 'write')) return { status: 403 };
      const thread = isChange(subject) ? subject.threads.find(one => one.remarks.includes(remark)) : undefined;
      deleteRemark(world, repository, subject, { remark, by: actor(call), ...(thread && { thread }) });
      return empty();
    }),
    [`GET ${ISSUE}/timeline`]: guard('read', (call, repository) => {
      const subject = subjectOf(repository, call);
      return list(subject.timeline.map(entry => printTimeline(site, repository, subject, entry)));
    }),
    ...reactions(world, site, guard, ISSUE, (repository, call) => subjectOf(repository, call).reactions),
    ...reactions(world, site, guard, COMMENT, (repository, call) => remarkOf(repository, call).remark.reactions),
  };
}

async function updateIssue(world: World, site: Site, call: Call, repository: Repository): Promise<Answer> {
  const subject = subjectOf(repository, call);
  const by = actor(call);
  if (by.id !== subject.author.id && !world.may(repository, by, 'write')) return { status: 403 };
  const [title, body, state] = [call.fields.text('title'), call.fields.text('body'), call.fields.text('state') as 'open' | 'closed' | undefined];
  const edit = { by, ...(title && { title }), ...(body !== undefined && { body }), ...(state && { state }) };
  if (isChange(subject)) await editChange(world, repository, subject, edit);
  else editIssue(world, repository, subject, edit);
  if (call.fields.has('milestone')) subject.milestone = repository.milestones.find(one => one.id === call.fields.number('milestone')) ?? null;
  return json(printIssue(site, repository, subject), 201);
}

function printTimeline(site: Site, repository: Repository, subject: Subject, entry: TimelineEntry): Record<string, unknown> {
  const kinds: Readonly<Record<string, string>> = {
    commented: 'comment',
    labeled: 'label',
    unlabeled: 'label',
    closed: 'close',
    reopened: 'reopen',
    reviewed: 'review',
  };
  return {
    ...(entry.remark && printRemark(site, repository, subject, entry.remark)),
    id: entry.id,
    type: kinds[entry.kind] ?? entry.kind,
    user: printUser(site, entry.by),
    body: entry.remark?.body ?? (entry.kind === 'labeled' ? '1' : ''),
    created_at: iso(entry.at),
    updated_at: iso(entry.at),
    label: entry.label === undefined ? null : printLabel(site, repository, entry.label),
  };
}

function reactions(world: World, site: Site, guard: RepositoryGuard, path: string, of: (repository: Repository, call: Call) => Reaction[]): RouteTable {
  return {
    [`GET ${path}/reactions`]: guard('read', (call, repository) => json(of(repository, call).map(one => printReaction(site, one)))),
    [`POST ${path}/reactions`]: guard('read', (call, repository) => {
      const content = call.fields.text('content') ?? '';
      const held = of(repository, call);
      const known = held.find(one => one.content === content && one.by.id === actor(call).id);
      const reaction = known ?? { id: world.id('reaction'), content, by: actor(call), at: world.now() };
      if (known === undefined) held.push(reaction);
      return json(printReaction(site, reaction), known === undefined ? 201 : 200);
    }),
    [`DELETE ${path}/reactions`]: guard('read', (call, repository) => {
      const held = of(repository, call);
      const at = held.findIndex(one => one.content === call.fields.text('content') && one.by.id === actor(call).id);
      if (at >= 0) held.splice(at, 1);
      return { status: 200 };
    }),
  };
}

export function giteaLabelRoutes(world: World, site: Site, guard: RepositoryGuard, kind: ForgeKind): RouteTable {
  const LABELS = '/repos/{owner}/{repo}/labels';
  const ON_ISSUE = '/repos/{owner}/{repo}/issues/{index}/labels';
  const labelOf = (repository: Repository, call: Call): Label => need(repository.labels.find(label => label.id === Number(call.params['id'])));
  const printed = (repository: Repository, labels: readonly Label[]): Answer => json(labels.map(label => printLabel(site, repository, label)));
  /** Ids or names, as both vendors take them. */
  const named = (repository: Repository, values: readonly unknown[]): readonly Label[] =>
    values.map(value => need(typeof value === 'number' ? repository.labels.find(label => label.id === value) : findLabel(repository, String(value))));
  const put = (keep: boolean) =>
    guard('write', (call, repository) => {
      const subject = subjectOf(repository, call);
      setLabels(world, repository, subject, {
        labels: [...(keep ? subject.labels : []), ...named(repository, call.fields.array('labels') ?? [])],
        by: actor(call),
      });
      return printed(repository, subject.labels);
    });
  return {
    [`GET ${LABELS}`]: guard('read', (_, repository) => list(repository.labels.map(label => printLabel(site, repository, label)))),
    [`POST ${LABELS}`]: guard('write', (call, repository) => {
      if (!/^#?[0-9a-f]{6}$/i.test(call.fields.text('color') ?? '')) return refuse(422, 'bad color code: ' + String(call.fields.value('color')));
      return json(
        printLabel(
          site,
          repository,
          addLabel(world, repository, {
            name: call.fields.text('name') ?? '',
            color: call.fields.text('color') ?? '',
            description: call.fields.text('description') ?? '',
          }),
        ),
        201,
      );
    }),
    [`GET ${LABELS}/{id}`]: guard('read', (call, repository) => json(printLabel(site, repository, labelOf(repository, call)))),
    [`PATCH ${LABELS}/{id}`]: guard('write', (call, repository) => {
      const label = labelOf(repository, call);
      label.name = call.fields.text('name') ?? label.name;
      label.color = (call.fields.text('color') ?? label.color).replace('#', '');
      label.description = call.fields.text('description') ?? label.description;
      return json(printLabel(site, repository, label));
    }),
    [`DELETE ${LABELS}/{id}`]: guard('write', (call, repository) => {
      repository.labels.splice(repository.labels.indexOf(labelOf(repository, call)), 1);
      return empty();
    }),
    [`GET ${ON_ISSUE}`]: guard('read', (call, repository) => printed(repository, subjectOf(repository, call).labels)),
    [`POST ${ON_ISSUE}`]: put(true),
    [`PUT ${ON_ISSUE}`]: put(false),
    [`DELETE ${ON_ISSUE}/{label}`]: guard('write', (call, repository) => {
      const subject = subjectOf(repository, call);
      const word = call.params['label'] ?? '';
      const label = repository.labels.find(one => String(one.id) === word) ?? (kind === 'forgejo' ? findLabel(repository, word) : undefined);
      if (label === undefined) return refuse(422, `label does not exist [label_id: ${word}]`);
      setLabels(world, repository, subject, { labels: subject.labels.filter(one => one !== label), by: actor(call) });
      return empty();
    }),
    ...milestones(world, guard),
  };
}

function setLabels(world: World, repository: Repository, subject: Subject, edit: Parameters<typeof labelIssue>[3]): void {
  if (isChange(subject)) labelChange(world, repository, subject, edit);
  else labelIssue(world, repository, subject, edit);
}

function milestones(world: World, guard: RepositoryGuard): RouteTable {
  const MILESTONES = '/repos/{owner}/{repo}/milestones';
  const milestoneOf = (repository: Repository, call: Call): Milestone =>
    need(repository.milestones.find(one => String(one.id) === call.params['id'] || one.title === call.params['id']));
  return {
    [`GET ${MILESTONES}`]: guard('read', (call, repository) => {
      const state = call.query.get('state') ?? 'open';
      return list(repository.milestones.filter(one => state === 'all' || one.state === state).map(one => printMilestone(repository, one)));
    }),
    [`POST ${MILESTONES}`]: guard('write', (call, repository) =>
      json(
        printMilestone(
          repository,
          addMilestone(world, repository, {
            title: call.fields.text('title') ?? '',
            description: call.fields.text('description') ?? '',
            dueOn: call.fields.text('due_on') ?? null,
            by: actor(call),
          }),
        ),
        201,
      ),
    ),
    [`GET ${MILESTONES}/{id}`]: guard('read', (call, repository) => json(printMilestone(repository, milestoneOf(repository, call)))),
    [`PATCH ${MILESTONES}/{id}`]: guard('write', (call, repository) => {
      const milestone = milestoneOf(repository, call);
      milestone.title = call.fields.text('title') ?? milestone.title;
      milestone.state = (call.fields.text('state') as 'open' | 'closed' | undefined) ?? milestone.state;
      return json(printMilestone(repository, milestone));
    }),
  };
}
