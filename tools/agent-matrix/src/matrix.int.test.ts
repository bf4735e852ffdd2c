// What the matrix says of a cell, and when a ledger is wrong; the agents themselves run in `npm run test:agents`.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { type Recording, type SeenRequest, STEPS, type Verdict } from '@weir/scripted-upstream';
import { verifies } from '@weir/requirements';
import { expect, test } from 'vitest';
import { agentPackages } from './agents/agent-packages.ts';
import { AGENTS } from './agents/agents.ts';
import { countRequests } from './count-requests.ts';
import { ERROR_AGENTS, ERROR_CASES } from './error-cases.ts';
import { ledgerProblems } from './ledger-problems.ts';
import { cellLine, errorCells, errorLine, matrixCells, tableLines } from './print-matrix.ts';
import type { CellResult } from './run-cell.ts';
import { judged } from './run-errors.ts';

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
  expect(tableLines('agent \\ upstream', matrixCells(cells)).map(line => line.trimEnd())).toEqual([
    'agent \\ upstream    chat          messages',
    'a                   ok            FAILED',
    'b                   skipped',
    '',
    'a → messages:',
    '  edit: x',
  ]);
});

test('an error case is one line and one field: how it ended, what the client asked, what the upstream saw', () => {
  const seen = { end: 'stops', asks: 2, upstream: 1 } as const;
  const results = [
    { agent: 'a', name: '400', result: { seen, problems: ['asks: 2 instead of 1'], seconds: 4 } },
    { agent: 'b', name: '400', result: { skipped: 'it does not start' } },
  ] as const;
  expect(errorLine(results[0])).toMatch(/^a +! 400 +FAILED {2}stops, 2 asked, 1 upstream, 4 s$/);
  expect(tableLines('error', errorCells(results)).map(line => line.trimEnd())).toEqual([
    'error               a             b',
    '400                 FAILED        skipped',
    '',
    '400 → a:',
    '  asks: 2 instead of 1',
  ]);
});

test(`${verifies('MOD-15', 'MOD-21')} a Codex that asks once more than a final error needs is told apart`, () => {
  const final = ERROR_CASES.find(({ name }) => name === '400');
  if (final === undefined) throw new Error('There is no case 400.');
  const run = {
    recording: { ...recording, requests: [{} as SeenRequest], served: () => ({ ...SERVED, unknown: 0 }) },
    end: { exitCode: 1, timedOut: false, failure: null, output: 'does not support 0.7' },
    edited: null,
    seconds: 1,
  };
  const ledger = { calls: 1, unpricedCalls: 0, millicents: MILLICENTS };
  expect(judged(final, agent, run, { asked: 1, ledger }).problems).toEqual([]);
  expect(judged(final, agent, run, { asked: 2, ledger }).problems).toContain('asks: 2 instead of 1');
  expect(judged(final, agent, { ...run, end: { ...run.end, output: '' } }, { asked: 1, ledger }).problems).toContain(
    "the agent does not say 'does not support 0.7'",
  );
  expect(judged(final, agent, run, { asked: 1, ledger: { ...ledger, millicents: 1 } }).problems).toEqual([
    `ledger: millicents is 1, served were ${MILLICENTS}`,
  ]);
});

test('every error case names agents that are there, and each is chosen for errors', () => {
  const names = AGENTS.map(({ name }) => name);
  expect(names).toEqual(expect.arrayContaining([...ERROR_AGENTS]));
  expect(new Set(AGENTS.filter(({ name }) => ERROR_AGENTS.includes(name)).map(({ speaks }) => speaks))).toEqual(new Set(['responses', 'chat', 'messages']));
  for (const { otherwise = {} } of ERROR_CASES) expect(ERROR_AGENTS).toEqual(expect.arrayContaining(Object.keys(otherwise)));
});

test('the counter counts requests for an answer alone, and passes everything on', async () => {
  const target = createServer((incoming, outgoing) => void outgoing.end(`${incoming.method} ${incoming.url}`));
  await once(target.listen(0, '127.0.0.1'), 'listening');
  const counter = await countRequests(`http://127.0.0.1:${(target.address() as AddressInfo).port}`);
  try {
    const asked: readonly (readonly [string, string])[] = [
      ['POST', '/v1/messages?beta=true'],
      ['POST', '/v1/responses'],
      ['POST', '/v1/messages/count_tokens'],
      ['GET', '/v1/models'],
    ];
    for (const [method, path] of asked) expect(await (await fetch(`${counter.origin}${path}`, { method })).text()).toBe(`${method} ${path}`);
    expect([counter.take(), counter.take()]).toEqual([2, 0]);
  } finally {
    await counter.close();
    target.closeAllConnections();
    target.close();
  }
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
