/** A session against the simulated GitLab, with its rules for positions. */
import { createHmac } from 'node:crypto';
import { verifies } from '@weir/requirements';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { REPOSITORY, type SeededForge, seedForge } from '../testing/seeded-forge.ts';
import { type Receiver, startReceiver } from '../webhooks/start-receiver.ts';

const PROJECT = `/projects/${encodeURIComponent(REPOSITORY)}`;
const NO_LINE = `400 Bad request - Note {:line_code=>["can't be blank", "must be a valid line code"]}`;
let seeded: SeededForge;
let receiver: Receiver;

beforeEach(async () => {
  seeded = await seedForge({ kind: 'gitlab' });
  receiver = await startReceiver();
});
afterEach(async () => {
  await seeded.forge.close();
  await receiver.close();
});

const position = async (place: Record<string, unknown>): Promise<Record<string, unknown>> => {
  const change = await seeded.ask('GET', `${PROJECT}/merge_requests/${seeded.number}`);
  const path = { old_path: 'src/app.ts', new_path: 'src/app.ts' };
  return { ...Object(change.body['diff_refs']), position_type: 'text', ...path, ...place };
};
const discuss = async (place: Record<string, unknown>) =>
  seeded.ask('POST', `${PROJECT}/merge_requests/${seeded.number}/discussions`, { body: { body: 'finding', position: await position(place) } });

test('reads a merge request, its diffs, versions, compare and a raw file', async () => {
  const { ask, forge, number } = seeded;
  const one = `${PROJECT}/merge_requests/${number}`;
  const request = await ask('GET', one);
  expect(request.body).toMatchObject({ iid: number, state: 'opened', draft: false, changes_count: '3', references: { full: `${REPOSITORY}!1` } });
  expect((await ask('GET', `${one}/diffs`)).body).toMatchObject([
    { new_file: true, a_mode: '0' },
    { renamed_file: true, old_path: 'old.ts', new_path: 'new.ts' },
    { new_path: 'src/app.ts' },
  ]);
  expect((await ask('GET', `${one}/raw_diffs`)).text).toContain('diff --git a/added.ts b/added.ts');
  expect((await ask('GET', `${one}/versions`)).body).toMatchObject([
    { head_commit_sha: request.body['sha'], base_commit_sha: request.body['diff_refs']?.['base_sha'] },
  ]);
  expect((await ask('GET', `${PROJECT}/repository/compare?from=main&to=feature`)).body).toMatchObject({ compare_same_ref: false });
  expect((await ask('GET', `${PROJECT}/repository/files/src%2Fapp.ts/raw?ref=${request.body['sha']}`)).text).toContain('line 12 changed');
  expect(forge.violations).toEqual([]);
  // A slash that is not escaped is another path there.
  expect((await ask('GET', `${PROJECT}/repository/files/src/app.ts/raw?ref=main`)).status).toBe(404);
  expect(forge.violations).toMatchObject([{ kind: 'unknown-operation' }]);
});

test(`${verifies('REV-17')} added lines by new_line, removed by old_line, unchanged by both (B21)`, async () => {
  expect((await discuss({ new_line: 12 })).status).toBe(201);
  expect((await discuss({ old_line: 30 })).status).toBe(201);
  const context = await discuss({ new_line: 14, old_line: 14 });
  expect(context.body['notes']?.['0']).toMatchObject({ type: 'DiffNote', resolvable: true, position: { new_line: 14, old_line: 14 } });
  expect((await discuss({ new_line: 32, old_line: 33 })).status).toBe(201);
  expect(await discuss({ new_line: 14 })).toMatchObject({ status: 400, body: { message: NO_LINE } });
  expect(await discuss({ new_line: 14, old_line: 15 })).toMatchObject({ status: 400, body: { message: NO_LINE } });
  expect((await discuss({ new_line: 2, old_line: 2 })).status).toBe(201);
  expect((await discuss({ new_path: 'added.ts', old_path: 'added.ts', new_line: 1 })).status).toBe(201);
  expect((await discuss({ new_path: 'added.ts', old_path: 'added.ts', new_line: 1, old_line: 1 })).status).toBe(400);
  expect(seeded.forge.violations).toEqual([]);
});

test('a moved file needs both of its paths (B22), and a position all three commits', async () => {
  expect((await discuss({ old_path: 'old.ts', new_path: 'new.ts', new_line: 10 })).status).toBe(201);
  expect((await discuss({ old_path: 'new.ts', new_path: 'new.ts', new_line: 10 })).status).toBe(400);
  expect((await discuss({ new_line: 12, start_sha: undefined })).body['error']).toBe('position[start_sha] is missing');
  expect((await discuss({ new_line: 12, base_sha: 'a'.repeat(40) })).status).toBe(400);
});

test('replies, resolves, and publishes draft notes all at once', async () => {
  const { ask, forge, number } = seeded;
  const discussions = `${PROJECT}/merge_requests/${number}/discussions`;
  const thread = await discuss({ new_line: 12 });
  expect((await ask('POST', `${discussions}/${thread.body['id']}/notes`, { as: 'alice', body: { body: 'Fixed' } })).status).toBe(201);
  expect((await ask('PUT', `${discussions}/${thread.body['id']}`, { as: 'alice', body: { resolved: true } })).body).toMatchObject({
    notes: [{ resolved: true, resolved_by: { username: 'alice' } }, { resolved: true }],
  });
  expect((await ask('PUT', `${discussions}/${thread.body['id']}`, { as: 'reader', body: { resolved: false } })).status).toBe(403);
  const drafts = `${PROJECT}/merge_requests/${number}/draft_notes`;
  for (const line of [12, 46])
    expect((await ask('POST', drafts, { body: { note: 'later', position: await position(line === 12 ? { new_line: 12 } : { new_line: 45 }) } })).status).toBe(
      201,
    );
  expect((await ask('GET', discussions)).body).toHaveLength(1);
  expect((await ask('POST', `${drafts}/bulk_publish`)).status).toBe(204);
  expect((await ask('GET', discussions)).body).toHaveLength(3);
  expect(forge.violations).toEqual([]);
});

test('statuses, labels with their events, levels of a member, pages in headers', async () => {
  const { ask, forge, number } = seeded;
  const sha = forge.seed.changeOf(REPOSITORY, number).headSha;
  expect((await ask('POST', `${PROJECT}/statuses/${sha}`, { body: { state: 'success', name: 'weir/review' } })).status).toBe(201);
  expect((await ask('POST', `${PROJECT}/statuses/${sha}`, { body: { state: 'success', name: 'weir/review' } })).status).toBe(400);
  expect((await ask('PUT', `${PROJECT}/merge_requests/${number}`, { body: { add_labels: 'weir,other' } })).body).toMatchObject({ labels: ['weir', 'other'] });
  expect((await ask('GET', `${PROJECT}/merge_requests/${number}/resource_label_events`)).body).toMatchObject([
    { action: 'add', user: { username: 'reviewer' }, label: { name: 'weir' } },
    {},
  ]);
  const user = await ask('GET', '/user', { as: 'alice' });
  expect((await ask('GET', `${PROJECT}/members/all/${user.body['id']}`)).body).toMatchObject({ access_level: 30 });
  for (let at = 0; at < 45; at += 1) forge.seed.label(REPOSITORY, `label-${at}`);
  const page = await ask('GET', `${PROJECT}/labels?per_page=20&page=2`);
  expect(Object.fromEntries(page.headers)).toMatchObject({ 'x-page': '2', 'x-next-page': '3', 'x-total': '47', 'x-total-pages': '3' });
  expect((await ask('GET', `${PROJECT}/labels?per_page=20&page=3`)).headers.get('x-next-page')).toBe('');
  expect(forge.violations).toEqual([]);
});

test('hooks need a maintainer (B34); a draft flip is an update without oldrev, a push one with (B32)', async () => {
  const { ask, forge, number } = seeded;
  const hook = { url: receiver.url, token: 'in the clear', push_events: false, merge_requests_events: true, note_events: true };
  expect((await ask('POST', `${PROJECT}/hooks`, { as: 'alice', body: hook })).status).toBe(403);
  expect((await ask('POST', `${PROJECT}/hooks`, { as: 'octo', body: hook })).status).toBe(201);
  forge.seed.find(REPOSITORY).hooks.forEach(one => Object.assign(one, { signingToken: 'signs' }));
  await forge.seed.edit(REPOSITORY, number, { draft: true, by: 'alice' });
  await forge.seed.edit(REPOSITORY, number, { draft: false, by: 'alice' });
  await forge.seed.push({ repository: REPOSITORY, branch: 'feature', files: { 'b.ts': 'b\n' }, by: 'alice' });
  await forge.settled();
  const payloads = receiver.received.map(one => JSON.parse(one.body.toString()) as Record<string, Record<string, unknown>>);
  expect(payloads.map(one => one['object_attributes']?.['action'])).toEqual(['update', 'update', 'update']);
  expect(payloads[1]?.['changes']?.['draft']).toEqual({ previous: true, current: false });
  expect(payloads.map(one => typeof one['object_attributes']?.['oldrev'])).toEqual(['undefined', 'undefined', 'string']);
  const first = receiver.received[0];
  expect(first?.headers).toMatchObject({ 'x-gitlab-token': 'in the clear', 'x-gitlab-event': 'Merge Request Hook' });
  const signed = `${String(first?.headers['webhook-id'])}.${String(first?.headers['webhook-timestamp'])}.${first?.body.toString()}`;
  expect(first?.headers['webhook-signature']).toBe(`v1,${createHmac('sha256', 'signs').update(signed).digest('base64')}`);
  expect(forge.violations).toEqual([]);
});
