import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';

const root = path.resolve(import.meta.dirname, '../..');
const tracked = execFileSync('git', ['ls-files', '-z'], { cwd: root, encoding: 'utf8' })
  .split('\0')
  .filter(file => file !== '' && existsSync(path.join(root, file)));
const read = (file: string): string => readFileSync(path.join(root, file), 'utf8');
const sources = tracked.filter(file => file.endsWith('.ts') && !file.includes('fixtures/'));

test('no unfinished words in the code', () => {
  const words = new RegExp(['TO', 'DO|FIX', 'ME|HA', 'CK|XX', 'X'].join('').replace(/^/, '\\b(').concat(')\\b:?'));
  const offenders = sources.filter(file => !file.startsWith('specialists/') && words.test(read(file)) && !file.endsWith('house.test.ts'));
  expect(offenders).toEqual([]);
});

test('no focused tests, no skipped tests without a sentence on the console', () => {
  const tests = sources.filter(file => file.endsWith('.test.ts') && !file.startsWith('specialists/'));
  for (const file of tests) expect(/\b(test|it|describe)\.only\(/.test(read(file)), file).toBe(false);
});

test('all packages have one version, and it is the one that the program prints', () => {
  const manifests = tracked.filter(file => file.endsWith('package.json') && !file.includes('fixtures/'));
  const versions = new Set(manifests.map(file => (JSON.parse(read(file)) as { version: string }).version));
  expect([...versions]).toEqual(['0.1.0']);
  expect(read('apps/cli/src/version.ts')).toContain("'0.1.0'");
  expect(read('CHANGELOG.md')).toContain('## [');
});

test('dependencies are pinned exactly and each is explained', () => {
  const explained = read('docs/dependencies.md');
  for (const file of tracked.filter(name => name.endsWith('package.json') && !name.includes('fixtures/'))) {
    const manifest = JSON.parse(read(file)) as { dependencies?: Record<string, string>; devDependencies?: Record<string, string> };
    for (const [name, version] of Object.entries({ ...manifest.dependencies, ...manifest.devDependencies })) {
      expect(version, `${file}: ${name}`).toMatch(/^(npm:.+@)?\d+\.\d+\.\d+$/);
      if (!name.startsWith('@weir/')) expect(explained, `${name} is missing in docs/dependencies.md`).toContain(`\`${name}\``);
    }
  }
});

test('links in the documents lead to files', () => {
  for (const file of tracked.filter(name => name.endsWith('.md') && !name.includes('fixtures/'))) {
    for (const link of read(file).matchAll(/\]\((?!https?:|#|mailto:)([^)\s#]+)(?:#[^)]*)?\)/g)) {
      const target = path.join(root, path.dirname(file), decodeURIComponent(link[1] as string));
      expect(existsSync(target), `${file} → ${link[1]}`).toBe(true);
    }
  }
});
