/** Which rules the tests cite: every `verifies('…')` in a test file of any room. */
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';

const root = path.resolve(import.meta.dirname, '../..');
const ROOMS = ['contract', 'lib', 'ports', 'core', 'engine', 'workers', 'adapters', 'specialists', 'tools', 'apps', 'tests'];

const entriesOf = async (room: string): Promise<readonly string[]> => {
  const entries = await readdir(path.join(root, room), { recursive: true });
  return entries.filter(entry => entry.endsWith('.test.ts') && !entry.includes('node_modules')).map(entry => path.join(room, entry));
};

/** Rule ids with the files that cite them. */
export async function citations(): Promise<ReadonlyMap<string, readonly string[]>> {
  const cited = new Map<string, string[]>();
  for (const file of (await Promise.all(ROOMS.map(entriesOf))).flat()) {
    const text = await readFile(path.join(root, file), 'utf8');
    for (const call of text.matchAll(/verifies\(([^)]*)\)/g)) {
      for (const [, id = ''] of (call[1] ?? '').matchAll(/'([A-Z]+-\d+[a-z]?)'/g)) {
        const files = cited.get(id) ?? [];
        cited.set(id, files.includes(file) ? files : [...files, file]);
      }
    }
  }
  return cited;
}
