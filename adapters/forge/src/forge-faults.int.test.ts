/** What forges, proxies and people do to a review under way, against each simulated forge, through the engine and the real way out. */
import { randomUUID } from 'node:crypto';
import { type Fault, type ForgeKind, startForge } from '@weir/forge-simulator';
import { createHttp } from '@weir/http';
import { memoryRateStore } from '@weir/provider-store';
import { verifies } from '@weir/requirements';
import { afterEach, describe, expect, test } from 'vitest';
import { loadDescriptor } from './load-builtin.fixture.ts';
import { createWorld, loadDocuments } from './scripted-world.fixture.ts';

const FORGES = ['github', 'gitlab', 'gitea', 'forgejo', 'bitbucket-cloud'] as const;
const REPOSITORY = { owner: 'acme', name: 'shop' };
const NAME = 'acme/shop';
const lines = (changed: readonly number[]) => Array.from({ length: 30 }, (_, at) => `line ${at + 1}${changed.includes(at + 1) ? ' changed' : ''}\n`).join('');

const closers: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

interface Start {
  readonly timeouts?: { readonly request_ms: number; readonly walk_ms: number };
  readonly pageMaximum?: number;
  /** The second origin may be reached, too. */
  readonly downloads?: boolean;
}

/** A forge with a change, and an engine whose waits are skipped and counted. */
async function start(kind: ForgeKind, { timeouts, pageMaximum, downloads = false }: Start = {}) {
  const forge = await startForge({ kind, ...(pageMaximum === undefined ? {} : { pageMaximum }) });
  closers.push(() => forge.close());
  const { seed } = forge;
  for (const login of ['acme', 'alice', 'weir-bot']) seed.account({ login });
  await seed.repository(REPOSITORY);
  seed.permit(NAME, 'alice', 'write');
  seed.permit(NAME, 'weir-bot', 'admin');
  const base = await seed.push({ repository: NAME, branch: 'main', by: 'alice', files: { 'src/app.ts': lines([]) } });
  const head = await seed.push({ repository: NAME, branch: 'feature', by: 'alice', files: { 'src/app.ts': lines([5, 12, 20]) } });
  const { number } = await seed.change({ repository: NAME, head: 'feature', title: 'A change', by: 'alice' });
  const read = loadDescriptor(kind);
  const allowed = [...read.policy.allowed_mutations, 'change.merge' as const, 'change.ready' as const];
  const descriptor = { ...read, ...(timeouts === undefined ? {} : { timeouts }), policy: { ...read.policy, allowed_mutations: allowed } };
  const waits: number[] = [];
  const now = () => Date.now() + waits.reduce((sum, wait) => sum + wait, 0);
  const world = createWorld(() => ({}), {
    ...{ descriptor, baseUrl: forge.url, now, rateStore: memoryRateStore({ now, newId: randomUUID }) },
    http: createHttp({ allowOrigins: downloads ? [forge.url, forge.downloadUrl] : [forge.url] }),
    credentials: { env: () => forge.token('weir-bot') },
    sleep: wait => Promise.resolve(void waits.push(wait)),
  });
  const by = { signal: new AbortController().signal, actor: 'service:review', run: 'run-1' };
  const { provider } = world;
  return { forge, seed, base, head, waits, lines: world.lines, provider, by, on: { repository: REPOSITORY, change: number } };
}

const waited = (waits: readonly number[]): number => waits.reduce((sum, wait) => sum + wait, 0);
const kindOf = (outcome: { readonly ok: boolean; readonly kind?: string; readonly failure?: { readonly kind: string } } & object): string =>
  outcome.ok ? 'ok' : (outcome.failure?.kind ?? outcome.kind ?? '');
const comment = (line: number, body = `About line ${line}`) => ({
  ...{ path: 'src/app.ts', previousPath: 'src/app.ts', side: 'new' as const, line, startLine: null, oldLine: null, newLine: line, body },
});

describe.each(FORGES)('%s', kind => {
  test(`${verifies('PRV-8', 'PRV-9', 'PRV-10', 'PRV-12')} what can go wrong on the way is a failure of the right kind, and never half an answer`, async () => {
    const { forge, provider, by, on } = await start(kind);
    const cases: readonly (readonly [Fault, number, string])[] = [
      [{ kind: 'truncated-json' }, 5, 'Unavailable'],
      [{ kind: 'cut-body' }, 5, 'Unavailable'],
      [{ kind: 'garbage' }, 5, 'Unavailable'],
      [{ kind: 'reset-before' }, 1, 'ok'],
      [{ kind: 'html-error', status: 502 }, 2, 'ok'],
      [{ kind: 'redirect-loop' }, 30, 'Unavailable'],
      [{ kind: 'oversized-error', status: 500, bytes: 5_000_000 }, 5, 'Unavailable'],
      [{ kind: 'slow-drip', chunkBytes: 512, everyMs: 1 }, 1, 'ok'],
    ];
    for (const [fault, times, expected] of cases) {
      forge.faults.clear();
      forge.faults.add({ fault, times });
      expect([fault.kind, kindOf(await provider.verb('change.get', on, by))]).toEqual([fault.kind, expected]);
    }
  });

  test(`${verifies('PRV-10', 'PRV-19')} a limit that names its end is waited for; the call is then made, and made once`, async () => {
    const { forge, provider, by, on, waits } = await start(kind);
    forge.faults.add({ fault: { kind: 'secondary-limit', status: 429, retryAfterSeconds: 7 } });
    expect(kindOf(await provider.verb('change.get', on, by))).toBe('ok');
    expect(waited(waits)).toBeGreaterThanOrEqual(6_900);
    forge.faults.add({ method: 'POST', path: 'comments', fault: { kind: 'rate-limit', status: 429, resetAfterSeconds: 30 } });
    expect(kindOf(await provider.verb('comment.create', { ...on, body: 'Once.' }, by))).toBe('ok');
    const { comments } = await value(provider.verb('comment.list', on, by));
    expect(comments.map(({ body }) => body)).toEqual(['Once.']);
  });

  test(`${verifies('PRV-11')} a list of many pages is whole; case 1: also where nothing tells of another page; case 4: a broken marker is an error`, async () => {
    const { forge, seed, provider, by } = await start(kind);
    for (let at = 0; at < 120; at += 1) seed.hook(NAME, { url: `https://hooks.example/${at}`, events: ['push'] });
    const list = () => provider.verb('webhook.list', { repository: REPOSITORY }, by);
    const urls = async () => (await value(list())).webhooks.map(({ url }) => url);
    const whole = Array.from({ length: 120 }, (_, at) => `https://hooks.example/${at}`);
    expect((await urls()).sort()).toEqual([...whole].sort());
    forge.faults.add({ path: 'hooks', fault: { kind: 'no-page-headers' }, times: 10 });
    expect((await urls()).sort()).toEqual([...whole].sort());
    forge.faults.clear();
    forge.faults.add({ path: 'hooks', fault: { kind: 'malformed-link' } });
    expect(kindOf(await list())).toBe('Unavailable');
    forge.faults.clear();
    forge.faults.add({ path: 'hooks', fault: { kind: 'endless-pages' }, times: Infinity });
    expect(['Unavailable', 'BoundExceeded']).toContain(kindOf(await list()));
    expect(forge.violations).toEqual([]);
  });

  test(`${verifies('PRV-12')} case 11: a read goes on at another origin without a credential, where that may be reached; a write goes nowhere`, async () => {
    const { forge, provider, by, on, head } = await start(kind, { downloads: true });
    const elsewhere: Fault = { kind: 'redirect', location: `${forge.downloadUrl}/acme/shop/zip/${head}`, status: 302 };
    forge.faults.add({ method: 'GET', fault: elsewhere });
    expect(kindOf(await provider.verb('file.get', { repository: REPOSITORY, path: 'src/app.ts', ref: head }, by))).toBe('ok');
    expect(forge.downloads).toHaveLength(1);
    const arrived = JSON.stringify(forge.downloads[0]?.headers);
    expect(arrived).not.toContain(forge.token('weir-bot'));
    expect(Object.keys(forge.downloads[0]?.headers ?? {}).filter(name => /auth|token|key|cookie/.test(name))).toEqual([]);
    for (const status of [302, 307, 308]) {
      forge.faults.add({ method: 'POST', fault: { ...elsewhere, status } });
      expect(kindOf(await provider.verb('comment.create', { ...on, body: 'Nowhere.' }, by))).toBe('Unavailable');
    }
    expect(forge.downloads).toHaveLength(1);
    const closed = await start(kind);
    closed.forge.faults.add({ method: 'GET', fault: { kind: 'redirect', location: `${forge.downloadUrl}/x` } });
    expect(kindOf(await closed.provider.verb('change.get', closed.on, closed.by))).toBe('UrlRefused');
    expect(forge.downloads).toHaveLength(1);
  });

  test(`${verifies('PRV-12', 'PRV-18')} case 16: no credential in a result, a failure or the journal, even where the forge says it back`, async () => {
    const { forge, provider, by, on, lines: journal } = await start(kind);
    const token = forge.token('weir-bot');
    const echo: Fault = { kind: 'answer', status: 422, headers: { 'x-echo': token }, body: { message: `bad ${token}`, error: { message: token } } };
    forge.faults.add({ method: 'POST', fault: echo });
    const refused = await provider.verb('comment.create', { ...on, body: 'Said back.' }, by);
    expect(kindOf(refused)).toBe('Unprocessable');
    forge.faults.add({ method: 'GET', fault: { kind: 'answer', status: 200, raw: `text with ${token}`, type: 'text/plain' } });
    const file = await provider.verb('file.get', { repository: REPOSITORY, path: 'src/app.ts', ref: 'main' }, by);
    expect(kindOf(file)).toBe('ok');
    expect(JSON.stringify([refused, file, journal])).not.toContain(token);
    expect(journal.length).toBeGreaterThanOrEqual(2);
  });

  test(`${verifies('PRV-15')} case 7: a comment that is refused is named, and costs neither the others nor the review`, async () => {
    const { forge, provider, by, on, head } = await start(kind);
    const looks = kind === 'github' || kind === 'gitlab';
    const comments = [comment(5), comment(900), comment(20), { ...comment(12), path: 'no/such/file.ts', previousPath: 'no/such/file.ts' }];
    const review = await value(provider.verb('review.submit', { ...on, commit: head, body: 'Four.', comments }, by));
    expect(review.failures.map(({ index }) => index)).toEqual(looks ? [1, 3] : []);
    for (const { reason } of review.failures) expect(reason).toMatch(/line|path/);
    expect(JSON.stringify(review.failures)).not.toContain('[object');
    expect(review.comments.map(({ body }) => body)).toEqual(expect.arrayContaining(['About line 5', 'About line 20']));
    const { threads } = await value(provider.verb('thread.list', on, by));
    expect(threads).toHaveLength(looks ? 2 : 4);
    expect(forge.violations).toEqual([]);
  });

  test(`${verifies('PRV-15', 'PRV-18')} a forge that fails in the middle of a review: the failure says in which call, and what is posted can be read`, async () => {
    const { forge, provider, by, on, head } = await start(kind);
    const oneByOne = kind === 'gitlab' || kind === 'bitbucket-cloud';
    forge.faults.add({ method: 'POST', path: /discussions|reviews|comments/, after: oneByOne ? 1 : 0, fault: { kind: 'html-error', status: 502 } });
    const review = await provider.verb('review.submit', { ...on, commit: head, body: 'Two.', comments: [comment(5), comment(12)] }, by);
    expect(review).toMatchObject({ ok: false, kind: 'call', failure: { kind: 'Unavailable' } });
    expect(review.ok === false && review.kind === 'call' ? review.call : '').toBe(
      { gitlab: 'discussions[1]', 'bitbucket-cloud': 'inline[1]' }[kind as string] ?? 'review',
    );
    const { threads } = await value(provider.verb('thread.list', on, by));
    expect(threads.map(thread => thread.comments[0]?.body)).toEqual(oneByOne ? ['About line 5'] : []);
  });

  test(`${verifies('PRV-15')} a force push between reading and posting: the review stands on the commit that was read, and nothing unseen is merged`, async () => {
    const { forge, seed, provider, by, on, base, head } = await start(kind);
    await seed.push({ repository: NAME, branch: 'other', from: base, by: 'alice', files: { 'src/app.ts': lines([7]) } });
    const after = await seed.find(NAME).git.resolve('refs/heads/other');
    await seed.forcePush(NAME, 'feature', { sha: after ?? '', by: 'alice' });
    const review = await provider.verb('review.submit', { ...on, commit: head, body: 'Late.', comments: [comment(12)] }, by);
    expect(kindOf(review)).toBe('ok');
    const { threads } = await value(provider.verb('thread.list', on, by));
    expect(threads).toHaveLength(1);
    const merged = await provider.verb('change.merge', { ...on, head, method: 'merge' }, by);
    expect(merged.ok ? merged.value.merged : kindOf(merged)).toEqual(kind === 'bitbucket-cloud' ? false : 'Conflict');
    expect(seed.changeOf(NAME, on.change).state).toBe('open');
    expect((await value(provider.verb('change.get', on, by))).head.commit).toBe(after);
    expect(forge.violations).toEqual([]);
  });

  test(`${verifies('PRV-15')} a deleted branch leaves the change readable; a closed change says so and is not merged`, async () => {
    const { forge, seed, provider, by, on, head } = await start(kind);
    await seed.deleteBranch(NAME, 'feature', 'alice');
    expect((await value(provider.verb('change.diff', on, by))).diff).toContain('+line 12 changed');
    await seed.edit(NAME, on.change, { state: 'closed', by: 'alice' });
    expect(await value(provider.verb('change.get', on, by))).toMatchObject({ state: 'closed', head: { branch: 'feature', commit: head } });
    expect((await value(provider.verb('change.list', { repository: REPOSITORY }, by))).changes).toEqual([]);
    expect((await value(provider.verb('change.list', { repository: REPOSITORY, state: 'closed' }, by))).changes).toHaveLength(1);
    const merged = await provider.verb('change.merge', { ...on, head, method: 'merge' }, by);
    expect(['Conflict', 'NotFound', 'Unprocessable']).toContain(kindOf(merged));
    expect(await provider.verb('file.get', { repository: REPOSITORY, path: 'src/app.ts', ref: 'feature' }, by)).toMatchObject({
      failure: { kind: 'NotFound' },
    });
    expect(forge.violations).toEqual([]);
  });
});

const value = async <Value>(coming: Promise<{ readonly ok: boolean; readonly value?: Value } & object>): Promise<Value> => {
  const outcome = await coming;
  if (!outcome.ok || outcome.value === undefined) throw new Error(JSON.stringify(outcome));
  return outcome.value;
};

test.each([
  ['github', 403],
  ['github', 429],
  ['github', 422],
  ['gitlab', 429],
  ['gitea', 429],
  ['forgejo', 429],
  ['bitbucket-cloud', 429],
] as const)(`${verifies('PRV-10', 'PRV-19')} %s: a limit as %i without a time waits a minute at least, and the comment comes once`, async (kind, status) => {
  const { forge, provider, by, on, waits } = await start(kind);
  forge.faults.add({ method: 'POST', fault: { kind: 'secondary-limit', status } });
  expect(kindOf(await provider.verb('comment.create', { ...on, body: 'Once.' }, by))).toBe('ok');
  // What passes by itself meanwhile is not waited for.
  expect(waited(waits)).toBeGreaterThanOrEqual(59_000);
  expect((await value(provider.verb('comment.list', on, by))).comments.map(({ body }) => body)).toEqual(['Once.']);
});

test.each(['gitea', 'forgejo'] as const)(`${verifies('PRV-11')} case 5: %s tells its own page maximum, and pages are asked for by it`, async kind => {
  const { forge, seed, provider, by } = await start(kind, { pageMaximum: 7 });
  for (let at = 0; at < 15; at += 1) seed.hook(NAME, { url: `https://hooks.example/${at}`, events: ['push'] });
  forge.faults.add({ path: '/hooks', fault: { kind: 'no-page-headers' }, times: 10 });
  expect((await value(provider.verb('webhook.list', { repository: REPOSITORY }, by))).webhooks).toHaveLength(15);
  const asked = forge.requests.filter(({ path }) => path.includes('/hooks')).map(({ path }) => new URLSearchParams(path.split('?')[1]).get('limit'));
  expect(asked).toEqual(['7', '7', '7']);
  expect(forge.requests.filter(({ path }) => path.includes('/settings/api'))).toHaveLength(1);
});

test.each([
  ['github', 406],
  ['bitbucket-cloud', 555],
] as const)(
  `${verifies('PRV-8', 'PRV-9')} a diff that %s finds too large is a bound, not an empty diff, and is asked for once; its files can be listed`,
  async (kind, status) => {
    const { forge, provider, by, on } = await start(kind);
    forge.faults.add({ fault: { kind: 'too-large' }, path: kind === 'github' ? /\/pulls\/\d+$/ : '/diff', times: Number.POSITIVE_INFINITY });
    const before = forge.requests.length;
    expect(await provider.verb('change.diff', on, by)).toMatchObject({ ok: false, failure: { kind: 'BoundExceeded', status, retry: 'never' } });
    expect(forge.requests.length - before).toBeLessThanOrEqual(2);
    forge.faults.clear();
    expect((await value(provider.verb('change.files', on, by))).files).not.toEqual([]);
  },
);

test(`${verifies('PRV-9')} a forge that never answers, or drips without end, is left at the deadline`, async () => {
  const { forge, provider, by, on } = await start('github', { timeouts: { request_ms: 300, walk_ms: 60_000 } });
  forge.faults.add({ fault: { kind: 'hang' }, times: 5 });
  expect(await provider.verb('change.get', on, by)).toMatchObject({ ok: false, failure: { kind: 'Unavailable' } });
  forge.faults.clear();
  forge.faults.add({ fault: { kind: 'slow-drip', chunkBytes: 1, everyMs: 20 }, times: 5 });
  expect(await provider.verb('change.get', on, by)).toMatchObject({ ok: false, failure: { kind: 'Unavailable' } });
});

describe('GraphQL', () => {
  const threadOf = async ({ provider, by, on, head }: Awaited<ReturnType<typeof start>>) => {
    await value(provider.verb('review.submit', { ...on, commit: head, body: '', comments: [comment(5)] }, by));
    const { threads } = await value(provider.verb('thread.list', on, by));
    return threads[0]?.ref;
  };

  test.each([
    [{ type: 'NOT_FOUND', message: 'Could not resolve to a node' }, 'NotFound'],
    [{ type: 'FORBIDDEN', message: 'Resource not accessible by integration' }, 'Forbidden'],
    [{ type: 'INSUFFICIENT_SCOPES', message: 'Your token has not been granted the required scopes' }, 'Forbidden'],
    [{ extensions: { code: 'undefinedField' }, message: "Field 'x' doesn't exist" }, 'Unprocessable'],
    [{ type: 'SERVICE_UNAVAILABLE', message: 'Something went wrong' }, 'Unavailable'],
  ] as const)(`${verifies('PRV-17a')} errors inside a 200 are a failure: %o`, async (error, expected) => {
    const scene = await start('github');
    const { forge, provider, by, on } = scene;
    const thread = await threadOf(scene);
    forge.faults.add({ path: '/graphql', fault: { kind: 'answer', status: 200, body: { data: { result: null }, errors: [error] } } });
    const outcome = await provider.verb('thread.resolve', { ...on, thread }, by);
    expect(outcome).toMatchObject({ ok: false, failure: { kind: expected, message: expect.stringContaining(error.message) as string } });
    expect(kindOf(await provider.verb('thread.resolve', { ...on, thread }, by))).toBe('ok');
  });

  test(`${verifies('PRV-10', 'PRV-17a')} a limit inside a 200 is waited for`, async () => {
    const scene = await start('github');
    const thread = await threadOf(scene);
    const error = { type: 'RATE_LIMITED', message: 'API rate limit exceeded for installation' };
    scene.forge.faults.add({ path: '/graphql', fault: { kind: 'answer', status: 200, body: { data: null, errors: [error] } } });
    expect(await scene.provider.verb('thread.resolve', { ...scene.on, thread }, scene.by)).toMatchObject({ ok: true, value: { resolved: true } });
    expect(waited(scene.waits)).toBeGreaterThan(0);
  });

  test(`${verifies('PRV-11', 'PRV-17a')} threads of many pages are whole; only persisted documents are sent, and a query needs no permission to write`, async () => {
    const scene = await start('github');
    const { forge, provider, by, on, head, lines: journal } = scene;
    const comments = Array.from({ length: 105 }, (_, at) => comment([5, 12, 20][at % 3] ?? 5, `Number ${at}`));
    await value(provider.verb('review.submit', { ...on, commit: head, body: '', comments }, by));
    const writes = journal.length;
    expect((await value(provider.verb('thread.list', on, by))).threads).toHaveLength(105);
    expect(journal).toHaveLength(writes);
    for (const ready of [false, true]) expect(await value(provider.verb('change.ready', { ...on, ready }, by))).toEqual({ draft: !ready });
    const texts = new Set(loadDocuments(loadDescriptor('github')).values());
    const sent = forge.requests.filter(({ path }) => path === '/graphql').map(({ body }) => JSON.parse(body.toString()) as { query: string });
    expect(sent.length).toBeGreaterThanOrEqual(4);
    for (const { query } of sent) expect(texts).toContain(query);
  });
});

test(`${verifies('PRV-12')} Bitbucket answers a diff with a redirect on its own host: it is followed, with the credential`, async () => {
  const { forge, provider, by, on } = await start('bitbucket-cloud');
  expect((await value(provider.verb('change.diff', on, by))).diff).toContain('+line 12 changed');
  expect(forge.requests.map(({ status, account }) => [status, account])).toEqual([
    [302, 'weir-bot'],
    [200, 'weir-bot'],
  ]);
  expect(forge.requests[1]?.path).toMatch(/\/diff\/acme\/shop:[0-9a-f]{12}%0D[0-9a-f]{12}/);
});

test(`${verifies('PRV-15')} a merge that Bitbucket takes as a task is pending, not merged`, async () => {
  const { forge, provider, by, on, head } = await start('bitbucket-cloud');
  const location = `${forge.url}/2.0/repositories/acme/shop/pullrequests/${on.change}/merge/task-status/1`;
  forge.faults.add({ method: 'POST', path: '/merge', fault: { kind: 'answer', status: 202, headers: { location } } });
  expect(await value(provider.verb('change.merge', { ...on, head, method: 'merge' }, by))).toEqual({ merged: false, pending: true, commit: null });
});
