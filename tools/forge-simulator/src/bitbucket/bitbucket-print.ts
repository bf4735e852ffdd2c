/** Records and refusals as Bitbucket Cloud prints them. Commits of a pull request are cut to twelve digits, as there. */
import type { ChangedFile } from '../git/changed-file.ts';
import type { GitCommit } from '../git/git-store.ts';
import { type Answer, json } from '../http/call.ts';
import type { Site } from '../http/dialect.ts';
import { found } from '../http/repository-route.ts';
import type { Account, Permission } from '../state/account.ts';
import type { Change, Thread } from '../state/change.ts';
import type { Remark } from '../state/issue.ts';
import type { CommitStatus, Hook, Repository } from '../state/repository.ts';

type Json = Record<string, unknown>;

export const iso = (at: Date): string => at.toISOString().replace('Z', '000+00:00');
export const braced = (uuid: string): string => `{${uuid}}`;

export const refuse = (status: number, message: string, fields?: Readonly<Record<string, readonly string[]>>): Answer =>
  json({ type: 'error', error: { message, ...(fields && { fields }) } }, status);
export const notFound = (): Answer => refuse(404, 'Resource not found');
export const need = <T>(value: T | undefined | null): T => found(value, notFound);

const link = (href: string): Json => ({ href });
export const apiOf = (site: Site, repository: Repository): string => `${site.apiUrl}/repositories/${repository.fullName}`;
export const pageOf = (site: Site, repository: Repository): string => `${site.url}/${repository.fullName}`;

export const printUser = (site: Site, account: Account): Json => ({
  display_name: account.name,
  links: {
    self: link(`${site.apiUrl}/users/${encodeURIComponent(braced(account.uuid))}`),
    avatar: link(`${site.url}/account/${account.login}/avatar`),
    html: link(`${site.url}/${encodeURIComponent(braced(account.uuid))}/`),
  },
  type: account.kind === 'bot' ? 'app_user' : 'user',
  uuid: braced(account.uuid),
  account_id: `557058:${account.uuid}`,
  nickname: account.login,
});

export const printRepository = (site: Site, repository: Repository): Json => ({
  type: 'repository',
  full_name: repository.fullName,
  links: { self: link(apiOf(site, repository)), html: link(pageOf(site, repository)), avatar: link(`${site.url}/avatars/${repository.uuid}`) },
  name: repository.name,
  uuid: braced(repository.uuid),
});

export const printWholeRepository = (site: Site, repository: Repository): Json => ({
  ...printRepository(site, repository),
  slug: repository.name,
  is_private: repository.private,
  scm: 'git',
  description: '',
  owner: printUser(site, repository.owner),
  workspace: { type: 'workspace', slug: repository.owner.login, name: repository.owner.name, uuid: braced(repository.owner.uuid) },
  project: { type: 'project', key: 'SIM', name: 'Simulated', uuid: braced(repository.uuid) },
  mainbranch: { type: 'branch', name: repository.defaultBranch },
  created_on: iso(repository.createdAt),
  updated_on: iso(repository.createdAt),
  size: 1,
  language: '',
  has_issues: false,
  has_wiki: false,
  fork_policy: 'allow_forks',
});

const STATES = { open: 'OPEN', closed: 'DECLINED', merged: 'MERGED' } as const;

const rendered = (raw: string): Json => ({ type: 'rendered', raw, markup: 'markdown', html: `<p>${raw.replace(/&/g, '&amp;').replace(/</g, '&lt;')}</p>` });

export function printPull(site: Site, repository: Repository, change: Change): Json {
  const url = `${apiOf(site, repository)}/pullrequests/${change.number}`;
  const end = (branch: string, sha: string): Json => ({
    branch: { name: branch },
    commit: {
      type: 'commit',
      hash: sha.slice(0, 12),
      links: { self: link(`${apiOf(site, repository)}/commit/${sha.slice(0, 12)}`), html: link(`${pageOf(site, repository)}/commits/${sha.slice(0, 12)}`) },
    },
    repository: printRepository(site, repository),
  });
  const tails = ['commits', 'approve', 'request-changes', 'diff', 'diffstat', 'comments', 'activity', 'merge', 'decline', 'statuses'];
  return {
    comment_count: change.threads.reduce((sum, thread) => sum + thread.remarks.filter(remark => !remark.deleted).length, 0),
    task_count: 0,
    type: 'pullrequest',
    id: change.number,
    title: change.title,
    description: change.body,
    rendered: { title: rendered(change.title), description: rendered(change.body), reason: rendered('') },
    state: STATES[change.state],
    draft: change.draft,
    merge_commit: change.merge === null ? null : { type: 'commit', hash: change.merge.sha.slice(0, 12) },
    close_source_branch: false,
    closed_by: change.closedBy === null ? null : printUser(site, change.closedBy),
    author: printUser(site, change.author),
    reason: '',
    created_on: iso(change.createdAt),
    updated_on: iso(change.updatedAt),
    destination: end(change.base, change.baseSha),
    source: end(change.head, change.headSha),
    reviewers: change.reviewers.map(account => printUser(site, account)),
    participants: [...new Set([...change.reviewers, ...change.approvals])].map(account => printParticipant(site, change, account)),
    links: {
      self: link(url),
      html: link(`${pageOf(site, repository)}/pull-requests/${change.number}`),
      ...Object.fromEntries(tails.map(tail => [tail, link(`${url}/${tail}`)])),
    },
    summary: rendered(change.body),
  };
}

export function printParticipant(site: Site, change: Change, account: Account): Json {
  const approved = change.approvals.includes(account);
  const asked = change.reviews.some(review => review.author.id === account.id && review.state === 'changes_requested');
  return {
    type: 'participant',
    user: printUser(site, account),
    role: change.reviewers.includes(account) ? 'REVIEWER' : 'PARTICIPANT',
    approved,
    state: approved ? 'approved' : asked ? 'changes_requested' : null,
    participated_on: iso(change.updatedAt),
  };
}

export function printComment(site: Site, repository: Repository, change: Change, said: { readonly thread: Thread; readonly remark: Remark }): Json {
  const { thread, remark } = said;
  const url = `${apiOf(site, repository)}/pullrequests/${change.number}/comments/${remark.id}`;
  const page = `${pageOf(site, repository)}/pull-requests/${change.number}`;
  const first = thread.remarks[0] === remark;
  return {
    id: remark.id,
    created_on: iso(remark.createdAt),
    updated_on: iso(remark.updatedAt),
    content: rendered(remark.deleted ? '' : remark.body),
    user: printUser(site, remark.author),
    deleted: remark.deleted,
    ...(remark.parent !== null && { parent: { id: remark.parent, links: { self: link(url), html: link(page) } } }),
    ...(thread.place !== null && { inline: { ...thread.place.vendor } }),
    pending: false,
    type: 'pullrequest_comment',
    links: {
      self: link(url),
      html: link(`${page}/_/diff#comment-${remark.id}`),
      code: link(`${apiOf(site, repository)}/diff/${repository.fullName}:${change.headSha.slice(0, 12)}..${change.baseSha.slice(0, 12)}`),
    },
    pullrequest: {
      type: 'pullrequest',
      id: change.number,
      title: change.title,
      links: { self: link(`${apiOf(site, repository)}/pullrequests/${change.number}`), html: link(page) },
    },
    ...(first && thread.resolved && thread.resolvedBy && { resolution: printResolution(site, thread, remark) }),
  };
}

export const printResolution = (site: Site, thread: Thread, remark: Remark): Json => ({
  type: 'comment_resolution',
  user: thread.resolvedBy === null ? null : printUser(site, thread.resolvedBy),
  created_on: iso(remark.updatedAt),
});

export function printDiffstat(site: Site, repository: Repository, file: ChangedFile, commits: { readonly base: string; readonly head: string }): Json {
  const side = (path: string, commit: string): Json => ({
    path,
    escaped_path: path.split('/').map(encodeURIComponent).join('/'),
    type: 'commit_file',
    links: { self: link(`${apiOf(site, repository)}/src/${commit}/${path}`) },
  });
  return {
    type: 'diffstat',
    lines_added: file.additions,
    lines_removed: file.deletions,
    status: file.status === 'copied' ? 'added' : file.status,
    old: file.status === 'added' || file.status === 'copied' ? null : side(file.oldPath, commits.base),
    new: file.status === 'removed' ? null : side(file.path, commits.head),
  };
}

export const printCommit = (site: Site, repository: Repository, commit: GitCommit): Json => ({
  type: 'commit',
  hash: commit.sha,
  date: commit.author.date.replace('Z', '+00:00'),
  author: { type: 'author', raw: `${commit.author.name} <${commit.author.email}>` },
  message: `${commit.message}\n`,
  summary: rendered(commit.message),
  parents: commit.parents.map(hash => ({ type: 'commit', hash, links: { self: link(`${apiOf(site, repository)}/commit/${hash}`) } })),
  repository: printRepository(site, repository),
  links: { self: link(`${apiOf(site, repository)}/commit/${commit.sha}`), html: link(`${pageOf(site, repository)}/commits/${commit.sha}`) },
});

export const printStatus = (site: Site, repository: Repository, status: CommitStatus, name: string | null): Json => ({
  key: status.context,
  type: 'build',
  state: status.state,
  name: name ?? status.context,
  refname: null,
  commit: { type: 'commit', hash: status.sha, links: { self: link(`${apiOf(site, repository)}/commit/${status.sha}`) } },
  url: status.targetUrl,
  repository: printRepository(site, repository),
  description: status.description ?? '',
  created_on: iso(status.createdAt),
  updated_on: iso(status.updatedAt),
  links: {
    self: link(`${apiOf(site, repository)}/commit/${status.sha}/statuses/build/${encodeURIComponent(status.context)}`),
    commit: link(`${apiOf(site, repository)}/commit/${status.sha}`),
  },
});

export const printHook = (site: Site, repository: Repository, hook: Hook): Json => ({
  type: 'webhook_subscription',
  uuid: braced(hook.uuid),
  url: hook.url,
  description: hook.fields['description'] ?? '',
  subject_type: 'repository',
  subject: printRepository(site, repository),
  active: hook.active,
  created_at: iso(hook.createdAt),
  events: hook.events,
  secret_set: hook.secret !== null,
  skip_cert_verification: false,
  history_enabled: false,
  links: { self: link(`${apiOf(site, repository)}/hooks/${encodeURIComponent(braced(hook.uuid))}`) },
});

/** Three words only: read, write, admin. */
export const permissionWord = (held: Permission): string => (held === 'admin' ? 'admin' : held === 'write' || held === 'maintain' ? 'write' : 'read');
