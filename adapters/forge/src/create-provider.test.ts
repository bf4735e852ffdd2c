import { HttpFailure } from '@weir/ports';
import { verifies } from '@weir/requirements';
import { expect, test } from 'vitest';
import type { CallOptions } from './provider-options.ts';
import type { ProviderError } from './provider-failure.ts';
import { verifyReceipt } from './receipt.ts';
import { loadDescriptor } from './load-builtin.fixture.ts';
import { CANARY, changedDescriptor, createWorld, loadTable, receiptKeys, START } from './scripted-world.fixture.ts';

const by = (more: Partial<CallOptions> = {}): CallOptions => ({ signal: new AbortController().signal, actor: 'person:ada', ...more });
const failure = (promise: Promise<unknown>): Promise<ProviderError> =>
  promise.then(
    () => expect.unreachable(),
    (error: unknown) => error as ProviderError,
  );
const REPO = { owner: 'o', repo: 'r' };
const REVIEW = { ...REPO, pull_number: 7, event: 'COMMENT', body: 'Looks good.' };

test(`${verifies('PRV-9', 'PRV-13')} a call is built from its row and carries the credential`, async () => {
  const { provider, sent } = createWorld(() => ({ json: { login: 'ada' }, headers: { 'x-github-request-id': 'R1' } }));
  const answer = await provider.call('GET /user', {}, by());
  expect(answer).toMatchObject({ status: 200, value: { login: 'ada' }, requestId: 'R1' });
  expect(sent[0]).toMatchObject({ method: 'GET', url: 'https://api.github.com/user' });
  expect(sent[0]?.headers).toMatchObject({ authorization: `Bearer ${CANARY}`, 'x-github-api-version': '2022-11-28', accept: 'application/vnd.github+json' });
});

test(`${verifies('PRV-9')} wrong arguments and unknown operations open no socket and name the nearest`, async () => {
  const { provider, sent, acquired } = createWorld(() => ({}));
  const wrong = await failure(provider.call('pulls/get', { ...REPO, pull_numbr: 7 }, by()));
  expect(wrong).toMatchObject({ code: 'ARGUMENTS_INVALID' });
  expect(wrong.message).toContain('pull_number');
  expect(await failure(provider.call('pulls/gett', REPO, by()))).toMatchObject({
    code: 'OPERATION_UNKNOWN',
    message: expect.stringContaining('pulls/get') as string,
  });
  expect([sent, acquired]).toEqual([[], []]);
});

test.each([
  [404, { message: 'Not Found' }, 'FORGE_NOT_FOUND'],
  [409, { message: 'x' }, 'FORGE_CONFLICT'],
  [422, { message: 'Validation Failed', errors: [{ field: 'base', code: 'invalid' }] }, 'FORGE_UNPROCESSABLE'],
  [401, { message: 'Bad credentials' }, 'FORGE_UNAUTHORIZED'],
  [403, { message: 'Resource not accessible' }, 'FORGE_FORBIDDEN'],
  [410, { message: 'gone' }, 'FORGE_NOT_FOUND'],
  [410, { message: 'This endpoint is no longer available' }, 'FORGE_DEPRECATED'],
])(`${verifies('PRV-9')} status %i becomes an error with a name`, async (status, json, code) => {
  const { provider } = createWorld(() => ({ status, json, headers: { 'x-github-request-id': 'R9' } }));
  const error = await failure(provider.call('pulls/get', { ...REPO, pull_number: 7 }, by()));
  expect(error).toMatchObject({ code, status, requestId: 'R9' });
  expect(error.message).toContain('R9');
  expect(error.next).not.toBe('');
});

test(`${verifies('PRV-17')} a write is denied unless its operation, or the verb that is bound to it, is allowed`, async () => {
  const { provider, sent, lines } = createWorld(() => ({ json: { id: 1 } }));
  expect(await failure(provider.call('pulls/create-review', REVIEW, by()))).toMatchObject({ code: 'FORGE_DENIED' });
  expect(await failure(provider.call('repos/delete', REPO, by({ capability: 'review.submit' })))).toMatchObject({ code: 'FORGE_DENIED' });
  expect(await failure(provider.call('pulls/create-review', REVIEW, by({ capability: 'change.merge' })))).toMatchObject({ code: 'FORGE_DENIED' });
  expect([sent, lines]).toEqual([[], []]);
  await provider.call('pulls/create-review', REVIEW, by({ capability: 'review.submit' }));
  expect(sent).toHaveLength(1);
});

test(`${verifies('PRV-17')} read-only beats every allowance, from the descriptor, the engine and the call`, async () => {
  const allowed = changedDescriptor(({ policy }) => ({ policy: { ...policy, allowed_mutations: ['repos/delete'] } }));
  const readOnly = changedDescriptor(({ policy }) => ({ policy: { ...policy, allowed_mutations: ['repos/delete'], read_only: true } }));
  for (const [changes, call] of [
    [{ descriptor: readOnly }, by()],
    [{ descriptor: allowed, readOnly: true }, by({ readOnly: false })],
    [{ descriptor: allowed }, by({ readOnly: true })],
  ] as const) {
    const { provider, sent } = createWorld(() => ({ status: 204 }), changes);
    expect(await failure(provider.call('repos/delete', REPO, call))).toMatchObject({ code: 'FORGE_DENIED' });
    expect(sent).toEqual([]);
  }
  const { provider } = createWorld(() => ({ status: 204 }), { descriptor: allowed });
  expect(await provider.call('repos/delete', REPO, by())).toMatchObject({ status: 204, value: null });
});

test(`${verifies('PRV-18')} the intent is in the log before the send, the outcome after it, and the receipt verifies`, async () => {
  const world = createWorld(() => {
    expect(world.lines.map(line => line.kind)).toEqual(['intent']);
    return { json: { id: 1 } };
  });
  const answer = await world.provider.call('pulls/create-review', REVIEW, by({ capability: 'review.submit' }));
  expect(world.lines).toMatchObject([
    { kind: 'intent', actor: 'person:ada', provider: 'github', capability: 'review.submit', operation: 'pulls/create-review', receipt: answer.receipt },
    { kind: 'outcome', intent: 1, result: 'succeeded', status: 200 },
  ]);
  const receipt = answer.receipt ?? '';
  expect(verifyReceipt(receipt, receiptKeys.publicKey)).toMatchObject({
    actor: 'person:ada',
    digest: world.lines[0]?.argsDigest,
    at: new Date(START).toISOString(),
  });
  expect(verifyReceipt(`${Buffer.from('{}').toString('base64url')}.${receipt.split('.')[1]}`, receiptKeys.publicKey)).toBeUndefined();
  expect(verifyReceipt('nonsense', receiptKeys.publicKey)).toBeUndefined();
});

test(`${verifies('PRV-18')} the digest is of the request: equal requests have equal digests, another body has another`, async () => {
  const digests: (string | undefined)[] = [];
  for (const body of ['a', 'a', 'b']) {
    const { provider, lines } = createWorld(() => ({ json: { id: 1 } }));
    await provider.call('pulls/create-review', { ...REVIEW, body }, by({ capability: 'review.submit' }));
    digests.push(lines[0]?.argsDigest);
  }
  expect(digests[0]).toMatch(/^[0-9a-f]{64}$/);
  expect(digests[1]).toBe(digests[0]);
  expect(digests[2]).not.toBe(digests[0]);
});

test(`${verifies('PRV-18')} an intent that cannot be written, or a missing key, denies the call; a lost outcome is told`, async () => {
  const denied = createWorld(() => ({}), { auditStore: { append: () => Promise.reject(new Error('disk full at /secret')), read: () => Promise.resolve([]) } });
  const error = await failure(denied.provider.call('pulls/create-review', REVIEW, by({ capability: 'review.submit' })));
  expect(error).toMatchObject({ code: 'FORGE_DENIED' });
  expect(error.message).not.toContain('secret');
  expect(denied.sent).toEqual([]);

  const keyless = createWorld(() => ({}), { signReceipt: undefined as never });
  expect(await failure(keyless.provider.call('pulls/create-review', REVIEW, by({ capability: 'review.submit' })))).toMatchObject({ code: 'FORGE_DENIED' });
  expect([keyless.sent, keyless.lines]).toEqual([[], []]);

  let appended = 0;
  const append = () => ((appended += 1) === 1 ? Promise.resolve({ sequence: 1, text: '', hash: '' }) : Promise.reject(new Error('gone')));
  const half = createWorld(() => ({ json: { id: 1 } }), { auditStore: { append, read: () => Promise.resolve([]) } });
  expect(await half.provider.call('pulls/create-review', REVIEW, by({ capability: 'review.submit' }))).toMatchObject({ status: 200, recorded: false });
});

test.each([
  [{ status: 422, json: { message: 'no' } }, 'failed', 422],
  [{ status: 502, text: 'bad gateway' }, 'unknown', 502],
  [new HttpFailure('unreachable', 'the connection was cut'), 'unknown', null],
  [new HttpFailure('refused', 'not an allowed address'), 'failed', null],
] as const)(`${verifies('PRV-18', 'PRV-10')} a write is not repeated, and the log tells what is known of its end`, async (answer, result, status) => {
  const { provider, sent, lines } = createWorld(() => answer);
  await failure(provider.call('pulls/create-review', REVIEW, by({ capability: 'review.submit' })));
  expect(sent).toHaveLength(1);
  expect(lines[1]).toMatchObject({ kind: 'outcome', result, status });
});

test(`${verifies('PRV-19')} a run has a budget of calls, other runs have their own`, async () => {
  const descriptor = changedDescriptor(({ policy }) => ({ policy: { ...policy, budget: { ...policy.budget, calls_per_run: 2 } } }));
  const { provider, sent } = createWorld(() => ({ json: {} }), { descriptor });
  for (let call = 0; call < 2; call += 1) await provider.call('GET /user', {}, by({ run: 'run-1' }));
  expect(await failure(provider.call('GET /user', {}, by({ run: 'run-1' })))).toMatchObject({ code: 'FORGE_DENIED' });
  await provider.call('GET /user', {}, by({ run: 'run-2' }));
  expect(sent).toHaveLength(3);
});

test(`${verifies('PRV-10')} a read that fails for a passing reason is repeated four times, with longer pauses`, async () => {
  const { provider, sent, sleeps, released, acquired } = createWorld(() => ({ status: 503, text: 'down' }));
  expect(await failure(provider.call('GET /user', {}, by()))).toMatchObject({ code: 'FORGE_UNAVAILABLE' });
  expect(sent).toHaveLength(5);
  expect(sleeps).toEqual([250, 500, 1_000, 2_000]);
  expect(released).toHaveLength(acquired.length);
});

test(`${verifies('PRV-10', 'PRV-19')} a secondary limit stops everything for 60 s, then the call is made again`, async () => {
  const { provider, sent, sleeps, quarantines } = createWorld((_request, index) =>
    index === 0
      ? {
          status: 403,
          json: { message: 'You have exceeded a secondary rate limit.' },
          headers: { 'x-ratelimit-remaining': '4000', 'x-ratelimit-reset': String(START / 1_000 + 900), 'retry-after': '5' },
        }
      : { json: { login: 'ada' } },
  );
  await provider.call('GET /user', {}, by());
  expect(sent).toHaveLength(2);
  expect(quarantines).toEqual([START + 60_000]);
  expect(sleeps).toEqual([60_000]);
});

test(`${verifies('PRV-10')} a limit that names its end is waited for; one that ends too late is a failure that says when`, async () => {
  const soon = createWorld((_request, index) => (index === 0 ? { status: 429, json: { message: 'slow' }, headers: { 'retry-after': '3' } } : { json: {} }));
  await soon.provider.call('GET /user', {}, by());
  expect(soon.sleeps).toEqual([3_000]);

  const late = createWorld(() => ({ status: 429, json: { message: 'slow' }, headers: { 'retry-after': '7200' } }));
  const error = await failure(late.provider.call('GET /user', {}, by()));
  expect(error).toMatchObject({ code: 'FORGE_RATE_LIMITED', retryAfterSeconds: 7_200 });
  expect(late.sent).toHaveLength(1);
});

test(`${verifies('PRV-10')} what the provider counts is reported under its resource, which the next call asks for`, async () => {
  const { provider, reported, acquired } = createWorld(() => ({
    json: { items: [], total_count: 0 },
    headers: { 'x-ratelimit-remaining': '9', 'x-ratelimit-reset': String(START / 1_000 + 30), 'x-ratelimit-resource': 'search' },
  }));
  for (let call = 0; call < 2; call += 1) await provider.call('search/repos', { q: 'x' }, by());
  expect(reported[0]).toEqual({ resource: 'search', remaining: 9, resetAt: START + 30_000 });
  expect(acquired.map(({ resource }) => resource)).toEqual(['core', 'search']);
});

test(`${verifies('PRV-10')} a write costs more points, counts as content, and is spaced where it notifies`, async () => {
  const { provider, acquired } = createWorld(() => ({ json: { id: 1 } }));
  await provider.call('GET /user', {}, by());
  await provider.call('pulls/create-review', REVIEW, by({ capability: 'review.submit' }));
  expect(acquired[0]?.charges).toEqual([{ window: 'points', cost: 1, limit: 900, seconds: 60 }]);
  expect(acquired[1]).toMatchObject({
    charges: [
      { window: 'points', cost: 5 },
      { window: 'content', cost: 1, limit: 80, seconds: 60 },
    ],
    notificationIntervalMs: 1_000,
    maxConcurrent: 10,
  });
});

test(`${verifies('PRV-10')} a limit of an hour is charged as one, and what a call would wait longer for than it may is told to it`, async () => {
  const descriptor = loadDescriptor('bitbucket-cloud');
  const spent = (waitMs: number) => ({ granted: false, reason: 'points', waitMs }) as const;
  const open = (grants: Parameters<typeof createWorld>[2]) =>
    createWorld(() => ({ json: {} }), { descriptor, table: loadTable('bitbucket-cloud'), credentials: { env: () => CANARY } }, grants);
  const short = open((_request, now) => (now < START + 4_000 ? spent(4_000) : undefined));
  await short.provider.call('GET /user', {}, by({ patienceMs: 5_000 }));
  expect(short.acquired[0]?.charges).toEqual([{ window: 'hour', cost: 1, limit: 960, seconds: 3_600 }]);
  expect(short.sleeps).toEqual([4_000]);
  const long = open(() => spent(60_000));
  expect(await failure(long.provider.call('GET /user', {}, by({ patienceMs: 5_000 })))).toMatchObject({
    ...{ code: 'FORGE_RATE_LIMITED', retry: 'later', retryAfterSeconds: 60 },
  });
  expect([long.sleeps, long.sent]).toEqual([[], []]);
});

test(`${verifies('PRV-10')} a busy slot is asked for again soon, and an abort ends the wait`, async () => {
  const busy = (_request: unknown, now: number) => (now < START + 600 ? ({ granted: false, reason: 'concurrency', waitMs: 30_000 } as const) : undefined);
  const { provider, sleeps } = createWorld(() => ({ json: {} }), {}, busy);
  await provider.call('GET /user', {}, by());
  expect(sleeps).toEqual([250, 250, 250]);
  const stop = new AbortController();
  const endless = createWorld(
    () => ({}),
    { sleep: () => (stop.abort(new Error('enough')), Promise.resolve()) },
    () => ({ granted: false, reason: 'concurrency', waitMs: 100 }),
  );
  await expect(endless.provider.call('GET /user', {}, by({ signal: stop.signal }))).rejects.toThrow('enough');
});

test(`${verifies('PRV-14')} a read that was answered before is conditional, by credential and media type`, async () => {
  const { provider, sent, kept } = createWorld(({ headers }) =>
    headers['if-none-match'] === '"e1"'
      ? { status: 304, headers: { etag: '"e1"' } }
      : { json: { login: 'ada' }, headers: { etag: '"e1"', link: '<https://api.github.com/user?page=2>; rel="next"' } },
  );
  const first = await provider.call('GET /user', {}, by());
  const second = await provider.call('GET /user', {}, by());
  expect(second.value).toEqual(first.value);
  expect(second.headers['link']).toBe(first.headers['link']);
  await provider.call('GET /user', {}, by({ headers: { accept: 'application/vnd.github.raw+json' } }));
  expect(sent.map(({ headers }) => headers['if-none-match'])).toEqual([undefined, '"e1"', undefined]);
  expect([...kept.keys()].join()).not.toContain(CANARY);
});

test(`${verifies('PRV-14')} a 304 that nobody asked for is no success`, async () => {
  const { provider } = createWorld(() => ({ status: 304 }));
  expect(await failure(provider.call('GET /user', {}, by()))).toMatchObject({ code: 'FORGE_UNAVAILABLE' });
});

test(`${verifies('PRV-8')} an answer beyond the bound is no short answer; an error page is read to 8 KiB only`, async () => {
  const mebibyte = new Uint8Array(1024 * 1024).fill(32);
  const large = createWorld(() => ({ chunks: Array.from({ length: 17 }, () => mebibyte), headers: { 'content-type': 'application/json' } }));
  expect(await failure(large.provider.call('GET /user', {}, by()))).toMatchObject({ code: 'FORGE_BOUND_EXCEEDED' });
  let read = 0;
  const chunks = (function* endless() {
    for (;;) {
      read += 1;
      yield new Uint8Array(4_096).fill(97);
    }
  })();
  const endless = createWorld(() => ({ status: 404, chunks: chunks as unknown as Uint8Array[] }));
  expect(await failure(endless.provider.call('GET /user', {}, by()))).toMatchObject({ code: 'FORGE_NOT_FOUND' });
  expect(read).toBeLessThan(5);
});

test(`${verifies('PRV-12', 'PRV-13')} a credential that an answer repeats is in no result, error, log or store`, async () => {
  const echo = { 'x-github-request-id': CANARY, etag: `"${CANARY}"` };
  const good = createWorld(() => ({ json: { you: CANARY, nested: [`Bearer ${CANARY}`] }, headers: echo }));
  const answer = await good.provider.call('GET /user', {}, by());
  const bytes = new TextDecoder().decode(answer.bytes);
  expect(
    JSON.stringify([answer.value, answer.headers, answer.requestId, [...good.kept]]) + bytes + new TextDecoder().decode([...good.kept.values()][0]?.body),
  ).not.toContain(CANARY);
  const bad = createWorld(() => ({ status: 401, json: { message: `bad token ${CANARY}` }, headers: echo }));
  const error = await failure(bad.provider.call('pulls/create-review', REVIEW, by({ capability: 'review.submit' })));
  expect(error.message + error.next + String(error.stack) + JSON.stringify(error) + JSON.stringify(bad.lines)).not.toContain(CANARY);
  const cut = createWorld(() => new HttpFailure('unreachable', `https://${CANARY}@host fell silent`));
  expect((await failure(cut.provider.call('GET /user', {}, by()))).message).not.toContain(CANARY);
});

test(`${verifies('PRV-13')} the environment comes first, then the CLI, once; without either nothing is sent`, async () => {
  const commands: (readonly string[])[] = [];
  const runTool = (command: readonly string[]) => (commands.push(command), Promise.resolve('cli-token-123\n'));
  const cli = createWorld(() => ({ json: {} }), { credentials: { env: () => undefined, runTool } });
  for (let call = 0; call < 2; call += 1) await cli.provider.call('GET /user', {}, by());
  expect(commands).toEqual([['gh', 'auth', 'token', '--hostname', 'github.com']]);
  expect(cli.sent[1]?.headers['authorization']).toBe('Bearer cli-token-123');
  const none = createWorld(() => ({ json: {} }), { credentials: { env: () => undefined } });
  const error = await failure(none.provider.call('GET /user', {}, by()));
  expect(error).toMatchObject({ code: 'FORGE_UNAUTHORIZED' });
  expect(error.next).toContain('WEIR_GITHUB_TOKEN or GITHUB_TOKEN');
  const broken = createWorld(() => ({ json: {} }), { credentials: { env: () => 'two words\nX: y' } });
  expect((await failure(broken.provider.call('GET /user', {}, by()))).message).not.toContain('two words');
  expect([none.sent, broken.sent]).toEqual([[], []]);
});

test(`${verifies('PRV-1')} a dry run shows the request and the policy, opens no socket and reads no credential`, () => {
  const { provider, sent } = createWorld(() => ({}), { credentials: { env: () => expect.unreachable() } });
  const shown = provider.dryRun('pulls/create-review', REVIEW);
  expect(shown).toMatchObject({
    ...{ operation: 'pulls/create-review', method: 'POST', url: 'https://api.github.com/repos/o/r/pulls/7/reviews', mutates: true, policy: { allowed: false } },
    body: { event: 'COMMENT', body: 'Looks good.' },
  });
  expect(shown.headers['authorization']).toBe('[redacted]');
  expect(provider.dryRun('pulls/create-review', REVIEW, { capability: 'review.submit' }).policy).toEqual({ allowed: true });
  expect(() => provider.dryRun('pulls/create-review', { ...REPO })).toThrow(/pull_number/);
  expect(sent).toEqual([]);
});

test(`${verifies('PRV-12')} a redirect that the way out does not follow is a failure`, async () => {
  const { provider } = createWorld(() => ({ status: 302, headers: { location: 'https://elsewhere.example/' } }));
  expect(await failure(provider.call('pulls/create-review', REVIEW, by({ capability: 'review.submit' })))).toMatchObject({
    code: 'FORGE_UNAVAILABLE',
    status: 302,
  });
});

test(`${verifies('PRV-9')} text is taken as text where it is asked for, empty text too`, async () => {
  const { provider } = createWorld((_request, index) => ({ text: index === 0 ? '{not json' : '', headers: { 'content-type': 'application/json' } }));
  expect(await provider.call('pulls/get', { ...REPO, pull_number: 1 }, by({ expect: 'text' }))).toMatchObject({ value: '{not json' });
  expect(await provider.call('pulls/get', { ...REPO, pull_number: 1 }, by({ expect: 'text' }))).toMatchObject({ value: '' });
});
