/** A session against the simulated Bitbucket Cloud. */
import { createHmac } from 'node:crypto';
import { verifies } from '@weir/requirements';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { REPOSITORY, type SeededForge, seedForge } from '../testing/seeded-forge.ts';
import { type Receiver, startReceiver } from '../webhooks/start-receiver.ts';

const ROOT = `/repositories/${REPOSITORY}`;
let seeded: SeededForge;
let receiver: Receiver;

beforeEach(async () => {
  seeded = await seedForge({ kind: 'bitbucket-cloud' });
  receiver = await startReceiver();
});
afterEach(async () => {
  await seeded.forge.close();
  await receiver.close();
});

test('reads a pull request, its diff behind a redirect, diffstat and a file', async () => {
  const { ask, forge, number } = seeded;
  const pull = await ask('GET', `${ROOT}/pullrequests/${number}`);
  expect(pull.body).toMatchObject({ id: number, state: 'OPEN', draft: false, source: { branch: { name: 'feature' } } });
  const hash = pull.body['source']?.['commit']?.['hash'] ?? '';
  expect(hash).toHaveLength(12);
  const diff = await ask('GET', `${ROOT}/pullrequests/${number}/diff`);
  expect(diff.status).toBe(302);
  const location = diff.headers.get('location') ?? '';
  expect((await ask('GET', location)).text).toContain('rename to new.ts');
  const stat = await ask('GET', `${ROOT}/pullrequests/${number}/diffstat`);
  expect((await ask('GET', stat.headers.get('location') ?? '')).body).toMatchObject({
    size: 3,
    values: [{ status: 'added', old: null }, { status: 'renamed', old: { path: 'old.ts' } }, { lines_added: 2 }],
  });
  expect((await ask('GET', `${ROOT}/src/${hash}/src/app.ts`)).text).toContain('line 12 changed');
  // The first of the two holds the changes.
  expect((await ask('GET', `${ROOT}/diffstat/feature..main`)).body).toMatchObject({ size: 3 });
  expect((await ask('GET', `${ROOT}/diffstat/main..feature`)).body).toMatchObject({ size: 0 });
  expect(forge.violations).toEqual([]);
});

test(`${verifies('REV-17')} takes lines and ranges, refuses a range the wrong way round (B24), replies and resolves`, async () => {
  const { ask, forge, number } = seeded;
  const comments = `${ROOT}/pullrequests/${number}/comments`;
  const say = (inline: unknown, more: object = {}) => ask('POST', comments, { body: { content: { raw: 'finding' }, inline, ...more } });
  const range = await say({ path: 'src/app.ts', start_to: 10, to: 12 });
  expect(range).toMatchObject({ status: 201, body: { inline: { path: 'src/app.ts', start_to: 10, to: 12, from: null } } });
  expect(await say({ path: 'src/app.ts', start_to: 16, to: 10 })).toMatchObject({ status: 400, body: { type: 'error' } });
  expect((await say({ path: 'src/app.ts', from: 30 })).status).toBe(201);
  expect((await say({ path: 'src/app.ts', to: 12 })).status).toBe(201);
  const reply = await ask('POST', comments, { as: 'alice', body: { content: { raw: 'Fixed' }, parent: { id: range.body['id'] } } });
  expect(reply.body).toMatchObject({ parent: { id: range.body['id'] } });
  expect((await ask('POST', `${comments}/${range.body['id']}/resolve`, { as: 'alice' })).body).toMatchObject({
    type: 'comment_resolution',
    user: { nickname: 'alice' },
  });
  expect((await ask('POST', `${comments}/${range.body['id']}/resolve`)).status).toBe(409);
  expect((await ask('POST', `${comments}/${reply.body['id']}/resolve`)).status).toBe(403);
  expect((await ask('DELETE', `${comments}/${range.body['id']}/resolve`)).status).toBe(204);
  expect((await ask('DELETE', `${comments}/${reply.body['id']}`, { as: 'alice' })).status).toBe(204);
  expect((await ask('GET', comments)).body).toMatchObject({ size: 4, values: [{}, {}, {}, { deleted: true, content: { raw: '' } }] });
  expect(forge.violations).toEqual([]);
});

test('build status, report with annotations, next URL in the body, a page length over the maximum', async () => {
  const { ask, forge, number } = seeded;
  const commit = `${ROOT}/commit/${forge.seed.changeOf(REPOSITORY, number).headSha}`;
  expect((await ask('POST', `${commit}/statuses/build`, { body: { key: 'weir', state: 'SUCCESSFUL', url: 'https://weir.invalid/1' } })).status).toBe(201);
  expect((await ask('GET', `${ROOT}/pullrequests/${number}/statuses`)).body).toMatchObject({ size: 1, values: [{ key: 'weir', state: 'SUCCESSFUL' }] });
  expect((await ask('PUT', `${commit}/reports/weir`, { body: { title: 'Weir', details: 'd', report_type: 'BUG', result: 'PASSED' } })).status).toBe(200);
  expect(
    (
      await ask('POST', `${commit}/reports/weir/annotations`, {
        body: [{ external_id: '1', annotation_type: 'BUG', summary: 's', path: 'src/app.ts', line: 12 }],
      })
    ).status,
  ).toBe(200);
  for (let at = 0; at < 12; at += 1) forge.seed.comment(REPOSITORY, number, { body: `${at}` });
  const page = await ask('GET', `${ROOT}/pullrequests/${number}/comments`);
  expect(page.body).toMatchObject({ pagelen: 10, size: 12, page: 1 });
  const next = await ask('GET', page.body['next'] ?? '');
  expect(next.body['values']).toHaveLength(2);
  expect(next.body['next']).toBeUndefined();
  expect((await ask('GET', `${ROOT}/pullrequests?pagelen=51`)).status).toBe(400);
  expect(forge.violations).toEqual([]);
});

test('signs hooks over the bytes; an async merge is watched by its task', async () => {
  const { ask, forge, number } = seeded;
  const hook = await ask('POST', `${ROOT}/hooks`, {
    as: 'octo',
    body: { url: receiver.url, description: 'weir', active: true, secret: 's3cret', events: ['pullrequest:comment_created', 'pullrequest:fulfilled'] },
  });
  expect(hook.body).toMatchObject({ secret_set: true });
  await ask('POST', `${ROOT}/pullrequests/${number}/comments`, { body: { content: { raw: 'é 😊' } } });
  const merged = await ask('POST', `${ROOT}/pullrequests/${number}/merge?async=true`, { as: 'alice', body: { type: 'pullrequest_merge_parameters' } });
  expect(merged.status).toBe(202);
  expect((await ask('GET', merged.headers.get('location') ?? '')).body).toMatchObject({ task_status: 'SUCCESS', merge_result: { state: 'MERGED' } });
  await forge.settled();
  expect(receiver.received.map(one => one.headers['x-event-key'])).toEqual(['pullrequest:comment_created', 'pullrequest:fulfilled']);
  const [first] = receiver.received;
  expect(first?.headers['x-hub-signature']).toBe(
    `sha256=${createHmac('sha256', 's3cret')
      .update(first?.body ?? '')
      .digest('hex')}`,
  );
  expect(first?.body.toString()).toContain('\\u00e9');
  expect(forge.violations).toEqual([]);
});
