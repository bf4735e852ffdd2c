import { describe, expect, test } from 'vitest';
import { compileProvider } from './compile-provider.ts';
import { loadDescriptor } from './load-builtin.fixture.ts';
import { mapWebhook, type WebhookOutcome } from './map-webhook.ts';

const typeOf = (outcome: WebhookOutcome): string =>
  outcome.kind === 'event' ? outcome.event.type : outcome.kind === 'unreadable' ? `unreadable ${outcome.reason}` : outcome.kind;
const mapper = (name: string) => {
  const provider = compileProvider(loadDescriptor(name));
  return (event: string, payload: unknown): WebhookOutcome => mapWebhook(provider, { name: event, payload, headers: {} });
};
const SHA = '2'.repeat(40);
const OLD = '1'.repeat(40);

describe('GitLab', () => {
  const map = mapper('gitlab');
  const project = { id: 99, path_with_namespace: 'acme/tools/shop' };
  const attributes = (more: object): object => ({
    ...{ id: 1, iid: 7, title: 'Add', url: 'https://gitlab.example/7', state: 'opened', draft: false, source_branch: 't', target_branch: 'main' },
    ...{ last_commit: { id: SHA }, source: project, target: project, ...more },
  });
  const mr = (action: string, more: object = {}, changes: object = {}): string =>
    typeOf(map('Merge Request Hook', { user: { id: 11, username: 'ada' }, project, object_attributes: attributes({ action, ...more }), changes }));

  test('B32: a draft that becomes ready is one event, by the new name and by the old', () => {
    expect(mr('update', {}, { draft: { previous: true, current: false } })).toBe('change.ready');
    expect(mr('update', { draft: undefined, work_in_progress: false }, { work_in_progress: { previous: true, current: false } })).toBe('change.ready');
    expect(mr('update', { draft: true }, { draft: { previous: false, current: true } })).toBe('change.drafted');
  });

  test('B32: only an update with oldrev has new commits; labels and titles have not', () => {
    expect(mr('update', { oldrev: OLD })).toBe('change.head_pushed');
    expect(mr('update', {}, { labels: { previous: [], current: [] } })).toBe('change.labelled');
    expect(mr('update', {}, { title: { previous: 'a', current: 'b' } })).toBe('change.edited');
    expect(mr('update', {}, { assignees: {} })).toBe('ignored');
  });

  test.each([
    ['open', {}, 'change.opened'],
    ['reopen', {}, 'change.reopened'],
    ['close', { state: 'closed' }, 'change.closed'],
    ['merge', { state: 'merged' }, 'change.merged'],
    ['approved', {}, 'review.submitted'],
    ['unapproved', {}, 'review.dismissed'],
  ])('%s', (action, more, type) => expect(mr(action, more)).toBe(type));

  test('a nested group is the owner', () => {
    const outcome = map('Merge Request Hook', { user: { id: 11, username: 'ada' }, project, object_attributes: attributes({ action: 'open' }) });
    expect(outcome).toMatchObject({ event: { repository: { id: '99', owner: 'acme/tools', name: 'shop' }, change: { head: { commit: SHA } } } });
  });

  test('notes: on the change, in a thread, on an issue, by the forge itself', () => {
    const note = (more: object): string =>
      typeOf(
        map('Note Hook', {
          user: { id: 11, username: 'ada' },
          project,
          merge_request: attributes({}),
          issue: { iid: 3, title: 'x', url: null, state: 'opened' },
          object_attributes: { id: 31, note: 'hi', url: 'https://gitlab.example/31', noteable_type: 'MergeRequest', ...more },
        }),
      );
    expect(note({})).toBe('comment.created');
    expect(note({ action: 'update' })).toBe('comment.edited');
    expect(note({ type: 'DiffNote', discussion_id: 't1', position: { new_path: 'a' } })).toBe('thread.commented');
    expect(note({ noteable_type: 'Issue' })).toBe('issue.commented');
    expect(note({ system: true })).toBe('ignored');
    expect(note({ noteable_type: 'Commit' })).toBe('ignored');
  });
});

describe.each(['gitea', 'forgejo'])('%s', name => {
  const map = mapper(name);
  const repository = { id: 99, name: 'shop', owner: { login: 'acme' } };
  const sender = { id: 11, login: 'ada' };
  const pull = {
    number: 7,
    title: 'Add',
    html_url: 'https://gitea.example/7',
    state: 'open',
    merged: false,
    draft: false,
    user: sender,
    head: { ref: 't', sha: SHA, repo: repository },
    base: { ref: 'main', sha: OLD, repo: repository },
  };
  const pr = (action: string, more: object = {}, rest: object = {}): string =>
    typeOf(map('pull_request', { action, number: 7, pull_request: { ...pull, ...more }, repository, sender, ...rest }));

  test.each([
    ['opened', {}, {}, 'change.opened'],
    ['synchronized', {}, {}, 'change.head_pushed'],
    ['closed', { state: 'closed', merged: true }, {}, 'change.merged'],
    ['closed', { state: 'closed' }, {}, 'change.closed'],
    ['edited', {}, { changes: { title: { from: 'WIP: Add' } } }, 'change.ready'],
    ['edited', { draft: true, title: '[WIP] Add' }, { changes: { title: { from: 'Add' } } }, 'change.drafted'],
    ['edited', {}, { changes: { title: { from: 'Ad' } } }, 'change.edited'],
    ['label_updated', {}, {}, 'change.labelled'],
    ['assigned', {}, {}, 'ignored'],
  ])('%s %j %j', (action, more, rest, type) => expect(pr(action, more, rest)).toBe(type));

  test('comments of a pull request and of an issue', () => {
    const issue = {
      number: 7,
      title: 'Add',
      html_url: 'https://gitea.example/7',
      state: 'open',
      user: sender,
      labels: [],
      pull_request: { merged: false, draft: false },
    };
    const comment = { id: 31, body: '/review', html_url: 'https://gitea.example/31' };
    expect(typeOf(map('issue_comment', { action: 'created', is_pull: true, issue, comment, repository, sender }))).toBe('comment.created');
    expect(typeOf(map('issue_comment', { action: 'created', is_pull: false, issue, comment, repository, sender }))).toBe('issue.commented');
  });

  test('a review', () => {
    const review = { type: 'pull_request_review_rejected', content: 'no' };
    expect(map('pull_request_rejected', { action: 'reviewed', pull_request: pull, review, repository, sender })).toMatchObject({
      event: { type: 'review.submitted', review: { verdict: 'changes_requested' } },
    });
  });
});

describe('Bitbucket Cloud', () => {
  const map = mapper('bitbucket-cloud');
  const repository = { uuid: '{99}', full_name: 'acme/shop' };
  const actor = { uuid: '{11}', nickname: 'ada', type: 'user' };
  const end = { branch: { name: 't' }, commit: { hash: '222222222222' }, repository };
  const pullrequest = {
    id: 7,
    title: 'Add',
    state: 'OPEN',
    draft: false,
    links: { html: { href: 'https://bitbucket.org/7' } },
    author: actor,
    source: end,
    destination: end,
  };
  test.each([
    ['pullrequest:created', {}, 'change.opened'],
    ['pullrequest:updated', {}, 'change.head_pushed'],
    ['pullrequest:fulfilled', {}, 'change.merged'],
    ['pullrequest:rejected', {}, 'change.closed'],
    ['pullrequest:approved', {}, 'review.submitted'],
    ['pullrequest:comment_created', { comment: { id: 1, content: { raw: 'x' } } }, 'comment.created'],
    ['pullrequest:comment_created', { comment: { id: 1, content: { raw: 'x' }, inline: { path: 'a', to: 1 } } }, 'thread.commented'],
    ['pullrequest:comment_created', { comment: { id: 2, content: { raw: 'x' }, inline: { path: 'a', to: 1 }, parent: { id: 1 } } }, 'thread.replied'],
    ['pullrequest:comment_resolved', { comment: { id: 1, content: { raw: 'x' }, inline: { path: 'a', to: 1 } } }, 'thread.resolved'],
    ['repo:fork', {}, 'ignored'],
  ])('%s %j', (event, more, type) => expect(typeOf(map(event, { repository, actor, pullrequest, ...more }))).toBe(type));
});

describe('Bitbucket Data Center', () => {
  const map = mapper('bitbucket-dc');
  const repository = { id: 99, slug: 'shop', project: { key: 'ACME' } };
  const actor = { id: 11, name: 'ada', type: 'NORMAL' };
  const ref = { displayId: 't', latestCommit: SHA, repository };
  const pullRequest = {
    id: 7,
    title: 'Add',
    state: 'OPEN',
    draft: false,
    links: { self: [{ href: 'https://bb.example/7' }] },
    author: { user: actor },
    fromRef: ref,
    toRef: ref,
  };
  test.each([
    ['pr:opened', {}, 'change.opened'],
    ['pr:from_ref_updated', { previousFromHash: OLD }, 'change.head_pushed'],
    ['pr:modified', { previousDraft: true }, 'change.ready'],
    ['pr:modified', {}, 'change.edited'],
    ['pr:reviewer:needs_work', { participant: { status: 'NEEDS_WORK', lastReviewedCommit: SHA } }, 'review.submitted'],
    ['pr:comment:added', { comment: { id: 1, text: 'x' } }, 'comment.created'],
    ['pr:comment:added', { comment: { id: 1, text: 'x' }, commentParentId: 4 }, 'thread.replied'],
    ['repo:refs_changed', { repository, changes: [{ ref: { type: 'BRANCH', displayId: 't' }, fromHash: '0'.repeat(40), toHash: SHA }] }, 'branch.pushed'],
  ])('%s %j', (event, more, type) => expect(typeOf(map(event, { actor, pullRequest, ...more }))).toBe(type));
});

test('PRV-15: a hostile payload is unreadable or ignored, never an event', () => {
  for (const name of ['github', 'gitlab', 'gitea', 'forgejo', 'bitbucket-cloud', 'bitbucket-dc']) {
    const provider = compileProvider(loadDescriptor(name));
    for (const event of provider.webhooks.keys())
      for (const payload of [
        null,
        7,
        'text',
        [],
        {},
        { action: 'opened' },
        { action: 'created', object_attributes: { action: 'open' }, issue: { pull_request: {} } },
      ])
        expect(['ignored', 'unreadable'], `${name} ${event}`).toContain(mapWebhook(provider, { name: event, payload, headers: {} }).kind);
  }
});
