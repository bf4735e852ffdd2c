/** `npm run requirements`: every built rule with the test files that hold it, and those without a test. */
import { citations } from './citations.ts';
import { built, untested } from './requirements.ts';

const cited = await citations();
for (const [id, text] of Object.entries(built)) {
  const files = cited.get(id) ?? [];
  process.stdout.write(`${id.padEnd(9)} ${files.length === 0 ? 'NO TEST' : `${files.length} test files`.padEnd(7)}  ${text}\n`);
  for (const file of files) process.stdout.write(`            ${file}\n`);
}
const missing = Object.keys(built).filter(id => !cited.has(id));
process.stdout.write(
  `${missing.length} built rules without a test${missing.length === 0 ? '' : `: ${missing.map(id => `${id} (${untested[id as keyof typeof untested] ?? 'no reason'})`).join(', ')}`}\n`,
);
