/** What a review does with a forge, through the engine alone, against the simulated forges. */
import { generateKeyPairSync } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type ForgeKind, startForge } from '@weir/forge-simulator';
import { verifies } from '@weir/requirements';
import { afterEach, expect, test } from 'vitest';
import type { VerbOutcome } from './run-verb.ts';
import { fetchHttp } from './fetch-http.fixture.ts';
import { loadDescriptor } from './load-builtin.fixture.ts';
import type { ProviderOptions } from './provider-options.ts';
import { createWorld } from './scripted-world.fixture.ts';

const closers: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

const REPOSITORY = { owner: 'acme', name: 'shop' };
const lines = (changed: readonly number[]) => Array.from({ length: 30 }, (_, at) => `line ${at + 1}${changed.includes(at + 1) ? ' changed' : ''}\n`).join('');

const ALLOWED = ['label.upsert', 'label.add'];

async function start(kind: ForgeKind, changes: Partial<ProviderOptions> = {}) {
  const forge = await startForge({ kind });
  closers.push(() => forge.close());
  const { seed } = forge;
  seed.account({ login: 'acme', kind: 'organization' });
  seed.account({ login: 'alice' });
  seed.account({ login: 'weir-bot' });
  await seed.repository(REPOSITORY);
  seed.permit('acme/shop', 'alice', 'write');
  seed.permit('acme/shop', 'weir-bot', 'admin');
  await seed.push({ repository: 'acme/shop', branch: 'main', by: 'alice', files: { 'src/app.ts': lines([]) } });
  const head = await seed.push({ repository: 'acme/shop', branch: 'feature', by: 'alice', files: { 'src/app.ts': lines([5, 12, 20]) } });
  const { number } = await seed.change({ repository: 'acme/shop', head: 'feature', title: 'A change', by: 'alice' });
  const read = loadDescriptor(kind);
  const descriptor = { ...read, policy: { ...read.policy, allowed_mutations: [...read.policy.allowed_mutations, ...ALLOWED] } };
  const world = createWorld(() => ({}), {
    ...{ descriptor, baseUrl: forge.url, http: fetchHttp, now: () => Date.now() },
    credentials: { env: () => forge.token('weir-bot') },
    ...changes,
  });
  const by = { signal: new AbortController().signal, actor: 'service:review', run: 'run-1' };
  return { forge, head, world, provider: world.provider, by, on: { repository: REPOSITORY, change: number } };
}

const value = <Value>(outcome: { readonly ok: boolean; readonly value?: Value } & object): Value => {
  if (!outcome.ok || outcome.value === undefined) throw new Error(JSON.stringify(outcome));
  return outcome.value;
};

const anchor = (line: number) => ({
  path: 'src/app.ts',
  previousPath: 'src/app.ts',
  side: 'new' as const,
  line,
  startLine: null,
  oldLine: null,
  newLine: line,
});

test.each(['github', 'gitlab', 'gitea', 'forgejo'] as const)(
  `${verifies('PRV-9', 'PRV-15', 'PRV-16', 'PRV-26')} %s: a review from reading to resolving`,
  async kind => {
    const { forge, provider, by, on, head, world } = await start(kind);
    expect(value(await provider.verb('account.whoami', {}, by))).toMatchObject({ login: 'weir-bot' });
    expect(value(await provider.verb('change.get', on, by))).toMatchObject({ title: 'A change', state: 'open', head: { branch: 'feature' } });
    expect(value(await provider.verb('change.files', on, by))).toMatchObject({ complete: true, files: [{ path: 'src/app.ts' }] });
    expect(value(await provider.verb('change.diff', on, by)).diff).toContain('+line 12 changed');
    const comments = [5, 12, 20].map(line => ({ ...anchor(line), body: `About line ${line}` }));
    const review = value(await provider.verb('review.submit', { ...on, commit: head, body: 'Three things.', comments }, by));
    expect(review.failures).toEqual([]);
    const { threads } = value(await provider.verb('thread.list', on, by));
    const bodies = threads.flatMap(thread => thread.comments.map(comment => comment.body));
    expect(bodies).toEqual(expect.arrayContaining(comments.map(({ body }) => body)));
    const thread = threads.find(one => one.comments[0]?.body === 'About line 12');
    if (thread === undefined) throw new Error('no thread');
    const reply = await provider.verb('thread.reply', { ...on, thread: thread.ref, body: 'Done.' }, by);
    expect(reply.ok || reply.kind === 'unsupported').toBe(true);
    const resolved: VerbOutcome<'thread.resolve'> = await provider.verb('thread.resolve', { ...on, thread: thread.ref }, by);
    expect(resolved.ok ? resolved.value : resolved.kind).toEqual(resolved.ok ? { resolved: true } : 'unsupported');
    const status = { repository: REPOSITORY, commit: head, context: 'weir/review', state: 'success' as const, description: 'Fine' };
    expect(value(await provider.verb('status.post', status, by))).toMatchObject({ context: 'weir/review', state: 'success' });
    const label = { repository: REPOSITORY, name: 'reviewed', colour: '00ff00', description: 'Weir has seen it' };
    expect(value(await provider.verb('label.upsert', label, by))).toEqual({ name: 'reviewed' });
    expect(value(await provider.verb('label.upsert', label, by))).toEqual({ name: 'reviewed' });
    expect(forge.violations).toEqual([]);
    const intents = world.lines.filter(line => line.kind === 'intent');
    expect(intents.length).toBeGreaterThan(3);
    expect(world.lines.filter(line => line.kind === 'outcome')).toHaveLength(intents.length);
    expect(JSON.stringify(world.lines)).not.toContain(forge.token('weir-bot'));
    expect(forge.requests.filter(one => one.method !== 'GET' && !one.path.includes('graphql')).length).toBeLessThanOrEqual(intents.length);
  },
);

test(`${verifies('PRV-8', 'PRV-9', 'PRV-10', 'PRV-12')} what can go wrong on the way is a failure of the right kind, and never half an answer`, async () => {
  const { forge, provider, by, on } = await start('github');
  const get = () => provider.verb('change.get', on, by);
  const kindOf = async () => get().then(outcome => (outcome.ok ? 'ok' : outcome.kind === 'call' ? outcome.failure.kind : outcome.kind));
  const cases = [
    [{ kind: 'truncated-json' }, 5, 'Unavailable'],
    [{ kind: 'cut-body' }, 5, 'Unavailable'],
    [{ kind: 'garbage' }, 5, 'Unavailable'],
    [{ kind: 'reset-before' }, 1, 'ok'],
    [{ kind: 'html-error', status: 502 }, 2, 'ok'],
    [{ kind: 'redirect-loop' }, 5, 'Unavailable'],
    [{ kind: 'oversized-error', status: 500, bytes: 5_000_000 }, 5, 'Unavailable'],
    [{ kind: 'slow-drip', chunkBytes: 512, everyMs: 1 }, 1, 'ok'],
  ] as const;
  for (const [fault, times, expected] of cases) {
    forge.faults.clear();
    forge.faults.add({ fault, times });
    expect([fault.kind, await kindOf()]).toEqual([fault.kind, expected]);
  }
  forge.faults.clear();
  forge.faults.add({ fault: { kind: 'too-large' } });
  const diff = await provider.verb('change.diff', on, by);
  expect(diff).toMatchObject({ ok: false, failure: { kind: 'BoundExceeded', status: 406 } });
});

test(`${verifies('PRV-9')} a forge that never answers, or drips without end, is left at the deadline`, async () => {
  const read = loadDescriptor('github');
  const { forge, provider, by, on } = await start('github', { descriptor: { ...read, timeouts: { request_ms: 300, walk_ms: 60_000 } } });
  forge.faults.add({ fault: { kind: 'hang' }, times: 5 });
  expect(await provider.verb('change.get', on, by)).toMatchObject({ ok: false, failure: { kind: 'Unavailable' } });
  forge.faults.clear();
  forge.faults.add({ fault: { kind: 'slow-drip', chunkBytes: 1, everyMs: 20 }, times: 5 });
  expect(await provider.verb('change.get', on, by)).toMatchObject({ ok: false, failure: { kind: 'Unavailable' } });
});

test(`${verifies('PRV-13')} as an app: the JWT mints one installation token, and the app's own operations get the JWT`, async () => {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2_048 });
  const pem = privateKey.export({ format: 'pem', type: 'pkcs8' }).toString();
  const { forge, world, on, by } = await start('github');
  const app = forge.seed.app({ slug: 'weir', publicKey: publicKey.export({ format: 'pem', type: 'spki' }).toString(), by: 'alice' });
  const asApp = createWorld(() => ({}), {
    ...{ baseUrl: forge.url, http: fetchHttp, now: () => Date.now() },
    credentials: { env: () => undefined, app: { appId: String(app.id), installationId: Number(app.installation), privateKey: pem } },
  });
  expect(world.sent).toEqual([]);
  const both = await Promise.all([asApp.provider.verb('change.get', on, by), asApp.provider.verb('change.files', on, by)]);
  expect(both.map(({ ok }) => ok)).toEqual([true, true]);
  expect(await asApp.provider.call('GET /app', {}, by)).toMatchObject({ status: 200 });
  expect(forge.requests.filter(one => one.path.endsWith('/access_tokens'))).toHaveLength(1);
  const headers = forge.requests.map(one => one.headers['authorization'] ?? '');
  expect(headers.at(-1)).toMatch(/^Bearer eyJ/);
  expect(JSON.stringify(asApp.lines)).not.toContain('eyJ');
  const broken = createWorld(() => ({}), { credentials: { env: () => undefined, app: { appId: '1', installationId: 1, privateKey: 'not a key 5521' } } });
  await expect(broken.provider.call('GET /app', {}, by)).rejects.toThrow(/cannot sign/);
});

test.each(['github', 'gitlab', 'gitea'] as const)(
  `${verifies('PRV-9', 'PRV-26')} %s: a hook that the engine registers delivers what the engine can verify and read`,
  async kind => {
    const { forge, provider, by } = await start(kind);
    const received: { readonly headers: Record<string, string>; readonly body: Buffer }[] = [];
    const receiver = createServer((message, response) => {
      const chunks: Buffer[] = [];
      message.on('data', (chunk: Buffer) => chunks.push(chunk));
      message.on('end', () => {
        received.push({ headers: message.headers as Record<string, string>, body: Buffer.concat(chunks) });
        response.end();
      });
    });
    await new Promise<void>(resolve => receiver.listen(0, '127.0.0.1', resolve));
    closers.push(() => new Promise(resolve => receiver.close(() => resolve())));
    const secret = 'a long secret of a hook';
    const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hook`;
    value(await provider.verb('webhook.upsert', { repository: REPOSITORY, url, secret }, by));
    await forge.seed.push({ repository: 'acme/shop', branch: 'feature', by: 'alice', files: { 'src/app.ts': lines([1]) } });
    await forge.settled();
    const read = received.map(delivery => provider.webhook({ ...delivery, secrets: [secret] }));
    expect(read.filter(({ kind: outcome }) => outcome === 'refused' || outcome === 'unreadable')).toEqual([]);
    expect(read.flatMap(one => (one.kind === 'event' ? [one.event.type] : []))).toContain('change.head_pushed');
    expect(received.map(delivery => provider.webhook({ ...delivery, secrets: ['another secret of a hook'] }).kind)).toEqual(received.map(() => 'refused'));
    expect(forge.violations).toEqual([]);
  },
);
