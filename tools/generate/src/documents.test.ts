import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { verifies } from '@weir/requirements';
import { expect, test } from 'vitest';
import { generateDocuments } from './documents.ts';
import { findSpecialists } from './find-specialists.ts';

const root = path.resolve(import.meta.dirname, '../../..');
const documents = await generateDocuments(root);

test('every generated file is what its source says; run `npm run generate` if not', async () => {
  for (const [file, text] of documents) {
    const stored = await readFile(path.join(root, file), 'utf8').catch(() => 'missing');
    // Formatting of the manifest is npm's; its content is compared.
    if (file.endsWith('package.json')) expect(JSON.parse(stored), file).toEqual(JSON.parse(text));
    else expect(stored, file).toBe(text);
  }
});

test('no page of a rule that is gone', async () => {
  for (const entry of await readdir(path.join(root, 'docs/reference/rules'), { recursive: true })) {
    if (entry.endsWith('.md')) expect(documents.has(path.join('docs/reference/rules', entry)), entry).toBe(true);
  }
});

test(`${verifies('SPEC-1')} a specialist is found by its package entry alone, and its declaration is in order`, async () => {
  const found = await findSpecialists(root);
  const keys = found.map(({ specialist }) => specialist.key);
  expect(new Set(keys).size).toBe(keys.length);
  for (const { specialist } of found) {
    expect(specialist.key).toMatch(/^[a-z][a-z0-9_]{1,31}$/);
    expect(specialist.routingHint).toMatch(/^[^\p{Cc}]{1,200}$/u);
    const rules = specialist.review?.rules ?? [];
    expect(new Set(rules.map(rule => rule.id)).size).toBe(rules.length);
    for (const rule of rules) {
      expect(rule.id).toMatch(new RegExp(`^${specialist.key}/[a-z0-9][a-z0-9-]*$`));
      for (const text of [rule.title, rule.why, rule.fix, rule.bad, rule.good, rule.limits]) expect(text.trim(), rule.id).not.toBe('');
    }
  }
});
