/** The session that a person can watch, held to what it shows: every verb on every simulated forge. */
import { spawn } from 'node:child_process';
import path from 'node:path';
import { VERBS } from '@weir/contract';
import { verifies } from '@weir/requirements';
import { expect, test } from 'vitest';
import { FORGES, runSession, STEPS } from './forge-session/run-session.ts';

test(`${verifies('PRV-15')} every verb of the contract has a step`, () => {
  const played = new Set(STEPS.map(({ verb }) => verb));
  expect(VERBS.filter(verb => !played.has(verb))).toEqual([]);
});

test.each(FORGES)(
  `${verifies('PRV-15', 'PRV-16', 'PRV-17a', 'PRV-26')} %s: each verb gives its canonical result, or is unsupported by declaration`,
  async kind => {
    const { steps, violations, unsupported, page } = await runSession(kind);
    expect(steps.filter(({ state }) => state === 'failed')).toEqual([]);
    expect(violations).toEqual([]);
    const refused = new Set(steps.flatMap(({ state, verb }) => (state === 'unsupported' ? [verb] : [])));
    expect([...refused].sort()).toEqual(Object.keys(unsupported).sort());
    expect(page).toEqual(expect.arrayContaining(['  src/app.ts, old line 20', '    weir-bot: Why does this go?', '  src/new-name.ts, line 10']));
  },
);

const run = (args: readonly string[]): Promise<{ readonly code: number | null; readonly text: string }> => {
  const root = path.resolve(import.meta.dirname, '../../..');
  const child = spawn(process.execPath, [path.join(root, 'node_modules/tsx/dist/cli.mjs'), 'apps/demo/src/forge-session.ts', ...args], { cwd: root });
  const chunks: Buffer[] = [];
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => void chunks.push(chunk));
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', code => resolve({ code, text: Buffer.concat(chunks).toString() }));
  });
};

test('the command prints a line for each step, and what a person sees', async () => {
  const { code, text } = await run(['forgejo']);
  expect(code, text).toBe(0);
  expect(text).toMatch(/^ok {3}review\.submit \(three comments\) +review \d+, comments/m);
  expect(text).toMatch(/^-- {3}thread\.resolve +unsupported: /m);
  expect(text).toContain('What stands on forgejo now');
  expect(await run(['nowhere'])).toMatchObject({ code: 2, text: expect.stringContaining('There is no simulator of nowhere') as string });
});
