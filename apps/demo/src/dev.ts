/**
 * `npm run dev`: a scripted model and sample changes to play with, then a first review from the sources.
 * No network, no key. Stays until Ctrl-C, so that more reviews can be run by hand.
 */
import { spawn } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { buildHistories } from '@weir/sample-histories';
import { startScriptedModel } from '@weir/scripted-model';

const root = path.resolve(import.meta.dirname, '../../..');
const workshop = path.join(root, '.weir-state/dev');

/** A change that only a model can judge: the scripted model reports the marked line, if the line reaches it. */
const MARKED = [
  'export function retry(work: () => Promise<void>): Promise<void> {',
  '  return work().catch(() => retry(work)); // weir-plant: major reliability Retry has no ceiling',
  '}',
  '',
];

function runWeir(args: readonly string[], env: Readonly<Record<string, string>>): Promise<number> {
  const tsx = path.join(root, 'node_modules/tsx/dist/cli.mjs');
  const child = spawn(process.execPath, [tsx, path.join(root, 'apps/cli/src/main.ts'), ...args], { stdio: 'inherit', env: { ...process.env, ...env } });
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', code => resolve(code ?? 1));
  });
}

const model = await startScriptedModel({});
const histories = buildHistories(workshop);
const playground = path.join(workshop, 'clean');
mkdirSync(path.join(playground, 'src'), { recursive: true });
writeFileSync(path.join(playground, 'src/retry.ts'), MARKED.join('\n'));

const env = {
  WEIR_MODEL_BASE_URL: model.baseUrl,
  WEIR_MODEL: 'scripted',
  WEIR_ALLOW_ORIGINS: new URL(model.baseUrl).origin,
  XDG_STATE_HOME: path.join(workshop, 'state'),
};
process.stdout.write(`scripted model: ${model.baseUrl}\n\n$ weir -C ${path.relative(root, playground)} review\n`);
await runWeir(['-C', playground, 'review'], env);
process.stdout.write('\nMore to try, in another terminal:\n');
process.stdout.write(
  `  export ${Object.entries(env)
    .map(([name, value]) => `${name}=${value}`)
    .join(' ')}\n`,
);
for (const { folder, range } of histories) process.stdout.write(`  npm run weir -- -C ${path.relative(root, folder)} review ${range}\n`);
process.stdout.write('\nThe model answers until Ctrl-C.\n');
process.once('SIGINT', () => void model.close());
