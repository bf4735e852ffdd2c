/** The built program in a folder of its own, as a package is installed. */
import { cpSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

const ROOT = path.resolve(import.meta.dirname, '../../..');
const PARTS = ['apps/cli/bin', 'apps/cli/dist', 'descriptors'];

export interface Program {
  readonly bin: string;
  release(): void;
}

/** Nothing that runs there is touched by a build of this checkout. Throws where nothing is built. */
export function installProgram(): Program {
  if (!existsSync(path.join(ROOT, 'apps/cli/dist/main.js'))) throw new Error('The program is not built: npm run build.');
  const folder = mkdtempSync(path.join(tmpdir(), 'weir-program-'));
  for (const part of PARTS) cpSync(path.join(ROOT, part), path.join(folder, part), { recursive: true });
  return { bin: path.join(folder, 'apps/cli/bin/weir.js'), release: () => rmSync(folder, { recursive: true, force: true }) };
}
