/** Accounts, repositories, labels and milestones as GitHub prints them. */
import type { Site } from '../http/dialect.ts';
import { type Account, allows, type Permission } from '../state/account.ts';
import type { Label, Milestone, Reaction, Remark } from '../state/issue.ts';

import type { Repository } from '../state/repository.ts';
import { iso, nodeId } from './github-words.ts';

type Json = Record<string, unknown>;

const USER_LINKS = [
  'followers',
  'following{/other_user}',
  'gists{/gist_id}',
  'starred{/owner}{/repo}',
  'subscriptions',
  'repos',
  'events{/privacy}',
  'received_events',
];
const USER_TYPE = { user: 'User', bot: 'Bot', organization: 'Organization' } as const;

export function printUser(site: Site, account: Account): Json {
  const url = `${site.apiUrl}/users/${encodeURIComponent(account.login)}`;
  return {
    login: account.login,
    id: account.id,
    node_id: nodeId('U', account.id),
    avatar_url: `${site.url}/avatars/u/${account.id}?v=4`,
    gravatar_id: '',
    url,
    html_url: `${site.url}/${account.kind === 'bot' ? `apps/${account.login.replace('[bot]', '')}` : account.login}`,
    organizations_url: `${url}/orgs`,
    ...Object.fromEntries(USER_LINKS.map(link => [`${link.replace(/\{.*/, '')}_url`, `${url}/${link}`])),
    type: USER_TYPE[account.kind],
    user_view_type: 'public',
    site_admin: false,
  };
}

export const printOwnUser = (site: Site, account: Account): Json => ({
  ...printUser(site, account),
  name: account.name,
  company: null,
  blog: '',
  location: null,
  email: account.email,
  hireable: null,
  bio: null,
  twitter_username: null,
  public_repos: 1,
  public_gists: 0,
  followers: 0,
  following: 0,
  created_at: '2020-01-01T00:00:00Z',
  updated_at: '2020-01-01T00:00:00Z',
});

const REPOSITORY_LINKS: Readonly<Record<string, string>> = {
  archive_url: '/{archive_format}{/ref}',
  assignees_url: '/assignees{/user}',
  blobs_url: '/git/blobs{/sha}',
  branches_url: '/branches{/branch}',
  collaborators_url: '/collaborators{/collaborator}',
  comments_url: '/comments{/number}',
  commits_url: '/commits{/sha}',
  compare_url: '/compare/{base}...{head}',
  contents_url: '/contents/{+path}',
  contributors_url: '/contributors',
  deployments_url: '/deployments',
  downloads_url: '/downloads',
  events_url: '/events',
  forks_url: '/forks',
  git_commits_url: '/git/commits{/sha}',
  git_refs_url: '/git/refs{/sha}',
  git_tags_url: '/git/tags{/sha}',
  hooks_url: '/hooks',
  issue_comment_url: '/issues/comments{/number}',
  issue_events_url: '/issues/events{/number}',
  issues_url: '/issues{/number}',
  keys_url: '/keys{/key_id}',
  labels_url: '/labels{/name}',
  languages_url: '/languages',
  merges_url: '/merges',
  milestones_url: '/milestones{/number}',
  notifications_url: '/notifications{?since,all,participating}',
  pulls_url: '/pulls{/number}',
  releases_url: '/releases{/id}',
  stargazers_url: '/stargazers',
  statuses_url: '/statuses/{sha}',
  subscribers_url: '/subscribers',
  subscription_url: '/subscription',
  tags_url: '/tags',
  teams_url: '/teams',
  trees_url: '/git/trees{/sha}',
};

export const repositoryUrl = (site: Site, repository: Repository): string => `${site.apiUrl}/repos/${repository.fullName}`;
export const pageOf = (site: Site, repository: Repository): string => `${site.url}/${repository.fullName}`;

export function printRepository(site: Site, repository: Repository, held?: Permission): Json {
  const url = repositoryUrl(site, repository);
  const page = pageOf(site, repository);
  return {
    id: repository.id,
    node_id: nodeId('R', repository.id),
    name: repository.name,
    full_name: repository.fullName,
    private: repository.private,
    owner: printUser(site, repository.owner),
    html_url: page,
    description: null,
    fork: false,
    url,
    ...Object.fromEntries(Object.entries(REPOSITORY_LINKS).map(([name, tail]) => [name, `${url}${tail}`])),
    git_url: `git:${page.slice(page.indexOf('//'))}.git`,
    svn_url: page,
    mirror_url: null,
    homepage: null,
    has_downloads: true,
    has_pages: false,
    has_discussions: false,
    forks_count: 0,
    network_count: 0,
    subscribers_count: 0,
    web_commit_signoff_required: false,
    ssh_url: `git@${new URL(site.url).hostname}:${repository.fullName}.git`,
    clone_url: `${page}.git`,
    created_at: iso(repository.createdAt),
    updated_at: iso(repository.createdAt),
    pushed_at: iso(repository.createdAt),
    size: 1,
    stargazers_count: 0,
    watchers_count: 0,
    language: 'TypeScript',
    has_issues: true,
    has_projects: true,
    has_wiki: true,
    archived: false,
    disabled: false,
    visibility: repository.private ? 'private' : 'public',
    open_issues_count: repository.issues.filter(issue => issue.state === 'open').length,
    license: null,
    allow_forking: true,
    is_template: false,
    topics: [],
    forks: 0,
    open_issues: repository.issues.filter(issue => issue.state === 'open').length,
    watchers: 0,
    default_branch: repository.defaultBranch,
    allow_auto_merge: true,
    ...(held && { permissions: printPermissions(held) }),
  };
}

export const printPermissions = (held: Permission): Json => ({
  admin: allows(held, 'admin'),
  maintain: allows(held, 'maintain'),
  push: allows(held, 'write'),
  triage: allows(held, 'triage'),
  pull: allows(held, 'read'),
});

export const printLabel = (site: Site, repository: Repository, label: Label): Json => ({
  id: label.id,
  node_id: nodeId('LA', label.id),
  url: `${repositoryUrl(site, repository)}/labels/${encodeURIComponent(label.name)}`,
  name: label.name,
  color: label.color,
  default: false,
  description: label.description === '' ? null : label.description,
});

export function printMilestone(site: Site, repository: Repository, milestone: Milestone): Json {
  const url = `${repositoryUrl(site, repository)}/milestones/${milestone.number}`;
  const held = [...repository.issues, ...repository.changes].filter(one => one.milestone === milestone);
  return {
    url,
    html_url: `${pageOf(site, repository)}/milestone/${milestone.number}`,
    labels_url: `${url}/labels`,
    id: milestone.id,
    node_id: nodeId('MI', milestone.id),
    number: milestone.number,
    title: milestone.title,
    description: milestone.description,
    creator: printUser(site, milestone.by),
    open_issues: held.filter(one => one.state === 'open').length,
    closed_issues: held.filter(one => one.state !== 'open').length,
    state: milestone.state,
    created_at: iso(milestone.createdAt),
    updated_at: iso(milestone.createdAt),
    due_on: milestone.dueOn,
    closed_at: null,
  };
}

const REACTIONS = ['+1', '-1', 'laugh', 'hooray', 'confused', 'heart', 'rocket', 'eyes'];

export const printReactions = (url: string, reactions: readonly Reaction[]): Json => ({
  url: `${url}/reactions`,
  total_count: reactions.length,
  ...Object.fromEntries(REACTIONS.map(content => [content, reactions.filter(one => one.content === content).length])),
});

/** OWNER, MEMBER, COLLABORATOR or NONE: what a filter on authors reads. */
export function association(repository: Repository, account: Account): string {
  if (account.id === repository.owner.id) return 'OWNER';
  const held = repository.permissions.get(account.id);
  return held !== undefined && allows(held, 'write') ? 'COLLABORATOR' : 'NONE';
}

export function printRemark(site: Site, repository: Repository, remark: Remark, number: number): Json {
  const url = `${repositoryUrl(site, repository)}/issues/comments/${remark.id}`;
  const kind = repository.changes.some(change => change.number === number) ? 'pull' : 'issues';
  return {
    url,
    html_url: `${pageOf(site, repository)}/${kind}/${number}#issuecomment-${remark.id}`,
    issue_url: `${repositoryUrl(site, repository)}/issues/${number}`,
    id: remark.id,
    node_id: nodeId('IC', remark.id),
    user: printUser(site, remark.author),
    created_at: iso(remark.createdAt),
    updated_at: iso(remark.updatedAt),
    body: remark.body,
    author_association: association(repository, remark.author),
    reactions: printReactions(url, remark.reactions),
    performed_via_github_app: null,
  };
}
