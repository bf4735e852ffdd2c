/** A session against the simulated GitHub: each step that the product takes, over HTTP, strictly within the description. */
import { createHmac, createSign, generateKeyPairSync } from 'node:crypto';
import { verifies } from '@weir/requirements';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { numbered, REPOSITORY, type SeededForge, seedForge } from '../testing/seeded-forge.ts';
import { type Receiver, startReceiver } from '../webhooks/start-receiver.ts';

const ROOT = `/repos/${REPOSITORY}`;
let seeded: SeededForge;
let receiver: Receiver;

beforeEach(async () => {
  seeded = await seedForge({ kind: 'github' });
  receiver = await startReceiver();
});
afterEach(async () => {
  await seeded.forge.close();
  await receiver.close();
});

test('reads a pull request, its diff, files, compare and a file at a commit', async () => {
  const { ask, forge, number } = seeded;
  const pull = await ask('GET', `${ROOT}/pulls/${number}`);
  expect(pull.body).toMatchObject({
    number,
    state: 'open',
    draft: false,
    mergeable: true,
    changed_files: 3,
    commits: 1,
    head: { ref: 'feature' },
    user: { login: 'alice' },
  });
  const diff = await ask('GET', `${ROOT}/pulls/${number}`, { headers: { accept: 'application/vnd.github.diff' } });
  expect(diff.headers.get('content-type')).toMatch('application/vnd.github.diff');
  expect(diff.text).toContain('rename from old.ts\nrename to new.ts');
  const files = await ask('GET', `${ROOT}/pulls/${number}/files`);
  expect(files.body).toMatchObject([
    { filename: 'added.ts', status: 'added' },
    { filename: 'new.ts', previous_filename: 'old.ts', status: 'renamed' },
    { filename: 'src/app.ts', additions: 2, deletions: 2 },
  ]);
  const compare = await ask('GET', `${ROOT}/compare/main...feature`);
  expect(compare.body).toMatchObject({ status: 'ahead', ahead_by: 1, behind_by: 0, total_commits: 1 });
  const head = pull.body['head']?.['sha'] ?? '';
  const raw = await ask('GET', `${ROOT}/contents/src/app.ts?ref=${head}`, { headers: { accept: 'application/vnd.github.raw' } });
  expect(raw.text.split('\n')[11]).toBe('line 12 changed');
  expect(forge.violations).toEqual([]);
  expect(forge.requests.map(one => one.operation)).not.toContain(null);
});

test('takes a review with three comments, a reply, resolves over GraphQL, a status and a label', async () => {
  const { ask, forge, number } = seeded;
  const comments = [
    { path: 'src/app.ts', line: 12, side: 'RIGHT', body: 'one' },
    { path: 'src/app.ts', line: 30, side: 'LEFT', body: 'two' },
    { path: 'src/app.ts', start_line: 43, line: 45, side: 'RIGHT', body: 'three' },
  ];
  const review = await ask('POST', `${ROOT}/pulls/${number}/reviews`, { body: { event: 'COMMENT', body: 'Summary', comments } });
  expect(review).toMatchObject({ status: 200, body: { state: 'COMMENTED' } });
  const posted = await ask('GET', `${ROOT}/pulls/${number}/comments`);
  expect(posted.body).toMatchObject([
    { line: 12, side: 'RIGHT', position: 5 },
    { line: 30, side: 'LEFT' },
    { start_line: 43, line: 45, start_side: 'RIGHT' },
  ]);
  const first = posted.body['0']?.['id'];
  expect((await ask('POST', `${ROOT}/pulls/${number}/comments/${first}/replies`, { as: 'alice', body: { body: 'Fixed' } })).body).toMatchObject({
    in_reply_to_id: first,
    line: 12,
  });

  const query = `query Threads($owner: String!, $name: String!, $number: Int!, $after: String) {
    repository(owner: $owner, name: $name) { pullRequest(number: $number) {
      reviewThreads(first: 2, after: $after) { pageInfo { hasNextPage endCursor } nodes { ...T } } } } }
    fragment T on PullRequestReviewThread { id isResolved isOutdated path line diffSide comments(first: 10) { nodes { databaseId author { login } } } }`;
  const threads = await ask('POST', '/graphql', { body: { query, operationName: 'Threads', variables: { owner: 'octo', name: 'demo', number } } });
  const page = threads.body['data']?.['repository']?.['pullRequest']?.['reviewThreads'];
  expect(page).toMatchObject({
    pageInfo: { hasNextPage: true },
    nodes: [{ isResolved: false, line: 12, comments: { nodes: [{ databaseId: first }, { author: { login: 'alice' } }] } }, { diffSide: 'LEFT' }],
  });
  const resolve = 'mutation Resolve($id: ID!) { resolveReviewThread(input: {threadId: $id}) { thread { isResolved resolvedBy { login } } } }';
  const resolved = await ask('POST', '/graphql', { body: { query: resolve, variables: { id: page?.['nodes']?.['0']?.['id'] } } });
  expect(resolved.body).toEqual({ data: { resolveReviewThread: { thread: { isResolved: true, resolvedBy: { login: 'reviewer' } } } } });

  const sha = forge.seed.changeOf(REPOSITORY, number).headSha;
  expect((await ask('POST', `${ROOT}/statuses/${sha}`, { body: { state: 'success', context: 'weir/review', description: 'ok' } })).status).toBe(201);
  expect((await ask('GET', `${ROOT}/commits/${sha}/status`)).body).toMatchObject({ state: 'success', total_count: 1 });
  expect((await ask('POST', `${ROOT}/issues/${number}/labels`, { body: { labels: ['weir'] } })).body).toMatchObject([{ name: 'weir' }]);
  expect(forge.violations).toEqual([]);
});

test(`${verifies('REV-17')} a line off the diff rejects the whole review, and the answer does not say which comment (B18)`, async () => {
  const { ask, number } = seeded;
  const post = (comments: unknown) => ask('POST', `${ROOT}/pulls/${number}/reviews`, { body: { event: 'COMMENT', body: 'x', comments } });
  const refused = await post([
    { path: 'src/app.ts', line: 12, side: 'RIGHT', body: 'good' },
    { path: 'src/app.ts', line: 900, side: 'RIGHT', body: 'bad' },
  ]);
  expect(refused).toMatchObject({
    status: 422,
    body: {
      message: 'Unprocessable Entity',
      errors: ["Pull request review thread line must be part of the diff and Pull request review thread diff hunk can't be blank"],
    },
  });
  expect((await ask('GET', `${ROOT}/pulls/${number}/reviews`)).body).toEqual([]);
  expect((await post([{ path: 'nope.ts', line: 1, body: 'bad' }])).body['errors']).toMatchObject([
    "Pull request review thread path is invalid and Pull request review thread diff hunk can't be blank",
  ]);
  // A line in two hunks, a range the wrong way round, the moved file under its old name.
  expect((await post([{ path: 'src/app.ts', start_line: 12, line: 45, body: 'bad' }])).body['errors']).toMatchObject([
    'Pull request review thread start line must be part of the same hunk as the line.',
  ]);
  expect((await post([{ path: 'src/app.ts', start_line: 12, line: 12, body: 'bad' }])).body['errors']).toMatchObject([
    'Pull request review thread start line must precede the end line.',
  ]);
  expect((await post([{ path: 'old.ts', line: 10, body: 'bad' }])).status).toBe(422);
  expect((await post([{ path: 'src/app.ts', start_line: 10, line: 12, side: 'LEFT', start_side: 'LEFT', body: 'old side (B20)' }])).status).toBe(200);
  expect(
    (
      await ask('POST', `${ROOT}/pulls/${number}/comments`, {
        body: { commit_id: seeded.forge.seed.changeOf(REPOSITORY, number).headSha, path: 'src/app.ts', line: 900, body: 'bad' },
      })
    ).body,
  ).toMatchObject({
    message: 'Validation Failed',
    errors: [{ resource: 'PullRequestReviewComment', field: 'pull_request_review_thread.line' }, { code: 'missing_field' }],
  });
});

test("one pending review an account, 65,536 characters, no approval of one's own (B27, B28)", async () => {
  const { ask, number } = seeded;
  const reviews = `${ROOT}/pulls/${number}/reviews`;
  const pending = await ask('POST', reviews, { body: { comments: [{ path: 'src/app.ts', line: 12, body: 'later' }] } });
  expect(pending.body).toMatchObject({ state: 'PENDING' });
  expect(pending.body['submitted_at']).toBeUndefined();
  expect((await ask('POST', reviews, { body: { event: 'COMMENT', body: 'x' } })).body['errors']).toEqual([
    'User can only have one pending review per pull request',
  ]);
  expect((await ask('GET', reviews, { as: 'alice' })).body).toEqual([]);
  expect((await ask('POST', `${reviews}/${pending.body['id']}/events`, { body: { event: 'COMMENT', body: 'now' } })).body).toMatchObject({
    state: 'COMMENTED',
  });
  expect((await ask('POST', `${ROOT}/issues/${number}/comments`, { body: { body: 'x'.repeat(65_537) } })).status).toBe(422);
  expect((await ask('POST', `${ROOT}/issues/${number}/comments`, { body: { body: 'x'.repeat(65_536) } })).status).toBe(201);
  expect((await ask('POST', reviews, { as: 'alice', body: { event: 'APPROVE' } })).body['errors']).toEqual(['Can not approve your own pull request']);
});

test('a push outdates a comment on a line that it changed, and moves one that it did not', async () => {
  const { ask, forge, number } = seeded;
  const comments = [
    { path: 'src/app.ts', line: 12, body: 'changed next' },
    { path: 'src/app.ts', line: 45, body: 'only moved' },
  ];
  await ask('POST', `${ROOT}/pulls/${number}/reviews`, { body: { event: 'COMMENT', body: 'x', comments } });
  const next = (line: string, at: number): readonly string[] =>
    at === 12 ? ['line 12 again', 'and more'] : at === 30 ? [] : at === 45 ? [line, 'line added'] : [line];
  await forge.seed.push({ repository: REPOSITORY, branch: 'feature', files: { 'src/app.ts': numbered(60, next) }, by: 'alice' });
  const posted = await ask('GET', `${ROOT}/pulls/${number}/comments`);
  expect(posted.body).toMatchObject([
    { line: null, position: null, original_line: 12 },
    { line: 46, original_line: 45 },
  ]);
});

test('delivers signed webhooks over the bytes that it sends, and sends the same again (B29, B32)', async () => {
  const { ask, forge, number } = seeded;
  const hook = await ask('POST', `${ROOT}/hooks`, {
    as: 'octo',
    body: { config: { url: receiver.url, content_type: 'json', secret: 's3cret' }, events: ['pull_request', 'issue_comment'] },
  });
  expect(hook.body['config']?.['secret']).toBe('********');
  await ask('POST', `${ROOT}/issues/${number}/comments`, { body: { body: '\u001B[0m 😊' } });
  await forge.seed.edit(REPOSITORY, number, { draft: true, by: 'alice' });
  await forge.seed.edit(REPOSITORY, number, { draft: false, by: 'alice' });
  await forge.settled();
  expect(receiver.received.map(one => one.headers['x-github-event'])).toEqual(['ping', 'issue_comment', 'pull_request', 'pull_request']);
  expect(forge.deliveries.map(one => one.action)).toEqual([null, 'created', 'converted_to_draft', 'ready_for_review']);
  const comment = receiver.received[1] ?? { headers: {}, body: Buffer.alloc(0) };
  const sign = (bytes: Buffer | string) => `sha256=${createHmac('sha256', 's3cret').update(bytes).digest('hex')}`;
  expect(comment.headers['x-hub-signature-256']).toBe(sign(comment.body));
  expect(sign(JSON.stringify(JSON.parse(comment.body.toString())))).not.toBe(comment.headers['x-hub-signature-256']);
  const deliveries = await ask('GET', `${ROOT}/hooks/${hook.body['id']}/deliveries`, { as: 'octo' });
  const first = deliveries.body['2']?.['id'];
  expect((await ask('POST', `${ROOT}/hooks/${hook.body['id']}/deliveries/${first}/attempts`, { as: 'octo' })).status).toBe(202);
  await forge.settled();
  expect(receiver.received[4]?.body.equals(comment.body)).toBe(true);
  expect(receiver.received[4]?.headers['x-github-delivery']).toBe(comment.headers['x-github-delivery']);
  expect((await ask('POST', `${ROOT}/hooks`, { body: { config: { url: receiver.url } } })).status).toBe(403);
});

test('mints an installation token for a signed JWT, and hides what an account may not see', async () => {
  const { ask, forge, number } = seeded;
  const keys = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const app = forge.seed.app({ slug: 'weir', publicKey: keys.publicKey.export({ type: 'spki', format: 'pem' }).toString(), by: 'octo' });
  const now = Math.floor(Date.now() / 1000);
  const part = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');
  const head = `${part({ alg: 'RS256', typ: 'JWT' })}.${part({ iss: String(app.id), iat: now - 10, exp: now + 300 })}`;
  const jwt = `${head}.${createSign('sha256').update(head).sign(keys.privateKey).toString('base64url')}`;
  const minted = await ask('POST', `/app/installations/${app.installation}/access_tokens`, { headers: { authorization: `Bearer ${jwt}` } });
  expect(minted.status).toBe(201);
  const asApp = { headers: { authorization: `Bearer ${minted.body['token']}` } };
  expect((await ask('POST', `${ROOT}/issues/${number}/comments`, { ...asApp, body: { body: 'hi' } })).body).toMatchObject({
    user: { login: 'weir[bot]', type: 'Bot' },
  });
  expect(
    (
      await ask('POST', `${ROOT}/check-runs`, {
        ...asApp,
        body: { name: 'weir', head_sha: forge.seed.changeOf(REPOSITORY, number).headSha, conclusion: 'success', output: { title: 't', summary: 's' } },
      })
    ).status,
  ).toBe(201);
  expect((await ask('GET', '/app', { headers: { authorization: `Bearer ${jwt.slice(0, -4)}AAAA` } })).status).toBe(401);
  await forge.seed.repository({ owner: 'octo', name: 'secret', private: true });
  expect((await ask('GET', '/repos/octo/secret')).status).toBe(404);
  expect((await ask('GET', '/repos/octo/secret', { as: 'octo' })).status).toBe(200);
  expect((await ask('GET', '/user', { as: '' })).status).toBe(401);
  expect((await ask('GET', '/user', { headers: { authorization: 'Bearer wrong' } })).body['message']).toBe('Bad credentials');
  expect(forge.violations).toEqual([]);
});

test('answers 304 to an ETag, 406 to a diff of 301 files, and archives from another origin', async () => {
  const { ask, forge } = seeded;
  const first = await ask('GET', ROOT);
  expect((await ask('GET', ROOT, { headers: { 'if-none-match': first.headers.get('etag') ?? '' } })).status).toBe(304);
  const many = Object.fromEntries(Array.from({ length: 301 }, (_, at) => [`many/${at}.txt`, `${at}\n`]));
  await forge.seed.push({ repository: REPOSITORY, branch: 'many', from: 'main', files: many });
  const change = await forge.seed.change({ repository: REPOSITORY, head: 'many' });
  const refused = await ask('GET', `${ROOT}/pulls/${change.number}`, { headers: { accept: 'application/vnd.github.diff' } });
  expect(refused).toMatchObject({ status: 406, body: { errors: [{ code: 'too_large' }] } });
  const page = await ask('GET', `${ROOT}/pulls/${change.number}/files?per_page=100&page=4`);
  expect(page.body).toHaveLength(1);
  expect(page.headers.get('link')).not.toContain('rel="next"');
  const archive = await ask('GET', `${ROOT}/tarball/main`);
  expect(archive.status).toBe(302);
  expect(new URL(archive.headers.get('location') ?? '').origin).toBe(forge.downloadUrl);
  expect((await fetch(archive.headers.get('location') ?? '')).status).toBe(200);
  expect(forge.downloads).toHaveLength(1);
});

test('draft, ready and auto-merge go over GraphQL; unknown fields and ids are errors inside a 200', async () => {
  const { ask, forge, number } = seeded;
  const id = (await ask('GET', `${ROOT}/pulls/${number}`)).body['node_id'];
  const mutate = (name: string) =>
    ask('POST', '/graphql', {
      as: 'alice',
      body: { query: `mutation M($id: ID!) { ${name}(input: {pullRequestId: $id}) { pullRequest { isDraft } } }`, variables: { id } },
    });
  expect((await mutate('convertPullRequestToDraft')).body).toMatchObject({ data: { convertPullRequestToDraft: { pullRequest: { isDraft: true } } } });
  expect((await ask('PUT', `${ROOT}/pulls/${number}/merge`, { body: {} })).status).toBe(405);
  expect((await mutate('markPullRequestReadyForReview')).body).toMatchObject({ data: { markPullRequestReadyForReview: { pullRequest: { isDraft: false } } } });
  expect((await mutate('enablePullRequestAutoMerge')).body).toMatchObject({ errors: [{ type: 'UNPROCESSABLE' }] });
  expect((await ask('POST', '/graphql', { body: { query: '{ viewer { shoeSize } }' } })).body).toMatchObject({ errors: [{ type: 'undefinedField' }] });
  expect((await ask('POST', '/graphql', { body: { query: '{ viewer {' } })).status).toBe(200);
  expect((await ask('PUT', `${ROOT}/pulls/${number}/merge`, { body: { merge_method: 'squash' } })).body).toMatchObject({ merged: true });
  expect(forge.seed.changeOf(REPOSITORY, number).state).toBe('merged');
});
