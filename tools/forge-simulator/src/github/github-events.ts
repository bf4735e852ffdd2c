/** What GitHub sends to webhooks for each happening, in the shape of its published payloads. */
import type { Site, WebhookEvent } from '../http/dialect.ts';
import { ABSENT, type ChangeAction, type Happening } from '../state/happening.ts';
import { isChange } from '../state/talk-actions.ts';
import type { Repository } from '../state/repository.ts';
import type { GitCommit } from '../git/git-store.ts';
import { iso, nodeId } from './github-words.ts';
import { printHook } from './hook-routes.ts';
import { pageOf, printLabel, printRemark, printRepository, printUser, repositoryUrl } from './print-account.ts';
import { printCommit, printIssue, printPull, printReview, printReviewComment, printWholePull } from './print-pull.ts';

type Json = Record<string, unknown>;
type Of<K extends Happening['kind']> = Happening & { readonly kind: K };

const PUSH_COMMITS_LIMIT = 2048;

export async function githubEvents(happening: Happening, site: Site): Promise<readonly WebhookEvent[]> {
  const around = { repository: printRepository(site, happening.repository), sender: printUser(site, happening.by) };
  const event = (name: string, action: string | null, payload: Json): readonly WebhookEvent[] => [
    { event: name, action, payload: { ...(action !== null && { action }), ...payload, ...around } },
  ];
  switch (happening.kind) {
    case 'ping':
      return event('ping', null, { zen: 'Design for failure.', hook_id: happening.hook.id, hook: printHook(site, happening.repository, happening.hook) });
    case 'push':
      return event('push', null, await pushPayload(happening, site));
    case 'change':
      return changeEvent(happening, site, event);
    case 'remark':
      return remarkEvent(happening, site, event);
    case 'review': {
      const review = {
        ...printReview(site, happening.repository, happening.change, happening.review),
        state: happening.review.state,
        body: happening.review.body === '' ? null : happening.review.body,
      };
      return event('pull_request_review', happening.action, { review, pull_request: printPull(site, happening.repository, happening.change) });
    }
    case 'thread': {
      const { change, repository, thread } = happening;
      const comments = await Promise.all(thread.remarks.map(remark => printReviewComment(site, repository, change, { thread, remark })));
      return event('pull_request_review_thread', happening.action, {
        pull_request: printPull(site, repository, change),
        thread: { node_id: nodeId('PRRT', thread.id), comments },
      });
    }
    case 'issue':
      return event('issues', happening.action, {
        issue: printIssue(site, happening.repository, happening.issue),
        ...(happening.label && { label: printLabel(site, happening.repository, happening.label) }),
      });
    case 'status': {
      const { status, repository } = happening;
      const commit = printCommit(site, repository, await repository.git.commitOf(status.sha));
      return event('status', null, {
        id: status.id,
        sha: status.sha,
        commit,
        name: repository.fullName,
        target_url: status.targetUrl,
        avatar_url: null,
        context: status.context,
        description: status.description,
        state: status.state,
        branches: [],
        created_at: iso(status.createdAt),
        updated_at: iso(status.updatedAt),
      });
    }
  }
}

type Build = (name: string, action: string | null, payload: Json) => readonly WebhookEvent[];

/** What GitHub calls each; an approval is a review there, not an action on the pull request. */
const ACTIONS: Readonly<Partial<Record<ChangeAction, string>>> = {
  opened: 'opened',
  pushed: 'synchronize',
  closed: 'closed',
  merged: 'closed',
  reopened: 'reopened',
  ready: 'ready_for_review',
  drafted: 'converted_to_draft',
  edited: 'edited',
  labeled: 'labeled',
  unlabeled: 'unlabeled',
};

async function changeEvent(happening: Of<'change'>, site: Site, event: Build): Promise<readonly WebhookEvent[]> {
  const action = ACTIONS[happening.action];
  if (action === undefined) return [];
  const { change, repository } = happening;
  const was = Object.entries(happening.was ?? {}).map(([name, from]) => [name, name === 'base' ? { ref: { from }, sha: { from: change.baseSha } } : { from }]);
  return event('pull_request', action, {
    number: change.number,
    pull_request: await printWholePull(site, repository, change),
    ...(happening.action === 'pushed' && { before: happening.before, after: happening.after }),
    ...(happening.label && { label: printLabel(site, repository, happening.label) }),
    ...(happening.action === 'edited' && { changes: Object.fromEntries(was) as Json }),
  });
}

async function remarkEvent(happening: Of<'remark'>, site: Site, event: Build): Promise<readonly WebhookEvent[]> {
  const { repository, subject, remark, thread } = happening;
  const changes = happening.action === 'edited' ? { changes: { body: { from: happening.was ?? '' } } } : {};
  if (thread !== undefined && isChange(subject))
    return event('pull_request_review_comment', happening.action, {
      comment: await printReviewComment(site, repository, subject, { thread, remark }),
      pull_request: printPull(site, repository, subject),
      ...changes,
    });
  return event('issue_comment', happening.action, {
    issue: printIssue(site, repository, subject),
    comment: printRemark(site, repository, remark, subject.number),
    ...changes,
  });
}

async function pushPayload(happening: Of<'push'>, site: Site): Promise<Json> {
  const { repository, branch, before, after, forced, by } = happening;
  const range = before === ABSENT ? after : `${before}..${after}`;
  const commits = after === ABSENT ? [] : [...(await repository.git.log(range, PUSH_COMMITS_LIMIT))].reverse();
  const printed = await Promise.all(commits.map(commit => printPushed(site, repository, commit)));
  const head = after === ABSENT ? null : await printPushed(site, repository, await repository.git.commitOf(after));
  return {
    ref: `refs/heads/${branch}`,
    before,
    after,
    pusher: { name: by.login, email: by.email },
    created: before === ABSENT,
    deleted: after === ABSENT,
    forced,
    base_ref: null,
    compare: `${pageOf(site, repository)}/compare/${before.slice(0, 12)}...${after.slice(0, 12)}`,
    commits: printed,
    head_commit: head,
  };
}

async function printPushed(site: Site, repository: Repository, commit: GitCommit): Promise<Json> {
  const [parent] = commit.parents;
  const files = parent === undefined ? [] : await repository.git.files(parent, commit.sha);
  const named = (status: string): string[] => files.filter(file => file.status === status).map(file => file.path);
  const person = { name: commit.author.name, email: commit.author.email, username: commit.author.name };
  return {
    id: commit.sha,
    tree_id: commit.tree,
    distinct: true,
    message: commit.message,
    timestamp: commit.author.date,
    url: `${repositoryUrl(site, repository).replace(site.apiUrl, site.url)}/commit/${commit.sha}`,
    author: person,
    committer: person,
    added: named('added'),
    removed: named('removed'),
    modified: [...named('modified'), ...named('renamed')],
  };
}
