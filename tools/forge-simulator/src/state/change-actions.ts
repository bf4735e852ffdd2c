/** What can be done to a change: open, push, edit, close, merge. Each tells the world what happened. */
import type { Account } from './account.ts';
import type { Change } from './change.ts';
import { ABSENT } from './happening.ts';
import type { Label } from './issue.ts';
import type { Repository } from './repository.ts';
import type { World } from './world.ts';

export interface ChangePlan {
  readonly title: string;
  readonly body?: string;
  readonly head: string;
  readonly base: string;
  readonly author: Account;
  readonly draft?: boolean;
}

/** Undefined when a branch is missing or the head adds nothing. */
export async function openChange(world: World, repository: Repository, plan: ChangePlan): Promise<Change | undefined> {
  const headSha = await repository.git.resolve(`refs/heads/${plan.head}`);
  const baseSha = await repository.git.resolve(`refs/heads/${plan.base}`);
  if (headSha === undefined || baseSha === undefined || headSha === baseSha) return undefined;
  const at = world.now();
  const change: Change = {
    number: world.number(repository, 'change'),
    id: world.id('change'),
    title: plan.title,
    body: plan.body ?? '',
    author: plan.author,
    state: 'open',
    draft: plan.draft ?? false,
    head: plan.head,
    base: plan.base,
    headSha,
    baseSha,
    merge: null,
    closedAt: null,
    closedBy: null,
    autoMerge: null,
    createdAt: at,
    updatedAt: at,
    labels: [],
    milestone: null,
    assignees: [],
    reviewers: [],
    heads: [{ id: world.id('head'), head: headSha, base: baseSha, at }],
    remarks: [],
    threads: [],
    reviews: [],
    approvals: [],
    reactions: [],
    timeline: [],
  };
  repository.changes.push(change);
  world.happen({ repository, by: plan.author, kind: 'change', action: 'opened', change });
  return change;
}

/** Moves a branch as a push does: tells of the push, then moves every open change that stands on it. */
export async function pushBranch(world: World, repository: Repository, branch: string, push: { readonly sha: string; readonly by: Account }): Promise<void> {
  const before = await repository.git.resolve(`refs/heads/${branch}`);
  const forced = before !== undefined && !(await repository.git.isAncestor(before, push.sha));
  await repository.git.setBranch(branch, push.sha);
  world.happen({ repository, by: push.by, kind: 'push', branch, before: before ?? ABSENT, after: push.sha, forced });
  for (const change of repository.changes) {
    if (change.state !== 'open' || change.head !== branch || change.headSha === push.sha) continue;
    const was = change.headSha;
    change.headSha = push.sha;
    change.updatedAt = world.now();
    change.baseSha = (await repository.git.resolve(`refs/heads/${change.base}`)) ?? change.baseSha;
    change.heads.push({ id: world.id('head'), head: push.sha, base: change.baseSha, at: world.now() });
    world.happen({ repository, by: push.by, kind: 'change', action: 'pushed', change, before: was, after: push.sha });
  }
}

export async function deleteBranch(world: World, repository: Repository, branch: string, by: Account): Promise<boolean> {
  const before = await repository.git.resolve(`refs/heads/${branch}`);
  if (before === undefined) return false;
  await repository.git.deleteBranch(branch);
  world.happen({ repository, by, kind: 'push', branch, before, after: ABSENT, forced: false });
  return true;
}

export interface ChangeEdit {
  readonly title?: string;
  readonly body?: string;
  readonly base?: string;
  readonly draft?: boolean;
  readonly state?: 'open' | 'closed';
}

export async function editChange(world: World, repository: Repository, change: Change, edit: ChangeEdit & { readonly by: Account }): Promise<void> {
  const { by } = edit;
  const was: Record<string, unknown> = {};
  for (const field of ['title', 'body', 'base'] as const) {
    const value = edit[field];
    if (value === undefined || value === change[field]) continue;
    was[field] = change[field];
    change[field] = value;
  }
  if (was['base'] !== undefined) change.baseSha = (await repository.git.resolve(`refs/heads/${change.base}`)) ?? change.baseSha;
  if (Object.keys(was).length > 0) world.happen({ repository, by, kind: 'change', action: 'edited', change, was });
  if (edit.draft !== undefined && edit.draft !== change.draft) setDraft(world, repository, change, { draft: edit.draft, by });
  if (edit.state !== undefined) setState(world, repository, change, { state: edit.state, by });
  change.updatedAt = world.now();
}

export function setDraft(world: World, repository: Repository, change: Change, edit: { readonly draft: boolean; readonly by: Account }): void {
  change.draft = edit.draft;
  world.happen({ repository, by: edit.by, kind: 'change', action: edit.draft ? 'drafted' : 'ready', change, was: { draft: !edit.draft } });
}

function setState(world: World, repository: Repository, change: Change, edit: { readonly state: 'open' | 'closed'; readonly by: Account }): void {
  if (change.state === edit.state || change.state === 'merged') return;
  change.state = edit.state;
  change.closedAt = edit.state === 'closed' ? world.now() : null;
  change.closedBy = edit.state === 'closed' ? edit.by : null;
  const action = edit.state === 'closed' ? 'closed' : 'reopened';
  change.timeline.push({ id: world.id('event'), kind: action, by: edit.by, at: world.now() });
  world.happen({ repository, by: edit.by, kind: 'change', action, change });
}

export interface MergePlan {
  readonly method: string;
  readonly message?: string;
  readonly by: Account;
}

/** The merge commit, or undefined on a conflict. Squash and rebase both write one commit on the target. */
export async function mergeChange(world: World, repository: Repository, change: Change, plan: MergePlan): Promise<string | undefined> {
  const base = await repository.git.resolve(`refs/heads/${change.base}`);
  const tree = base === undefined ? undefined : await repository.git.mergeTree(base, change.headSha);
  if (base === undefined || tree === undefined) return undefined;
  const at = world.now();
  const parents = plan.method === 'merge' ? [base, change.headSha] : [base];
  const message = plan.message ?? `Merge pull request #${change.number} from ${change.head}\n\n${change.title}`;
  const sha = await repository.git.commitTree(tree, { parents, message, author: plan.by, at });
  change.state = 'merged';
  change.merge = { sha, by: plan.by, at };
  change.closedAt = at;
  change.closedBy = plan.by;
  change.updatedAt = at;
  await pushBranch(world, repository, change.base, { sha, by: plan.by });
  world.happen({ repository, by: plan.by, kind: 'change', action: 'merged', change });
  return sha;
}

/** Sets the whole list of labels and tells of each that came or went. */
export function labelChange(world: World, repository: Repository, change: Change, edit: { readonly labels: readonly Label[]; readonly by: Account }): void {
  const came = edit.labels.filter(label => !change.labels.includes(label));
  const went = change.labels.filter(label => !edit.labels.includes(label));
  change.labels = [...new Set(edit.labels)];
  change.updatedAt = world.now();
  for (const [labels, action] of [
    [came, 'labeled'],
    [went, 'unlabeled'],
  ] as const)
    for (const label of labels) {
      change.timeline.push({ id: world.id('event'), kind: action, by: edit.by, at: world.now(), label });
      world.happen({
        repository,
        by: edit.by,
        kind: 'change',
        action,
        change,
        label,
        was: { labels: [...change.labels.filter(one => !came.includes(one)), ...went] },
      });
    }
}
