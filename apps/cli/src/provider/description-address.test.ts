import { verifies } from '@weir/requirements';
import { expect, test } from 'vitest';
import { descriptionAddress, PACKAGE_REGISTRY } from './description-address.ts';

const commit = 'a'.repeat(40);

test(`${verifies('PRV-2')} each kind of source has its address`, () => {
  const of = (source: Parameters<typeof descriptionAddress>[0]) => descriptionAddress(source, PACKAGE_REGISTRY);
  expect(of({ repo: 'acme/api', commit, path: 'docs/open api.json' }).url).toBe(`https://raw.githubusercontent.com/acme/api/${commit}/docs/open%20api.json`);
  expect(of({ package: '@acme/api', version: '1.2.3-rc.1', path: 'generated/a.json' })).toEqual({
    url: 'https://registry.npmjs.org/@acme/api/-/api-1.2.3-rc.1.tgz',
    member: 'generated/a.json',
  });
  expect(of({ instance_url: 'https://a.example/openapi.json', retrieved_at: '2026-01-01' })).toEqual({ url: 'https://a.example/openapi.json' });
});

test.each([
  [{ repo: 'https://forge.example/acme/api', commit, path: 'a' }],
  [{ repo: '../..', commit, path: 'a' }],
  [{ package: '../../x', version: '1.0.0', path: 'a' }],
  [{ package: 'x', version: '../1', path: 'a' }],
  [{ package: 'x', version: 'latest', path: 'a' }],
])(`${verifies('PRV-2')} %j has none, and the error says what to do`, source => {
  expect(() => descriptionAddress(source, PACKAGE_REGISTRY)).toThrow(
    expect.objectContaining({ code: 'DESCRIPTOR_INVALID', next: expect.stringContaining('--from') as unknown }),
  );
});
