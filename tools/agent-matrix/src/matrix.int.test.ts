// What the matrix says of a cell, and when a ledger is wrong; the agents themselves run in `npm run test:agents`.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { type Recording, STEPS, type Verdict } from '@weir/scripted-upstream';
import { verifies } from '@weir/requirements';
import { expect, test } from 'vitest';
import { agentPackages } from './agents/agent-packages.ts';
import { AGENTS } from './agents/agents.ts';
import { ledgerProblems } from './ledger-problems.ts';
import { cellLine, matrixLines } from './print-matrix.ts';
import type { CellResult } from './run-cell.ts';

const SUM = { uncachedInput: 401, cacheRead: 503, cacheWrite: 107, output: 51, reasoning: 23 };
const SERVED = { sum: SUM, known: 3, unknown: 1 };
const MILLICENTS = 2 * 401 + 11 * 503 + 53 * 107 + 211 * 51 + 887 * 23;

test(`${verifies('MOD-17')} a ledger that says what was served has no problem`, () => {
  expect(ledgerProblems({ calls: 4, unpricedCalls: 1, millicents: MILLICENTS }, SERVED)).toEqual([]);
});

test.each([
  [{ calls: 5 }, 'ledger: calls is 5, served were 4'],
  [{ unpricedCalls: 0 }, 'ledger: unpricedCalls is 0, served were 1'],
  [{ millicents: MILLICENTS + 2 - 11 }, `ledger: millicents is ${MILLICENTS - 9}, served were ${MILLICENTS}`],
])(`${verifies('MOD-17')} a ledger with %j is told apart`, (change, problem) => {
  expect(ledgerProblems({ calls: 4, unpricedCalls: 1, millicents: MILLICENTS, ...change }, SERVED)).toEqual([problem]);
});

const agent = AGENTS[0];
if (agent === undefined) throw new Error('The matrix has no agents.');
const verdictOn = (step: string): Verdict =>
  step === 'shell' ? { state: 'passed' } : step === 'edit' ? { state: 'failed', problem: 'x' } : { state: 'not taken' };
const recording: Recording = { requests: [], verdictOn, finished: () => false, violations: () => [], served: () => SERVED };
const result = (...problems: string[]): CellResult => ({ agent, recording, problems, seconds: 3.2 });

test('a cell is one line: steps, requests, tokens', () => {
  const line = cellLine({ agent: 'codex exec', upstream: 'chat', result: result('edit: x') });
  expect(line).toMatch(/^codex exec +→ chat +FAILED +shell ✓ {2}edit ✗ {2}parallel –/);
  expect(line).toContain('3 replies, 1011 in, 74 out, 1 unknown, 3 s');
  expect(STEPS.every(step => line.includes(step))).toBe(true);
});

test('the matrix names each failure, and what was skipped', () => {
  const cells = [
    { agent: 'a', upstream: 'chat', result: result() },
    { agent: 'a', upstream: 'messages', result: result('edit: x') },
    { agent: 'b', upstream: 'chat', result: { skipped: 'it does not start' } },
  ] as const;
  expect(matrixLines(cells).map(line => line.trimEnd())).toEqual([
    'agent \\ upstream    chat        messages',
    'a                   ok          FAILED',
    'b                   skipped',
    '',
    'a → messages:',
    '  edit: x',
  ]);
});

test('every agent has a package for each platform, pinned exactly', () => {
  for (const platform of ['linux-x64', 'linux-arm64', 'darwin-x64', 'darwin-arm64']) {
    const packages = agentPackages(platform);
    for (const { family } of AGENTS) expect(packages?.[family].spec).toContain(packages?.[family].version);
  }
  expect(agentPackages('win32-x64')).toBeUndefined();
});

test('the probe is an MCP server that answers with a sentence and a picture', async () => {
  const server = spawn(process.execPath, ['--import', import.meta.resolve('tsx'), fileURLToPath(new URL('./probe/probe-server.ts', import.meta.url))]);
  const asked = [
    { id: 1, method: 'initialize', params: { protocolVersion: '2025-06-18' } },
    { method: 'notifications/initialized' },
    { id: 2, method: 'tools/list' },
    { id: 3, method: 'tools/call', params: { name: 'weir_probe', arguments: { word: 'lantern' } } },
    { id: 4, method: 'resources/list' },
  ];
  server.stdin.end(asked.map(message => `${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`).join(''));
  const answers: unknown[] = [];
  for await (const line of createInterface({ input: server.stdout })) answers.push(JSON.parse(line));
  if (server.exitCode === null) await once(server, 'close');
  expect(answers).toMatchObject([
    { id: 1, result: { protocolVersion: '2025-06-18' } },
    { id: 2, result: { tools: [{ name: 'weir_probe' }] } },
    { id: 3, result: { content: [{ text: 'probe heard lantern' }, { type: 'image', mimeType: 'image/png' }] } },
    { id: 4, error: { code: -32601 } },
  ]);
}, 30_000);
