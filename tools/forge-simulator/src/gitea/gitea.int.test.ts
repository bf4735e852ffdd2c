/** A session against the simulated Gitea and Forgejo, and what tells the two apart. */
import { createHmac } from 'node:crypto';
import { verifies } from '@weir/requirements';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { REPOSITORY, type SeededForge, seedForge } from '../testing/seeded-forge.ts';
import { type Receiver, startReceiver } from '../webhooks/start-receiver.ts';

const ROOT = `/repos/${REPOSITORY}`;

describe.each(['gitea', 'forgejo'] as const)('%s', kind => {
  let seeded: SeededForge;
  let receiver: Receiver;
  beforeEach(async () => {
    seeded = await seedForge({ kind });
    receiver = await startReceiver();
  });
  afterEach(async () => {
    await seeded.forge.close();
    await receiver.close();
  });

  test('reads a pull request, its diff, files, compare and a raw file', async () => {
    const { ask, forge, number } = seeded;
    const pull = await ask('GET', `${ROOT}/pulls/${number}`);
    expect(pull.body).toMatchObject({ number, draft: false, changed_files: 3, head: { ref: 'feature' } });
    expect((await ask('GET', `${ROOT}/pulls/${number}.diff`)).text).toContain('rename to new.ts');
    expect((await ask('GET', `${ROOT}/pulls/${number}/files`)).body).toMatchObject([
      { status: 'added' },
      { status: 'renamed', previous_filename: 'old.ts' },
      { status: 'changed' },
    ]);
    expect((await ask('GET', `${ROOT}/compare/main...feature`)).body).toMatchObject({ total_commits: 1 });
    expect((await ask('GET', `${ROOT}/raw/src/app.ts?ref=${pull.body['head']?.['sha']}`)).text).toContain('line 12 changed');
    expect(forge.violations).toEqual([]);
  });

  test(`${verifies('REV-17')} takes file lines as positions, and never checks them against the diff (B25)`, async () => {
    const { ask, forge, number } = seeded;
    const reviews = `${ROOT}/pulls/${number}/reviews`;
    const comments = [
      { path: 'src/app.ts', new_position: 12, body: 'one' },
      { path: 'src/app.ts', old_position: 30, body: 'two' },
      { path: 'src/app.ts', new_position: 55, body: 'off the diff' },
    ];
    const review = await ask('POST', reviews, { body: { event: 'COMMENT', body: 'Summary', comments } });
    expect(review).toMatchObject({ status: 200, body: { state: 'COMMENT', comments_count: 3 } });
    const posted = await ask('GET', `${reviews}/${review.body['id']}/comments`);
    expect(posted.body).toMatchObject([
      { position: 12, original_position: 0 },
      { position: 0, original_position: 30 },
      { position: 55, diff_hunk: '' },
    ]);
    expect((await ask('POST', reviews, { body: { event: 'REQUEST_CHANGES', comments } })).status).toBe(422);
    expect((await ask('POST', reviews, { body: { event: 'REQUEST_CHANGES', body: 'why', comments: [] } })).status).toBe(200);
    expect((await ask('POST', reviews, { as: 'alice', body: { event: 'APPROVED' } })).body['message']).toBe('approve your own pull is not allowed');
    expect(forge.violations).toEqual([]);
  });

  test('only Gitea resolves and replies in a thread; Forgejo adds a comment on the same line', async () => {
    const { ask, forge, number } = seeded;
    const reviews = `${ROOT}/pulls/${number}/reviews`;
    const review = await ask('POST', reviews, { body: { event: 'COMMENT', body: 'x', comments: [{ path: 'src/app.ts', new_position: 12, body: 'one' }] } });
    const id = (await ask('GET', `${reviews}/${review.body['id']}/comments`)).body['0']?.['id'];
    const resolved = await ask('POST', `${ROOT}/pulls/comments/${id}/resolve`, { as: 'alice' });
    if (kind === 'gitea') {
      expect(resolved.status).toBe(204);
      expect((await ask('GET', `${reviews}/${review.body['id']}/comments`)).body).toMatchObject([{ resolver: { login: 'alice' } }]);
      expect((await ask('POST', `${ROOT}/pulls/${number}/comments/${id}/replies`, { as: 'alice', body: { body: 'Fixed' } })).body).toMatchObject({
        position: 12,
      });
      expect(forge.violations).toEqual([]);
    } else {
      expect(resolved.status).toBe(404);
      expect(forge.violations).toMatchObject([{ kind: 'unknown-operation' }]);
      expect(
        (await ask('POST', `${reviews}/${review.body['id']}/comments`, { as: 'alice', body: { path: 'src/app.ts', new_position: 12, body: 'Fixed' } })).body,
      ).toMatchObject({ position: 12, user: { login: 'alice' } });
    }
  });

  test("status, labels by id, a permission, hooks with the vendor's signatures", async () => {
    const { ask, forge, number } = seeded;
    const sha = forge.seed.changeOf(REPOSITORY, number).headSha;
    expect((await ask('POST', `${ROOT}/statuses/${sha}`, { body: { state: 'success', context: 'weir/review' } })).status).toBe(201);
    expect((await ask('GET', `${ROOT}/commits/${sha}/status`)).body).toMatchObject({ state: 'success', total_count: 1 });
    const label = await ask('POST', `${ROOT}/labels`, { body: { name: 'weir', color: '#00aabb' } });
    await ask('POST', `${ROOT}/hooks`, {
      as: 'octo',
      body: { type: 'gitea', active: true, events: ['pull_request'], config: { url: receiver.url, content_type: 'json', secret: 's3cret' } },
    });
    expect((await ask('POST', `${ROOT}/issues/${number}/labels`, { body: { labels: [label.body['id']] } })).body).toMatchObject([{ name: 'weir' }]);
    expect((await ask('GET', `${ROOT}/collaborators/alice/permission`)).body).toMatchObject({ permission: 'write' });
    await forge.seed.push({ repository: REPOSITORY, branch: 'feature', files: { 'b.ts': '<b>\n' }, by: 'alice' });
    await forge.settled();
    const [first, second] = receiver.received;
    expect(first?.headers).toMatchObject({
      [`x-${kind}-event`]: 'pull_request',
      [`x-${kind}-event-type`]: 'pull_request_label',
      'x-gitea-event': 'pull_request',
      'x-github-event': 'pull_request',
    });
    expect(JSON.parse(second?.body.toString() ?? '')).toMatchObject({ action: 'synchronized', commit_id: forge.seed.changeOf(REPOSITORY, number).headSha });
    expect(first?.headers[`x-${kind}-signature`]).toBe(
      createHmac('sha256', 's3cret')
        .update(first?.body ?? '')
        .digest('hex'),
    );
    expect(forge.violations).toEqual([]);
  });
});

test("cuts pages at the server's own maximum, which /settings/api tells", async () => {
  const { forge, ask } = await seedForge({ kind: 'gitea', pageMaximum: 7 });
  for (let at = 0; at < 20; at += 1) forge.seed.label(REPOSITORY, `label-${at}`);
  expect((await ask('GET', '/settings/api')).body).toMatchObject({ max_response_items: 7 });
  const page = await ask('GET', `${ROOT}/labels?limit=1000`);
  expect(page.body).toHaveLength(7);
  expect(page.headers.get('x-total-count')).toBe('20');
  expect(page.headers.get('link')).toContain('page=2>; rel="next"');
  expect((await ask('GET', `${ROOT}/labels?limit=1000&page=3`)).body).toHaveLength(6);
  await forge.close();
});
