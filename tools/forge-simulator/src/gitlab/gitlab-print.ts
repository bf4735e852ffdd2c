/** Records and refusals as GitLab prints them. */
import type { ChangedFile } from '../git/changed-file.ts';
import type { GitCommit } from '../git/git-store.ts';
import { type Answer, json } from '../http/call.ts';
import type { Site } from '../http/dialect.ts';
import { found } from '../http/repository-route.ts';
import { changeFiles, diffBase } from '../state/anchor.ts';
import type { Account, Permission } from '../state/account.ts';
import type { Change, Place, Thread } from '../state/change.ts';
import type { Issue, Label, Milestone, Remark } from '../state/issue.ts';
import type { Hook, Repository } from '../state/repository.ts';

type Json = Record<string, unknown>;

export const iso = (at: Date): string => at.toISOString();
export const isoOrNull = (at: Date | null): string | null => (at === null ? null : iso(at));

export const refuse = (status: number, message: unknown): Answer => json({ message }, status);
export const notFound = (what = ''): Answer => refuse(404, what === '' ? '404 Not found' : `404 ${what} Not Found`);
export const need = <T>(value: T | undefined | null, what = ''): T => found(value, () => notFound(what));
/** What the parameter check in front of the API says. */
export const missing = (name: string): Answer => json({ error: `${name} is missing` }, 400);

export const LEVELS: Readonly<Record<Permission, number>> = { none: 0, read: 20, triage: 20, write: 30, maintain: 40, admin: 50 };

/** A draft is a title prefix here, too. */
export const isDraftTitle = (title: string): boolean => /^\s*(draft:|\[draft\]|\(draft\))/i.test(title);

export const pageOf = (site: Site, repository: Repository): string => `${site.url}/${repository.fullName}`;

export const printUser = (site: Site, account: Account): Json => ({
  id: account.id,
  username: account.login,
  public_email: '',
  name: account.name,
  state: 'active',
  locked: false,
  avatar_url: `${site.url}/uploads/-/system/user/avatar/${account.id}/avatar.png`,
  web_url: `${site.url}/${account.login}`,
});

export const printOwnUser = (site: Site, account: Account): Json => ({
  ...printUser(site, account),
  created_at: '2020-01-01T00:00:00.000Z',
  bio: '',
  location: '',
  bot: account.kind === 'bot',
  email: account.email,
  commit_email: account.email,
  confirmed_at: '2020-01-01T00:00:00.000Z',
  two_factor_enabled: false,
  identities: [],
  can_create_group: true,
  can_create_project: true,
  external: false,
  private_profile: false,
});

export const printProject = (site: Site, repository: Repository): Json => ({
  id: repository.id,
  description: null,
  name: repository.name,
  name_with_namespace: `${repository.owner.name} / ${repository.name}`,
  path: repository.name,
  path_with_namespace: repository.fullName,
  created_at: iso(repository.createdAt),
  default_branch: repository.defaultBranch,
  tag_list: [],
  topics: [],
  ssh_url_to_repo: `git@${new URL(site.url).hostname}:${repository.fullName}.git`,
  http_url_to_repo: `${pageOf(site, repository)}.git`,
  web_url: pageOf(site, repository),
  readme_url: null,
  forks_count: 0,
  avatar_url: null,
  star_count: 0,
  last_activity_at: iso(repository.createdAt),
  namespace: {
    id: repository.owner.id,
    name: repository.owner.name,
    path: repository.owner.login,
    kind: 'user',
    full_path: repository.owner.login,
    parent_id: null,
    web_url: `${site.url}/${repository.owner.login}`,
  },
  visibility: repository.private ? 'private' : 'public',
  archived: false,
  empty_repo: false,
  issues_enabled: true,
  merge_requests_enabled: true,
  merge_method: 'merge',
  squash_option: 'default_off',
  only_allow_merge_if_all_discussions_are_resolved: false,
});

/** The three commits that a position names. */
export async function diffRefs(
  repository: Repository,
  change: Change,
): Promise<{ readonly base_sha: string; readonly head_sha: string; readonly start_sha: string }> {
  return { base_sha: await diffBase(repository, change), head_sha: change.headSha, start_sha: change.baseSha };
}

const STATES = { open: 'opened', closed: 'closed', merged: 'merged' } as const;

/** How and by whom it ended. */
function printEnd(site: Site, change: Change): Json {
  const merger = change.merge === null ? null : printUser(site, change.merge.by);
  const closed = change.state === 'closed';
  return {
    merged_by: merger,
    merge_user: merger,
    merged_at: isoOrNull(change.merge?.at ?? null),
    closed_by: closed && change.closedBy ? printUser(site, change.closedBy) : null,
    closed_at: closed ? isoOrNull(change.closedAt) : null,
    merge_commit_sha: change.merge?.sha ?? null,
    squash_commit_sha: null,
  };
}

export function printMergeRequest(site: Site, repository: Repository, change: Change): Json {
  const page = `${pageOf(site, repository)}/-/merge_requests/${change.number}`;
  return {
    id: change.id,
    iid: change.number,
    project_id: repository.id,
    title: change.title,
    description: change.body,
    state: STATES[change.state],
    created_at: iso(change.createdAt),
    updated_at: iso(change.updatedAt),
    ...printEnd(site, change),
    target_branch: change.base,
    source_branch: change.head,
    user_notes_count: change.threads.reduce((sum, thread) => sum + thread.remarks.length, 0),
    upvotes: 0,
    downvotes: 0,
    author: printUser(site, change.author),
    assignees: change.assignees.map(account => printUser(site, account)),
    assignee: change.assignees[0] ? printUser(site, change.assignees[0]) : null,
    reviewers: change.reviewers.map(account => printUser(site, account)),
    source_project_id: repository.id,
    target_project_id: repository.id,
    labels: change.labels.map(label => label.name),
    draft: isDraftTitle(change.title),
    imported: false,
    imported_from: 'none',
    work_in_progress: isDraftTitle(change.title),
    milestone: change.milestone === null ? null : printMilestone(site, repository, change.milestone),
    merge_when_pipeline_succeeds: change.autoMerge !== null,
    merge_status: 'can_be_merged',
    detailed_merge_status: change.state !== 'open' ? 'not_open' : isDraftTitle(change.title) ? 'draft_status' : 'mergeable',
    sha: change.headSha,
    discussion_locked: null,
    should_remove_source_branch: null,
    force_remove_source_branch: false,
    prepared_at: iso(change.createdAt),
    reference: `!${change.number}`,
    references: { short: `!${change.number}`, relative: `!${change.number}`, full: `${repository.fullName}!${change.number}` },
    web_url: page,
    time_stats: { time_estimate: 0, total_time_spent: 0, human_time_estimate: null, human_total_time_spent: null },
    squash: false,
    squash_on_merge: false,
    task_completion_status: { count: 0, completed_count: 0 },
    has_conflicts: false,
    blocking_discussions_resolved: change.threads.every(thread => thread.individual || thread.resolved),
  };
}

export async function printWholeMergeRequest(site: Site, repository: Repository, change: Change): Promise<Json> {
  const files = await changeFiles(repository, change);
  const conflicts = change.state === 'open' && (await repository.git.mergeTree(change.baseSha, change.headSha)) === undefined;
  return {
    ...printMergeRequest(site, repository, change),
    has_conflicts: conflicts,
    ...(conflicts && { merge_status: 'cannot_be_merged', detailed_merge_status: 'conflict' }),
    subscribed: false,
    changes_count: String(files.length),
    latest_build_started_at: null,
    latest_build_finished_at: null,
    first_deployed_to_production_at: null,
    pipeline: null,
    head_pipeline: null,
    diff_refs: await diffRefs(repository, change),
    merge_error: null,
    user: { can_merge: true },
  };
}

export const printDiff = (file: ChangedFile, unidiff: boolean): Json => ({
  diff:
    file.patch === null
      ? ''
      : `${unidiff ? `--- ${file.status === 'added' ? '/dev/null' : `a/${file.oldPath}`}\n+++ ${file.status === 'removed' ? '/dev/null' : `b/${file.path}`}\n` : ''}${file.patch}\n`,
  collapsed: false,
  too_large: false,
  new_path: file.path,
  old_path: file.oldPath,
  a_mode: file.oldMode === '000000' ? '0' : file.oldMode,
  b_mode: file.newMode === '000000' ? '0' : file.newMode,
  new_file: file.status === 'added',
  renamed_file: file.status === 'renamed',
  deleted_file: file.status === 'removed',
  generated_file: false,
});

export const printCommit = (site: Site, repository: Repository, commit: GitCommit): Json => ({
  id: commit.sha,
  short_id: commit.sha.slice(0, 8),
  created_at: commit.author.date,
  parent_ids: commit.parents,
  title: commit.message.split('\n')[0],
  message: commit.message,
  author_name: commit.author.name,
  author_email: commit.author.email,
  authored_date: commit.author.date,
  committer_name: commit.author.name,
  committer_email: commit.author.email,
  committed_date: commit.author.date,
  trailers: {},
  extended_trailers: {},
  web_url: `${pageOf(site, repository)}/-/commit/${commit.sha}`,
});

export function printNote(site: Site, repository: Repository, subject: Change | Issue, said: { readonly thread: Thread; readonly remark: Remark }): Json {
  const { thread, remark } = said;
  const inline = thread.place !== null;
  const resolvable = !thread.individual;
  return {
    id: remark.id,
    type: inline ? 'DiffNote' : thread.individual ? null : 'DiscussionNote',
    body: remark.body,
    author: printUser(site, remark.author),
    created_at: iso(remark.createdAt),
    updated_at: iso(remark.updatedAt),
    system: false,
    noteable_id: subject.id,
    noteable_type: 'headSha' in subject ? 'MergeRequest' : 'Issue',
    project_id: repository.id,
    ...(inline && { commit_id: null, position: printPosition(thread.place) }),
    resolvable,
    ...(resolvable && {
      resolved: thread.resolved,
      resolved_by: thread.resolvedBy === null ? null : printUser(site, thread.resolvedBy),
      resolved_at: thread.resolved ? iso(remark.updatedAt) : null,
    }),
    ...(inline && { suggestions: [] }),
    confidential: false,
    internal: false,
    imported: false,
    imported_from: 'none',
    noteable_iid: subject.number,
    commands_changes: {},
  };
}

export const printPosition = (place: Place | null): Json | null => (place === null ? null : { ...place.vendor });

export const printDiscussion = (site: Site, repository: Repository, subject: Change | Issue, thread: Thread): Json => ({
  id: thread.key,
  individual_note: thread.individual,
  notes: thread.remarks.map(remark => printNote(site, repository, subject, { thread, remark })),
});

export const printLabel = (repository: Repository, label: Label): Json => ({
  id: label.id,
  name: label.name,
  description: label.description === '' ? null : label.description,
  description_html: label.description,
  text_color: '#FFFFFF',
  color: `#${label.color}`,
  archived: false,
  open_issues_count: repository.issues.filter(issue => issue.labels.includes(label) && issue.state === 'open').length,
  closed_issues_count: repository.issues.filter(issue => issue.labels.includes(label) && issue.state === 'closed').length,
  open_merge_requests_count: repository.changes.filter(change => change.labels.includes(label) && change.state === 'open').length,
  subscribed: false,
  priority: null,
  is_project_label: true,
});

export const printMilestone = (site: Site, repository: Repository, milestone: Milestone): Json => ({
  id: milestone.id,
  iid: milestone.number,
  project_id: repository.id,
  title: milestone.title,
  description: milestone.description,
  state: milestone.state === 'open' ? 'active' : 'closed',
  created_at: iso(milestone.createdAt),
  updated_at: iso(milestone.createdAt),
  due_date: milestone.dueOn,
  start_date: null,
  expired: false,
  web_url: `${pageOf(site, repository)}/-/milestones/${milestone.number}`,
});

export const printIssue = (site: Site, repository: Repository, issue: Issue): Json => ({
  id: issue.id,
  iid: issue.number,
  project_id: repository.id,
  title: issue.title,
  description: issue.body,
  state: issue.state === 'open' ? 'opened' : 'closed',
  created_at: iso(issue.createdAt),
  updated_at: iso(issue.updatedAt),
  closed_at: isoOrNull(issue.closedAt),
  closed_by: null,
  labels: issue.labels.map(label => label.name),
  milestone: issue.milestone === null ? null : printMilestone(site, repository, issue.milestone),
  assignees: [],
  author: printUser(site, issue.author),
  type: 'ISSUE',
  assignee: null,
  user_notes_count: issue.remarks.length,
  merge_requests_count: 0,
  upvotes: 0,
  downvotes: 0,
  due_date: null,
  confidential: false,
  discussion_locked: null,
  issue_type: 'issue',
  web_url: `${pageOf(site, repository)}/-/issues/${issue.number}`,
  references: { short: `#${issue.number}`, relative: `#${issue.number}`, full: `${repository.fullName}#${issue.number}` },
  severity: 'UNKNOWN',
});

export const HOOK_SWITCHES = [
  'push_events',
  'issues_events',
  'confidential_issues_events',
  'merge_requests_events',
  'tag_push_events',
  'note_events',
  'confidential_note_events',
  'job_events',
  'pipeline_events',
  'wiki_page_events',
  'releases_events',
  'emoji_events',
];

/** Push events are on unless switched off; everything else is off. The token is never given back. */
export const hookSwitch = (hook: Hook, name: string): boolean =>
  typeof hook.fields[name] === 'boolean' ? hook.fields[name] : hook.events.includes(name) || (name === 'push_events' && hook.events.length === 0);

export const printHook = (repository: Repository, hook: Hook): Json => ({
  id: hook.id,
  url: hook.url,
  name: null,
  description: null,
  created_at: iso(hook.createdAt),
  project_id: repository.id,
  ...Object.fromEntries(HOOK_SWITCHES.map(name => [name, hookSwitch(hook, name)])),
  push_events_branch_filter: null,
  enable_ssl_verification: hook.fields['enable_ssl_verification'] ?? true,
  alert_status: 'executable',
  disabled_until: null,
  url_variables: [],
  custom_webhook_template: null,
  custom_headers: [],
});
