/** What Bitbucket Cloud sends to hooks. A push, an edit and a draft flip are all `pullrequest:updated`; nothing says which. */
import type { Site, WebhookEvent } from '../http/dialect.ts';
import { ABSENT, type ChangeAction, type Happening } from '../state/happening.ts';
import { isChange } from '../state/talk-actions.ts';
import { apiOf, iso, pageOf, printComment, printCommit, printPull, printStatus, printUser, printWholeRepository } from './bitbucket-print.ts';

type Json = Record<string, unknown>;
type Of<K extends Happening['kind']> = Happening & { readonly kind: K };

const CHANGES: Readonly<Partial<Record<ChangeAction, string>>> = {
  opened: 'created',
  pushed: 'updated',
  edited: 'updated',
  ready: 'updated',
  drafted: 'updated',
  closed: 'rejected',
  merged: 'fulfilled',
  approved: 'approved',
  unapproved: 'unapproved',
};

const REMARKS = { created: 'comment_created', edited: 'comment_updated', deleted: 'comment_deleted' } as const;

export async function bitbucketEvents(happening: Happening, site: Site): Promise<readonly WebhookEvent[]> {
  const { repository, by } = happening;
  const around = { repository: printWholeRepository(site, repository), actor: printUser(site, by) };
  const event = (name: string, payload: Json): readonly WebhookEvent[] => [{ event: name, action: null, payload: { ...around, ...payload } }];
  switch (happening.kind) {
    case 'change':
      return changeEvent(happening, site, event);
    case 'remark':
      return remarkEvent(happening, site, event);
    case 'thread':
      return threadEvent(happening, site, event);
    case 'review': {
      const { change, review } = happening;
      if (review.state !== 'changes_requested') return [];
      return event('pullrequest:changes_request_created', {
        pullrequest: printPull(site, repository, change),
        changes_request: { date: iso(change.updatedAt), user: printUser(site, by) },
      });
    }
    case 'status': {
      const { status } = happening;
      const word = status.createdAt === status.updatedAt ? 'created' : 'updated';
      return event(`repo:commit_status_${word}`, { commit_status: printStatus(site, repository, status, null) });
    }
    case 'push':
      return event('repo:push', { push: { changes: [await pushChange(happening, site)] } });
    case 'issue':
    case 'ping':
      return [];
  }
}

type Build = (name: string, payload: Json) => readonly WebhookEvent[];

function changeEvent(happening: Of<'change'>, site: Site, event: Build): readonly WebhookEvent[] {
  const { change, repository, by } = happening;
  const word = CHANGES[happening.action];
  if (word === undefined) return [];
  const approval = { date: iso(change.updatedAt), user: printUser(site, by) };
  return event(`pullrequest:${word}`, {
    pullrequest: printPull(site, repository, change),
    ...((word === 'approved' || word === 'unapproved') && { approval }),
  });
}

function remarkEvent(happening: Of<'remark'>, site: Site, event: Build): readonly WebhookEvent[] {
  const { subject, thread, remark, repository } = happening;
  if (!isChange(subject) || thread === undefined) return [];
  return event(`pullrequest:${REMARKS[happening.action]}`, {
    pullrequest: printPull(site, repository, subject),
    comment: printComment(site, repository, subject, { thread, remark }),
  });
}

function threadEvent(happening: Of<'thread'>, site: Site, event: Build): readonly WebhookEvent[] {
  const { change, thread, repository } = happening;
  const [remark] = thread.remarks;
  if (remark === undefined) return [];
  const word = happening.action === 'resolved' ? 'resolved' : 'reopened';
  return event(`pullrequest:comment_${word}`, {
    pullrequest: printPull(site, repository, change),
    comment: printComment(site, repository, change, { thread, remark }),
  });
}

async function pushChange(happening: Of<'push'>, site: Site): Promise<Json> {
  const { repository, branch, before, after, forced } = happening;
  const end = async (sha: string): Promise<Json | null> =>
    sha === ABSENT
      ? null
      : {
          type: 'branch',
          name: branch,
          target: printCommit(site, repository, await repository.git.commitOf(sha)),
          links: { self: { href: `${apiOf(site, repository)}/refs/branches/${branch}` } },
        };
  const commits = after === ABSENT ? [] : await repository.git.log(before === ABSENT ? after : `${before}..${after}`, 5);
  return {
    old: await end(before),
    new: await end(after),
    created: before === ABSENT,
    closed: after === ABSENT,
    forced,
    truncated: false,
    commits: commits.map(commit => printCommit(site, repository, commit)),
    links: { html: { href: `${pageOf(site, repository)}/branches/compare/${after}..${before}` } },
  };
}
