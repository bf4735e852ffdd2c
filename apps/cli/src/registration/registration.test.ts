import { expect, test } from 'vitest';
import { forgePlace } from './api-address.ts';
import { hookAddress } from './register-hook.ts';
import { readRepositoryAddress } from './repository-address.ts';
import { missingScopes } from './scope-advice.ts';

const place = (forge: string, origin?: string, baseUrl?: string): string => Object.values(forgePlace(forge, { origin, baseUrl })).join(' ');

test("the API is at the vendor's address, or at the instance's own", () => {
  expect(place('github')).toBe('https://github.com https://api.github.com');
  expect(place('bitbucket-cloud')).toBe('https://bitbucket.org https://api.bitbucket.org');
  expect(place('gitlab', 'https://GIT.example/group/')).toBe('https://git.example https://git.example');
  expect(place('gitea', 'http://127.0.0.1:3000', 'http://127.0.0.1:3000/forge/')).toBe('http://127.0.0.1:3000 http://127.0.0.1:3000/forge');
  for (const [forge, origin] of [['gitea'], ['github', 'git.example'], ['github', 'ftp://git.example']]) {
    expect(() => place(forge ?? '', origin)).toThrow(/--origin/);
  }
});

test.each([
  ['https://git.example/acme/shop', 'https://git.example acme shop'],
  ['https://user@git.example:8443/acme/shop.git/', 'https://git.example:8443 acme shop'],
  ['https://git.example/group/sub/shop/-/merge_requests/7', 'https://git.example group/sub shop'],
  ['git@git.example:acme/shop.git', 'https://git.example acme shop'],
  ['ssh://git@git.example:2222/acme/shop.git', 'https://git.example acme shop'],
  ['https://git.example/projects/KEY/repos/shop/browse', 'https://git.example KEY shop'],
  ['https://git.example/users/alice/repos/shop', 'https://git.example ~alice shop'],
])('%s is %s', (text, expected) => {
  const { origin, path } = readRepositoryAddress(text);
  expect(`${origin} ${path.owner} ${path.name}`).toBe(expected);
});

test.each(['shop', 'acme/shop', 'https://git.example/shop', 'https://git.example//shop', 'file:///acme/shop', 'https://git.example/a%2f/shop', ''])(
  '%j is the address of no repository',
  text => {
    expect(() => readRepositoryAddress(text)).toThrow(/is not the address of a repository/);
  },
);

test('scopes that a token lacks are named with what they are for; one that tells none lacks nothing', () => {
  expect(missingScopes('github', ['repo'])).toEqual([]);
  expect(missingScopes('github-ghes', ['public_repo'])).toHaveLength(2);
  expect(missingScopes('gitlab', [])).toEqual(['api (posting comments, statuses and webhooks)']);
  expect([missingScopes('gitlab', null), missingScopes('gitea', [])]).toEqual([[], []]);
});

test('the address of a hook ends in its id', () => {
  expect(hookAddress('https://weir.example/in/', 'abc')).toBe('https://weir.example/in/hooks/abc');
  expect(hookAddress(undefined, 'abc')).toBe('<the address of your ingress>/hooks/abc');
  expect(() => hookAddress('weir.example', 'abc')).toThrow(/--public-url/);
});
