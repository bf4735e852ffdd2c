import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { built, untested } from './requirements.ts';

const root = path.resolve(import.meta.dirname, '../..');
const ROOMS = ['contract', 'lib', 'ports', 'core', 'workers', 'adapters', 'specialists', 'tools', 'apps', 'tests'];

/** Rules cited anywhere in a test file, with the files that cite them. */
async function citations(): Promise<ReadonlyMap<string, readonly string[]>> {
  const cited = new Map<string, string[]>();
  for (const room of ROOMS) {
    for (const entry of await readdir(path.join(root, room), { recursive: true })) {
      if (!entry.endsWith('.test.ts') || entry.includes('node_modules')) continue;
      const text = await readFile(path.join(root, room, entry), 'utf8');
      for (const call of text.matchAll(/verifies\(([^)]*)\)/g)) {
        for (const id of (call[1] ?? '').matchAll(/'([A-Z]+-\d+[a-z]?)'/g)) cited.set(id[1] as string, [...(cited.get(id[1] as string) ?? []), entry]);
      }
    }
  }
  return cited;
}

test('every built rule has a test, or stands in the list of untested rules with its reason', async () => {
  const cited = await citations();
  const missing = Object.keys(built).filter(id => !cited.has(id) && !(id in untested));
  expect(missing).toEqual([]);
});

test('the list of untested rules only shrinks: a rule that has a test is not in it', async () => {
  const cited = await citations();
  expect(Object.keys(untested).filter(id => cited.has(id))).toEqual([]);
});

test('every cited rule is a built one', async () => {
  expect([...(await citations()).keys()].filter(id => !(id in built))).toEqual([]);
});
