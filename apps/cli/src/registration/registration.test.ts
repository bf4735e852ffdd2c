import { expect, test } from 'vitest';
import { forgePlace } from './api-address.ts';
import { hookAddress } from './register-hook.ts';
import { readRepositoryAddress } from './repository-address.ts';
import { loadProvider } from '../provider/provider-files.ts';
import { missingOf } from './scope-advice.ts';

const place = async (forge: string, origin?: string, baseUrl?: string): Promise<string> =>
  Object.values(forgePlace((await loadProvider(forge)).descriptor, { origin, baseUrl })).join(' ');

test("the API is at the vendor's address, or at the instance's own", async () => {
  expect(await place('github')).toBe('https://github.com https://api.github.com');
  expect(await place('github-ghec')).toBe('https://github.com https://api.github.com');
  expect(await place('gitlab')).toBe('https://gitlab.com https://gitlab.com');
  expect(await place('bitbucket-cloud')).toBe('https://bitbucket.org https://api.bitbucket.org');
  expect(await place('gitlab', 'https://GIT.example/group/')).toBe('https://git.example https://git.example');
  expect(await place('github-ghes', 'https://git.example')).toBe('https://git.example https://git.example');
  expect(await place('gitea', 'http://127.0.0.1:3000', 'http://127.0.0.1:3000/forge/')).toBe('http://127.0.0.1:3000 http://127.0.0.1:3000/forge');
  for (const [forge, origin] of [['gitea'], ['github-ghes'], ['github', 'git.example'], ['github', 'ftp://git.example']]) {
    await expect(place(forge ?? '', origin)).rejects.toThrow(/--origin/);
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

test('scopes that a token lacks are named with what they are for; one that tells none lacks nothing', async () => {
  const missing = (forge: string, scopes: readonly string[] | null) => missingOf({ forge, scopes });
  expect(await missing('github', ['repo'])).toEqual([]);
  expect(await missing('github-ghes', ['public_repo'])).toHaveLength(2);
  expect(await missing('github-ghec', [])).toHaveLength(3);
  expect(await missing('bitbucket-cloud', ['pullrequest:write'])).toEqual(['webhook (registering webhooks)']);
  expect(await missing('gitlab', [])).toEqual(['api (posting comments, statuses and webhooks)']);
  expect([await missing('gitlab', null), await missing('gitea', []), await missing('one that is gone', [])]).toEqual([[], [], []]);
});

test('the address of a hook ends in its id', () => {
  expect(hookAddress('https://weir.example/in/', 'abc')).toBe('https://weir.example/in/hooks/abc');
  expect(hookAddress(undefined, 'abc')).toBe('<the address of your ingress>/hooks/abc');
  expect(() => hookAddress('weir.example', 'abc')).toThrow(/--public-url/);
});
