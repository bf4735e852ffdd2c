import { verifies } from '@weir/requirements';
import { expect, test } from 'vitest';
import { readChangeAddress } from './change-address.ts';

test.each([
  ['https://github.com/acme/shop/pull/7', 'github', 'acme', 'shop', 7],
  ['https://github.com/acme/shop/pull/7/files#diff-1', 'github', 'acme', 'shop', 7],
  ['https://ghe.example/acme/shop/pull/12', 'github-ghes', 'acme', 'shop', 12],
  ['https://gitlab.com/acme/backend/shop/-/merge_requests/3/diffs', 'gitlab', 'acme/backend', 'shop', 3],
  ['https://git.example:8443/acme/shop/pulls/4', 'gitea', 'acme', 'shop', 4],
  ['https://codeberg.org/acme/shop/pulls/4/files', 'forgejo', 'acme', 'shop', 4],
  ['https://bitbucket.org/acme/shop/pull-requests/9', 'bitbucket-cloud', 'acme', 'shop', 9],
  ['https://git.example/projects/ACME/repos/shop/pull-requests/9/overview', 'bitbucket-dc', 'ACME', 'shop', 9],
])(`${verifies('REV-20a')} %s is a change of %s`, (text, forge, owner, name, change) => {
  expect(readChangeAddress(text, null)).toEqual({ forge, origin: new URL(text).origin, path: { owner, name }, change });
});

test(`${verifies('REV-20a')} a provider that is named goes before the form of the address`, () => {
  expect(readChangeAddress('https://git.example/acme/shop/pulls/4', 'forgejo').forge).toBe('forgejo');
});

test.each([
  'acme/shop#7',
  'https://github.com/acme/shop',
  'https://github.com/acme/shop/issues/7',
  'https://github.com/acme/shop/pull/x',
  'https://github.com/acme/shop/pull/0',
  'https://github.com/acme/shop/pull/7x',
  'https://git.example/a%2Fb/shop/pulls/4',
  'ssh://git@git.example/acme/shop/pulls/4',
  `https://git.example/${'a/'.repeat(20_000)}`,
])(`${verifies('REV-20a')} %.40s is no change`, text => {
  expect(() => readChangeAddress(text, null)).toThrow(expect.objectContaining({ code: 'USAGE' }));
});
