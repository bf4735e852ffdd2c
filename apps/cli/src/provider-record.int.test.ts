import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Cassette, CASSETTE_ORIGIN, replayHttp } from '@weir/cassette';
import { type Forge, type ForgeKind, startForge } from '@weir/forge-simulator';
import { verifies } from '@weir/requirements';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { openProvider, readProvider } from './provider/open-provider.ts';
import { runProgram } from './test-program.ts';

const TOKENS: Readonly<Record<ForgeKind, string>> = {
  ...{ github: 'GITHUB_TOKEN', gitlab: 'GITLAB_TOKEN', gitea: 'GITEA_TOKEN', forgejo: 'FORGEJO_TOKEN', 'bitbucket-cloud': 'BITBUCKET_TOKEN' },
};
const LISTS: Readonly<Record<ForgeKind, readonly [operation: string, args: Readonly<Record<string, string>>]>> = {
  github: ['issues/list-for-repo', { owner: 'acme', repo: 'shop' }],
  gitlab: ['GET /api/v4/projects/{id}/issues', { id: 'acme/shop' }],
  gitea: ['issueListIssues', { owner: 'acme', repo: 'shop' }],
  forgejo: ['issueListIssues', { owner: 'acme', repo: 'shop' }],
  'bitbucket-cloud': ['GET /repositories/{workspace}/{repo_slug}/pullrequests', { workspace: 'acme', repo_slug: 'shop' }],
};
const ISSUES = 130;

let home: string;
let forge: Forge;
beforeEach(() => {
  home = mkdtempSync(path.join(tmpdir(), 'weir-record-'));
});
afterEach(async () => {
  await forge.close();
  vi.unstubAllEnvs();
  rmSync(home, { recursive: true, force: true });
});

async function seed(kind: ForgeKind): Promise<void> {
  forge = await startForge({ kind });
  for (const login of ['acme', 'weir-bot']) forge.seed.account({ login });
  await forge.seed.repository({ owner: 'acme', name: 'shop' });
  forge.seed.permit('acme/shop', 'weir-bot', 'admin');
  if (kind !== 'bitbucket-cloud')
    for (let number = 0; number < ISSUES; number += 1)
      forge.seed.issue('acme/shop', { title: `issue ${number}`, body: 'Ask ann@corp.example', by: 'weir-bot' });
}

/** What a recording leaves of a live answer. */
const withoutPlace = (text: string): string =>
  text.replaceAll(forge.url, CASSETTE_ORIGIN).replace(/(?!git@)\b[\w.+-]+@[\w.-]+\.[a-z]+/g, 'user@example.invalid');

test.each(['github', 'gitlab', 'gitea', 'forgejo', 'bitbucket-cloud'] as const)(
  `${verifies('PRV-1', 'PRV-26')} %s: a list of all pages is recorded from the simulator, and the engine reads the same from the recording`,
  async kind => {
    await seed(kind);
    const [operation, args] = LISTS[kind];
    const words = Object.entries(args).flatMap(([name, value]) => [`--${name}`, value]);
    const target = [kind, operation, ...words, '--all', '--base-url', forge.url, '--allow-origin', forge.url];
    const env = { [TOKENS[kind]]: forge.token('weir-bot') };
    const file = path.join(home, 'cassette.json');
    const recorded = await runProgram(home, ['provider', 'record', ...target, '--to', file], { env });
    expect(recorded).toMatchObject({ code: 0, stderr: '', stdout: expect.stringContaining('exchanges recorded') });
    const live = await runProgram(home, ['provider', 'call', ...target], { env });
    const text = readFileSync(file, 'utf8');
    const cassette = Cassette.parse(JSON.parse(text));
    expect(cassette).toMatchObject({ provider: kind, recordedFrom: 'simulator' });
    for (const kept of [forge.token('weir-bot'), forge.url, 'corp.example']) expect(text).not.toContain(kept);

    vi.stubEnv(TOKENS[kind], 'replaying-needs-no-real-token-1');
    const read = await readProvider(kind);
    const replay = () => openProvider(read, { baseUrl: CASSETTE_ORIGIN, http: replayHttp(cassette) });
    const options = { signal: new AbortController().signal, actor: 'test', fromCommandLine: true };
    const items: unknown[] = [];
    for await (const page of replay().pages(operation, args, options)) items.push(...page.items);
    expect(items).toEqual(JSON.parse(withoutPlace(live.stdout)));
    if (kind !== 'bitbucket-cloud') expect(items).toHaveLength(ISSUES);
    const others = { ...args, [Object.keys(args).at(-1) ?? '']: 'other' };
    await expect(replay().call(operation, others, options)).rejects.toMatchObject({
      code: 'URL_REFUSED',
      message: expect.stringContaining('was not recorded'),
    });
  },
);

test(`${verifies('PRV-17', 'PRV-26')} a failed call, a denied write and a file that is there leave nothing`, async () => {
  await seed('gitea');
  const env = { GITEA_TOKEN: forge.token('weir-bot') };
  const file = path.join(home, 'cassette.json');
  const record = (...args: readonly string[]) =>
    runProgram(home, ['provider', 'record', 'gitea', ...args, '--base-url', forge.url, '--allow-origin', forge.url, '--to', file], { env });
  expect(await record('userGet', '--username', 'nobody')).toMatchObject({ code: 2, stderr: expect.stringContaining('error[FORGE_NOT_FOUND]') });
  expect(await record('issueCreateIssue', '--owner', 'acme', '--repo', 'shop', '--title', 't')).toMatchObject({ code: 4 });
  expect(existsSync(file)).toBe(false);
  expect(await record('userGetCurrent')).toMatchObject({ code: 0 });
  const kept = readFileSync(file, 'utf8');
  expect(await record('userGetCurrent')).toMatchObject({ code: 2, stderr: expect.stringContaining('exists') });
  expect(readFileSync(file, 'utf8')).toBe(kept);
});
