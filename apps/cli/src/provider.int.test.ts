import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { startForge } from '@weir/forge-simulator';
import { verifies } from '@weir/requirements';
import { afterAll, describe, expect, test } from 'vitest';
import { runProgram, temporaryFolder } from './test-program.ts';

const { folder, release } = temporaryFolder();
afterAll(release);
const weir = (args: readonly string[], input = '', env: Readonly<Record<string, string>> = {}) => runProgram(folder, args, { input, env });
const json = async (args: readonly string[], input = ''): Promise<unknown> => {
  const { stdout, stderr, code } = await weir(args, input);
  expect({ stderr, code }).toEqual({ stderr: '', code: 0 });
  return JSON.parse(stdout);
};

describe('weir provider', () => {
  test(`${verifies('PRV-1', 'PRV-6')} every built-in provider is listed, compiled, and healthy`, async () => {
    const { providers } = (await json(['provider', 'list', '--json'])) as {
      providers: { name: string; builtIn: boolean; operations: number | null; bound: number; unsupported: number }[];
    };
    const forges = ['bitbucket-cloud', 'bitbucket-dc', 'forgejo', 'gitea', 'github', 'github-ghec', 'github-ghes', 'gitlab'];
    expect(providers.filter(({ bound }) => bound > 0).map(({ name }) => name)).toEqual(forges);
    for (const { name, builtIn, operations, bound, unsupported } of providers) {
      expect({ name, builtIn, compiled: (operations ?? 0) > 0 }).toEqual({ name, builtIn: true, compiled: true });
      expect({ name, verbs: bound + unsupported }).toEqual({ name, verbs: forges.includes(name) ? 48 : 0 });
    }
    expect((await weir(['provider', 'doctor', '--all'])).code).toBe(0);
  });

  test(`${verifies('PRV-2', 'PRV-5')} a table with a committed description is reproduced to the byte; another is not verifiable without its description`, async () => {
    expect(await weir(['provider', 'verify', 'github'])).toMatchObject({ code: 0, stdout: expect.stringMatching(/github +same/) });
    expect(await weir(['provider', 'verify', 'gitea'])).toMatchObject({ code: 6, stdout: expect.stringMatching(/gitea +not verifiable here/) });
  });

  test(`${verifies('PRV-9', 'PRV-12a')} a dry run shows the request without its credential; a wrong one is refused with what was meant`, async () => {
    const args = ['provider', 'call', 'github', 'pulls/get', '--owner', 'acme', '--repo', 'web'];
    const request = await json([...args, '--pull_number', '7', '--dry-run']);
    expect(request).toMatchObject({
      method: 'GET',
      url: 'https://api.github.com/repos/acme/web/pulls/7',
      headers: { authorization: '[redacted]' },
      mutates: false,
    });
    expect(
      await json([
        'provider',
        'call',
        'gitlab',
        'getApiV4ProjectsIdIssues',
        '--arg',
        'not[labels]=bug',
        '--id',
        '1',
        '--dry-run',
        '--base-url',
        'https://gitlab.example',
      ]),
    ).toMatchObject({ url: expect.stringMatching(/not(\[|%5B)labels(\]|%5D)=bug/) });
    expect(await weir([...args, '--pull_number', 'x', '--dry-run'])).toMatchObject({ code: 2, stderr: expect.stringContaining('error[ARGUMENTS_INVALID]') });
    expect(await weir(['provider', 'call', 'github', 'pulls/gett', '--dry-run'])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('did you mean pulls/get?'),
    });
  });

  test(`${verifies('PRV-9', 'PRV-11', 'PRV-17')} reads a simulated forge, page by page, and denies a write`, async () => {
    const forge = await startForge({ kind: 'gitea' });
    try {
      forge.seed.account({ login: 'weir-bot' });
      const env = { GITEA_TOKEN: forge.token('weir-bot') };
      const at = ['--base-url', forge.url, '--allow-origin', new URL(forge.url).origin];
      const who = await weir(['provider', 'call', 'gitea', 'userGetCurrent', ...at], '', env);
      expect(who).toMatchObject({ code: 0, stderr: '' });
      expect(JSON.parse(who.stdout)).toMatchObject({ id: expect.any(Number) });
      const denied = await weir(['provider', 'call', 'gitea', 'issueCreateIssue', '--owner', 'a', '--repo', 'b', '--title', 't', ...at], '', env);
      expect(denied).toMatchObject({ code: 4, stdout: '', stderr: expect.stringContaining('error[FORGE_DENIED]') });
      expect(forge.violations).toEqual([]);
    } finally {
      await forge.close();
    }
  });

  test(`${verifies('PRV-9', 'PRV-13')} a registry is called without a credential, and the slash of a scoped name is encoded`, async () => {
    const name = ['provider', 'call', 'npm', 'getPackage', '--package', '@scope/name'];
    const shown = await json([...name, '--dry-run']);
    expect(shown).toMatchObject({ method: 'GET', url: 'https://registry.npmjs.org/%40scope%2Fname', mutates: false });
    expect(JSON.stringify(shown)).not.toContain('redacted');
    const seen: unknown[] = [];
    const registry = createServer(({ url, headers }, response) => {
      seen.push([url, headers.authorization]);
      response.writeHead(200, { 'content-type': 'application/json' }).end('{"name":"@scope/name"}');
    });
    await new Promise<void>(resolve => registry.listen(0, '127.0.0.1', resolve));
    try {
      const origin = `http://127.0.0.1:${(registry.address() as AddressInfo).port}`;
      const called = await weir([...name, '--base-url', origin, '--allow-origin', origin], '', { NPM_TOKEN: 'not-for-this' });
      expect(called).toMatchObject({ code: 0, stderr: '' });
      expect(JSON.parse(called.stdout)).toEqual({ name: '@scope/name' });
      expect(seen).toEqual([['/%40scope%2Fname', undefined]]);
    } finally {
      registry.close();
    }
  });

  test(`${verifies('PRV-1')} describe, search and explain`, async () => {
    expect((await weir(['provider', 'describe', 'github', 'pulls/get'])).stdout).toContain('GET /repos/{owner}/{repo}/pulls/{pull_number}');
    expect((await weir(['provider', 'search', 'gitlab', 'create', 'discussion'])).code).toBe(0);
    expect((await weir(['provider', 'explain', 'forgejo', 'thread.resolve'])).stdout).toContain('does not support thread.resolve');
  });
});

describe('weir debug', () => {
  test(`${verifies('PRV-9')} response: a secondary limit without Retry-After waits at least a minute`, async () => {
    const body = JSON.stringify({ message: 'You have exceeded a secondary rate limit.' });
    const { outcome } = (await json(['debug', 'response', '--provider', 'github', '--operation', 'pulls/get', '--status', '403'], body)) as {
      outcome: { kind: string; retryAfterMs: number };
    };
    expect(outcome.kind).toBe('RateLimited');
    expect(outcome.retryAfterMs).toBeGreaterThanOrEqual(60_000);
  });

  test('webhook: a payload becomes an integration event, or is ignored', async () => {
    expect(await json(['debug', 'webhook', '--provider', 'github', '--event', 'no_such_event'], '{}')).toEqual({ kind: 'ignored' });
  });
});
