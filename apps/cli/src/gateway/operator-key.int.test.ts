/** The operator's routes of a running gateway, on both storages: reached with the configured key, from wherever the operator is. */
import { type ChildProcess, spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { verifies } from '@weir/requirements';
import { freshDatabase } from '@weir/test-infra';
import { afterAll, describe, expect, test, vi } from 'vitest';
import { runProgram, temporaryFolder } from '../test-program.ts';
import { operatorKey } from './operator-key.ts';

vi.setConfig({ testTimeout: 240_000 });

const KEY = 'operator-key-0123456789-0123456789-abc';
const PROGRAM = path.resolve(import.meta.dirname, '../../bin/weir.js');

interface Running {
  readonly origin: string;
  readonly log: () => string;
}

function operatorTests(database: string | null): void {
  const { folder, release } = temporaryFolder();
  const running: ChildProcess[] = [];
  afterAll(async () => {
    await Promise.all(
      running.map(child => {
        const closed = new Promise(resolve => child.once('close', resolve));
        child.kill('SIGTERM');
        return closed;
      }),
    );
    release();
  });
  const keyFile = path.join(folder, 'operator.key');
  writeFileSync(keyFile, `${KEY}\n`);
  const env = { WEIR_GATEWAY_OPERATOR_KEY_FILE: keyFile, WEIR_CAP_SPEND: 'fifty', ...(database === null ? {} : { WEIR_STORAGE_DATABASE: database }) };

  async function serve(): Promise<Running> {
    const home = { XDG_CONFIG_HOME: path.join(folder, 'config'), XDG_STATE_HOME: path.join(folder, 'state'), XDG_DATA_HOME: path.join(folder, 'data') };
    const child = spawn(process.execPath, [PROGRAM, 'serve', '--role', 'gateway', '--port', '0'], {
      env: { PATH: process.env['PATH'] ?? '', HOME: folder, ...home, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    running.push(child);
    let out = '';
    let log = '';
    child.stdout.on('data', (text: Buffer) => void (out += text.toString()));
    child.stderr.on('data', (text: Buffer) => void (log += text.toString()));
    await expect.poll(() => out, { timeout: 60_000 }).toMatch(/^http:\S+\n/);
    return { origin: out.trim(), log: () => log };
  }

  const plan = (origin: string, key: string): Promise<Response> =>
    fetch(`${origin}/v1/route/plan`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${key}` },
      body: JSON.stringify({ protocol: 'chat', request: { model: 'm', messages: [{ role: 'user', content: 'a secret question' }] } }),
    });

  test(`${verifies('MOD-18')} the configured key of the operator shows the plan of a request, and no payload; no other key does`, async () => {
    const added = await runProgram(folder, ['models', 'add', 'm', '--provider', 'ollama', '--upstream-model', 'exact', '--unmetered'], { env });
    expect(added).toMatchObject({ code: 0 });
    // With a server several gateways share one key; the embedded database has one process.
    const gateways = database === null ? [await serve()] : [await serve(), await serve()];
    for (const { origin, log } of gateways) {
      const answer = await plan(origin, KEY);
      const text = await answer.text();
      expect({ status: answer.status, text }).toMatchObject({ status: 200, text: expect.stringContaining('"upstreamModel":"exact"') });
      expect(text).not.toContain('secret question');
      expect((await plan(origin, `${KEY}x`)).status).toBe(403);
      expect(log()).not.toContain(KEY);
      // REV-31: a limit that makes no sense is none, and an operator sees it.
      await expect.poll(log).toContain('LIMIT_UNREADABLE');
      expect(await (await fetch(`${origin}/metrics`)).text()).toContain('weir_gateway_attention_total{code="LIMIT_UNREADABLE"} 1');
    }
  });
}

describe('the embedded database', () => operatorTests(null));

const database = await freshDatabase();
describe.skipIf(database === undefined)('a PostgreSQL server', () => operatorTests(database?.url ?? ''));

test.each(['short', `${'x'.repeat(40)} y`, 'x'.repeat(513), ''])(
  'a key that can be guessed or that no header carries is refused without being shown: %j',
  key => {
    expect(() => operatorKey(key)).toThrow(expect.objectContaining({ code: 'CONFIG_INVALID', message: expect.not.stringContaining('xxxx') as unknown }));
  },
);

test('without a configured key each run has a new one', () => {
  const [one, other] = [operatorKey(null), operatorKey(null)];
  expect(one.isKey(one.key)).toBe(true);
  expect([one.isKey(other.key), one.isKey(undefined), one.isKey('')]).toEqual([false, false, false]);
});
