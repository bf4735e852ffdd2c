import type { OperationRow, OperationTable } from '@weir/operation-table';
import { verifies } from '@weir/requirements';
import { expect, test } from 'vitest';
import { boundOperations, coveragePage, providerCoverage, readDescriptor } from './index.ts';

const row = (id: string, method: OperationRow['method'], path: string): OperationRow => ({
  ...{ id, method, path, parameters: [], success: [200], errors: [], produces: ['application/json'], responseShape: 'object' },
  ...{ pagination: 'none', deprecated: false, cloudOnly: false, notifies: false },
});
const gap = { method: 'PUT', path: '/a|b', reason: 'a parameter in "cookie" is never sent' };
const table: OperationTable = {
  ...{ compiler: '1', provider: 'acme', apiVersion: '7', specDigest: 'sha256:0', specFormat: 'openapi-3.0', basePath: '', gaps: [gap] },
  operations: [row('createUser', 'POST', '/users'), row('getUser', 'GET', '/users/{login}'), row('settings', 'GET', '/settings')],
};

function descriptorOf(more: object) {
  const reading = readDescriptor({
    ...{ version: 1, name: 'acme', kind: 'forge', base_url_from: 'instance' },
    spec: { format: 'openapi-3.0', source: { file: 'spec.json' }, api_version: '7', digest: `sha256:${'0'.repeat(64)}`, license: 'MIT' },
    auth: { scheme: 'bearer', env: ['ACME_TOKEN'] },
    pagination: { style: 'link', per_page_max: 100 },
    ...{ capabilities: {}, ...more },
  });
  if (!reading.ok) throw new Error(JSON.stringify(reading.problems));
  return reading.descriptor;
}

test(`${verifies('PRV-7')} bound are the calls of verbs, the operations that the policy names and where the page maximum is read`, () => {
  const descriptor = descriptorOf({
    pagination: { style: 'link', per_page_max: 100, per_page_max_from: { op: 'settings', path: 'max' } },
    capabilities: {
      'user.get': { op: 'GET /users/{login}', result: 'answer' },
      'account.whoami': {
        steps: [
          { name: 'one', op: 'getUser' },
          { name: 'two', op: 'gone' },
        ],
        result: 'answer',
      },
    },
    policy: { allowed_mutations: ['user.get', 'createUser'] },
  });
  expect([...boundOperations(descriptor, table)].sort()).toEqual([
    ['createUser', ['policy.allowed_mutations']],
    ['getUser', ['account.whoami', 'user.get']],
    ['settings', ['pagination']],
  ]);
});

test(`${verifies('PRV-3', 'PRV-15')} coverage counts the vendor's operations apart from ours, and names what is not reached`, () => {
  const descriptor = descriptorOf({
    capabilities: { 'user.get': { op: 'getUser', result: 'answer', quirk: 'odd-user' } },
    unsupported: { 'thread.resolve': 'A reply | says so.' },
  });
  const coverage = providerCoverage(descriptor, table, { paths: { '/users': { parameters: [], post: {} }, '/x': 'no item' } });
  expect(coverage).toMatchObject({ published: 3, supplemented: 1, compiled: 3, gaps: [gap], bound: ['user.get'], quirks: { 'user.get': 'odd-user' } });
  expect(coverage.unbound.length).toBe(46);
  expect(providerCoverage(descriptor, table, undefined)).toMatchObject({ published: 4, supplemented: 0 });
  const page = coveragePage([coverage]);
  expect(page).toContain('| acme | 7 | 3 | 1 | 3 | 1 | 1 | 1 | 1 |');
  expect(page).toContain('- acme: `PUT /a|b`: a parameter in "cookie" is never sent');
  expect(page).toContain('| `thread.resolve` | A reply \\| says so. |');
  expect(page).toContain('- acme: `user.get` passes `odd-user`');
});
