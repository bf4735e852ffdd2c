/** What a review does with a forge, through the engine alone, against the simulated forges. */
import { generateKeyPairSync } from 'node:crypto';
import { type ForgeKind, startForge, startReceiver } from '@weir/forge-simulator';
import { createHttp } from '@weir/http';
import { verifies } from '@weir/requirements';
import { afterEach, expect, test } from 'vitest';
import { loadDescriptor } from './load-builtin.fixture.ts';
import { createWorld } from './scripted-world.fixture.ts';

const closers: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

const REPOSITORY = { owner: 'acme', name: 'shop' };
const lines = (changed: readonly number[]) => Array.from({ length: 30 }, (_, at) => `line ${at + 1}${changed.includes(at + 1) ? ' changed' : ''}\n`).join('');

const ALLOWED = ['label.upsert', 'label.add'];

const FORGES = ['github', 'gitlab', 'gitea', 'forgejo', 'bitbucket-cloud'] as const;

async function start(kind: ForgeKind) {
  const forge = await startForge({ kind });
  closers.push(() => forge.close());
  const { seed } = forge;
  seed.account({ login: 'acme', kind: 'organization' });
  seed.account({ login: 'alice' });
  seed.account({ login: 'weir-bot' });
  await seed.repository(REPOSITORY);
  seed.permit('acme/shop', 'alice', 'write');
  seed.permit('acme/shop', 'weir-bot', 'admin');
  const base = await seed.push({ repository: 'acme/shop', branch: 'main', by: 'alice', files: { 'src/app.ts': lines([]) } });
  const head = await seed.push({ repository: 'acme/shop', branch: 'feature', by: 'alice', files: { 'src/app.ts': lines([5, 12, 20]) } });
  const { number } = await seed.change({ repository: 'acme/shop', head: 'feature', title: 'A change', by: 'alice' });
  const read = loadDescriptor(kind);
  const descriptor = { ...read, policy: { ...read.policy, allowed_mutations: [...read.policy.allowed_mutations, ...ALLOWED] } };
  const world = createWorld(() => ({}), {
    ...{ descriptor, baseUrl: forge.url, http: createHttp({ allowOrigins: [forge.url] }), now: () => Date.now() },
    credentials: { env: () => forge.token('weir-bot') },
  });
  const by = { signal: new AbortController().signal, actor: 'service:review', run: 'run-1' };
  return { forge, base, head, world, provider: world.provider, by, on: { repository: REPOSITORY, change: number } };
}

const value = <Value>(outcome: { readonly ok: boolean; readonly value?: Value } & object): Value => {
  if (!outcome.ok || outcome.value === undefined) throw new Error(JSON.stringify(outcome));
  return outcome.value;
};

const orUnsupported = <Value>(outcome: { readonly ok: boolean; readonly value?: Value; readonly kind?: string } & object): Value | 'unsupported' =>
  outcome.kind === 'unsupported' ? 'unsupported' : value(outcome);

const anchor = (line: number) => ({
  path: 'src/app.ts',
  previousPath: 'src/app.ts',
  side: 'new' as const,
  line,
  startLine: null,
  oldLine: null,
  newLine: line,
});

test.each(FORGES)(`${verifies('PRV-9', 'PRV-15', 'PRV-16', 'PRV-26')} %s: a review from reading to resolving`, async kind => {
  const { forge, provider, by, on, base, head, world } = await start(kind);
  expect(value(await provider.verb('account.whoami', {}, by))).toMatchObject({ login: 'weir-bot' });
  expect(value(await provider.verb('change.get', on, by))).toMatchObject({ title: 'A change', state: 'open', head: { branch: 'feature' } });
  expect(value(await provider.verb('change.files', on, by))).toMatchObject({ complete: true, files: [{ path: 'src/app.ts' }] });
  expect(value(await provider.verb('change.diff', on, by)).diff).toContain('+line 12 changed');
  const compared = orUnsupported(await provider.verb('change.compare', { repository: REPOSITORY, base, head }, by));
  expect(compared === 'unsupported' ? kind : compared.diff).toEqual(kind === 'forgejo' ? kind : expect.stringContaining('+line 12 changed'));
  const comments = [5, 12, 20].map(line => ({ ...anchor(line), body: `About line ${line}` }));
  const review = value(await provider.verb('review.submit', { ...on, commit: head, body: 'Three things.', comments }, by));
  expect(review.failures).toEqual([]);
  const { threads } = value(await provider.verb('thread.list', on, by));
  const bodies = threads.flatMap(thread => thread.comments.map(comment => comment.body));
  expect(bodies).toEqual(expect.arrayContaining(comments.map(({ body }) => body)));
  const thread = threads.find(one => one.comments[0]?.body === 'About line 12');
  if (thread === undefined) throw new Error('no thread');
  expect(value(await provider.verb('thread.reply', { ...on, thread: thread.ref, body: 'Done.' }, by)).body).toBe('Done.');
  const resolved = orUnsupported(await provider.verb('thread.resolve', { ...on, thread: thread.ref }, by));
  expect(resolved).toEqual(kind === 'forgejo' ? 'unsupported' : { resolved: true });
  const status = { repository: REPOSITORY, commit: head, context: 'weir/review', state: 'success' as const, description: 'Fine' };
  expect(value(await provider.verb('status.post', status, by))).toMatchObject({ context: 'weir/review', state: 'success' });
  expect(value(await provider.verb('status.post', status, by))).toMatchObject({ context: 'weir/review', state: 'success' });
  const label = { repository: REPOSITORY, name: 'reviewed', colour: '00ff00', description: 'Weir has seen it' };
  const labelled = kind === 'bitbucket-cloud' ? 'unsupported' : { name: 'reviewed' };
  expect(orUnsupported(await provider.verb('label.upsert', label, by))).toEqual(labelled);
  expect(orUnsupported(await provider.verb('label.upsert', label, by))).toEqual(labelled);
  expect(forge.violations).toEqual([]);
  const intents = world.lines.filter(line => line.kind === 'intent');
  expect(intents.length).toBeGreaterThan(3);
  expect(world.lines.filter(line => line.kind === 'outcome')).toHaveLength(intents.length);
  expect(JSON.stringify(world.lines)).not.toContain(forge.token('weir-bot'));
  expect(forge.requests.filter(one => one.method !== 'GET' && !one.path.includes('graphql')).length).toBeLessThanOrEqual(intents.length);
});

test(`${verifies('PRV-13')} as an app: the JWT mints one installation token, and the app's own operations get the JWT`, async () => {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2_048 });
  const pem = privateKey.export({ format: 'pem', type: 'pkcs8' }).toString();
  const { forge, world, on, by } = await start('github');
  const http = createHttp({ allowOrigins: [forge.url] });
  const app = forge.seed.app({ slug: 'weir', publicKey: publicKey.export({ format: 'pem', type: 'spki' }).toString(), by: 'alice' });
  const asApp = createWorld(() => ({}), {
    ...{ baseUrl: forge.url, http, now: () => Date.now() },
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

test.each(FORGES)(`${verifies('PRV-9', 'PRV-26')} %s: a hook that the engine registers delivers what the engine can verify and read`, async kind => {
  const { forge, provider, by } = await start(kind);
  const { url, received, close } = await startReceiver();
  closers.push(close);
  const secret = 'a long secret of a hook';
  value(await provider.verb('webhook.upsert', { repository: REPOSITORY, url, secret }, by));
  await forge.seed.push({ repository: 'acme/shop', branch: 'feature', by: 'alice', files: { 'src/app.ts': lines([1]) } });
  await forge.settled();
  const read = received.map(delivery => provider.webhook({ ...delivery, secrets: [secret] }));
  expect(read.filter(({ kind: outcome }) => outcome === 'refused' || outcome === 'unreadable')).toEqual([]);
  expect(read.flatMap(one => (one.kind === 'event' ? [one.event.type] : []))).toContain('change.head_pushed');
  expect(received.map(delivery => provider.webhook({ ...delivery, secrets: ['another secret of a hook'] }).kind)).toEqual(received.map(() => 'refused'));
  const changed = received.map(({ headers, body }) => provider.webhook({ headers, body: Buffer.concat([body, Buffer.from(' ')]), secrets: [secret] }).kind);
  // One forge sends the secret itself and signs nothing.
  if (kind !== 'gitlab') expect(changed).toEqual(received.map(() => 'refused'));
  expect(forge.violations).toEqual([]);
});
