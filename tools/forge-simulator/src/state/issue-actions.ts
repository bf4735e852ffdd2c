/** Issues, labels and milestones: making and finding them. */
import type { Account } from './account.ts';
import type { Issue, Label, Milestone } from './issue.ts';
import type { Repository } from './repository.ts';
import type { World } from './world.ts';

export function openIssue(
  world: World,
  repository: Repository,
  plan: { readonly title: string; readonly body?: string; readonly by: Account; readonly labels?: readonly Label[] },
): Issue {
  const at = world.now();
  const issue: Issue = {
    number: world.number(repository, 'issue'),
    id: world.id('issue'),
    title: plan.title,
    body: plan.body ?? '',
    author: plan.by,
    state: 'open',
    stateReason: null,
    createdAt: at,
    updatedAt: at,
    closedAt: null,
    labels: [...(plan.labels ?? [])],
    milestone: null,
    assignees: [],
    remarks: [],
    reactions: [],
    timeline: [],
  };
  repository.issues.push(issue);
  world.happen({ repository, by: plan.by, kind: 'issue', action: 'opened', issue });
  for (const label of issue.labels) issue.timeline.push({ id: world.id('event'), kind: 'labeled', by: plan.by, at, label });
  return issue;
}

export interface IssueEdit {
  readonly title?: string;
  readonly body?: string;
  readonly state?: 'open' | 'closed';
  readonly stateReason?: string | null;
  readonly by: Account;
}

export function editIssue(world: World, repository: Repository, issue: Issue, edit: IssueEdit): void {
  const { by } = edit;
  issue.updatedAt = world.now();
  const changed = (edit.title !== undefined && edit.title !== issue.title) || (edit.body !== undefined && edit.body !== issue.body);
  issue.title = edit.title ?? issue.title;
  issue.body = edit.body ?? issue.body;
  if (changed) world.happen({ repository, by, kind: 'issue', action: 'edited', issue });
  if (edit.state !== undefined && edit.state !== issue.state) turnIssue(world, repository, issue, { ...edit, state: edit.state });
}

function turnIssue(world: World, repository: Repository, issue: Issue, edit: IssueEdit & { readonly state: 'open' | 'closed' }): void {
  const { by } = edit;
  const closed = edit.state === 'closed';
  issue.state = edit.state;
  issue.stateReason = edit.stateReason ?? (closed ? 'completed' : 'reopened');
  issue.closedAt = closed ? world.now() : null;
  const action = closed ? 'closed' : 'reopened';
  issue.timeline.push({ id: world.id('event'), kind: action, by, at: world.now() });
  world.happen({ repository, by, kind: 'issue', action, issue });
}

export function labelIssue(world: World, repository: Repository, issue: Issue, edit: { readonly labels: readonly Label[]; readonly by: Account }): void {
  const came = edit.labels.filter(label => !issue.labels.includes(label));
  const went = issue.labels.filter(label => !edit.labels.includes(label));
  issue.labels = [...new Set(edit.labels)];
  issue.updatedAt = world.now();
  for (const [labels, action] of [
    [came, 'labeled'],
    [went, 'unlabeled'],
  ] as const)
    for (const label of labels) {
      issue.timeline.push({ id: world.id('event'), kind: action, by: edit.by, at: world.now(), label });
      world.happen({ repository, by: edit.by, kind: 'issue', action, issue, label });
    }
}

export const findLabel = (repository: Repository, name: string): Label | undefined =>
  repository.labels.find(label => label.name.toLowerCase() === name.toLowerCase());

/** The label of that name, made grey when there is none: what GitHub does when an unknown name is put on an issue. */
export function ensureLabel(world: World, repository: Repository, name: string): Label {
  return findLabel(repository, name) ?? addLabel(world, repository, { name, color: 'ededed', description: '' });
}

export function addLabel(world: World, repository: Repository, plan: { readonly name: string; readonly color: string; readonly description: string }): Label {
  const label = { id: world.id('label'), name: plan.name, color: plan.color.replace(/^#/, ''), description: plan.description };
  repository.labels.push(label);
  return label;
}

export function addMilestone(
  world: World,
  repository: Repository,
  plan: { readonly title: string; readonly description: string; readonly dueOn: string | null; readonly by: Account },
): Milestone {
  const milestone: Milestone = {
    id: world.id('milestone'),
    number: repository.milestones.length + 1,
    title: plan.title,
    description: plan.description,
    state: 'open',
    dueOn: plan.dueOn,
    createdAt: world.now(),
    by: plan.by,
  };
  repository.milestones.push(milestone);
  return milestone;
}
