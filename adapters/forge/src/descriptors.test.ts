import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { VERBS } from '@weir/contract';
import { expressionsOf } from '@weir/provider-descriptor';
import { describe, expect, test } from 'vitest';
import { compileProvider } from './compile-provider.ts';
import { DESCRIPTORS, loadDescriptor, PROVIDERS } from './load-builtin.fixture.ts';

test('every folder of descriptors is tested here', () => {
  const folders = readdirSync(DESCRIPTORS).filter(name => existsSync(path.join(DESCRIPTORS, name, 'provider.yaml')));
  const forges = folders.filter(
    name => readFileSync(path.join(DESCRIPTORS, name, 'provider.yaml'), 'utf8').includes('kind: forge') || PROVIDERS.some(one => one === name),
  );
  expect([...PROVIDERS].sort()).toEqual(forges.sort());
});

describe.each(PROVIDERS)('%s', name => {
  const descriptor = loadDescriptor(name);

  test('PRV-15: every verb is bound, or says what happens instead', () => {
    for (const verb of VERBS) expect(Number(descriptor.capabilities[verb] !== undefined) + Number(descriptor.unsupported[verb] !== undefined), verb).toBe(1);
  });

  test('every expression can be used', () => {
    expect(expressionsOf(descriptor).length).toBeGreaterThan(150);
    expect(() => compileProvider(descriptor)).not.toThrow();
  });

  test('PRV-17: what may change something without being asked for is what a review posts, and the app that an operator makes', () => {
    const allowed = descriptor.policy.allowed_mutations;
    // An operator asks for an app by hand; no review does.
    expect(
      allowed.filter(verb => verb !== 'apps/create-from-manifest' && !/^(review\.|comment\.|thread\.|reaction\.|status\.|check\.|webhook\.)/.test(verb)),
    ).toEqual([]);
    expect(allowed.filter(verb => (descriptor.unsupported as Readonly<Record<string, string>>)[verb] !== undefined)).toEqual([]);
  });

  test('webhooks are signed, and the events that a review starts on are mapped', () => {
    const types = new Set(Object.values(descriptor.webhooks?.events ?? {}).flatMap(rules => rules.map(rule => rule.event)));
    for (const type of ['change.opened', 'change.head_pushed', 'change.closed', 'change.merged', 'comment.created']) expect(types).toContain(type);
    expect(descriptor.webhooks?.signature.header).not.toBe('');
  });

  test('the renderer knows the dialect', () => expect(descriptor.dialect?.max_body).toBeGreaterThanOrEqual(30_000));
});

test('Forgejo costs at most 120 lines of YAML and no code', () => {
  const text = readFileSync(path.join(DESCRIPTORS, 'forgejo/provider.yaml'), 'utf8');
  expect(text.trimEnd().split('\n').length).toBeLessThanOrEqual(120);
  expect(readdirSync(path.join(DESCRIPTORS, 'forgejo')).filter(file => /\.[cm]?[jt]s$/.test(file))).toEqual([]);
});

test('a descriptor that ships holds no credential and no quirk that is not counted', () => {
  const quirks = PROVIDERS.flatMap(name => Object.values(loadDescriptor(name).capabilities).flatMap(binding => binding.quirk ?? []));
  expect([...new Set(quirks)]).toEqual(['threads-from-comments']);
});
