import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type Forge, type ForgeKind, startForge } from '@weir/forge-simulator';
import { verifies } from '@weir/requirements';
import { afterEach, expect, test } from 'vitest';
import { runProgram } from './test-program.ts';

const TOKENS: Readonly<Record<ForgeKind, string>> = {
  ...{ github: 'GITHUB_TOKEN', gitlab: 'GITLAB_TOKEN', gitea: 'GITEA_TOKEN', forgejo: 'FORGEJO_TOKEN', 'bitbucket-cloud': 'BITBUCKET_TOKEN' },
};
const home = mkdtempSync(path.join(tmpdir(), 'weir-live-'));
const closers: (() => Promise<unknown>)[] = [() => Promise.resolve(rmSync(home, { recursive: true, force: true }))];
afterEach(async () => {
  for (const close of closers.splice(1)) await close();
});

async function seeded(kind: ForgeKind): Promise<Forge> {
  const forge = await startForge({ kind });
  closers.push(() => forge.close());
  for (const login of ['acme', 'weir-bot', 'alice']) forge.seed.account({ login });
  await forge.seed.repository({ owner: 'acme', name: 'shop' });
  forge.seed.permit('acme/shop', 'weir-bot', 'admin');
  forge.seed.permit('acme/shop', 'alice', 'write');
  await forge.seed.push({ repository: 'acme/shop', branch: 'main', by: 'alice', files: { 'a.txt': 'one\n' } });
  await forge.seed.push({ repository: 'acme/shop', branch: 'feature', by: 'alice', files: { 'a.txt': 'two\n' } });
  await forge.seed.change({ repository: 'acme/shop', head: 'feature', title: 'A change', by: 'alice' });
  if (kind !== 'bitbucket-cloud') forge.seed.issue('acme/shop', { title: 'An issue', body: '', by: 'alice' });
  return forge;
}

const live = (kind: string, url: string, env: Readonly<Record<string, string>>) =>
  runProgram(home, ['provider', 'verify', kind, '--live', '--repository', 'acme/shop', '--base-url', url, '--allow-origin', url, '--json'], { env });

// Not Bitbucket, whose few points a minute would make this test wait for a minute; its reads are in the session of apps/demo.
test.each(['github', 'gitlab', 'gitea', 'forgejo'] as const)(
  `${verifies('PRV-26', 'PRV-17')} %s: every read answers as described, and nothing is written`,
  async kind => {
    const forge = await seeded(kind);
    const { code, stdout, stderr } = await live(kind, forge.url, { [TOKENS[kind]]: forge.token('weir-bot') });
    const { reads } = JSON.parse(stdout) as { reads: { verb: string; state: string; detail: string }[] };
    expect(reads.filter(({ state }) => state === 'drift' || state === 'not checked')).toEqual([]);
    expect({ code, stderr, reads: reads.length }).toEqual({ code: 0, stderr: '', reads: 20 });
    expect(forge.violations).toEqual([]);
    expect(forge.requests.filter(({ method, path: place }) => method !== 'GET' && !place.includes('graphql'))).toEqual([]);
  },
);

test(`${verifies('PRV-26')} an answer that the descriptor does not expect is drift; what cannot be read is not called fine`, async () => {
  const server = createServer((request, response) => {
    response.setHeader('content-type', 'application/json');
    if (request.url === '/api/v1/user') return void response.end('{"identity":7}');
    response.statusCode = 404;
    response.end('{"message":"not here"}');
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  closers.push(() => new Promise(resolve => server.close(resolve)));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const { code, stdout } = await live('gitea', url, { GITEA_TOKEN: 'live-check-token-0001' });
  const { reads } = JSON.parse(stdout) as { reads: { verb: string; state: string; detail: string }[] };
  expect(code).toBe(1);
  expect(reads[0]).toMatchObject({ verb: 'account.whoami', state: 'drift' });
  expect(reads.find(({ verb }) => verb === 'repo.get')).toMatchObject({ state: 'not checked', detail: expect.stringContaining('NotFound') });
  expect(reads.find(({ verb }) => verb === 'change.get')).toMatchObject({ state: 'not checked', detail: 'the repository has nothing to ask about' });
});

test(`${verifies('PRV-1')} without a repository, or for a registry, it says what is missing`, async () => {
  expect(await runProgram(home, ['provider', 'verify', 'gitea', '--live'])).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('--repository owner/name'),
  });
  const registry = await runProgram(home, ['provider', 'verify', 'npm', '--live', '--repository', 'a/b']);
  expect(registry).toMatchObject({ code: 2, stderr: expect.stringContaining('no forge') });
});
