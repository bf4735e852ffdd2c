import type { OperationRow, OperationTable } from '@weir/operation-table';
import { expect, test } from 'vitest';
import { type BindingFinding, checkBindings, explainVerb, readDescriptor } from './index.ts';

const row = (more: Partial<OperationRow>): OperationRow => ({
  ...{ id: 'users/get', method: 'GET', path: '/users/{username}', parameters: [], success: [200], errors: [], produces: ['application/json'] },
  ...{ responseShape: 'object', pagination: 'none', deprecated: false, cloudOnly: false, notifies: false, ...more },
});
const username = { name: 'username', in: 'path', required: true, type: 'string', style: 'plain' } as const;
const table = (...rows: readonly Partial<OperationRow>[]): OperationTable => ({
  ...{ compiler: '1', provider: 'acme', apiVersion: '1', specDigest: 'sha256:0', specFormat: 'openapi-3.0', basePath: '', gaps: [] },
  operations: rows.map(row),
});
const descriptorWith = (binding: object, more: object = {}) => {
  const reading = readDescriptor({
    ...{ version: 1, name: 'acme', kind: 'forge', base_url_from: 'instance' },
    spec: { format: 'openapi-3.0', source: { file: 'spec.json' }, api_version: '1', digest: `sha256:${'0'.repeat(64)}`, license: 'MIT' },
    auth: { scheme: 'app', env: ['ACME_TOKEN'] },
    pagination: { style: 'link', per_page_max: 100 },
    capabilities: { 'user.get': { result: 'answer', ...binding } },
    ...more,
  });
  if (!reading.ok) throw new Error(JSON.stringify(reading.problems));
  return reading.descriptor;
};
const facts = { today: '2026-09-01' };
const findings = (binding: object, rows: Partial<OperationRow>, more: object = {}): readonly BindingFinding[] =>
  checkBindings(descriptorWith(binding, more), table({ parameters: [username], ...rows }), facts).filter(
    finding => finding.verb === 'user.get' || finding.verb === null,
  );
const good = { op: 'users/get', args: { username: 'args.login' } };

test('a binding that fits has no findings, by id and by method and path', () => {
  expect(findings(good, {})).toEqual([]);
  expect(findings({ ...good, op: 'GET /users/{username}' }, {})).toEqual([]);
});

test('PRV-6: every verb that is neither bound nor unsupported is an error', () => {
  const unbound = checkBindings(descriptorWith(good), table({ parameters: [username] }), facts).filter(finding => finding.rule === 'unbound');
  expect(unbound.length).toBe(47);
});

test.each([
  ['no operation', { ...good, op: 'users/gett' }, {}, {}, 'error', 'no-operation', 'users/get'],
  ['an argument that is none', { op: 'users/get', args: { username: 'a', usernam: 'a' } }, {}, {}, 'error', 'unknown-argument', 'username'],
  ['a missing argument', { op: 'users/get' }, {}, {}, 'error', 'missing-argument', undefined],
  [
    'a missing field',
    good,
    {
      body: { required: true, contentTypes: ['application/json'], closed: true, shape: 'object', fields: [{ name: 'title', required: true, type: 'string' }] },
    },
    {},
    'error',
    'missing-argument',
    undefined,
  ],
  ['a deprecated operation', good, { deprecated: true }, {}, 'error', 'deprecated', undefined],
  ['a removal in 90 days', good, { deprecated: true, removalDate: '2026-11-30' }, {}, 'warning', 'removal-near', undefined],
  ['a removal in the past', good, { removalDate: '2026-08-31' }, {}, 'error', 'deprecated', undefined],
  ['the cloud only', good, { cloudOnly: true }, {}, 'error', 'cloud-only', undefined],
  ['not for apps', good, { appEnabled: false }, {}, 'warning', 'not-for-apps', undefined],
  ['no document', { document: 'threads' }, {}, {}, 'error', 'no-document', undefined],
  ['a credential header', { ...good, headers: { Authorization: 'x' } }, {}, {}, 'error', 'credential-header', undefined],
  ['a mutation that is none', good, {}, { policy: { allowed_mutations: ['user.gett'] } }, 'error', 'unknown-mutation', 'user.get'],
] as const)('PRV-6: %s', (_, binding, rows, more, severity, rule, suggestion) => {
  const [finding] = findings(binding, rows as Partial<OperationRow>, more);
  expect(finding).toMatchObject({ severity, rule, ...(suggestion === undefined ? {} : { suggestion }) });
});

test('PRV-6: a removal further away is an ordinary deprecation', () => {
  expect(findings(good, { deprecated: true, removalDate: '2026-12-01' })).toMatchObject([{ rule: 'deprecated' }]);
});

test('common arguments satisfy an operation that takes them, and trouble none that does not', () => {
  const more = { common_args: { username: 'args.login', owner: 'args.owner' } };
  expect(findings({ op: 'users/get' }, {}, more)).toEqual([]);
});

test('PRV-1: explain names the operation, its arguments and what the policy says', () => {
  const descriptor = descriptorWith(good, { unsupported: { 'thread.resolve': 'A reply.' }, policy: { allowed_mutations: [] } });
  const rows = table({ parameters: [username], method: 'PATCH' });
  expect(explainVerb(descriptor, rows, 'user.get')).toMatchObject({
    kind: 'bound',
    policy: 'denied',
    calls: [{ target: 'PATCH /users/{username}', args: { username: 'args.login' } }],
  });
  expect(explainVerb(descriptor, table({ parameters: [username] }), 'user.get')).toMatchObject({ policy: 'reads' });
  expect(explainVerb(descriptor, rows, 'thread.resolve')).toEqual({ kind: 'unsupported', verb: 'thread.resolve', instead: 'A reply.' });
  expect(explainVerb(descriptor, rows, 'repo.get')).toEqual({ kind: 'unbound', verb: 'repo.get' });
});
