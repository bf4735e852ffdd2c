/** Accounts, repositories and reviews as an operator handles them: the built program, a server that has the embedded database, simulated forges. */
import { spawn } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { type Forge, type ForgeKind, startForge } from '@weir/forge-simulator';
import { verifies } from '@weir/requirements';
import { reviewIdOf } from '@weir/review';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { withOperatorStores } from '../gateway/open-operator-stores.ts';
import { sha256 } from '../gateway/real-time.ts';
import { runProgram, temporaryFolder } from '../test-program.ts';

vi.setConfig({ testTimeout: 240_000, hookTimeout: 120_000 });

const { folder, release } = temporaryFolder();
const KINDS = ['github', 'gitlab', 'gitea', 'bitbucket-cloud'] as const;
const forges = new Map<ForgeKind, Forge>();
const forgeOf = (kind: ForgeKind): Forge => forges.get(kind) ?? expect.unreachable(kind);
const PUBLIC = 'http://127.0.0.1:9';

const env = (): Record<string, string> => ({ WEIR_QUIET: 'true', WEIR_ALLOW_ORIGINS: [...forges.values()].map(({ url }) => url).join(',') });
const weir = (args: readonly string[], more: { readonly input?: string; readonly env?: Readonly<Record<string, string>> } = {}) =>
  runProgram(folder, args, { input: more.input ?? '', env: { ...env(), ...more.env } });
async function good(args: readonly string[], more: Parameters<typeof weir>[1] = {}): Promise<string> {
  const { stdout, stderr, code } = await weir(args, more);
  expect({ args, stderr, code }).toEqual({ args, stderr: '', code: 0 });
  return stdout;
}
const json = async (args: readonly string[]): Promise<never> => JSON.parse(await good([...args, '--json'])) as never;

async function start(kind: ForgeKind): Promise<void> {
  const forge = await startForge({ kind });
  forges.set(kind, forge);
  const { seed } = forge;
  seed.account({ login: 'acme', kind: 'organization' });
  for (const login of ['alice', 'weir-bot', 'weir-factory']) seed.account({ login });
  for (const name of ['shop', 'other', 'third']) {
    await seed.repository({ owner: 'acme', name });
    seed.permit(`acme/${name}`, 'alice', 'write');
    seed.permit(`acme/${name}`, 'weir-bot', name === 'other' ? 'write' : 'admin');
    await seed.push({ repository: `acme/${name}`, branch: 'main', by: 'alice', files: { 'a.ts': 'one\n' } });
    await seed.push({ repository: `acme/${name}`, branch: 'feature', by: 'alice', files: { 'a.ts': 'two\n' } });
  }
}

/** @returns what stops it, with its exit code. */
async function serve(): Promise<() => Promise<number | null>> {
  const place = {
    HOME: folder,
    XDG_CONFIG_HOME: path.join(folder, 'config'),
    XDG_STATE_HOME: path.join(folder, 'state'),
    XDG_DATA_HOME: path.join(folder, 'data'),
  };
  const child = spawn(process.execPath, [path.resolve(import.meta.dirname, '../../bin/weir.js'), 'serve', '--role', 'gateway', '--port', '0'], {
    env: { PATH: process.env['PATH'] ?? '', ...place, ...env() },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const closed = new Promise<number | null>(resolve => child.once('close', resolve));
  let out = '';
  child.stdout.on('data', (text: Buffer) => void (out += text.toString()));
  await vi.waitFor(() => expect(out).toMatch(/http:\S+\n/), { timeout: 60_000 });
  return () => {
    child.kill('SIGTERM');
    return closed;
  };
}

let stop: () => Promise<number | null> = () => Promise.resolve(null);
beforeAll(async () => {
  for (const kind of KINDS) await start(kind);
  // Commands go through it: each of them would open the embedded database anew else.
  stop = await serve();
});
afterAll(async () => {
  await stop();
  for (const forge of forges.values()) await forge.close();
  release();
});

const add = (kind: ForgeKind, ...more: readonly string[]): readonly string[] => ['account', 'add', kind, '--origin', forgeOf(kind).url, ...more];
const accountId = (kind: ForgeKind, login = 'weir-bot'): string => `${login}@${new URL(forgeOf(kind).url).host}`;

describe('accounts', () => {
  test(`${verifies('REV-39', 'REV-8')} an account is whom the forge says that it is; its token is encrypted and shown nowhere`, async () => {
    for (const kind of KINDS) {
      const token = forgeOf(kind).token('weir-bot');
      const added = kind === 'gitlab' ? await good(add(kind), { input: `${token}\n` }) : await good(add(kind, '--token-env', 'BOT'), { env: { BOT: token } });
      expect(added).toMatch(new RegExp(`^added ${accountId(kind)}: weir-bot \\(\\w+, id \\S+\\) at ${forgeOf(kind).url} \\(${kind}\\), reviewer\n  scopes: `));
    }
    const listed = [await good(['account', 'list']), await good(['account', 'list', '--json'])];
    for (const kind of KINDS) for (const text of listed) expect(text).not.toContain(forgeOf(kind).token('weir-bot'));
    expect(JSON.parse(listed[1] ?? '')).not.toHaveProperty('accounts.0.sealedSecret');
    const files = readdirSync(path.join(folder, 'data'), { recursive: true, withFileTypes: true }).filter(entry => entry.isFile());
    for (const file of files) expect(readFileSync(path.join(file.parentPath, file.name)).includes(forgeOf('github').token('weir-bot'))).toBe(false);
  });

  test('a wrong token, half an app and an unknown forge are said by name', async () => {
    expect(await weir(add('github', '--token-env', 'BOT'), { env: { BOT: 'nobody' } })).toMatchObject({
      code: 3,
      stderr: expect.stringContaining('FORGE_UNAUTHORIZED'),
    });
    expect(await weir(add('github', '--token-env', 'NONE'))).toMatchObject({ code: 2, stderr: expect.stringContaining('no NONE') });
    expect(await weir(add('github', '--app-id', '1'))).toMatchObject({ code: 2, stderr: expect.stringContaining('--installation') });
    expect(await weir(['account', 'add', 'gitea'])).toMatchObject({ code: 2, stderr: expect.stringContaining('--origin') });
    expect(((await json(['account', 'list'])) as { accounts: unknown[] }).accounts).toHaveLength(KINDS.length);
  });

  test(`${verifies('REV-9')} authors are listed by stable id, looked up once; each flag replaces its list`, async () => {
    const alice = forgeOf('github').world.account('alice').id;
    expect(await good(['account', 'set', accountId('github'), '--author', 'alice', '--author', 'id:7', '--bot', 'weir-factory'])).toMatch(
      new RegExp(`\n  authors: id:${alice}, id:7; bots: id:\\d+\n$`),
    );
    expect(await good(['account', 'set', accountId('github'), '--any-author', '--without-bots'])).toMatch(/\n {2}authors: everyone\n$/);
  });
});

describe('credentials', () => {
  test(`${verifies('REV-33')} one that the forge rejects is a row of attention, until it is good again or replaced`, async () => {
    const account = forgeOf('gitea').world.account('weir-bot') as { token: string };
    const { token } = account;
    const id = accountId('gitea');
    account.token = 'revoked';
    expect(await weir(['account', 'check', id])).toMatchObject({ code: 3, stderr: expect.stringContaining('FORGE_UNAUTHORIZED') });
    expect(await good(['account', 'list'])).toContain(', reviewer, rejected\n');
    expect(await good(['attention'])).toContain(`BLOCKS  credential_rejected (account ${id}, 20`);
    account.token = token;
    expect(await good(['account', 'check', id])).toMatch(new RegExp(`^${id}: weir-bot .*, reviewer\n {2}scopes: `));
    expect(await good(['attention'])).not.toContain('credential_rejected');
    expect(await weir(['account', 'check', id, '--installation', '7'])).toMatchObject({ code: 2, stderr: expect.stringContaining('is no app') });
  });

  test(`${verifies('REV-8', 'PRV-13')} an app acts as its own bot; its key is encrypted, and is replaced with its installation`, async () => {
    const { publicKey, privateKey } = generateKeyPairSync('rsa', {
      modulusLength: 2_048,
      publicKeyEncoding: { type: 'spki', format: 'pem' },
      privateKeyEncoding: { type: 'pkcs1', format: 'pem' },
    });
    const forge = forgeOf('github');
    const app = forge.seed.app({ slug: 'weir-review', publicKey, by: 'acme' });
    const given = ['--app-id', String(app.id), '--key-file', '-'];
    const wrong = await weir(add('github', ...given, '--installation', '1'), { input: privateKey });
    expect(wrong).toMatchObject({ code: 3, stderr: expect.stringContaining('the app has no installation 1 any more') });
    const added = await good(add('github', ...given, '--installation', String(app.installation)), { input: privateKey });
    const id = `weir-review-bot@${new URL(forge.url).host}`;
    expect(added).toContain(`added ${id}: weir-review[bot] (bot, id ${app.bot.id}) at ${forge.url} (github), reviewer\n  scopes: this credential tells none`);
    expect(await good(['account', 'check', id])).toContain('weir-review[bot]');
    expect(await weir(['account', 'check', id, '--installation', '1'])).toMatchObject({ code: 3, stderr: expect.stringContaining('has no installation 1') });
    expect(await good(['account', 'list', '--json'])).not.toContain('PRIVATE KEY');
    await good(['account', 'remove', id]);
    expect(forge.violations).toEqual([]);
  });
});

interface Repositories {
  readonly repositories: readonly {
    readonly id: string;
    readonly hook: string;
    readonly hookId: string | null;
    readonly path: object;
    readonly observe: boolean;
  }[];
}

describe('repositories', () => {
  test.each(KINDS)('%s: the repository is registered, and its webhook with it', async kind => {
    const { url, world } = forgeOf(kind);
    const added = await good(['repo', 'add', `${url}/acme/shop.git`, '--public-url', PUBLIC]);
    expect(added).toMatch(
      /^repo-[0-9a-f]{10} acme\/shop at \S+, by weir-bot@\S+; no delivery yet\nwebhook \S+ registered: http:\/\/127\.0\.0\.1:9\/hooks\/[0-9a-f]{24}\n$/,
    );
    const [hook] = world.repositories.find(({ name }) => name === 'shop')?.hooks ?? [];
    expect(added).toContain(hook?.url);
    expect(added).not.toContain(hook?.secret ?? 'none');
    expect(forgeOf(kind).violations).toEqual([]);
    expect(await weir(['repo', 'add', `${url}/acme/shop`])).toMatchObject({ code: 3, stderr: expect.stringContaining('is registered already') });
  });

  test('without an address, or where the forge refuses, what to enter is printed, with the secret once', async () => {
    const { url } = forgeOf('github');
    const refused = await weir(['repo', 'add', `${url}/acme/other`, '--public-url', PUBLIC, '--observe']);
    expect(refused).toMatchObject({ code: 6, stdout: expect.stringMatching(/could not be registered \(FORGE_(?:FORBIDDEN|NOT_FOUND): /) });
    expect(refused.stdout).toMatch(
      /address +http:\/\/127\.0\.0\.1:9\/hooks\/[0-9a-f]{24}\n +secret +[\w-]{43} {3}\(shown once\)\n.*application\/json\n +events +.*pull_request/,
    );
    expect(await good(['repo', 'list'])).toMatch(/acme\/other at \S+, by \S+; observed, nothing is posted; no delivery yet\n/);
    const pasted = await good(['repo', 'add', `${forgeOf('gitea').url}/acme/other`]);
    expect(pasted).toMatch(/No webhook was registered, since --public-url was not given\.[^]*<the address of your ingress>\/hooks\/[0-9a-f]{24}\n/);
    expect(await weir(['repo', 'add', 'https://elsewhere.example/a/b'])).toMatchObject({ code: 3, stderr: expect.stringContaining('No reviewer account') });
    expect(await weir(['repo', 'add', `${url}/acme/none`])).toMatchObject({ code: 2, stderr: expect.stringContaining('FORGE_NOT_FOUND') });
  });

  test(`${verifies('REV-9')} rules are set one by one; a factory is somebody else; an account in use stays`, async () => {
    const { repositories } = (await json(['repo', 'list'])) as Repositories;
    const { id = '' } = repositories.find(({ observe }) => observe) ?? {};
    expect(await good(['repo', 'set', id, '--no-observe', '--drafts', '--block-on', 'major'])).toMatch(/; drafts too; blocks on major; no delivery yet\n$/);
    expect(await weir(['repo', 'set', 'acme/shop', '--drafts'])).toMatchObject({ code: 2, stderr: expect.stringContaining('several repositories') });
    const twin = add('github', '--role', 'factory', '--id', 'twin', '--token-env', 'BOT');
    await good(twin, { env: { BOT: forgeOf('github').token('weir-bot') } });
    expect(await weir(['repo', 'set', id, '--factory', 'twin'])).toMatchObject({ code: 3, stderr: expect.stringContaining('are both weir-bot at the forge') });
    await good(twin, { env: { BOT: forgeOf('github').token('weir-factory') } });
    expect(await good(['repo', 'set', id, '--factory', 'twin'])).toContain('factory twin');
    expect(await weir(['account', 'remove', 'twin'])).toMatchObject({ code: 3, stderr: expect.stringContaining('in use by acme/other') });
    expect(await good(['repo', 'remove', id])).toMatch(
      /^removed acme\/other \(repo-\w+\); its reviews stay\nThe webhook stays at the forge \(it was entered by hand\)/,
    );
    await good(['account', 'remove', 'twin']);
  });

  test(`${verifies('REV-27')} who is denied and who is granted is kept by stable id; each flag replaces its list`, async () => {
    const { repositories } = (await json(['repo', 'list'])) as Repositories;
    const { hooks } = forgeOf('github').world.repositories.find(({ name }) => name === 'shop') ?? {};
    const { id = '' } = repositories.find(({ hook }) => hooks?.[0]?.url.endsWith(hook)) ?? {};
    const alice = forgeOf('github').world.account('alice').id;
    expect(await good(['repo', 'set', id, '--deny', 'alice', '--grant', 'id:7', '--grant', 'id:7'])).toContain(`; denied id:${alice}; granted id:7; `);
    expect(await good(['repo', 'set', id, '--deny', 'id:9'])).toContain('; denied id:9; granted id:7; ');
    expect(await good(['repo', 'set', id, '--without-denied', '--without-granted'])).not.toMatch(/denied|granted/);
    expect(await weir(['repo', 'set', id, '--deny', 'id:9', '--without-denied'])).toMatchObject({ code: 2, stderr: expect.stringContaining('--deny') });
  });

  test('a webhook is registered anew with another secret, and is deleted with its repository', async () => {
    const hooks = () => forgeOf('gitlab').world.repositories.find(({ name }) => name === 'shop')?.hooks ?? [];
    const before = hooks()[0]?.secret;
    const { repositories } = (await json(['repo', 'list'])) as Repositories;
    const { id = '', hook = '' } = repositories.find(({ hook: one }) => hooks()[0]?.url.endsWith(one)) ?? {};
    expect(await good(['repo', 'set', id, '--public-url', `${PUBLIC}/weir/`])).toContain(`registered: ${PUBLIC}/weir/hooks/${hook}\n`);
    expect(hooks()).toMatchObject([{ url: `${PUBLIC}/weir/hooks/${hook}` }]);
    expect(hooks()[0]?.secret).not.toBe(before);
    expect(await good(['repo', 'remove', id])).toMatch(/its reviews stay\n$/);
    expect(hooks()).toEqual([]);
    const known = await inProgram(({ stores }) => stores.registry.hook(hook));
    expect(known).toBeUndefined();
  });
});

const HEAD = 'a'.repeat(40);

/** A review as the intake would make it. */
async function requestRound(): Promise<string> {
  const { url, world } = forgeOf('github');
  const repositoryId = String(world.repositories.find(({ name }) => name === 'shop')?.id);
  const coordinates = { forge: 'github', origin: url, repositoryId, repository: { owner: 'acme', name: 'shop' }, change: 12 };
  const reviewId = reviewIdOf(coordinates, sha256);
  const change = {
    number: 12,
    title: 'A \u001b[31mtitle',
    url: null,
    author: { id: '1', login: 'alice', kind: 'person' as const },
    state: 'open' as const,
    draft: false,
  };
  const aim = { reviewId, at: new Date().toISOString(), head: HEAD, coordinates, change };
  await inProgram(({ stores }) => stores.reviews.execute({ ...aim, type: 'RequestRound', cause: 'opened', by: '1', forced: false, observe: false }));
  return reviewId;
}

/** As a command does, in this process. */
async function inProgram<T>(work: Parameters<typeof withOperatorStores<T>>[1]): Promise<T> {
  vi.stubEnv('XDG_CONFIG_HOME', path.join(folder, 'config'));
  vi.stubEnv('XDG_DATA_HOME', path.join(folder, 'data'));
  vi.stubEnv('WEIR_QUIET', 'true');
  try {
    return await withOperatorStores({}, work);
  } finally {
    vi.unstubAllEnvs();
  }
}

describe('reviews', () => {
  test(`${verifies('REV-28', 'REV-5')} a review is listed, shown, run again, archived and restored; each refusal has its own words`, async () => {
    const reviewId = await requestRound();
    expect(await good(['reviews'])).toMatch(new RegExp(`^${reviewId.slice(0, 12)} {2}acme/shop#12 {2}round 1 \\w+; no open findings {2}A `));
    expect(await good(['reviews'])).not.toContain('\u001b');
    expect(await good(['reviews', 'list', '--status', 'failed'])).toBe('No reviews.\n');
    const shown = await good(['reviews', 'show', 'acme/shop#12']);
    for (const part of [`id ${reviewId}`, `round 1 at ${HEAD.slice(0, 10)}`, 'Round 1 at aaaaaaa: opened.']) expect(shown).toContain(part);
    expect(await weir(['reviews', 'archive', reviewId])).toMatchObject({ code: 4, stderr: expect.stringContaining('refused (still_running)') });
    expect(await weir(['reviews', 'rerun', reviewId.slice(0, 12)])).toMatchObject({ code: 4, stderr: expect.stringContaining('refused (in_flight)') });
    await inProgram(({ stores }) =>
      stores.reviews.execute({ type: 'CancelRound', reviewId, at: new Date().toISOString(), round: 1, head: HEAD, by: 'operator' }),
    );
    expect(await good(['reviews', 'archive', reviewId])).toBe('archived acme/shop#12\n');
    expect(await weir(['reviews', 'archive', reviewId])).toMatchObject({ code: 4, stderr: expect.stringContaining('already_archived') });
    expect([await good(['reviews']), await good(['reviews', 'list', '--archived'])]).toEqual(['No reviews.\n', expect.stringContaining('; archived')]);
    expect(await good(['reviews', 'restore', reviewId])).toBe('restored acme/shop#12\n');
    expect(await good(['reviews', 'rerun', reviewId])).toContain('asked for another round of acme/shop#12');
    expect(await weir(['reviews', 'show', 'nothing'])).toMatchObject({ code: 2, stderr: expect.stringContaining('There is no review nothing') });
  });

  test(`${verifies('REV-33')} attention says what stands in the way, and a dead letter is replayed or dropped by its id`, async () => {
    expect(await good(['attention'])).toContain('BLOCKS  no_default_model: No model is configured');
    expect(await good(['attention'], { env: { WEIR_MODEL: 'm' } })).not.toContain('no_default_model');
    expect(await weir(['attention', 'acknowledge', 'no_default_model'])).toMatchObject({ code: 4, stderr: expect.stringContaining('Choose a model.') });
    expect(await weir(['attention', 'acknowledge', 'unpriced_calls'])).toMatchObject({ code: 2, stderr: expect.stringContaining('Nothing of unpriced_calls') });
    expect(await good(['deadletters'])).toBe('No dead letters.\n');
    for (const verb of ['replay', 'drop'])
      expect(await weir(['deadletters', verb, '7'])).toMatchObject({ code: 2, stderr: expect.stringContaining('no dead letter 7') });
  });

  test(`${verifies('REV-3a')} a payload of a forge is taken from a file, and a kept delivery once more`, async () => {
    const forge = forgeOf('github');
    await forge.seed.change({ repository: 'acme/shop', head: 'feature', title: 'A change', by: 'alice' });
    await forge.settled();
    const { event, body } = forge.deliveries.find(one => one.event === 'pull_request') ?? expect.unreachable('no delivery');
    const { repositories } = (await json(['repo', 'list'])) as Repositories;
    const registration = repositories.map(({ hook }) => hook).find(hook => forge.deliveries.some(({ url }) => url.endsWith(hook))) ?? '';
    const file = ['replay', '--file', '-', '--registration', registration, '--event', event];
    expect(await good(file, { input: body.toString() })).toBe('taken: change.opened\n');
    const { deliveries } = (await json(['replay'])) as { deliveries: readonly { id: string }[] };
    expect(deliveries).toHaveLength(1);
    expect(await good(['replay', deliveries[0]?.id ?? ''])).toBe('taken: change.opened\n');
    expect(await weir(file, { input: '{' })).toMatchObject({ code: 4, stdout: expect.stringContaining('unreadable') });
    expect(await weir(['replay', 'nothing'])).toMatchObject({ code: 2, stderr: expect.stringContaining('No delivery nothing is kept') });
    expect(await good(['repo', 'list'])).toMatch(/acme\/shop at \S+, by \S+; last delivery 20/);
  });
});

test(`${verifies('REV-39')} a rotation of the keyset encrypts all of it anew`, async () => {
  expect(await good(['keyset', 'rotate'])).toMatch(/^new key [0-9a-f]{10}; \d\d secrets encrypted with it\nno key dropped\n$/);
  expect(await good(['account', 'set', accountId('github'), '--author', 'alice'])).toContain('authors: id:');
});

test('without a server the same commands open the database themselves', async () => {
  expect(await stop()).toBe(0);
  expect(await good(['repo', 'add', `${forgeOf('gitea').url}/acme/third`, '--public-url', PUBLIC])).toContain('registered: ');
  expect(await good(['provider', 'audit'])).toMatch(/^The audit log is intact: \d+ lines, \d+ receipts verified\./);
  expect(await good(['reviews', 'show', 'acme/shop#12'])).toContain('Restored from the archive.');
  expect(await weir(['reviews', 'archive', 'acme/shop#12'])).toMatchObject({ code: 4, stderr: expect.stringContaining('still_running') });
  expect(await good(['attention'])).toContain('no_default_model');
});
