/** What GitLab sends to project hooks. A push to a source branch is an `update` with `oldrev`; a draft flip is one without. */
import type { Site, WebhookEvent } from '../http/dialect.ts';
import type { Account } from '../state/account.ts';
import type { Change, Thread } from '../state/change.ts';
import { ABSENT, type ChangeAction, type Happening } from '../state/happening.ts';
import type { Issue, Label, Remark } from '../state/issue.ts';
import type { Repository } from '../state/repository.ts';
import { isChange } from '../state/talk-actions.ts';
import { isDraftTitle, iso, pageOf, printMergeRequest, printPosition } from './gitlab-print.ts';

type Json = Record<string, unknown>;
type Of<K extends Happening['kind']> = Happening & { readonly kind: K };

const person = (account: Account): Json => ({ id: account.id, name: account.name, username: account.login, avatar_url: '', email: '[REDACTED]' });

function project(site: Site, repository: Repository): Json {
  const page = pageOf(site, repository);
  const ssh = `git@${new URL(site.url).hostname}:${repository.fullName}.git`;
  return {
    id: repository.id,
    name: repository.name,
    description: null,
    web_url: page,
    avatar_url: null,
    git_ssh_url: ssh,
    git_http_url: `${page}.git`,
    namespace: repository.owner.name,
    visibility_level: repository.private ? 0 : 20,
    path_with_namespace: repository.fullName,
    default_branch: repository.defaultBranch,
    ci_config_path: null,
    homepage: page,
    url: ssh,
    ssh_url: ssh,
    http_url: `${page}.git`,
  };
}

const hookLabel = (repository: Repository, label: Label): Json => ({
  id: label.id,
  title: label.name,
  color: `#${label.color}`,
  project_id: repository.id,
  created_at: iso(repository.createdAt),
  updated_at: iso(repository.createdAt),
  template: false,
  description: label.description,
  type: 'ProjectLabel',
  group_id: null,
});

async function attributes(site: Site, repository: Repository, change: Change): Promise<Json> {
  const printed = printMergeRequest(site, repository, change);
  const taken = [
    'id',
    'iid',
    'title',
    'description',
    'state',
    'created_at',
    'updated_at',
    'target_branch',
    'source_branch',
    'source_project_id',
    'target_project_id',
    'merge_status',
    'merge_commit_sha',
    'detailed_merge_status',
    'draft',
    'work_in_progress',
    'blocking_discussions_resolved',
  ];
  const commit = await repository.git.commitOf(change.headSha);
  return {
    ...Object.fromEntries(taken.map(name => [name, printed[name]])),
    author_id: change.author.id,
    assignee_id: change.assignees[0]?.id ?? null,
    assignee_ids: change.assignees.map(account => account.id),
    reviewer_ids: change.reviewers.map(account => account.id),
    labels: change.labels.map(label => hookLabel(repository, label)),
    milestone_id: change.milestone?.id ?? null,
    url: printed['web_url'],
    source: project(site, repository),
    target: project(site, repository),
    last_commit: {
      id: commit.sha,
      message: commit.message,
      title: commit.message.split('\n')[0],
      timestamp: commit.author.date,
      url: `${pageOf(site, repository)}/-/commit/${commit.sha}`,
      author: { name: commit.author.name, email: commit.author.email },
    },
    first_contribution: false,
    merge_when_pipeline_succeeds: change.autoMerge !== null,
  };
}

export async function gitlabEvents(happening: Happening, site: Site): Promise<readonly WebhookEvent[]> {
  const { repository, by } = happening;
  const around = {
    user: person(by),
    project: project(site, repository),
    repository: { name: repository.name, url: `git@localhost:${repository.fullName}.git`, description: null, homepage: pageOf(site, repository) },
  };
  switch (happening.kind) {
    case 'push':
      return [{ event: 'Push Hook', action: null, payload: await pushPayload(happening, site) }];
    case 'change':
      return changeEvent(happening, site, around);
    case 'remark':
      return remarkEvent(happening, site, around);
    case 'issue': {
      const action = { opened: 'open', closed: 'close', reopened: 'reopen' }[happening.action as string] ?? 'update';
      return [
        {
          event: 'Issue Hook',
          action,
          payload: {
            object_kind: 'issue',
            event_type: 'issue',
            ...around,
            object_attributes: { ...issueAttributes(site, repository, happening.issue), action },
            labels: happening.issue.labels.map(label => hookLabel(repository, label)),
            changes: {},
          },
        },
      ];
    }
    case 'ping':
    case 'status':
    case 'review':
    case 'thread':
      return [];
  }
}

const issueAttributes = (site: Site, repository: Repository, issue: Issue): Json => ({
  id: issue.id,
  iid: issue.number,
  title: issue.title,
  description: issue.body,
  state: issue.state === 'open' ? 'opened' : 'closed',
  author_id: issue.author.id,
  project_id: repository.id,
  created_at: iso(issue.createdAt),
  updated_at: iso(issue.updatedAt),
  url: `${pageOf(site, repository)}/-/issues/${issue.number}`,
});

const ACTIONS: Readonly<Partial<Record<ChangeAction, string>>> = {
  opened: 'open',
  closed: 'close',
  reopened: 'reopen',
  merged: 'merge',
  pushed: 'update',
  edited: 'update',
  labeled: 'update',
  unlabeled: 'update',
  approved: 'approved',
  unapproved: 'unapproved',
};

async function changeEvent(happening: Of<'change'>, site: Site, around: Json): Promise<readonly WebhookEvent[]> {
  // The draft flag is a part of the title: its change is told by the edit of the title.
  const action = ACTIONS[happening.action];
  if (action === undefined) return [];
  const { repository, change } = happening;
  const object = { ...(await attributes(site, repository, change)), action, ...(happening.action === 'pushed' && { oldrev: happening.before }) };
  return [
    {
      event: 'Merge Request Hook',
      action,
      payload: {
        object_kind: 'merge_request',
        event_type: 'merge_request',
        ...around,
        object_attributes: object,
        labels: change.labels.map(label => hookLabel(repository, label)),
        changes: changesOf(happening),
        assignees: change.assignees.map(person),
        reviewers: change.reviewers.map(person),
      },
    },
  ];
}

function changesOf(happening: Of<'change'>): Json {
  const { change, was = {}, repository } = happening;
  const changes: Json = { updated_at: { previous: iso(change.createdAt), current: iso(change.updatedAt) } };
  const title = was['title'];
  if (typeof title === 'string') {
    changes['title'] = { previous: title, current: change.title };
    if (isDraftTitle(title) !== isDraftTitle(change.title)) changes['draft'] = { previous: isDraftTitle(title), current: isDraftTitle(change.title) };
  }
  if (was['body'] !== undefined) changes['description'] = { previous: was['body'], current: change.body };
  if (was['base'] !== undefined) changes['target_branch'] = { previous: was['base'], current: change.base };
  if (was['labels'] !== undefined)
    changes['labels'] = {
      previous: (was['labels'] as Label[]).map(label => hookLabel(repository, label)),
      current: change.labels.map(label => hookLabel(repository, label)),
    };
  return changes;
}

async function remarkEvent(happening: Of<'remark'>, site: Site, around: Json): Promise<readonly WebhookEvent[]> {
  if (happening.action === 'deleted') return [];
  const { repository, subject, remark, thread } = happening;
  const action = happening.action === 'created' ? 'create' : 'update';
  const pull = isChange(subject);
  const object = {
    ...noteAttributes(repository, remark),
    ...threadAttributes(thread),
    action,
    noteable_type: pull ? 'MergeRequest' : 'Issue',
    noteable_id: subject.id,
    url: `${pageOf(site, repository)}/-/${pull ? 'merge_requests' : 'issues'}/${subject.number}#note_${remark.id}`,
  };
  return [
    {
      event: 'Note Hook',
      action,
      payload: {
        object_kind: 'note',
        event_type: 'note',
        ...around,
        project_id: repository.id,
        object_attributes: object,
        ...(isChange(subject) ? { merge_request: await attributes(site, repository, subject) } : { issue: issueAttributes(site, repository, subject) }),
      },
    },
  ];
}

function threadAttributes(thread: Thread | undefined): Json {
  if (thread === undefined) return { type: null, discussion_id: null, position: null };
  const type = thread.place !== null ? 'DiffNote' : thread.individual ? null : 'DiscussionNote';
  return { type, discussion_id: thread.key, position: printPosition(thread.place) };
}

const noteAttributes = (repository: Repository, remark: Remark): Json => ({
  id: remark.id,
  note: remark.body,
  description: remark.body,
  author_id: remark.author.id,
  created_at: iso(remark.createdAt),
  updated_at: iso(remark.updatedAt),
  project_id: repository.id,
  attachment: null,
  line_code: null,
  commit_id: null,
  system: false,
  st_diff: null,
  internal: false,
});

async function pushPayload(happening: Of<'push'>, site: Site): Promise<Json> {
  const { repository, branch, before, after, by } = happening;
  const commits = after === ABSENT ? [] : await repository.git.log(before === ABSENT || before === after ? after : `${before}..${after}`, 20);
  return {
    object_kind: 'push',
    event_name: 'push',
    before,
    after,
    ref: `refs/heads/${branch}`,
    ref_protected: repository.protections.has(branch),
    checkout_sha: after === ABSENT ? null : after,
    message: null,
    user_id: by.id,
    user_name: by.name,
    user_username: by.login,
    user_email: '',
    user_avatar: '',
    project_id: repository.id,
    project: project(site, repository),
    commits: commits.map(commit => ({
      id: commit.sha,
      message: commit.message,
      title: commit.message.split('\n')[0],
      timestamp: commit.author.date,
      url: `${pageOf(site, repository)}/-/commit/${commit.sha}`,
      author: { name: commit.author.name, email: commit.author.email },
      added: [],
      modified: [],
      removed: [],
    })),
    total_commits_count: commits.length,
    push_options: {},
    repository: {
      name: repository.name,
      url: `git@localhost:${repository.fullName}.git`,
      description: null,
      homepage: pageOf(site, repository),
      git_http_url: `${pageOf(site, repository)}.git`,
      git_ssh_url: `git@localhost:${repository.fullName}.git`,
      visibility_level: repository.private ? 0 : 20,
    },
  };
}
