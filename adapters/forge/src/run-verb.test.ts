import { expect, test } from 'vitest';
import { compileProvider } from './compile-provider.ts';
import { loadArguments, loadDescriptor } from './load-builtin.fixture.ts';
import type { ProviderFailureKind } from './provider-failure.ts';
import { type CallOutcome, type PreparedCall, runVerb } from './run-verb.ts';

const args = loadArguments();
const github = compileProvider(loadDescriptor('github'));
const signal = new AbortController().signal;

const answering =
  (answers: Readonly<Record<string, CallOutcome>>, asked: PreparedCall[] = []) =>
  async (call: PreparedCall): Promise<CallOutcome> => {
    asked.push(call);
    return answers[call.name] ?? { ok: true, answer: null, status: 200, headers: {} };
  };
const done = (answer: unknown, status = 200): CallOutcome => ({ ok: true, answer, status, headers: {} });
const no = (kind: ProviderFailureKind): CallOutcome => ({ ok: false, failure: { kind, message: kind, retry: 'never' } });

test('PRV-16: label.upsert updates, and creates only where there is none', async () => {
  const asked: PreparedCall[] = [];
  const outcome = await runVerb(
    github,
    { verb: 'label.upsert', args: args['label.upsert'] },
    answering({ update: no('NotFound'), create: done({ name: 'bug' }, 201) }, asked),
    signal,
  );
  expect(outcome).toEqual({ ok: true, value: { name: 'bug' } });
  expect(asked.map(call => call.op)).toEqual(['issues/update-label', 'issues/create-label']);
  const again: PreparedCall[] = [];
  await runVerb(github, { verb: 'label.upsert', args: args['label.upsert'] }, answering({ update: done({ name: 'bug' }) }, again), signal);
  expect(again.map(call => call.op)).toEqual(['issues/update-label']);
});

test('a failure that the binding does not allow ends the verb and names what was done', async () => {
  const outcome = await runVerb(
    github,
    { verb: 'commit.create', args: args['commit.create'] },
    answering({ parent: done({ tree: { sha: 'a' } }), blobs: done({ sha: 'b' }), tree: no('Forbidden') }),
    signal,
  );
  expect(outcome).toMatchObject({ ok: false, kind: 'call', call: 'tree', made: ['parent', 'blobs'], failure: { kind: 'Forbidden' } });
});

test('the calls of a commit carry each file, and deletions as null', async () => {
  const asked: PreparedCall[] = [];
  const answers = { parent: done({ tree: { sha: 'a' } }), blobs: done({ sha: 'b' }), tree: done({ sha: 'c' }), commit: done({ sha: 'd' }) };
  await runVerb(github, { verb: 'commit.create', args: args['commit.create'] }, answering(answers, asked), signal);
  expect(asked.find(call => call.name === 'tree')?.args).toEqual({
    base_tree: 'a',
    tree: [
      { path: 'a.txt', mode: '100644', type: 'blob', sha: 'b' },
      { path: 'b.txt', mode: '100755', type: 'blob', sha: 'b' },
      { path: 'c.txt', mode: '100644', type: 'blob', sha: null },
    ],
  });
  expect(asked.find(call => call.name === 'move')?.args).toEqual({ ref: 'heads/topic', sha: 'd', force: false });
});

test('arguments that do not fit are refused before any call', async () => {
  const asked: PreparedCall[] = [];
  const wrong = { repository: { owner: 'a', name: 'b' }, change: 'seven' };
  expect(await runVerb(github, { verb: 'change.get', args: wrong }, answering({}, asked), signal)).toMatchObject({
    ok: false,
    kind: 'arguments',
    reason: expect.stringContaining('change'),
  });
  expect(await runVerb(github, { verb: 'change.get', args: { ...wrong, change: 7, extra: 1 } }, answering({}, asked), signal)).toMatchObject({
    ok: false,
    kind: 'arguments',
  });
  expect(asked).toEqual([]);
});

test('PRV-15: an unsupported verb says what happens instead', async () => {
  const outcome = await runVerb(compileProvider(loadDescriptor('forgejo')), { verb: 'thread.resolve', args: args['thread.resolve'] }, answering({}), signal);
  expect(outcome).toMatchObject({ ok: false, kind: 'unsupported', instead: expect.stringContaining('repl') });
});

test('REV-17, REV-18a: GitLab gets both numbers of a context line, and a comment that it refuses stops no other', async () => {
  const gitlab = compileProvider(loadDescriptor('gitlab'));
  const asked: PreparedCall[] = [];
  const refs = { base_sha: 'b', start_sha: 's', head_sha: 'h' };
  const note = {
    id: 41,
    body: 'second',
    resolvable: true,
    resolved: false,
    system: false,
    position: { new_path: 'b', old_path: 'b', new_line: 5, old_line: null },
  };
  let posts = 0;
  const perform = async (call: PreparedCall): Promise<CallOutcome> => {
    asked.push(call);
    if (call.name === 'get') return done({ diff_refs: refs });
    if (call.name === 'note') return done({ id: 9 });
    posts += 1;
    return posts === 1
      ? { ok: false, failure: { kind: 'Unprocessable', message: 'line_code can not be blank', status: 400, retry: 'never' } }
      : done({ id: 't2', notes: [note] }, 201);
  };
  const outcome = await runVerb(gitlab, { verb: 'review.submit', args: args['review.submit'] }, perform, signal);
  expect(outcome).toMatchObject({
    ok: true,
    value: { id: '9', comments: [{ id: '41', path: 'b' }], failures: [{ index: 0, reason: 'line_code can not be blank' }] },
  });
  expect(asked.filter(call => call.name === 'discussions').map(call => call.args['position'])).toMatchObject([
    { new_path: 'src/a.ts', old_path: 'src/a.ts', new_line: 12, head_sha: '2222222222222222222222222222222222222222', base_sha: 'b' },
    { new_path: 'src/b.ts', old_path: 'src/old.ts', old_line: 5 },
  ]);
  const single = args['review.comment.create'];
  const [, position] = await runVerb(gitlab, { verb: 'review.comment.create', args: single }, perform, signal).then(() => asked.slice(-2));
  expect(position?.args['position']).toMatchObject({ new_line: 12, old_line: 11 });
});

test('a merge of a head that has moved is not sent where the forge does not compare it itself', async () => {
  for (const name of ['bitbucket-cloud', 'bitbucket-dc'] as const) {
    const asked: PreparedCall[] = [];
    const moved = { version: 1, source: { commit: { hash: '999999999999' } }, fromRef: { latestCommit: '9'.repeat(40) } };
    const outcome = await runVerb(
      compileProvider(loadDescriptor(name)),
      { verb: 'change.merge', args: args['change.merge'] },
      answering({ get: done(moved) }, asked),
      signal,
    );
    expect(outcome).toEqual({ ok: true, value: { merged: false, pending: false, commit: null } });
    expect(asked.map(call => call.name)).toEqual(['get']);
  }
});

test('account.permission is refused when the login belongs to another id now', async () => {
  for (const name of ['github', 'gitlab', 'gitea', 'bitbucket-cloud'] as const) {
    const answer = { permission: 'admin', role_name: 'admin', access_level: 50, state: 'active', id: 66, user: { id: 66, uuid: '66' } };
    const outcome = await runVerb(
      compileProvider(loadDescriptor(name)),
      { verb: 'account.permission', args: args['account.permission'] },
      answering({ call: done(answer) }),
      signal,
    );
    expect(outcome, name).toMatchObject({ ok: false, kind: 'mapping' });
  }
});

test('the identity of an app is its bot user', async () => {
  const asked: PreparedCall[] = [];
  const answers = { user: no('Forbidden'), app: done({ slug: 'weir' }), bot: done({ id: 12, login: 'weir[bot]', type: 'Bot' }) };
  expect(await runVerb(github, { verb: 'account.whoami', args: {} }, answering(answers, asked), signal)).toEqual({
    ok: true,
    value: { id: '12', login: 'weir[bot]', kind: 'bot' },
  });
  expect(asked.at(-1)?.args).toEqual({ username: 'weir[bot]' });
});
