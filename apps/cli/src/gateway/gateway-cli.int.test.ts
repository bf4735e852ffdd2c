/** The commands of the gateway, run as a person runs them: the built program, a keyset and an embedded database of its own. */
import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { verifies } from '@weir/requirements';
import { type ScriptedUpstream, startScriptedUpstream } from '@weir/scripted-upstream';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { runProgram, temporaryFolder } from '../test-program.ts';

// Most commands here open the embedded database anew.
vi.setConfig({ testTimeout: 240_000 });

const { folder, release } = temporaryFolder();
const KEY = 'sk-upstream-secret-123';
const SCENARIO = { workspace: '/work', picture: 'cGljdHVyZQ==', probePicture: 'cHJvYmU=' };
let upstream: ScriptedUpstream;
let gateway: { readonly origin: string; readonly child: ChildProcess; readonly log: () => string } | undefined;

const env = (): Readonly<Record<string, string>> => ({ WEIR_ALLOW_ORIGINS: upstream.origin, WEIR_QUIET: 'true' });
const weir = (args: readonly string[], input = '') => runProgram(folder, args, { input, env: env() });
async function good(args: readonly string[], input = ''): Promise<string> {
  const { stdout, stderr, code } = await weir(args, input);
  expect({ args, stderr, code }).toEqual({ args, stderr: '', code: 0 });
  return stdout;
}

async function serve(): Promise<NonNullable<typeof gateway>> {
  const bin = path.resolve(import.meta.dirname, '../../bin/weir.js');
  const home = {
    HOME: folder,
    XDG_CONFIG_HOME: path.join(folder, 'config'),
    XDG_STATE_HOME: path.join(folder, 'state'),
    XDG_DATA_HOME: path.join(folder, 'data'),
  };
  const child = spawn(process.execPath, [bin, 'serve', '--role', 'gateway', '--port', '0'], {
    env: { PATH: process.env['PATH'] ?? '', ...home, WEIR_ALLOW_ORIGINS: upstream.origin },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let out = '';
  let log = '';
  child.stdout.on('data', (text: Buffer) => void (out += text.toString()));
  child.stderr.on('data', (text: Buffer) => void (log += text.toString()));
  await expect.poll(() => out, { timeout: 30_000 }).toMatch(/^http:\S+\n/);
  return { origin: out.trim(), child, log: () => log };
}

async function stop({ child }: NonNullable<typeof gateway>): Promise<number | null> {
  const closed = new Promise<number | null>(resolve => child.once('close', resolve));
  child.kill('SIGTERM');
  return closed;
}

beforeAll(async () => {
  upstream = await startScriptedUpstream({ key: KEY });
  upstream.begin(SCENARIO);
});
afterAll(async () => {
  gateway?.child.kill('SIGKILL');
  await upstream.close();
  release();
});

describe('routes', () => {
  test(`${verifies('REV-30')} a model needs a price, a provider a preset or a name that is one`, async () => {
    expect(await weir(['models', 'list'])).toMatchObject({ code: 0, stdout: expect.stringContaining('No models yet') });
    const base = ['models', 'add', 'm', '--provider', 'acme', '--base-url', `${upstream.origin}/v1`];
    expect(await weir([...base])).toMatchObject({ code: 2, stderr: expect.stringContaining('no preset has its name') });
    expect(await weir([...base, '--preset', 'vllm'])).toMatchObject({ code: 3, stderr: expect.stringContaining('error[MODEL_UNPRICED]') });
    expect(await weir([...base, '--preset', 'vllm', '--input-rate', '0', '--output-rate', '0'])).toMatchObject({
      code: 3,
      stderr: expect.stringContaining('MODEL_INVALID'),
    });
    expect(await weir([...base, '--preset', 'vllm', '--input-rate', '1'])).toMatchObject({ code: 2 });
    expect(await weir([...base, '--preset', 'vllm', '--input-rate', '1', '--output-rate', '1', '--unmetered'])).toMatchObject({ code: 2 });
    expect(await weir([...base, '--preset', 'vlm', '--unmetered'])).toMatchObject({ code: 3, stderr: expect.stringContaining('did you mean vllm') });
  });

  test(`${verifies('REV-39')} a model is added with its key from standard input; the key is encrypted and shown nowhere`, async () => {
    const rates = ['--input-rate', '1.00', '--output-rate', '4', '--cached-input-rate', '0.1', '--source', 'the price list'];
    const added = await good(
      [
        'models',
        'add',
        'm',
        '--provider',
        'acme',
        '--preset',
        'vllm',
        '--base-url',
        `${upstream.origin}/v1`,
        '--upstream-model',
        'scripted',
        ...rates,
        '--key-file',
        '-',
      ],
      `${KEY}\n`,
    );
    expect(added).toMatch(/^acme\/m: scripted at http:\S+ \(chat\), in \$1\.00, out \$4\.00, cached_input \$0\.10\ncredential acme-[0-9a-f]{8}\n$/);
    const listed = [await good(['models', 'list']), await good(['models', 'list', '--json']), await good(['models', 'credential', 'list', '--json'])];
    for (const text of listed) expect(text).not.toContain(KEY);
    expect(listed[0]).toContain('1 of 1 keys available');
    const keyset = path.join(folder, 'config/weir/keyset.json');
    expect(statSync(keyset).mode & 0o777).toBe(0o600);
    expect(await weir(['models', 'credential', 'add', 'acme', '--key-file', '-'], 'two words')).toMatchObject({
      code: 3,
      stderr: expect.not.stringContaining('two words'),
    });
  });

  test(`${verifies('REV-30')} a price is printed and set; a facts file with a wrong name is refused`, async () => {
    expect(await good(['models', 'price', 'm', '--input-rate', '2', '--output-rate', '8', '--cached-input-rate', '0.2'])).toBe(
      'acme/m: in $2.00, out $8.00, cached_input $0.20\n',
    );
    expect(await good(['models', 'price', 'acme/m'])).toContain('in $2.00');
    expect(await weir(['models', 'price', 'mm'])).toMatchObject({ code: 2, stderr: expect.stringContaining('did you mean m?') });
    const facts = path.join(folder, 'facts.json');
    writeFileSync(facts, '{"parallel_call": true}');
    expect(await weir(['models', 'add', 'm', '--provider', 'acme', '--facts', facts])).toMatchObject({
      code: 3,
      stderr: expect.stringContaining('did you mean parallel_calls'),
    });
  });

  test(`${verifies('MOD-16')} check names what is missing, and asks for real with --call`, async () => {
    expect(await good(['models', 'check'])).toBe('ok     acme/m: route, price and credential are there\n');
    expect(await good(['models', 'check', 'm', '--call'])).toMatch(/^ok {5}acme\/m: answers as scripted \(finish stop, \d+ output tokens\)\n$/);
    await good(['models', 'add', 'alone', '--provider', 'deepseek', '--unmetered']);
    expect(await weir(['models', 'check', '--json'])).toMatchObject({ code: 1, stdout: expect.stringContaining('deepseek has no credential') });
    expect(await good(['models', 'remove', 'alone'])).toBe('removed deepseek/alone\n');
    const { total } = JSON.parse(await good(['spend', '--json', '--by', 'capability'])) as { total: object };
    expect(total).toMatchObject({ calls: 1, unpricedCalls: 0 });
  });

  test(`${verifies('MOD-18')} explain shows the route and each tool with its reason, and no payload`, async () => {
    const request = {
      model: 'm',
      input: 'a secret question',
      tools: [{ type: 'custom', name: 'apply_patch', description: 'a secret description' }, { type: 'web_search' }],
    };
    const text = await good(['models', 'explain'], JSON.stringify(request));
    expect(text).toMatch(/responses -> acme\/m: scripted at http:\S+\/v1\/chat\/completions \(chat, metered\)/);
    expect(text).toMatch(/adapt +apply_patch \(custom\)/);
    expect(text).toMatch(/omit +web_search/);
    const json = await good(['models', 'explain', '--json'], JSON.stringify(request));
    for (const shown of [text, json]) expect(shown).not.toContain('secret');
    expect(JSON.parse(json)).toMatchObject({ counts: { adapt: 1, omit: 1 }, passthrough: false });
    expect(await weir(['models', 'explain'], '{"model":"x"}')).toMatchObject({ code: 1, stdout: expect.stringContaining('refused with 404: model_not_found') });
  });
});

describe('the running gateway', () => {
  const ask = (key: string, body: object = { model: 'm', stream: true, input: 'hi' }): Promise<Response> =>
    fetch(`${gateway?.origin}/v1/responses`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${key}` },
      body: JSON.stringify(body),
    });

  test(`${verifies('MOD-17')} keys, models and spend work through it while it has the database; a revoked key ends its stream`, async () => {
    gateway = await serve();
    const { id, key } = JSON.parse(await good(['keys', 'create', '--json', '--budget', '5.00', '--model', 'm', '--expires', '7d', '--run', 'run-7'])) as {
      id: string;
      key: string;
    };
    expect(await (await ask(key)).text()).toContain('event: response.completed');
    expect(await good(['keys', 'list'])).toMatch(new RegExp(`^${id} +active +\\$0\\.\\d+ of \\$5\\.00 +run run-7 +acme/m\\n$`));
    expect(JSON.parse(await good(['spend', '--json', '--run', 'run-7']))).toMatchObject({ total: { calls: 1, unpricedCalls: 0 } });
    await good(['models', 'add', 'silent', '--provider', 'acme', '--upstream-model', 'fault-silence', '--unmetered']);
    const other = (await good(['keys', 'create', '--model', 'acme/*'])).trim();
    await expect
      .poll(async () => (await fetch(`${gateway?.origin}/v1/models/silent`, { headers: { 'x-api-key': other } })).status, { timeout: 5_000 })
      .toBe(200);
    expect((await ask(key, { model: 'silent', input: 'x' })).status).toBe(400);
    const running = (await ask(other, { model: 'silent', stream: true, input: 'x' })).text();
    const listed = JSON.parse(await good(['keys', 'list', '--json'])) as { keys: { id: string }[] };
    const otherId = listed.keys.map(row => row.id).find(row => row !== id) ?? '';
    expect(await good(['keys', 'revoke', otherId])).toBe(`revoked ${otherId}\n`);
    expect(await running).toContain('This virtual key was revoked.');
    expect((await ask(other)).status).toBe(400);
    expect(await good(['spend'])).toMatch(/^1 of 3 calls unpriced|^\$0/);
  });

  test(`${verifies('REV-39')} a rotation of the keyset is seen at once, and drops the key before the last`, async () => {
    const key = (await good(['keys', 'create'])).trim();
    expect(await good(['keyset', 'rotate'])).toMatch(/^new key [0-9a-f]{10}; 1 secrets encrypted with it\nno key dropped\n$/);
    expect(await good(['keyset', 'rotate'])).toMatch(/^new key [0-9a-f]{10}; 1 secrets encrypted with it\ndropped [0-9a-f]{10}\n$/);
    expect(await (await ask(key)).text()).toContain('event: response.completed');
  });

  test('the log has one line for each call, and no key and no payload', () => {
    const log = gateway?.log() ?? '';
    const calls = log.split('\n').filter(line => line.includes('"event":"call"'));
    expect(calls.length).toBeGreaterThanOrEqual(3);
    for (const line of calls) expect(Object.keys(JSON.parse(line) as object)).toContain('callRef');
    for (const secret of [KEY, 'weir_vk_', 'weir_op_']) expect(log).not.toContain(secret);
    expect(statSync(path.join(folder, 'data/weir/gateway.json')).mode & 0o777).toBe(0o600);
  });

  test('a second gateway is refused; the first ends on a signal and leaves no address behind', async () => {
    expect(await weir(['serve', '--role', 'gateway', '--port', '0'])).toMatchObject({ code: 3, stderr: expect.stringContaining('error[DATABASE_LOCKED]') });
    expect(gateway === undefined ? -1 : await stop(gateway)).toBe(0);
    expect(() => readFileSync(path.join(folder, 'data/weir/gateway.json'))).toThrow();
    expect(JSON.parse(await good(['spend', '--json']))).toMatchObject({ total: { calls: expect.any(Number) as number } });
  });

  test('what cannot be served is said in one line', async () => {
    expect(await weir(['serve', '--role', 'forge'])).toMatchObject({ code: 2, stderr: expect.stringContaining('there is no role "forge"') });
    expect(await weir(['serve', '--role', 'runner'])).toMatchObject({ code: 2, stderr: expect.stringContaining('not available yet') });
    expect(await weir(['serve', '--role', 'ingress'])).toMatchObject({ code: 3, stderr: expect.stringContaining('one process has every role') });
    expect(await weir(['serve', '--role', 'gateway', '--port', 'x'])).toMatchObject({ code: 2 });
    const port = new URL(upstream.origin).port;
    expect(await weir(['serve', '--role', 'gateway', '--port', port])).toMatchObject({ code: 3, stderr: expect.stringContaining(`port ${port} (EADDRINUSE)`) });
  });
});

test(`${verifies('MOD-1')} weir review asks a model of the stored routes by its name`, async () => {
  const diff = 'diff --git a/a.ts b/a.ts\nindex 1..2 100644\n--- a/a.ts\n+++ b/a.ts\n@@ -1 +1,2 @@\n one\n+two\n';
  const { stdout } = await runProgram(folder, ['review', '--diff', '-', '--format', 'json'], { input: diff, env: { ...env(), WEIR_MODEL: 'm' } });
  expect((JSON.parse(stdout) as { model: object }).model).toMatchObject({ model: 'scripted', usage: { calls: 1 } });
  expect(JSON.parse(await good(['spend', '--json', '--by', 'capability']))).toMatchObject({
    rows: expect.arrayContaining([expect.objectContaining({ name: 'review', calls: 1 })]) as unknown,
  });
  const unknown = await runProgram(folder, ['review', '--diff', '-', '--format', 'json'], { input: diff, env: { ...env(), WEIR_MODEL: 'nn' } });
  expect((JSON.parse(unknown.stdout) as { model: object }).model).toMatchObject({ state: 'failed' });
});

test(`${verifies('REV-31')} a reached cap ends the calls of reviews, spend shows how it stands, and a limit that makes no sense is none`, async () => {
  const diff = 'diff --git a/a.ts b/a.ts\nindex 1..2 100644\n--- a/a.ts\n+++ b/a.ts\n@@ -1 +1,2 @@\n one\n+two\n';
  const review = async (caps: Readonly<Record<string, string>>) => {
    const { stdout, stderr } = await runProgram(folder, ['review', '--diff', '-', '--format', 'json'], {
      input: diff,
      env: { ...env(), WEIR_QUIET: '', WEIR_MODEL: 'm', ...caps },
    });
    return { model: JSON.stringify((JSON.parse(stdout) as { model: object }).model), stderr };
  };
  const spend = (caps: Readonly<Record<string, string>>, args: readonly string[] = []) =>
    runProgram(folder, ['spend', ...args], { env: { ...env(), ...caps } });
  const reached = await review({ WEIR_CAP_CALLS: '1', WEIR_CAP_WINDOW: '1h' });
  expect(reached.model).toMatch(/CAP_REACHED.*\d+ model calls made in the last 60 minutes; no more calls are paid for now\. No capacity before /);
  expect(reached.model).not.toContain('The limit is');
  expect(reached.stderr).toContain('The limit is 1.');
  expect((await spend({ WEIR_CAP_CALLS: '1' })).stdout).toMatch(
    /^cap reached: \d+ model calls made in the last 24 hours.* The limit is 1\. No capacity before /m,
  );
  expect((await spend({ WEIR_CAP_SPEND: '1000' })).stdout).toMatch(/^cap: \$\d\S* of \$1000\.00 in the last 24 hours$/m);
  expect(JSON.parse((await spend({ WEIR_CAP_CALLS: '1' }, ['--json'])).stdout)).toMatchObject({ cap: { decision: { allowed: false, axis: 'calls' } } });
  expect(await spend({ WEIR_CAP_SPEND: 'fifty' })).toMatchObject({
    code: 0,
    stderr: expect.stringContaining('caps.spend cannot be read'),
    stdout: expect.not.stringContaining('cap'),
  });
  const senseless = await review({ WEIR_CAP_SPEND: 'fifty' });
  expect(senseless.model).toContain('"calls":1');
  expect(senseless.stderr).toContain('caps.spend cannot be read');
});

describe('weir debug', () => {
  const request = JSON.stringify({ model: 'm', input: 'hi', tools: [{ type: 'custom', name: 'patch' }] });

  test(`${verifies('MOD-6', 'MOD-18a')} convert prints the plan and the body, or the error that the client would get`, async () => {
    const { plan, body } = JSON.parse(await good(['debug', 'convert', '--from', 'responses', '--to', 'chat'], request)) as { plan: object[]; body: object };
    expect(plan).toEqual([expect.objectContaining({ namespace: null, name: 'patch', kind: 'custom', disposition: 'adapt', alias: 'patch' })]);
    expect(body).toMatchObject({ tools: [{ type: 'function', function: { name: 'patch' } }] });
    expect(await weir(['debug', 'convert', '--from', 'responses', '--to', 'chat'], '{')).toMatchObject({
      code: 1,
      stdout: expect.stringContaining('"status": 400'),
    });
    const facts = path.join(folder, 'custom.json');
    writeFileSync(facts, '{"custom": true}');
    expect(JSON.parse(await good(['debug', 'convert', '--from', 'chat', '--to', 'chat', '--facts', facts], '{"model":"m","messages":[]}'))).toMatchObject({
      plan: [],
    });
    writeFileSync(facts, '{"custum": true}');
    expect(await weir(['debug', 'convert', '--from', 'chat', '--to', 'chat', '--facts', facts], '{}')).toMatchObject({
      code: 3,
      stderr: expect.stringContaining('custom'),
    });
    expect(await weir(['debug', 'convert', '--from', 'x', '--to', 'chat'], '{}')).toMatchObject({ code: 2 });
  });

  test(`${verifies('MOD-10')} stream prints the events of the client`, async () => {
    const file = path.join(folder, 'request.json');
    writeFileSync(file, request);
    const sse = 'data: {"id":"c","choices":[{"index":0,"delta":{"content":"x"},"finish_reason":"stop"}]}\n\ndata: [DONE]\n\n';
    const args = ['debug', 'stream', '--from', 'responses', '--to', 'chat', '--request', file];
    expect(await good(args, sse)).toContain('event: response.completed');
    expect(await weir(args, sse.slice(0, 40))).toMatchObject({ code: 1, stdout: expect.stringContaining('event: response.failed') });
  });
});
