import { expect, test } from 'vitest';
import { descriptorJsonSchema, readDescriptor } from './index.ts';

const base = {
  ...{ version: 1, name: 'acme', kind: 'forge', base_url: 'https://acme.example' },
  spec: { format: 'openapi-3.0', source: { file: 'spec.json' }, api_version: '1', digest: `sha256:${'0'.repeat(64)}`, license: 'MIT' },
  auth: { scheme: 'bearer', env: ['ACME_TOKEN'] },
  pagination: { style: 'link', per_page_max: 100 },
  capabilities: { 'user.get': { op: 'users/get', args: { username: 'args.login' }, result: 'answer' }, 'repo.get': { op: 'repos/get', result: 'answer' } },
  unsupported: { 'thread.resolve': 'A reply.' },
};
const problemsOf = (tree: unknown, parent?: unknown) => {
  const reading = readDescriptor(tree, parent === undefined ? {} : { parent });
  return reading.ok ? [] : reading.problems;
};

test('a whole descriptor gets its defaults', () => {
  const reading = readDescriptor(base);
  expect(reading).toMatchObject({
    ok: true,
    descriptor: { policy: { mutations: 'allow_list', receipts: 'required', allowed_mutations: [] }, timeouts: { request_ms: 15_000 } },
  });
});

test('an unknown key is an error with its place and the nearest key', () => {
  expect(problemsOf({ ...base, paginaton: {} })).toContainEqual({ path: 'paginaton', message: 'this key is not known', suggestion: 'pagination' });
  const misspelt = { ...base, capabilities: { 'user.get': { op: 'x', result: 'answer', all_page: true } } };
  expect(problemsOf(misspelt)).toContainEqual({ path: 'capabilities["user.get"].all_page', message: 'this key is not known', suggestion: 'all_pages' });
});

test.each([
  ['a branch in place of a commit', { spec: { ...base.spec, source: { repo: 'a/b', commit: 'main', path: 'x' } } }, 'spec.source'],
  ['a digest that is none', { spec: { ...base.spec, digest: 'sha256:abc' } }, 'spec.digest'],
  ['a verb that is none', { capabilities: { 'user.fetch': { op: 'x', result: 'answer' } } }, 'capabilities'],
  ['an operation and steps', { capabilities: { 'user.get': { op: 'x', steps: [{ name: 'a', op: 'y' }], result: 'answer' } } }, 'capabilities["user.get"]'],
  ['neither', { capabilities: { 'user.get': { result: 'answer' } } }, 'capabilities["user.get"]'],
  [
    'an event that is none',
    { webhooks: { signature: { scheme: 'token', header: 'x' }, event_header: 'y', events: { push: [{ event: 'pushed' }] } } },
    'webhooks.events.push[0].event',
  ],
])('%s is named by its place', (_, change, path) => {
  expect(
    problemsOf({ ...base, ...change })
      .map(problem => problem.path)
      .join(' '),
  ).toContain(path);
});

test('extends: taken whole, overridden key by key, null takes away', () => {
  const child = {
    ...{ version: 1, name: 'beta', extends: 'acme', base_url: null, base_url_from: 'instance' },
    auth: { env: ['BETA_TOKEN'] },
    capabilities: { 'user.get': { args: { username: null, name: 'args.login' } } },
    unsupported: { 'repo.get': 'Nothing.' },
  };
  const reading = readDescriptor(child, { parent: base });
  if (!reading.ok) throw new Error(JSON.stringify(reading.problems));
  const { descriptor } = reading;
  expect(descriptor.base_url).toBeUndefined();
  expect(descriptor.auth).toMatchObject({ scheme: 'bearer', env: ['BETA_TOKEN'] });
  expect(descriptor.capabilities['user.get']).toMatchObject({ op: 'users/get', args: { name: 'args.login' } });
  expect(descriptor.capabilities['repo.get']).toBeUndefined();
  expect(descriptor.unsupported).toEqual({ 'thread.resolve': 'A reply.', 'repo.get': 'Nothing.' });
});

test('extends: a verb that the child binds is no longer unsupported', () => {
  const child = { version: 1, name: 'beta', extends: 'acme', capabilities: { 'thread.resolve': { op: 'threads/resolve', result: 'answer' } } };
  expect(readDescriptor(child, { parent: base })).toMatchObject({ ok: true, descriptor: { unsupported: {} } });
});

test('extends without its parent, a parent without extends, and no map at all', () => {
  expect(problemsOf({ version: 1, name: 'beta', extends: 'acme' })[0]?.path).toBe('extends');
  expect(problemsOf(base, base)[0]?.path).toBe('extends');
  expect(problemsOf([])[0]?.message).toContain('map');
});

test('a hostile tree is refused or read, and reaches no prototype', () => {
  const child = JSON.parse(
    '{"version": 1, "name": "beta", "extends": "acme", "__proto__": {"polluted": true}, "auth": {"__proto__": {"polluted": true}}}',
  ) as unknown;
  expect(problemsOf(child, base).map(problem => problem.path)).toContain('__proto__');
  expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
});

test('the JSON Schema asks for less of a descriptor that extends another', () => {
  const schema = descriptorJsonSchema() as { else: { required: string[]; additionalProperties: boolean }; then: { required: string[] } };
  expect(schema.else.required).toEqual(expect.arrayContaining(['version', 'name', 'spec', 'auth', 'capabilities']));
  expect(schema.else.additionalProperties).toBe(false);
  expect(schema.then.required).toEqual(['version', 'name', 'extends']);
});
