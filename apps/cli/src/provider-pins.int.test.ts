/** Providers of an operator's own, from a description to a locked table: add, pin, compile, lock, and what is refused on the way. */
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { verifies } from '@weir/requirements';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { longName, tgz } from './provider/small-package.fixture.ts';
import { installProgram, runProgram, temporaryFolder } from './test-program.ts';

const { folder, release } = temporaryFolder();
const bin = installProgram(path.join(folder, 'installed'));
const weir = (args: readonly string[]) => runProgram(folder, args, { bin, env: { XDG_CACHE_HOME: path.join(folder, 'cache') } });
const own = (...names: readonly string[]): string => path.join(folder, 'config/weir/providers', ...names);
const input = (name: string, text: string | Buffer): string => {
  const file = path.join(folder, name);
  writeFileSync(file, text);
  return file;
};
const said = (part: string) => expect.stringContaining(part) as unknown;

const notes = (more: object = {}, paths: object = {}) =>
  JSON.stringify({
    openapi: '3.1.0',
    info: { title: 'Notes', version: '1.2', license: { name: 'MIT' } },
    servers: [{ url: 'https://notes.example/api' }],
    paths: {
      '/notes': {
        get: { operationId: 'listNotes', parameters: [{ name: 'tag', in: 'query', schema: { type: 'string' } }], responses: { 200: { description: '' } } },
        post: {
          operationId: 'createNote',
          requestBody: {
            required: true,
            content: { 'application/json': { schema: { type: 'object', required: ['text'], properties: { text: { type: 'string' } } } } },
          },
          responses: { 201: { description: '' } },
        },
      },
      ...paths,
    },
    components: { securitySchemes: { key: { type: 'apiKey', in: 'header', name: 'X-Notes-Key' } } },
    ...more,
  });

const STOCK = `swagger: '2.0'
info: { title: Stock, version: '7' }
host: stock.example
basePath: /v7
schemes: [https]
securityDefinitions: { login: { type: basic } }
paths:
  /items/{id}:
    get:
      operationId: getItem
      parameters: [{ name: id, in: path, required: true, type: integer }]
      responses: { '200': { description: '' } }
`;

/** Answers of the server below, by path; counts what was asked. */
const served = new Map<string, string | Buffer>();
const asked: string[] = [];
let server: Server;
let origin = '';

beforeAll(async () => {
  server = createServer((request, response) => {
    asked.push(request.url ?? '');
    const body = served.get(request.url ?? '');
    response.writeHead(body === undefined ? 404 : 200).end(body ?? 'no');
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => {
  server.close();
  release();
});
const open = () => ['--allow-origin', origin];

describe(`${verifies('PRV-1', 'PRV-2', 'PRV-5')} a description becomes a provider`, () => {
  test('OpenAPI 3.1: add, call, compile, verify, doctor, lock, check', async () => {
    const added = await weir(['provider', 'add', 'notes', '--spec', input('notes.json', notes())]);
    expect(added).toMatchObject({ code: 0, stderr: '', stdout: said('notes: 2 of 2 operations compiled') });
    expect(readFileSync(own('notes', 'provider.yaml'), 'utf8')).toContain('base_url: https://notes.example\n');
    const shown = await weir(['provider', 'call', 'notes', 'listNotes', '--tag', 'a', '--dry-run']);
    expect(JSON.parse(shown.stdout)).toMatchObject({ url: 'https://notes.example/api/notes?tag=a', headers: { 'x-notes-key': '[redacted]' } });
    const write = await weir(['provider', 'call', 'notes', 'createNote', '--text', 'a', '--dry-run']);
    expect(JSON.parse(write.stdout)).toMatchObject({ mutates: true, policy: { allowed: false } });
    expect(await weir(['provider', 'compile', 'notes'])).toMatchObject({ code: 0 });
    expect(await weir(['provider', 'verify', 'notes'])).toMatchObject({ code: 0, stdout: said('1 providers: 1 same') });
    expect(await weir(['provider', 'doctor', 'notes'])).toMatchObject({ code: 0 });
    expect(await weir(['provider', 'lock'])).toMatchObject({ code: 0, stdout: said('1 providers locked') });
    expect(await weir(['provider', 'lock', '--check'])).toMatchObject({ code: 0, stderr: '' });
  });

  test('Swagger 2.0 in YAML: add, pin from a file, compile from the cache', async () => {
    const file = input('stock.yaml', STOCK);
    expect(await weir(['provider', 'add', 'stock', '--spec', file, '--kind', 'registry'])).toMatchObject({ code: 0, stderr: '' });
    expect(await weir(['provider', 'pin', 'stock', '--from', file])).toMatchObject({ code: 0, stderr: '', stdout: said('1 of 1') });
    const table = readFileSync(own('stock', 'optable.json'));
    expect(await weir(['provider', 'compile', 'stock'])).toMatchObject({ code: 0 });
    expect(readFileSync(own('stock', 'optable.json')).equals(table)).toBe(true);
    const shown = await weir(['provider', 'call', 'stock', 'getItem', '--id', '4', '--dry-run']);
    expect(JSON.parse(shown.stdout)).toMatchObject({ url: 'https://stock.example/v7/items/4' });
    expect((await weir(['provider', 'pin', 'stock'])).code).toBe(0);
  });

  test('from another provider: taken whole, at another address without its credentials', async () => {
    expect(await weir(['provider', 'add', 'mine', '--extends', 'github-ghes', '--base-url', 'https://git.example'])).toMatchObject({ code: 0, stderr: '' });
    const text = readFileSync(own('mine', 'provider.yaml'), 'utf8');
    expect(text).toContain('WEIR_MINE_TOKEN');
    expect(text).not.toMatch(/GITHUB/);
    expect(text).toContain('fallback: null');
    const shown = await weir(['provider', 'call', 'mine', 'users/get-authenticated', '--dry-run']);
    expect(JSON.parse(shown.stdout)).toMatchObject({ url: 'https://git.example/api/v3/user' });
    expect(await weir(['provider', 'doctor', 'mine'])).toMatchObject({ code: 0 });
    const other = await weir(['provider', 'add', 'mine-too', '--extends', 'gitea', '--spec', input('notes.json', notes())]);
    expect(other).toMatchObject({ code: 0, stdout: said('2 of 2') });
  });

  test('from an address: pinned by digest; another digest is taken only with --update, which keeps every other line', async () => {
    served.set('/openapi.json', notes());
    const args = ['provider', 'add', 'remote', '--spec', `${origin}/openapi.json`, '--base-url', 'https://remote.example'];
    expect(await weir(args)).toMatchObject({ code: 3, stderr: said('error[URL_REFUSED]') });
    expect(existsSync(own('remote'))).toBe(false);
    expect(await weir([...args, ...open()])).toMatchObject({ code: 0, stderr: '' });
    const file = own('remote', 'provider.yaml');
    writeFileSync(file, readFileSync(file, 'utf8').replace(/retrieved_at: .*/, 'retrieved_at: "2020-01-01" # by hand'));
    const before = readFileSync(file, 'utf8');
    const table = readFileSync(own('remote', 'optable.json'), 'utf8');
    expect(await weir(['provider', 'pin', 'remote', ...open()])).toMatchObject({ code: 0 });

    served.set('/openapi.json', notes({}, { '/tags': { get: { operationId: 'listTags', responses: { 200: { description: '' } } } } }));
    const refused = await weir(['provider', 'pin', 'remote', ...open()]);
    const pinned = /digest: (sha256:\w+)/.exec(before)?.[1] ?? '';
    expect(refused).toMatchObject({ code: 3, stdout: '', stderr: said(`pinned ${pinned}`) });
    expect(refused.stderr).toMatch(/found {2}sha256:[0-9a-f]{64}/);
    expect(readFileSync(own('remote', 'optable.json'), 'utf8')).toBe(table);

    expect(await weir(['provider', 'pin', 'remote', '--update', ...open()])).toMatchObject({ code: 0, stderr: '', stdout: said('3 of 3') });
    const after = readFileSync(file, 'utf8');
    const changed = after.split('\n').filter((line, index) => line !== before.split('\n')[index]);
    expect(changed).toEqual([expect.stringMatching(/^ {4}retrieved_at: \d{4}-\d\d-\d\d # by hand$/), expect.stringMatching(/^ {2}digest: sha256:/)]);
    expect(await weir(['provider', 'verify', 'remote'])).toMatchObject({ code: 0 });
  });

  test('from a package: one file of the archive, found without unpacking it', async () => {
    const deep = `${'generated/'.repeat(12)}notes.json`;
    served.set(
      '/@acme/api/-/api-1.0.0.tgz',
      tgz([{ name: 'package/../../x.json', body: '{}' }, longName(`package/${deep}`), { name: 'package/short', body: notes() }]),
    );
    await weir(['provider', 'add', 'packed', '--spec', input('notes.json', notes())]);
    const file = own('packed', 'provider.yaml');
    const sourced = (text: string, source: string): string => text.replace(/source:\n {4}file: .*/, `source: ${source}`);
    const text = readFileSync(file, 'utf8');
    const pin = () => weir(['provider', 'pin', 'packed', '--registry', `${origin}/`, ...open()]);
    writeFileSync(file, sourced(text, `{ package: '@acme/api', version: 1.0.0, path: ${deep} }`));
    expect(await pin()).toMatchObject({ code: 0, stderr: '', stdout: said('2 of 2') });
    for (const [version, body, code, message] of [
      ['1.0.1', undefined, 2, 'answers 404'],
      ['1.0.2', 'no archive', 3, 'not compressed'],
      ['1.0.3', gzipSync('<html>'.repeat(500)), 3, 'no tar archive'],
      ['1.0.4', tgz([{ name: 'package/spec.json', body: '' }]), 3, 'has no file'],
      ['1.0.5', tgz([{ name: 'package/x', body: 'x'.repeat(9_000) }]).subarray(0, 40), 3, ''],
    ] as const) {
      if (body !== undefined) served.set(`/@acme/api/-/api-${version}.tgz`, Buffer.from(body));
      writeFileSync(file, sourced(text, `{ package: '@acme/api', version: ${version}, path: ${deep} }`));
      expect(await pin(), version).toMatchObject({ code, stdout: '', stderr: said(message) });
    }
  });
});

describe(`${verifies('PRV-2', 'PRV-2a')} refused, and nothing is written`, () => {
  const html = '<!doctype html><title>Sign in</title>';
  const alias = "openapi: 3.0.0\ninfo: &i { title: a, version: '1', self: *i }\npaths: {}\n";
  const bomb = `a: &a [${'x,'.repeat(9)}x]\n${'bcdefghi'.replace(/./g, (name, at: number) => `${name}: &${name} [${`*${'abcdefgh'[at]},`.repeat(9)}*${'abcdefgh'[at]}]\n`)}`;

  test.each([
    ['HTML', html, 3, 'HTML'],
    ['no description', '{"name":"x"}', 3, 'no OpenAPI 3.0 or 3.1'],
    ['another version', '{"openapi":"4.0.0","paths":{}}', 3, 'no OpenAPI 3.0 or 3.1'],
    ['broken JSON', notes().slice(0, 200), 3, "can't be read"],
    ['YAML that holds itself', alias, 3, "can't be read"],
    ['YAML that multiplies', bomb, 3, "can't be read"],
    ['33 MiB', Buffer.alloc(33 * 1024 * 1024, 32), 4, 'error[INPUT_TOO_LARGE]'],
    ['nothing', '', 3, 'no OpenAPI 3.0 or 3.1'],
  ])('a file that is %s', async (_, text, code, message) => {
    const run = await weir(['provider', 'add', 'hostile', '--spec', input('hostile', text)]);
    expect(run).toMatchObject({ code, stdout: '', stderr: said(message) });
    expect(run.stderr).toContain('\ntry: ');
    expect(existsSync(own('hostile'))).toBe(false);
  });

  test.each([
    ['../x', 'no name of a provider'],
    ['Notes', 'no name of a provider'],
    ['github', 'built-in provider'],
    ['notes', 'not overwritten'],
  ])('the name %s', async (name, message) => {
    expect(await weir(['provider', 'add', name, '--spec', input('notes.json', notes())])).toMatchObject({ code: 2, stdout: '', stderr: said(message) });
    expect(await weir(['provider', 'pin', '../x'])).toMatchObject({ code: 2 });
  });

  test('a description without operations, nested beyond reason: the descriptor is kept to be corrected, without a table', async () => {
    const deep = `{"openapi":"3.1.0","paths":{"/a":${'['.repeat(200_000)}${']'.repeat(200_000)}}}`;
    const run = await weir(['provider', 'add', 'empty', '--spec', input('deep.json', deep)]);
    expect(run).toMatchObject({ code: 3, stderr: said('try: The descriptor stays: correct it') });
    expect([existsSync(own('empty', 'provider.yaml')), existsSync(own('empty', 'optable.json'))]).toEqual([true, false]);
    rmSync(own('empty'), { recursive: true });
  });

  test('a built-in provider of an installed package', async () => {
    for (const args of [
      ['compile', 'github'],
      ['pin', 'github'],
    ])
      expect(await weir(['provider', ...args])).toMatchObject({ code: 2, stdout: '', stderr: said('built in and read-only') });
    expect((await weir(['provider', 'lock'])).stdout).toContain('read-only here');
  });

  test('neither a description nor a provider to extend', async () => {
    expect(await weir(['provider', 'add', 'bare'])).toMatchObject({ code: 2, stderr: said('--spec') });
  });

  test('a page in place of the description, even with --update; and more than 32 MiB on the way', async () => {
    served.set('/moving.json', notes());
    await weir(['provider', 'add', 'moving', '--spec', `${origin}/moving.json`, ...open()]);
    const before = readFileSync(own('moving', 'provider.yaml'), 'utf8');
    for (const [body, code, message] of [
      [html, 3, 'HTML'],
      [Buffer.alloc(33 * 1024 * 1024, 32), 4, 'error[INPUT_TOO_LARGE]'],
    ] as const) {
      served.set('/moving.json', body);
      expect(await weir(['provider', 'pin', 'moving', '--update', ...open()])).toMatchObject({ code, stdout: '', stderr: said(message) });
      expect(readFileSync(own('moving', 'provider.yaml'), 'utf8')).toBe(before);
    }
    served.delete('/moving.json');
    expect(await weir(['provider', 'pin', 'moving', ...open()])).toMatchObject({ code: 2, stderr: said('--from <file>') });
  });

  test('a reference to another document is never fetched: its operation is a gap with the reason', async () => {
    const outside = { '/out': { get: { operationId: 'out', parameters: [{ $ref: `${origin}/other.json#/x` }], responses: { 200: { description: '' } } } } };
    const run = await weir(['provider', 'add', 'outside', '--spec', input('outside.json', notes({}, outside))]);
    expect(run).toMatchObject({ code: 0, stdout: said('2 of 3 operations compiled') });
    expect(run.stdout).toMatch(/gap: GET \/out: /);
    expect(asked).not.toContain('/other.json');
    expect((await weir(['provider', 'coverage', 'outside'])).stdout).toMatch(/2 compiled of 3 published, 1 gaps.*\n {2}gap: GET \/out: /);
  });

  test('a schema that holds itself is cut, not followed', async () => {
    const node = { components: { schemas: { node: { type: 'object', properties: { next: { $ref: '#/components/schemas/node' } } } } } };
    const loop = {
      '/loop': {
        post: { requestBody: { content: { 'application/json': { schema: { $ref: '#/components/schemas/node' } } } }, responses: { 200: { description: '' } } },
      },
    };
    expect(await weir(['provider', 'add', 'loop', '--spec', input('loop.json', notes(node, loop))])).toMatchObject({ code: 0, stdout: said('3 of 3') });
  });
});

describe(`${verifies('PRV-5')} lock --check`, () => {
  const check = () => weir(['provider', 'lock', '--check']);

  test('names each file that differs, an entry that is missing and one too many', async () => {
    await weir(['provider', 'lock']);
    const table = own('notes', 'optable.json');
    const good = readFileSync(table, 'utf8');
    writeFileSync(table, good.replace('listNotes', 'listNotez'));
    expect(await check()).toMatchObject({ code: 1, stdout: said('notes@1.2: notes/optable.json differs') });
    expect(await weir(['provider', 'verify', 'notes'])).toMatchObject({ code: 1, stdout: said('different') });
    writeFileSync(table, good);
    expect((await check()).code).toBe(0);

    const lock = own('weir.lock');
    const text = readFileSync(lock, 'utf8');
    writeFileSync(lock, text.replace('"notes@1.2"', '"notes@1.1"'));
    const moved = await check();
    expect(moved).toMatchObject({ code: 1, stdout: said('notes@1.2: not in the lock') });
    expect(moved.stdout).toContain('notes@1.1: in the lock, and no provider');
    writeFileSync(lock, text.replace(/("digest": "sha256:)[0-9a-f]{64}/, `$1${'0'.repeat(64)}`));
    expect(await check()).toMatchObject({ code: 1, stdout: said('placeholder') });
    writeFileSync(lock, '{"version":1}');
    expect(await check()).toMatchObject({ code: 3, stderr: said('is no lock') });
    writeFileSync(lock, text);
  });

  test('refuses a placeholder as a pin, and a provider without a table', async () => {
    mkdirSync(own('draft'), { recursive: true });
    writeFileSync(
      own('draft', 'provider.yaml'),
      readFileSync(own('notes', 'provider.yaml'), 'utf8')
        .replace('name: notes', 'name: draft')
        .replace(/sha256:\w+/, `sha256:${'0'.repeat(64)}`),
    );
    expect(await weir(['provider', 'lock'])).toMatchObject({ code: 3, stderr: said('placeholder') });
    expect(await check()).toMatchObject({ code: 1, stdout: said('draft@1.2: not in the lock') });
    expect(await weir(['provider', 'verify', 'draft', 'notes'])).toMatchObject({ code: 6, stdout: said('1 not verifiable here') });
  });
});
