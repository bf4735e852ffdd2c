/** What a bump breaks, what is covered, and whether the built-in providers are as their lock says. */
import { existsSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { verifies } from '@weir/requirements';
import { afterAll, describe, expect, test } from 'vitest';
import { runProgram, temporaryFolder } from './test-program.ts';

const { folder, release } = temporaryFolder();
afterAll(release);
const weir = (args: readonly string[]) => runProgram(folder, args, { env: { XDG_CACHE_HOME: path.join(folder, 'cache') } });

const root = path.resolve(import.meta.dirname, '../../..');
const specs = path.resolve(root, process.env['WEIR_SHARED'] ?? '../shared', 'specs');
if (!existsSync(specs)) console.warn(`SKIPPED: the published descriptions are not at ${specs}; set WEIR_SHARED to the folder that holds specs/`);

interface Report {
  readonly compared: number;
  readonly elsewhere: number;
  readonly breaking: readonly {
    readonly kind: string;
    readonly path: string;
    readonly name: string;
    readonly boundBy: readonly string[];
    readonly supplemented: boolean;
  }[];
}

/** Bound operations alone: what the descriptor's verbs call, what its policy opens, where its page maximum is read. */
const PAIRS = [
  { provider: 'github-ghes', from: 'github/ghes-3.17.json', to: 'github/ghes-3.19.json', breaking: [], whole: 0 },
  // The 25 changes of the whole surface touch notifications, quotas, variables, dependencies and single milestones: no verb calls them.
  { provider: 'forgejo', from: 'forgejo/swagger.v1.raohwork.json', to: 'forgejo/swagger.v1.denis-ev.json', breaking: [], whole: 25 },
  {
    provider: 'gitlab',
    from: 'gitlab/gitlab-openapi.2024-09.adamjcrawford.yaml',
    to: 'gitlab/gitlab-openapi.voxgig.yaml',
    breaking: [
      ...['assignee_username', 'iids', 'labels', 'not[assignee_username]', 'not[labels]'].map(
        name => `style-narrowed /api/v4/projects/{id}/merge_requests ${name} change.list`,
      ),
      'operation-gone /api/v4/users  user.get supplemented',
    ],
    whole: 280,
  },
] as const;

describe(`${verifies('PRV-7')} weir provider diff`, () => {
  test.skipIf(!existsSync(specs)).each(PAIRS)(
    '$provider: what touches bound operations is named, with the verb',
    async ({ provider, from, to, breaking, whole }) => {
      const run = await weir(['provider', 'diff', provider, '--from', path.join(specs, from), '--to', path.join(specs, to), '--json']);
      const report = JSON.parse(run.stdout) as Report;
      expect(
        report.breaking.map(change => [change.kind, change.path, change.name, ...change.boundBy, ...(change.supplemented ? ['supplemented'] : [])].join(' ')),
      ).toEqual(breaking);
      expect({ code: run.code, stderr: run.stderr }).toEqual({ code: breaking.length > 0 ? 1 : 0, stderr: '' });
      expect(report.compared).toBeGreaterThan(20);
      expect(report.elsewhere + report.breaking.length).toBe(whole);
    },
  );

  test('a table or a provider as a side; itself breaks nothing', async () => {
    const table = path.join(root, 'descriptors/providers/github-ghes/optable.json');
    expect(await weir(['provider', 'diff', 'github-ghes', '--from', table])).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('0 breaking changes in 5') as unknown,
    });
    // Data residency and dotcom: what is bound there exists here.
    expect(await weir(['provider', 'diff', 'github', '--from', 'github', '--to', 'github-ghec'])).toMatchObject({ code: 0 });
    const gone = await weir(['provider', 'diff', 'github', '--from', 'github', '--to', 'github-ghes', '--all']);
    expect(gone).toMatchObject({ code: 1, stdout: expect.stringContaining('operation-gone') as unknown });
  });

  test('a side that is nothing is refused, and so is a page', async () => {
    expect(await weir(['provider', 'diff', 'github', '--from', 'no-such-thing'])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('no file and no provider') as unknown,
    });
    const page = path.join(folder, 'page.json');
    writeFileSync(page, '<html></html>');
    expect(await weir(['provider', 'diff', 'github', '--from', page])).toMatchObject({ code: 3, stderr: expect.stringContaining('HTML') as unknown });
    expect((await weir(['provider', 'diff', 'github'])).code).toBe(2);
  });
});

test(`${verifies('PRV-5')} every built-in provider is as the committed lock says; after a change of one: weir provider lock`, async () => {
  expect(await weir(['provider', 'lock', '--check'])).toEqual({ code: 0, stderr: '', stdout: 'every provider is as its lock says\n' });
});

test(`${verifies('PRV-3', 'PRV-15', 'PRV-25a')} coverage: published and compiled operations of each provider, each gap by name`, async () => {
  const { stdout, code } = await weir(['provider', 'coverage', '--json']);
  expect(code).toBe(0);
  const { providers } = JSON.parse(stdout) as {
    providers: {
      name: string;
      published: number;
      supplemented: number;
      compiled: number;
      gaps: unknown[];
      bound: string[];
      unsupported: object;
      unbound: string[];
    }[];
  };
  expect(
    Object.fromEntries(providers.map(({ name, published, supplemented, compiled, gaps }) => [name, [published, supplemented, compiled, gaps.length]])),
  ).toMatchObject({
    github: [1_223, 0, 1_223, 0],
    'github-ghec': [1_471, 0, 1_471, 0],
    'github-ghes': [1_039, 0, 1_039, 0],
    gitlab: [1_106, 19, 1_125, 0],
    gitea: [482, 0, 482, 0],
    forgejo: [506, 0, 506, 0],
    'bitbucket-cloud': [331, 0, 331, 0],
    'bitbucket-dc': [516, 0, 516, 0],
  });
  for (const { name, bound, unsupported, unbound } of providers)
    expect({ name, verbs: bound.length + Object.keys(unsupported).length + unbound.length }).toEqual({ name, verbs: 48 });
  expect((await weir(['provider', 'coverage', 'forgejo'])).stdout).toMatch(/^ {2}unsupported: thread.resolve: .*replies/m);
});
