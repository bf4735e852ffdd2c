/** A GitHub App from its manifest to a review: the built program, a person's browser played by the test, a simulated forge. */
import { spawn } from 'node:child_process';
import path from 'node:path';
import { type Forge, startForge } from '@weir/forge-simulator';
import { verifies } from '@weir/requirements';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { runProgram, temporaryFolder } from '../test-program.ts';

vi.setConfig({ testTimeout: 240_000, hookTimeout: 60_000 });

const { folder, release } = temporaryFolder();
const PUBLIC = 'http://127.0.0.1:9';
let forge: Forge;

beforeAll(async () => {
  forge = await startForge({ kind: 'github' });
  for (const login of ['acme', 'alice']) forge.seed.account({ login });
  await forge.seed.repository({ owner: 'acme', name: 'shop' });
});
afterAll(async () => {
  await forge.close();
  release();
});

const env = (): Record<string, string> => ({ WEIR_QUIET: 'true', WEIR_ALLOW_ORIGINS: forge.url });
const weir = (args: readonly string[], interruptAfterMs?: number) =>
  runProgram(folder, args, { env: env(), ...(interruptAfterMs === undefined ? {} : { interruptAfterMs }) });

/** The command, while it waits for a person. */
function begin(args: readonly string[]) {
  const home = {
    HOME: folder,
    XDG_CONFIG_HOME: path.join(folder, 'config'),
    XDG_DATA_HOME: path.join(folder, 'data'),
    XDG_STATE_HOME: path.join(folder, 'state'),
  };
  const child = spawn(process.execPath, [path.resolve(import.meta.dirname, '../../bin/weir.js'), ...args], {
    env: { PATH: process.env['PATH'] ?? '', ...home, ...env() },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let out = '';
  let errors = '';
  child.stdout.on('data', (text: Buffer) => void (out += text.toString()));
  child.stderr.on('data', (text: Buffer) => void (errors += text.toString()));
  const code = new Promise<number | null>(resolve => child.once('close', resolve));
  const says = async (pattern: RegExp): Promise<RegExpExecArray> => {
    await vi.waitFor(() => expect(out + errors).toMatch(pattern), { timeout: 60_000 });
    return pattern.exec(out + errors) ?? expect.unreachable();
  };
  return { code, says, stop: () => child.kill('SIGINT'), printed: () => out + errors };
}

const unescaped = (text: string): string =>
  text
    .replace(/&quot;/g, '"')
    .replace(/&#39;/g, "'")
    .replace(/&lt;/g, '<')
    .replace(/&gt;/g, '>')
    .replace(/&amp;/g, '&');

/** Opens the page, and presses its button. @returns where the forge sends the browser to. */
async function makeApp(address: string): Promise<{ readonly back: string; readonly manifest: Record<string, unknown> }> {
  const html = await (await fetch(address)).text();
  const action = new URL(unescaped(/action="([^"]*)"/.exec(html)?.[1] ?? ''));
  expect(`${action.origin}${action.pathname}`).toBe(`${forge.url}/organizations/acme/settings/apps/new`);
  const manifest = unescaped(/name="manifest" value="([^"]*)"/.exec(html)?.[1] ?? '');
  const back = forge.seed.manifest({ manifest, state: action.searchParams.get('state') ?? '', by: 'acme' });
  return { back, manifest: JSON.parse(manifest) as Record<string, unknown> };
}

test(`${verifies('REV-39', 'PRV-13', 'REV-10')} a person makes the app and installs it; its key and the secret of its webhook are stored, and its deliveries are known`, async () => {
  const command = begin(['account', 'add', 'github', '--origin', forge.url, '--manifest', '--organization', 'acme', '--public-url', PUBLIC]);
  const [, address = ''] = await command.says(/Open (\S+) in a browser/);
  const { back, manifest } = await makeApp(address);
  expect(manifest).toMatchObject({
    name: 'Weir',
    public: false,
    hook_attributes: { url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:9\/hooks\/[0-9a-f]{24}$/) },
  });
  expect((await fetch(back.replace(/state=[^&]*/, 'state=another'))).status).toBe(400);
  expect((await fetch(back)).status).toBe(200);
  await command.says(/, not installed yet\nInstall it on the repositories: \S+\/apps\/weir\/installations\/new\n/);
  const installation = forge.seed.install('weir');
  expect(await command.code).toBe(0);
  const id = `weir-bot@${new URL(forge.url).host}`;
  const bot = forge.world.account('weir[bot]');
  expect(command.printed()).toContain(`${id}: weir[bot] (bot, id ${bot.id}) at ${forge.url} (github), reviewer\n`);
  expect(command.printed()).not.toMatch(/PRIVATE KEY/);
  const listed = await weir(['account', 'list', '--json']);
  expect(JSON.parse(listed.stdout)).toMatchObject({ accounts: [{ id, credential: { kind: 'app', installationId: installation } }] });
  expect(listed.stdout).not.toMatch(/PRIVATE KEY|sealedSecret/);

  expect(await weir(['repo', 'add', `${forge.url}/acme/shop`, '--public-url', PUBLIC])).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('--public-url'),
  });
  expect(await weir(['repo', 'add', `${forge.url}/acme/shop`])).toMatchObject({ code: 0, stdout: expect.stringContaining('webhook of the app') });
  const [hook] = forge.seed.find('acme/shop').hooks;
  const { repositories } = JSON.parse((await weir(['repo', 'list', '--json'])).stdout) as { repositories: readonly { hook: string }[] };
  expect(hook?.url.endsWith(repositories[0]?.hook ?? '-')).toBe(true);
  expect(await weir(['repo', 'remove', 'acme/shop'])).toMatchObject({ code: 0, stdout: expect.not.stringContaining('webhook stays') });
  expect(await weir(['repo', 'add', `${forge.url}/acme/shop`])).toMatchObject({ code: 0 });
  expect(forge.violations).toEqual([]);
});

test('a code counts once, other forges make no apps, and flags that mean something else are refused', async () => {
  const command = begin(['account', 'add', 'github', '--origin', forge.url, '--manifest', '--organization', 'acme', '--name', 'Other']);
  const [, address = ''] = await command.says(/Open (\S+) in a browser/);
  const { back, manifest } = await makeApp(address);
  expect(manifest).toMatchObject({ default_permissions: { repository_hooks: 'write' } });
  forge.world.conversions.clear();
  expect((await fetch(back)).status).toBe(200);
  expect(await command.code).not.toBe(0);
  expect(command.printed()).toContain('FORGE_NOT_FOUND');
  const usage = (args: readonly string[]) => weir(['account', 'add', ...args]).then(({ code, stderr }) => [code, stderr.split('\n')[0]]);
  expect(await usage(['gitlab', '--manifest'])).toEqual([2, 'error[USAGE]: gitlab makes no apps from a manifest']);
  expect(await usage(['github', '--manifest', '--app-id', '7'])).toEqual([2, expect.stringContaining('--manifest makes a new app')]);
  expect(await usage(['github', '--organization', 'acme'])).toEqual([2, expect.stringContaining('are for --manifest')]);
});

test('an interrupt ends the waiting, and an app that is not installed is taken up later', async () => {
  const waiting = begin(['account', 'add', 'github', '--origin', forge.url, '--manifest']);
  const [, unused = ''] = await waiting.says(/Open (\S+) in a browser/);
  waiting.stop();
  expect(await waiting.code).toBe(130);
  await expect(fetch(unused)).rejects.toThrow();

  const command = begin(['account', 'add', 'github', '--origin', forge.url, '--manifest', '--organization', 'acme', '--name', 'Third', '--id', 'third']);
  const [, address = ''] = await command.says(/Open (\S+) in a browser/);
  await fetch((await makeApp(address)).back);
  await command.says(/installations\/new/);
  command.stop();
  expect(await command.code).toBe(130);
  expect(await weir(['account', 'list'])).toMatchObject({ stdout: expect.stringMatching(/^third: third\[bot\] .*, not installed yet$/m) });
  expect(await weir(['account', 'check', 'third'])).toMatchObject({ code: 3, stderr: expect.stringContaining('installed nowhere') });
  forge.seed.install('third');
  expect(await weir(['account', 'check', 'third'])).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/^third: third\[bot\] \(bot, id \d+\) .*, reviewer\n/),
  });
});
