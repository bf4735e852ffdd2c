/**
 * Facts of the tables that used to be rules of the engine: slashes in paths, servers of single operations, null, forms, registries.
 */
import { createHttp } from '@weir/http';
import { findOperation, type OperationTable } from '@weir/operation-table';
import { callsOf, checkBindings } from '@weir/provider-descriptor';
import { verifies } from '@weir/requirements';
import { afterEach, describe, expect, test } from 'vitest';
import { type HermeticAnswer, startHermeticServer } from './hermetic-server.fixture.ts';
import { loadDescriptor, PROVIDERS } from './load-builtin.fixture.ts';
import { ProviderError } from './provider-failure.ts';
import { readPublished } from './published-operations.fixture.ts';
import { CANARY, createWorld, loadTable, type World } from './scripted-world.fixture.ts';

const closers: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

const worldOf = (name: string, changes: Parameters<typeof createWorld>[1] = {}): World =>
  createWorld(() => ({ json: {} }), { descriptor: loadDescriptor(name), baseUrl: 'https://forge.example', credentials: { env: () => CANARY }, ...changes });

const urlOf = (name: string, operation: string, args: Readonly<Record<string, unknown>>): string =>
  worldOf(name).provider.dryRun(operation, args).url.replace('https://forge.example', '');

const by = { signal: new AbortController().signal, actor: 'test' };
const repo = { owner: 'o', repo: 'r' };

describe(`${verifies('PRV-4')} a slash in a path value is kept or encoded, parameter by parameter`, () => {
  test.each<[string, string, Readonly<Record<string, unknown>>, string]>([
    [
      'gitlab',
      'GET /api/v4/projects/{id}/repository/files/{file_path}/raw',
      { id: 'a/b/c', file_path: 'src/x y.ts', ref: 'm' },
      '/api/v4/projects/a%2Fb%2Fc/repository/files/src%2Fx%20y.ts/raw?ref=m',
    ],
    ['gitlab', 'GET /api/v4/projects/{id}/protected_branches/{name}', { id: '7', name: 'fix/a' }, '/api/v4/projects/7/protected_branches/fix%2Fa'],
    ['github', 'issues/remove-label', { ...repo, issue_number: 1, name: 'kind/bug' }, '/repos/o/r/issues/1/labels/kind%2Fbug'],
    ['github', 'repos/get-content', { ...repo, path: 'src/a.ts' }, '/repos/o/r/contents/src/a.ts'],
    ['github', 'repos/get-branch', { ...repo, branch: 'fix/a' }, '/repos/o/r/branches/fix/a'],
    ['gitea', 'repoGetRawFile', { ...repo, filepath: 'src/a.ts' }, '/api/v1/repos/o/r/raw/src/a.ts'],
    [
      'bitbucket-cloud',
      'GET /repositories/{workspace}/{repo_slug}/src/{commit}/{path}',
      { workspace: 'w', repo_slug: 'r', commit: 'c', path: 'src/a.ts' },
      '/2.0/repositories/w/r/src/c/src/a.ts',
    ],
    ['npm', 'getPackageVersion', { package: '@scope/name', version: 'latest' }, '/%40scope%2Fname/latest'],
    ['npm', 'getPackageDownloads', { package: '@scope/name', period: 'last-week' }, '/downloads/point/last-week/%40scope/name'],
  ])('%s %s', (name, operation, args, expected) => {
    expect(urlOf(name, operation, args)).toBe(expected);
  });

  test.each([
    ['github', 'repos/get', { owner: 'o/p', repo: 'r' }],
    ['github', 'issues/remove-label', { ...repo, issue_number: 1, name: 'a/../b' }],
    ['github', 'issues/remove-label', { ...repo, issue_number: 1, name: '' }],
    ['pypi', 'getProject', { project: 'a/b' }],
  ])('%s %s %j is refused', (name, operation, args) => {
    expect(() => urlOf(name, operation, args)).toThrow(ProviderError);
  });
});

describe(`${verifies('PRV-12', 'PRV-13')} an operation with a server of its own`, () => {
  const upload = { ...repo, release_id: 1, name: 'a.zip', body: 'x' };
  const at = (name: string, baseUrl: string, operation = 'repos/upload-release-asset', args: Readonly<Record<string, unknown>> = upload): string =>
    worldOf(name, { baseUrl }).provider.dryRun(operation, args).url;

  test.each([
    ['github', 'https://api.github.com', 'https://uploads.github.com/repos/o/r/releases/1/assets?name=a.zip'],
    ['github-ghec', 'https://api.acme.ghe.com', 'https://uploads.acme.ghe.com/repos/o/r/releases/1/assets?name=a.zip'],
    ['github-ghes', 'https://git.acme.example', 'https://git.acme.example/api/uploads/repos/o/r/releases/1/assets?name=a.zip'],
    ['github', 'http://127.0.0.1:8080', 'http://127.0.0.1:8080/repos/o/r/releases/1/assets?name=a.zip'],
  ])('%s at %s', (name, baseUrl, expected) => {
    expect(at(name, baseUrl)).toBe(expected);
  });

  test('management of an instance is at its root, and a registry of its own keeps its host', () => {
    expect(at('github-ghes', 'https://git.acme.example', 'enterprise-admin/get-version', {})).toBe('https://git.acme.example/manage/v1/version');
    expect(at('npm', 'https://registry.npmjs.org', 'getTotalDownloads', { period: 'last-day' })).toBe('https://api.npmjs.org/downloads/point/last-day');
    expect(at('npm', 'https://npm.acme.example', 'getTotalDownloads', { period: 'last-day' })).toBe('https://npm.acme.example/downloads/point/last-day');
  });

  test.each([
    'https://evil.example',
    'https://github.com.evil.example',
    'https://uploads.github.com.evil.example',
    'http://uploads.github.com',
    'ftp://x',
    'nonsense',
  ])('no credential goes to %s, whatever a description says', async server => {
    const read = loadTable('github');
    const operations = read.operations.map(row => (row.server === undefined ? row : { ...row, server }));
    const table: OperationTable = { ...read, operations };
    for (const baseUrl of ['https://api.github.com', 'https://api.acme.ghe.com']) {
      const world = worldOf('github', { table, baseUrl });
      await expect(world.provider.call('repos/upload-release-asset', upload, by)).rejects.toMatchObject({ code: 'URL_REFUSED' });
      expect(world.sent).toEqual([]);
    }
  });
});

test.each(PROVIDERS)(`${verifies('PRV-9')} what %s sends as null may be null`, name => {
  const table = loadTable(name);
  for (const binding of Object.values(loadDescriptor(name).capabilities)) {
    for (const { op, send_null: names } of callsOf(binding)) {
      const found = op === undefined ? undefined : findOperation(table, op);
      if (found?.kind !== 'found') continue;
      for (const field of names) expect(found.row.body?.fields.find(one => one.name === field)?.nullable, `${op} ${field}`).toBe(true);
    }
  }
});

async function hermetic(name: 'bitbucket-cloud' | 'npm' | 'github', answer: () => HermeticAnswer, overlay?: string) {
  const server = await startHermeticServer(readPublished(name, overlay === undefined ? {} : { overlay }));
  closers.push(() => server.close());
  server.answerWith(answer);
  const read = loadDescriptor(name);
  const descriptor = { ...read, policy: { ...read.policy, allowed_mutations: [...read.policy.allowed_mutations, 'commit.create'] } };
  return { server, world: worldOf(name, { descriptor, baseUrl: server.url, http: createHttp({ allowOrigins: [server.url] }) }) };
}

test(`${verifies('PRV-9', 'PRV-26')} a commit of Bitbucket Cloud is a form: a file for each path, the others as fields`, async () => {
  const commit = '3333333333333333333333333333333333333333';
  const location = `https://api.bitbucket.org/2.0/repositories/acme/shop/commit/${commit}`;
  const overlay = new URL('../../../descriptors/providers/bitbucket-cloud/overlay.json', import.meta.url).pathname;
  const { server, world } = await hermetic('bitbucket-cloud', () => ({ status: 201, headers: { location }, text: '' }), overlay);
  const files = [
    { path: 'src/a.bin', action: 'create', content: Buffer.from([0, 255, 10, 13, 200]).toString('base64') },
    { path: 'message', action: 'update', content: Buffer.from('héllo').toString('base64') },
    { path: 'old.ts', action: 'delete', content: null },
  ];
  const args = { repository: { owner: 'acme', name: 'shop' }, branch: 'topic', parent: '1'.repeat(40), message: 'Two files', files };
  expect(await world.provider.verb('commit.create', args, by)).toEqual({ ok: true, value: { commit } });
  const [request] = server.take();
  expect(request?.problems).toEqual([]);
  const body = request?.body.toString('latin1') ?? '';
  expect(body).toContain('name="message"\r\n\r\nTwo files\r\n');
  expect(body).toContain('name="files"\r\n\r\nold.ts\r\n');
  expect(body).toContain('name="/src/a.bin"; filename="src/a.bin"\r\nContent-Type: application/octet-stream\r\n\r\n\x00\xff\n\r\xc8\r\n');
  expect(body).toContain(`name="/message"; filename="message"\r\nContent-Type: application/octet-stream\r\n\r\n${Buffer.from('héllo').toString('latin1')}\r\n`);
});

describe(`${verifies('PRV-9')} the end of an operation`, () => {
  test.each([
    [{ deprecation: '@1790000000', sunset: 'Wed, 11 Nov 2026 23:59:59 GMT' }, 'the vendor removes this operation on Wed, 11 Nov 2026 23:59:59 GMT'],
    [{ deprecation: 'true' }, 'the vendor marks this operation as deprecated'],
    [{ warning: '299 - "This endpoint is deprecated"' }, 'the vendor warns: This endpoint is deprecated'],
  ])('%j comes with the answer', async (headers, deprecated) => {
    const { world } = await hermetic('github', () => ({ headers }));
    expect(await world.provider.call('repos/get', repo, by)).toMatchObject({ status: 200, deprecated });
  });

  test('an operation that is gone is a failure of its own kind, with what to do, and is not asked again', async () => {
    const { server, world } = await hermetic('github', () => ({ status: 410, json: { message: 'This endpoint was deprecated and is removed' } }));
    await expect(world.provider.call('repos/get', repo, by)).rejects.toMatchObject({
      kind: 'Deprecated',
      status: 410,
      next: expect.stringContaining('move the pin'),
    });
    expect(server.take()).toHaveLength(1);
  });
});

describe(`${verifies('PRV-6', 'PRV-13')} a registry`, () => {
  test.each(['npm', 'pypi'])('%s is healthy without a word on the verbs of forges, and reads nothing of the environment', name => {
    const descriptor = loadDescriptor(name);
    expect(checkBindings(descriptor, loadTable(name), { today: '2026-01-01' })).toEqual([]);
    expect(descriptor).toMatchObject({ kind: 'registry', capabilities: {}, unsupported: {}, auth: { scheme: 'none', env: [] } });
  });

  test('npm: no credential is sent or shown, and a search is walked by its offset', async () => {
    const { server, world } = await hermetic('npm', () => ({}));
    server.answerWith(({ target }) => ({ json: { objects: Array.from({ length: target.includes('from=') ? 1 : 250 }, (_, id) => ({ id })), total: 251 } }));
    const sizes: number[] = [];
    for await (const { items } of world.provider.pages('searchPackages', { text: 'weir' }, by)) sizes.push(items.length);
    expect(sizes).toEqual([250, 1]);
    const requests = server.take();
    expect(requests.map(({ target }) => target)).toEqual(['/-/v1/search?size=250&text=weir', '/-/v1/search?from=250&size=250&text=weir']);
    expect(requests.flatMap(({ problems }) => problems)).toEqual([]);
    expect(JSON.stringify(requests.map(({ headers }) => headers))).not.toMatch(/authorization|canary/i);
    expect(world.provider.dryRun('getPackage', { package: 'weir' }).headers).not.toHaveProperty('authorization');
  });
});
