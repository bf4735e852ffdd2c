/** Records as Gitea and Forgejo print them. The two differ in a handful of fields only. */
import type { ChangedFile } from '../git/changed-file.ts';
import type { GitCommit } from '../git/git-store.ts';
import { type Answer, json } from '../http/call.ts';
import type { Site } from '../http/dialect.ts';
import { found } from '../http/repository-route.ts';
import { changeFiles, diffBase, placedLine, writtenUnder } from '../state/anchor.ts';
import { type Account, allows, type Permission } from '../state/account.ts';
import type { Change, Review, Thread } from '../state/change.ts';
import type { Issue, Label, Milestone, Reaction, Remark } from '../state/issue.ts';
import type { CommitStatus, Hook, Repository } from '../state/repository.ts';

type Json = Record<string, unknown>;

export const iso = (at: Date): string => at.toISOString().replace(/\.\d{3}Z$/, 'Z');
const isoOrNull = (at: Date | null): string | null => (at === null ? null : iso(at));

export const refuse = (status: number, message: string, more: Json = {}): Answer =>
  json({ message, url: 'https://gitea.invalid/api/swagger', ...more }, status);
export const notFound = (): Answer => refuse(404, "The target couldn't be found.", { errors: [] });
export const need = <T>(value: T | undefined | null): T => found(value, notFound);

export const pageOf = (site: Site, repository: Repository): string => `${site.url}/${repository.fullName}`;
const apiOf = (site: Site, repository: Repository): string => `${site.apiUrl}/repos/${repository.fullName}`;

/** Gitea has no draft flag: a title prefix says it. */
export const isDraftTitle = (title: string): boolean => /^(wip:|\[wip\])/i.test(title);

export const printUser = (site: Site, account: Account): Json => ({
  id: account.id,
  login: account.login,
  login_name: '',
  source_id: 0,
  full_name: account.name,
  email: account.email,
  avatar_url: `${site.url}/avatars/${account.id}`,
  html_url: `${site.url}/${account.login}`,
  language: '',
  is_admin: false,
  last_login: '0001-01-01T00:00:00Z',
  created: '2020-01-01T00:00:00Z',
  restricted: false,
  active: false,
  prohibit_login: false,
  location: '',
  website: '',
  description: '',
  visibility: 'public',
  followers_count: 0,
  following_count: 0,
  starred_repos_count: 0,
  username: account.login,
});

export const printPermissions = (held: Permission): Json => ({ admin: allows(held, 'admin'), push: allows(held, 'write'), pull: allows(held, 'read') });

export const printRepository = (site: Site, repository: Repository, held: Permission = 'read'): Json => ({
  id: repository.id,
  owner: printUser(site, repository.owner),
  name: repository.name,
  full_name: repository.fullName,
  description: '',
  empty: false,
  private: repository.private,
  fork: false,
  template: false,
  parent: null,
  mirror: false,
  size: 1,
  language: '',
  html_url: pageOf(site, repository),
  url: apiOf(site, repository),
  ssh_url: `git@${new URL(site.url).hostname}:${repository.fullName}.git`,
  clone_url: `${pageOf(site, repository)}.git`,
  default_branch: repository.defaultBranch,
  archived: false,
  created_at: iso(repository.createdAt),
  updated_at: iso(repository.createdAt),
  permissions: printPermissions(held),
  has_issues: true,
  has_pull_requests: true,
  allow_merge_commits: true,
  allow_squash_merge: true,
  default_merge_style: 'merge',
  internal: false,
  object_format_name: 'sha1',
});

export const printLabel = (site: Site, repository: Repository, label: Label): Json => ({
  id: label.id,
  name: label.name,
  exclusive: false,
  is_archived: false,
  color: label.color,
  description: label.description,
  url: `${apiOf(site, repository)}/labels/${label.id}`,
});

export function printMilestone(repository: Repository, milestone: Milestone): Json {
  const held = [...repository.issues, ...repository.changes].filter(one => one.milestone === milestone);
  return {
    id: milestone.id,
    title: milestone.title,
    description: milestone.description,
    state: milestone.state,
    open_issues: held.filter(one => one.state === 'open').length,
    closed_issues: held.filter(one => one.state !== 'open').length,
    created_at: iso(milestone.createdAt),
    updated_at: iso(milestone.createdAt),
    closed_at: null,
    due_on: milestone.dueOn,
  };
}

export async function printPull(site: Site, repository: Repository, change: Change): Promise<Json> {
  const files = await changeFiles(repository, change);
  const page = `${pageOf(site, repository)}/pulls/${change.number}`;
  const branch = (ref: string, sha: string): Json => ({ label: ref, ref, sha, repo_id: repository.id, repo: printRepository(site, repository) });
  return {
    id: change.id,
    url: page,
    number: change.number,
    user: printUser(site, change.author),
    title: change.title,
    body: change.body,
    labels: change.labels.map(label => printLabel(site, repository, label)),
    milestone: change.milestone === null ? null : printMilestone(repository, change.milestone),
    assignee: change.assignees[0] ? printUser(site, change.assignees[0]) : null,
    assignees: change.assignees.length > 0 ? change.assignees.map(account => printUser(site, account)) : null,
    requested_reviewers: change.reviewers.map(account => printUser(site, account)),
    requested_reviewers_teams: [],
    state: change.state === 'open' ? 'open' : 'closed',
    draft: isDraftTitle(change.title),
    is_locked: false,
    comments: change.remarks.length,
    review_comments: change.threads.reduce((sum, thread) => sum + thread.remarks.length, 0),
    additions: files.reduce((sum, file) => sum + file.additions, 0),
    deletions: files.reduce((sum, file) => sum + file.deletions, 0),
    changed_files: files.length,
    html_url: page,
    diff_url: `${page}.diff`,
    patch_url: `${page}.patch`,
    mergeable: change.state === 'open' && (await repository.git.mergeTree(change.baseSha, change.headSha)) !== undefined,
    merged: change.state === 'merged',
    merged_at: isoOrNull(change.merge?.at ?? null),
    merge_commit_sha: change.merge?.sha ?? null,
    merged_by: change.merge === null ? null : printUser(site, change.merge.by),
    allow_maintainer_edit: false,
    base: branch(change.base, change.baseSha),
    head: branch(change.head, change.headSha),
    merge_base: await diffBase(repository, change),
    due_date: null,
    created_at: iso(change.createdAt),
    updated_at: iso(change.updatedAt),
    closed_at: isoOrNull(change.closedAt),
    pin_order: 0,
  };
}

export function printFile(site: Site, repository: Repository, file: ChangedFile, commit: string): Json {
  const pure = file.additions + file.deletions === 0 && file.status === 'modified';
  const status = { added: 'added', modified: pure ? 'unchanged' : 'changed', removed: 'deleted', renamed: 'renamed', copied: 'copied' }[file.status];
  return {
    filename: file.path,
    ...(file.status === 'renamed' && { previous_filename: file.oldPath }),
    status,
    additions: file.additions,
    deletions: file.deletions,
    changes: file.additions + file.deletions,
    html_url: `${pageOf(site, repository)}/src/commit/${commit}/${file.path}`,
    contents_url: `${apiOf(site, repository)}/contents/${file.path}?ref=${commit}`,
    raw_url: `${pageOf(site, repository)}/raw/commit/${commit}/${file.path}`,
  };
}

export function printCommit(site: Site, repository: Repository, commit: GitCommit): Json {
  const url = `${apiOf(site, repository)}/git/commits/${commit.sha}`;
  return {
    url,
    sha: commit.sha,
    created: commit.author.date,
    html_url: `${pageOf(site, repository)}/commit/${commit.sha}`,
    commit: {
      url,
      author: commit.author,
      committer: commit.author,
      message: `${commit.message}\n`,
      tree: { url: `${apiOf(site, repository)}/git/trees/${commit.tree}`, sha: commit.tree, created: commit.author.date },
      verification: null,
    },
    author: null,
    committer: null,
    parents: commit.parents.map(sha => ({ url: `${apiOf(site, repository)}/git/commits/${sha}`, sha, created: '0001-01-01T00:00:00Z' })),
    files: null,
    stats: null,
  };
}

const REVIEW_STATES = {
  pending: 'PENDING',
  commented: 'COMMENT',
  approved: 'APPROVED',
  changes_requested: 'REQUEST_CHANGES',
  dismissed: 'REQUEST_CHANGES',
} as const;

export const printReview = (site: Site, repository: Repository, change: Change, review: Review): Json => ({
  id: review.id,
  user: printUser(site, review.author),
  team: null,
  state: REVIEW_STATES[review.state],
  body: review.body,
  commit_id: review.commit,
  stale: review.commit !== change.headSha,
  official: false,
  dismissed: review.state === 'dismissed',
  comments_count: review.threads.reduce((sum, thread) => sum + thread.remarks.length, 0),
  submitted_at: iso(review.submittedAt ?? change.updatedAt),
  updated_at: iso(review.submittedAt ?? change.updatedAt),
  html_url: `${pageOf(site, repository)}/pulls/${change.number}#issuecomment-${review.id}`,
  pull_request_url: `${pageOf(site, repository)}/pulls/${change.number}`,
});

/** `position` is the new file's line and `original_position` the old file's: one of them is 0. */
export async function printReviewComment(
  site: Site,
  repository: Repository,
  change: Change,
  said: { readonly thread: Thread; readonly remark: Remark },
): Promise<Json> {
  const { thread, remark } = said;
  const place = need(thread.place);
  const at = placedLine(place) ?? 0;
  return {
    id: remark.id,
    body: remark.body,
    user: printUser(site, remark.author),
    resolver: thread.resolvedBy === null ? null : printUser(site, thread.resolvedBy),
    pull_request_review_id: thread.review?.id ?? 0,
    created_at: iso(remark.createdAt),
    updated_at: iso(remark.updatedAt),
    path: place.path,
    commit_id: place.commit,
    original_commit_id: '',
    diff_hunk: (await writtenUnder(repository, place)).hunk,
    position: place.side === 'NEW' ? at : 0,
    original_position: place.side === 'OLD' ? at : 0,
    html_url: `${pageOf(site, repository)}/pulls/${change.number}/files#issuecomment-${remark.id}`,
    pull_request_url: `${pageOf(site, repository)}/pulls/${change.number}`,
  };
}

export function printRemark(site: Site, repository: Repository, subject: Change | Issue, remark: Remark): Json {
  const pull = 'headSha' in subject;
  const page = `${pageOf(site, repository)}/${pull ? 'pulls' : 'issues'}/${subject.number}`;
  return {
    id: remark.id,
    html_url: `${page}#issuecomment-${remark.id}`,
    pull_request_url: pull ? page : '',
    issue_url: pull ? '' : page,
    user: printUser(site, remark.author),
    original_author: '',
    original_author_id: 0,
    body: remark.body,
    assets: [],
    created_at: iso(remark.createdAt),
    updated_at: iso(remark.updatedAt),
  };
}

export function printIssue(site: Site, repository: Repository, issue: Change | Issue): Json {
  const pull = 'headSha' in issue;
  return {
    id: issue.id,
    url: `${apiOf(site, repository)}/issues/${issue.number}`,
    html_url: `${pageOf(site, repository)}/${pull ? 'pulls' : 'issues'}/${issue.number}`,
    number: issue.number,
    user: printUser(site, issue.author),
    original_author: '',
    original_author_id: 0,
    title: issue.title,
    body: issue.body,
    ref: '',
    assets: [],
    labels: issue.labels.map(label => printLabel(site, repository, label)),
    milestone: issue.milestone === null ? null : printMilestone(repository, issue.milestone),
    assignee: null,
    assignees: null,
    state: issue.state === 'open' ? 'open' : 'closed',
    is_locked: false,
    comments: issue.remarks.length,
    created_at: iso(issue.createdAt),
    updated_at: iso(issue.updatedAt),
    closed_at: isoOrNull(issue.closedAt),
    due_date: null,
    pull_request: pull
      ? {
          merged: issue.state === 'merged',
          merged_at: isoOrNull(issue.merge?.at ?? null),
          draft: isDraftTitle(issue.title),
          html_url: `${pageOf(site, repository)}/pulls/${issue.number}`,
        }
      : null,
    repository: { id: repository.id, name: repository.name, owner: repository.owner.login, full_name: repository.fullName },
    pin_order: 0,
  };
}

export const printStatus = (site: Site, repository: Repository, status: CommitStatus): Json => ({
  id: status.id,
  status: status.state,
  target_url: status.targetUrl ?? '',
  description: status.description ?? '',
  url: `${apiOf(site, repository)}/statuses/${status.sha}`,
  context: status.context,
  creator: printUser(site, status.by),
  created_at: iso(status.createdAt),
  updated_at: iso(status.updatedAt),
});

export const printReaction = (site: Site, reaction: Reaction): Json => ({
  user: printUser(site, reaction.by),
  content: reaction.content,
  created_at: iso(reaction.at),
});

/** The secret is never given back. */
export const printHook = (hook: Hook): Json => ({
  id: hook.id,
  type: 'gitea',
  branch_filter: '*',
  config: { content_type: hook.contentType, url: hook.url },
  events: hook.events,
  authorization_header: '',
  active: hook.active,
  updated_at: iso(hook.updatedAt),
  created_at: iso(hook.createdAt),
});
