/** What Gitea and Forgejo send to webhooks. `event` is the fine-grained type; the header carries a coarser word for some. */
import type { Site, WebhookEvent } from '../http/dialect.ts';
import { ABSENT, type Happening } from '../state/happening.ts';
import { isChange } from '../state/talk-actions.ts';
import { printHook, printIssue, printPull, printRemark, printRepository, printUser, pageOf, iso } from './gitea-print.ts';

type Json = Record<string, unknown>;
type Of<K extends Happening['kind']> = Happening & { readonly kind: K };

/** The value of X-Gitea-Event for a type whose word differs. */
export const EVENT_WORDS: Readonly<Record<string, string>> = {
  pull_request_sync: 'pull_request',
  pull_request_label: 'pull_request',
  pull_request_comment: 'issue_comment',
  issue_label: 'issues',
  pull_request_review_approved: 'pull_request_approved',
  pull_request_review_rejected: 'pull_request_rejected',
  pull_request_review_comment: 'pull_request_comment',
};

export async function giteaEvents(happening: Happening, site: Site): Promise<readonly WebhookEvent[]> {
  const around = { repository: printRepository(site, happening.repository, 'admin'), sender: printUser(site, happening.by) };
  const event = (name: string, action: string | null, payload: Json): readonly WebhookEvent[] => [
    { event: name, action, payload: { ...(action !== null && { action }), ...payload, ...around } },
  ];
  switch (happening.kind) {
    case 'push':
      return event('push', null, await pushPayload(happening, site));
    case 'change':
      return changeEvent(happening, site, event);
    case 'remark':
      return remarkEvent(happening, site, event);
    case 'review':
      return reviewEvent(happening, site, event);
    case 'issue':
      return issueEvent(happening, site, event);
    case 'status': {
      const { id, sha, state, context, description, targetUrl, createdAt } = happening.status;
      return event('status', null, { id, sha, state, context, description, target_url: targetUrl, created_at: iso(createdAt) });
    }
    case 'ping':
      return event('ping', null, { hook: printHook(happening.hook) });
    case 'thread':
      // Neither forge tells of a resolved thread.
      return [];
  }
}

type Build = (name: string, action: string | null, payload: Json) => readonly WebhookEvent[];

function issueEvent(happening: Of<'issue'>, site: Site, event: Build): readonly WebhookEvent[] {
  const { issue, repository, action } = happening;
  const labels = action === 'labeled' || action === 'unlabeled';
  return event(labels ? 'issue_label' : 'issues', labels ? 'label_updated' : action, {
    number: issue.number,
    issue: printIssue(site, repository, issue),
    commit_id: '',
  });
}

const CHANGE_EVENTS: Readonly<Record<string, readonly [event: string, action: string]>> = {
  opened: ['pull_request', 'opened'],
  pushed: ['pull_request_sync', 'synchronized'],
  closed: ['pull_request', 'closed'],
  merged: ['pull_request', 'closed'],
  reopened: ['pull_request', 'reopened'],
  edited: ['pull_request', 'edited'],
  labeled: ['pull_request_label', 'label_updated'],
  unlabeled: ['pull_request_label', 'label_updated'],
};

async function changeEvent(happening: Of<'change'>, site: Site, event: Build): Promise<readonly WebhookEvent[]> {
  const words = CHANGE_EVENTS[happening.action];
  if (words === undefined) return [];
  const { change, repository } = happening;
  const changes = Object.fromEntries(
    ['title', 'body', 'base']
      .filter(name => happening.was?.[name] !== undefined)
      .map(name => [name === 'base' ? 'ref' : name, { from: happening.was?.[name] }]),
  );
  return event(words[0], words[1], {
    number: change.number,
    pull_request: await printPull(site, repository, change),
    ...(happening.action === 'edited' && { changes }),
    requested_reviewer: null,
    commit_id: happening.after ?? '',
    review: null,
  });
}

async function remarkEvent(happening: Of<'remark'>, site: Site, event: Build): Promise<readonly WebhookEvent[]> {
  const { repository, subject, remark, thread } = happening;
  // Comments of a review are told of by the review's own event.
  if (thread?.review !== undefined && thread.review !== null && thread.remarks[0] === remark && happening.action === 'created') return [];
  const pull = isChange(subject);
  return event(pull ? 'pull_request_comment' : 'issue_comment', happening.action, {
    issue: printIssue(site, repository, subject),
    ...(pull && { pull_request: await printPull(site, repository, subject) }),
    comment: printRemark(site, repository, subject, remark),
    ...(happening.action === 'edited' && { changes: { body: { from: happening.was ?? '' } } }),
    is_pull: pull,
  });
}

async function reviewEvent(happening: Of<'review'>, site: Site, event: Build): Promise<readonly WebhookEvent[]> {
  if (happening.action !== 'submitted') return [];
  const { change, repository, review } = happening;
  const type =
    { approved: 'pull_request_review_approved', changes_requested: 'pull_request_review_rejected' }[review.state as string] ?? 'pull_request_review_comment';
  return event(type, 'reviewed', {
    number: change.number,
    pull_request: await printPull(site, repository, change),
    requested_reviewer: null,
    commit_id: '',
    review: { type, content: review.body },
  });
}

async function pushPayload(happening: Of<'push'>, site: Site): Promise<Json> {
  const { repository, branch, before, after, by } = happening;
  const commits = after === ABSENT ? [] : await repository.git.log(before === ABSENT || before === after ? after : `${before}..${after}`, 20);
  const printed = commits.map(commit => ({
    id: commit.sha,
    message: commit.message,
    url: `${pageOf(site, repository)}/commit/${commit.sha}`,
    author: { ...commit.author, username: '' },
    committer: { ...commit.author, username: '' },
    verification: null,
    timestamp: commit.author.date,
    added: [],
    removed: [],
    modified: [],
  }));
  return {
    ref: `refs/heads/${branch}`,
    before,
    after,
    compare_url: `${pageOf(site, repository)}/compare/${before}...${after}`,
    commits: printed,
    total_commits: printed.length,
    head_commit: printed[0] ?? null,
    pusher: printUser(site, by),
  };
}
