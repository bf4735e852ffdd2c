/** `npm run bench [name …]`: runs the benchmarks one after another. Each prints its own ratios; see README.md beside each. */
import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import path from 'node:path';

const folder = import.meta.dirname;
const wanted = process.argv.slice(2);
const all = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  .filter(file => file.endsWith('.bench.ts'))
  .sort();
const chosen = all.filter(file => wanted.length === 0 || wanted.some(name => file.includes(name)));
if (chosen.length === 0) {
  process.stderr.write(`no such benchmark; there are:\n${all.map(file => `  ${file}`).join('\n')}\n`);
  process.exitCode = 2;
}
for (const file of chosen) {
  process.stdout.write(`\n== ${file}\n`);
  const { status } = spawnSync(process.execPath, [path.join(folder, '../node_modules/tsx/dist/cli.mjs'), path.join(folder, file)], { stdio: 'inherit' });
  if (status !== 0) process.exitCode = 1;
}
