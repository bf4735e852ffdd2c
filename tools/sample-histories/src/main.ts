/** `npm run histories -- <folder>`: builds the sample histories and prints what is planted in each. */
import path from 'node:path';
import { buildHistories } from './build-histories.ts';

const target = path.resolve(process.argv[2] ?? '.weir-state/histories');
for (const { name, folder, range, planted } of buildHistories(target)) {
  process.stdout.write(`${name}: weir -C ${folder} review ${range}\n`);
  for (const finding of planted) process.stdout.write(`  ${finding.rule}  ${finding.path}:${finding.line}\n`);
  if (planted.length === 0) process.stdout.write('  nothing is planted\n');
}
