import { verifies } from '@weir/requirements';
import { expect, test } from 'vitest';
import { chooseInstallation } from './app-installation.ts';
import { appManifest, manifestAddress, manifestPage } from './app-manifest.ts';

const facts = { name: 'Weir', homepage: 'https://weir.example', events: ['pull_request'] };

test(`${verifies('REV-33')} an app asks for what Weir needs; only one without a webhook of its own may register others`, () => {
  const own = JSON.parse(appManifest({ ...facts, hookUrl: 'https://weir.example/hooks/1' }, 'http://127.0.0.1:1/callback')) as object;
  expect(own).toMatchObject({
    public: false,
    redirect_url: 'http://127.0.0.1:1/callback',
    hook_attributes: { url: 'https://weir.example/hooks/1', active: true },
    default_events: ['pull_request'],
  });
  const without = JSON.parse(appManifest({ ...facts, hookUrl: null }, 'http://127.0.0.1:1/callback')) as { default_permissions: Record<string, string> };
  expect(without).not.toHaveProperty('hook_attributes');
  expect(without.default_permissions).toEqual({
    ...{ checks: 'write', contents: 'read', issues: 'write', metadata: 'read', pull_requests: 'write', statuses: 'write' },
    repository_hooks: 'write',
  });
  expect(own).toHaveProperty('default_permissions.contents', 'read');
  expect(own).not.toHaveProperty('default_permissions.repository_hooks');
});

test('the form leads to the person or to the organization, and holds what it is given as text', () => {
  expect(manifestAddress('https://ghe.example', undefined, 'a b')).toBe('https://ghe.example/settings/apps/new?state=a%20b');
  expect(manifestAddress('https://github.com', 'a/../b', 's')).toBe('https://github.com/organizations/a%2F..%2Fb/settings/apps/new?state=s');
  const page = manifestPage('https://github.com/x?a="><script>', `{"name":"'<b>&\\""}`);
  expect(page).not.toMatch(/<script|<b>/);
  expect(page).toContain('value="{&quot;name&quot;:&quot;&#39;&lt;b&gt;&amp;\\&quot;&quot;}"');
});

test.each([
  [[{ id: 7, account: 'acme' }], undefined, null, 7],
  [[{ id: 7, account: 'acme' }], undefined, 3, 7],
  [
    [
      { id: 7, account: 'acme' },
      { id: 8, account: null },
    ],
    undefined,
    8,
    8,
  ],
  [
    [
      { id: 7, account: 'acme' },
      { id: 8, account: null },
    ],
    7,
    8,
    7,
  ],
])('of %j, with %s wanted and %s known, the installation is %i', (installations, wanted, known, chosen) => {
  expect(chooseInstallation(installations, { wanted, known })).toBe(chosen);
});

test('an app that is installed nowhere, elsewhere or in several places is said by name', () => {
  const two = [
    { id: 7, account: 'acme' },
    { id: 8, account: null },
  ];
  const choice =
    (wanted: number | undefined, installations = two) =>
    () =>
      chooseInstallation(installations, { wanted, known: null });
  expect(choice(undefined)).toThrow('7 (acme), 8 (unknown): name one with --installation');
  expect(choice(9)).toThrow('no installation 9');
  expect(choice(undefined, [])).toThrow('installed nowhere');
});
