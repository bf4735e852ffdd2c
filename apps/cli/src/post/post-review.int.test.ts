/** `weir review --post` of the built program on simulated forges: nothing is kept between two runs but what stands on the forge. */
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { type Forge, type ForgeKind, startForge } from '@weir/forge-simulator';
import { verifies } from '@weir/requirements';
import { type ScriptedModel, startScriptedModel } from '@weir/scripted-model';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { type ProgramRun, runProgram, temporaryFolder } from '../test-program.ts';

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

const FORGES: readonly ForgeKind[] = ['github', 'gitlab', 'gitea', 'forgejo', 'bitbucket-cloud'];
const REPOSITORY = { owner: 'acme', name: 'shop' };
const NAME = 'acme/shop';
const PAGES: Readonly<Record<ForgeKind, string>> = {
  github: 'pull',
  gitlab: '-/merge_requests',
  gitea: 'pulls',
  forgejo: 'pulls',
  'bitbucket-cloud': 'pull-requests',
};

/** The scripted model reports the marked lines, and no others. */
const file = (...marked: readonly number[]): string =>
  Array.from({ length: 30 }, (_, at) =>
    marked.includes(at + 1)
      ? `const value${at + 1} = read(); // weir-plant: major correctness Value ${at + 1} is never checked`
      : `const value${at + 1} = ${at + 1};`,
  ).join('\n');

let model: ScriptedModel;
beforeAll(async () => {
  model = await startScriptedModel({});
});
afterAll(() => model.close());

interface Stage {
  readonly forge: Forge;
  /** Each run has a home of its own: nothing of one reaches the next. */
  run(change: number, args?: readonly string[], env?: Readonly<Record<string, string>>): Promise<ProgramRun>;
  open(marked: readonly number[], more?: { readonly draft?: boolean; readonly branch?: string }): Promise<number>;
  push(marked: readonly number[], branch?: string): Promise<string>;
  close(): Promise<void>;
}

async function staged(kind: ForgeKind): Promise<Stage> {
  const forge = await startForge({ kind });
  const { seed } = forge;
  seed.account({ login: 'acme', kind: 'organization' });
  for (const login of ['alice', 'weir-bot']) seed.account({ login });
  await seed.repository(REPOSITORY);
  seed.permit(NAME, 'alice', 'write');
  seed.permit(NAME, 'weir-bot', 'admin');
  await seed.push({ repository: NAME, branch: 'main', by: 'alice', files: { 'src/app.ts': file() } });
  const push: Stage['push'] = (marked, branch = 'feature') => seed.push({ repository: NAME, branch, by: 'alice', files: { 'src/app.ts': file(...marked) } });
  return {
    forge,
    push,
    run: async (change, args = [], env = {}) => {
      const home = temporaryFolder();
      try {
        return await runProgram(home.folder, ['review', '--post', `${forge.url}/${NAME}/${PAGES[kind]}/${change}`, '--forge', kind, ...args], {
          env: {
            WEIR_FORGE_TOKEN: forge.token('weir-bot'),
            WEIR_ALLOW_ORIGINS: `${forge.url},${model.origin}`,
            WEIR_MODEL_BASE_URL: model.baseUrl,
            WEIR_MODEL: 'scripted',
            ...env,
          },
        });
      } finally {
        home.release();
      }
    },
    open: async (marked, { draft = false, branch = 'feature' } = {}) => {
      await push(marked, branch);
      return (await seed.change({ repository: NAME, head: branch, title: 'Read values', by: 'alice', draft })).number;
    },
    close: () => forge.close(),
  };
}

describe.each(FORGES)('%s', kind => {
  let stage: Stage;
  let change = 0;
  beforeAll(async () => {
    stage = await staged(kind);
  });
  afterAll(() => stage.close());

  const changed = () => stage.forge.seed.changeOf(NAME, change);
  const inline = () => changed().threads.filter(({ place }) => place !== null);
  const said = () =>
    [...changed().threads.flatMap(({ remarks }) => remarks), ...changed().remarks].filter(({ author }) => author.login === 'weir-bot').map(({ body }) => body);
  const summaries = () => said().filter(body => body.includes('Read: 1 of 1 file, whole.'));
  const writes = () => stage.forge.requests.filter(({ method, path: target }) => method !== 'GET' && !(method === 'POST' && target.includes('graphql'))).length;

  test(`${verifies('REV-20a', 'REV-18a')} the first round posts one review with a thread a finding, one summary and a check`, async () => {
    change = await stage.open([5, 12]);
    const { code, stdout, stderr } = await stage.run(change, ['--fail-on', 'never']);
    expect({ code, stderr }).toEqual({ code: 0, stderr: expect.any(String) });
    expect(stdout).toContain('Value 5 is never checked');
    expect(stdout).toMatch(/round 1 at [0-9a-f]{7} stands on http.*: 2 comments on lines, the summary, the check/);
    expect(
      inline()
        .map(({ place }) => place?.newLine)
        .sort(),
    ).toEqual([12, 5]);
    expect(summaries()).toHaveLength(1);
    expect(summaries()[0]).not.toContain('/dismiss');
    expect(stage.forge.violations).toEqual([]);
  });

  test(`${verifies('REV-5', 'REV-20a')} the same head again reads no diff, asks no model, posts nothing, and tells what is open`, async () => {
    const before = { said: said(), writes: writes(), asked: model.requests.length };
    const { code, stdout, stderr } = await stage.run(change, ['--format', 'json', '--fail-on', 'major']);
    expect({ code, said: said(), writes: writes(), asked: model.requests.length }).toEqual({ code: 1, ...before });
    const report = JSON.parse(stdout) as { headline: string; findings: { id: string; title: string; line: number; path: string }[] };
    expect(report.headline).toBe('This head has had its round: 2 major open.');
    expect(report.findings.map(({ title, line, path: file }) => [title, line, file]).sort()).toEqual([
      ['Value 12 is never checked', 12, 'src/app.ts'],
      ['Value 5 is never checked', 5, 'src/app.ts'],
    ]);
    expect(stderr).toContain('the head has had its round');
  });

  test(`${verifies('REV-21', 'REV-22', 'REV-20a')} after a push what is fixed is answered, what is new is posted, what stays is not said again`, async () => {
    await stage.push([12, 20]);
    const { code, stdout } = await stage.run(change, ['--fail-on', 'major']);
    expect(code).toBe(1);
    expect(stdout).toMatch(/round 2 at [0-9a-f]{7} stands on/);
    expect([...new Set(inline().map(({ place }) => place?.newLine))].sort()).toEqual([12, 20, 5]);
    expect(said().filter(body => body.includes('Value 12 is never checked') && !body.includes('Round 2'))).toHaveLength(1);
    expect(summaries()).toHaveLength(1);
    expect(summaries()[0]).toContain('Round 2');
    const fixed = inline().filter(({ place }) => place?.newLine === 5);
    expect(fixed.flatMap(({ remarks }) => remarks).filter(({ body }) => body.includes('The line that it is about is gone.'))).toHaveLength(1);
    // Both that are open are in the result: the one of round 1 and the new one.
    expect(stdout).toContain('Value 12 is never checked');
    expect(stdout).toContain('Value 20 is never checked');
    expect(stdout).not.toContain('Value 5 is never checked');
    expect(stage.forge.violations).toEqual([]);
  });

  test(`${verifies('REV-22', 'REV-20a')} the third run knows what the second closed`, async () => {
    const { code, stdout } = await stage.run(change, ['--fail-on', 'blocker']);
    expect(code).toBe(0);
    expect(stdout).toContain('This head has had its round: 2 major open.');
  });

  test(`${verifies('REV-5', 'REV-20a')} a clean change leaves its check alone, and the same head again not even that`, async () => {
    await stage.forge.seed.push({ repository: NAME, branch: 'clean', by: 'alice', files: { 'src/clean.ts': 'export const clean = 1;\n' } });
    const { number } = await stage.forge.seed.change({ repository: NAME, head: 'clean', title: 'Add a file', by: 'alice' });
    const first = await stage.run(number);
    expect({ code: first.code, stdout: first.stdout }).toEqual({
      code: 0,
      stdout: expect.stringMatching(/round 1 at [0-9a-f]{7} stands on http.*: the check/),
    });
    const before = writes();
    const again = await stage.run(number);
    expect({ code: again.code, writes: writes(), stdout: again.stdout }).toEqual({
      code: 0,
      writes: before,
      stdout: expect.stringContaining('This head has had its round: no thread of a finding is open.'),
    });
  });

  test(`${verifies('REV-20a')} a change that is closed is refused, and nothing is posted`, async () => {
    const closed = await stage.open([7], { branch: 'closed' });
    await stage.forge.seed.edit(NAME, closed, { state: 'closed', by: 'alice' });
    const before = writes();
    const { code, stdout, stderr } = await stage.run(closed);
    expect({ code, stdout, writes: writes() }).toEqual({ code: 4, stdout: '', writes: before });
    expect(stderr).toContain('error[REVIEW_REFUSED]: The change is closed or merged.');
  });

  test(`${verifies('REV-20a')} a token that is revoked is said, with what to do`, async () => {
    const { code, stdout, stderr } = await stage.run(change, [], { WEIR_FORGE_TOKEN: 'simulated-gone' });
    expect({ code, stdout }).toEqual({ code: 3, stdout: '' });
    expect(stderr).toContain('error[FORGE_UNAUTHORIZED]');
    expect(stderr).toContain('try: Check the token');
    expect(stderr).not.toContain('simulated-gone');
  });
});

describe('rules that are the same on every forge', () => {
  let stage: Stage;
  beforeAll(async () => {
    stage = await staged('gitea');
  });
  afterAll(() => stage.close());
  const saidOn = (change: number) => stage.forge.seed.changeOf(NAME, change).threads.length + stage.forge.seed.changeOf(NAME, change).remarks.length;

  test(`${verifies('REV-9', 'REV-20a')} observe runs everything, prints it and posts nothing`, async () => {
    const change = await stage.open([5], { branch: 'observed' });
    const writes = stage.forge.requests.filter(({ method }) => method !== 'GET').length;
    const { code, stdout } = await stage.run(change, ['--observe', '--fail-on', 'major']);
    expect(code).toBe(1);
    expect(stdout).toContain('Value 5 is never checked');
    expect(stdout).toMatch(/round 1 at [0-9a-f]{7} only observed: nothing is posted on/);
    expect(stage.forge.requests.filter(({ method }) => method !== 'GET')).toHaveLength(writes);
  });

  test(`${verifies('REV-9', 'REV-20a')} a draft waits, unless drafts are asked for`, async () => {
    const change = await stage.open([5], { branch: 'draft', draft: true });
    const refused = await stage.run(change);
    expect({ code: refused.code, stderr: refused.stderr }).toEqual({
      code: 4,
      stderr: expect.stringContaining('error[REVIEW_REFUSED]: The change is a draft'),
    });
    expect(saidOn(change)).toBe(0);
    expect((await stage.run(change, ['--drafts'])).code).toBe(0);
    expect(saidOn(change)).toBe(2);
  });

  test(`${verifies('REV-5', 'REV-20a')} --force reads a head again, and posts no finding twice`, async () => {
    const change = await stage.open([5], { branch: 'forced' });
    await stage.run(change);
    const before = saidOn(change);
    const { code, stdout } = await stage.run(change, ['--force']);
    expect({ code, said: saidOn(change) }).toEqual({ code: 0, said: before });
    expect(stdout).toMatch(/round 2 at/);
  });

  test(`${verifies('REV-18', 'REV-20a')} a run that dies between its review and its summary is finished by the next, and nothing stands twice`, async () => {
    const change = await stage.open([5, 12], { branch: 'killed' });
    stage.forge.faults.add({ fault: { kind: 'answer', status: 401, body: { message: 'gone' } }, method: 'POST', path: `/issues/${change}/comments` });
    const died = await stage.run(change);
    expect(died.code).toBe(3);
    const threads = stage.forge.seed.changeOf(NAME, change).threads.length;
    const next = await stage.run(change);
    expect({ code: next.code, threads: stage.forge.seed.changeOf(NAME, change).threads.length }).toEqual({ code: 0, threads });
    expect(next.stdout).toMatch(/round 1 at .*2 comments on lines, the summary, the check/);
  });

  test(`${verifies('REV-18', 'REV-20a')} a run that dies between its summary and its check gets another round, which makes the check`, async () => {
    const change = await stage.open([5], { branch: 'unchecked' });
    stage.forge.faults.add({ fault: { kind: 'answer', status: 401, body: { message: 'gone' } }, method: 'POST', path: '/statuses/' });
    expect((await stage.run(change)).code).toBe(3);
    const said = saidOn(change);
    const { code, stdout } = await stage.run(change);
    expect({ code, said: saidOn(change), stdout }).toEqual({ code: 0, said, stdout: expect.stringMatching(/round 2 at .*the check/) });
    expect((await stage.run(change)).stdout).toContain('This head has had its round: 1 major open.');
  });

  test(`${verifies('REV-6', 'REV-20a')} a head that moves on while it is read is left to its own run`, async () => {
    const change = await stage.open([5], { branch: 'moving' });
    const happens = async () => void (await stage.push([7], 'moving'));
    stage.forge.faults.add({ fault: { kind: 'meanwhile', happens }, method: 'GET', path: /\/pulls\/\d+\.diff$/ });
    const { code, stderr } = await stage.run(change);
    expect({ code, stderr, said: saidOn(change) }).toEqual({ code: 4, stderr: expect.stringContaining('The change has moved on to'), said: 0 });
  });

  test(`${verifies('REV-20a')} without a model it is refused, unless no specialist that is chosen asks one`, async () => {
    const change = await stage.open([5], { branch: 'unasked' });
    const none = { WEIR_MODEL_BASE_URL: '', WEIR_MODEL: '' };
    const refused = await stage.run(change, [], none);
    expect({ code: refused.code, stderr: refused.stderr }).toEqual({ code: 4, stderr: expect.stringMatching(/No model is configured\.[^]*--specialist/) });
    const { code, stdout } = await stage.run(change, ['--specialist', 'leftovers'], none);
    expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringMatching(/round 1 at .*the check/) });
  });

  test(`${verifies('REV-31', 'REV-20a')} the caps of the operator hold`, async () => {
    const change = await stage.open([5], { branch: 'capped' });
    const { code, stderr } = await stage.run(change, [], { WEIR_CAP_DIFF_BYTES: '10' });
    expect({ code, stderr }).toEqual({ code: 4, stderr: expect.stringContaining('error[REVIEW_REFUSED]: The change is larger than this deployment reviews.') });
    expect(saidOn(change)).toBe(0);
  });

  test(`${verifies('REV-36', 'REV-37', 'REV-20a')} the target branch narrows, and the change itself does not`, async () => {
    const { seed } = stage.forge;
    await seed.push({ repository: NAME, branch: 'strict', by: 'alice', files: { '.weir/config.yaml': 'review:\n  failOn: major\n', 'src/app.ts': file() } });
    await seed.push({ repository: NAME, branch: 'loose', by: 'alice', files: { '.weir/config.yaml': 'review:\n  exclude: ["**"]\n', 'src/app.ts': file(5) } });
    const { number } = await seed.change({ repository: NAME, head: 'loose', base: 'strict', title: 'Narrowed', by: 'alice' });
    const { code, stdout } = await stage.run(number);
    expect(stdout).toContain('Value 5 is never checked');
    expect(code).toBe(1);
  });

  test(`${verifies('REV-20a')} a token comes from a file, and its owner from a setting where the forge does not tell it`, async () => {
    const home = temporaryFolder();
    const change = await stage.open([5], { branch: 'told' });
    const tokenFile = path.join(home.folder, 'token');
    writeFileSync(tokenFile, `${stage.forge.token('weir-bot')}\n`);
    stage.forge.faults.add({ fault: { kind: 'answer', status: 403, body: { message: 'no user' } }, method: 'GET', path: /\/user$/, times: 1 });
    const untold = await stage.run(change, ['--token-file', tokenFile], { WEIR_FORGE_TOKEN: '' });
    expect({ code: untold.code, stderr: untold.stderr }).toEqual({ code: 3, stderr: expect.stringContaining('name whom it posts as with forge.user') });
    const told = await stage.run(change, ['--token-file', tokenFile, '--forge-user', 'weir-bot'], { WEIR_FORGE_TOKEN: '' });
    expect(told.code).toBe(0);
    expect(saidOn(change)).toBe(2);
    const writes = stage.forge.requests.filter(({ method }) => method !== 'GET').length;
    await stage.run(change, ['--token-file', tokenFile, '--forge-user', `id:${stage.forge.world.account('weir-bot').id}`], { WEIR_FORGE_TOKEN: '' });
    expect(stage.forge.requests.filter(({ method }) => method !== 'GET')).toHaveLength(writes);
    home.release();
  });

  test.each([
    [['review', '--post', 'https://git.example/acme/shop'], 'is not the address of a change'],
    [['review', '--post', 'https://git.example/acme/shop/pulls/1', '--staged'], '--staged cannot go with --post'],
    [['review', '--post', 'https://git.example/acme/shop/pulls/1', 'main..x'], 'a range cannot go with --post'],
    [['review', '--observe'], '--observe needs --post <address>'],
  ])(`${verifies('REV-20a')} %j is a mistake of the command line`, async (args, sentence) => {
    const home = temporaryFolder();
    const { code, stderr } = await runProgram(home.folder, args);
    home.release();
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining(sentence) });
  });
});
