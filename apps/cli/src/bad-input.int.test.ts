import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { ReviewReport } from '@weir/contract';
import { verifies } from '@weir/requirements';
import { startScriptedModel } from '@weir/scripted-model';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Invocation, runProgram, temporaryFolder } from './test-program.ts';

const { folder, release } = temporaryFolder();
const repository = path.join(folder, 'repository');
const git = (...args: string[]): void =>
  void execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@example.invalid', ...args], { cwd: repository, stdio: 'pipe' });
let model: Awaited<ReturnType<typeof startScriptedModel>>;

beforeAll(async () => {
  mkdirSync(path.join(repository, 'src'), { recursive: true });
  git('init', '-q', '-b', 'main');
  writeFileSync(path.join(repository, 'a.txt'), 'a\n');
  git('add', '-A');
  git('commit', '-qm', 'first');
  writeFileSync(path.join(repository, 'src/retry.ts'), 'export const retry = 1; // weir-plant: major reliability Retry has no ceiling\nconst x = 2;\n');
  model = await startScriptedModel({});
});
afterAll(async () => {
  await model.close();
  release();
});

const weir = (args: readonly string[], invocation: Invocation = {}) => runProgram(folder, args, { cwd: repository, ...invocation });
const withModel = (name: string, env: Readonly<Record<string, string>> = {}): Invocation => ({
  env: { WEIR_MODEL_BASE_URL: model.baseUrl, WEIR_MODEL: name, WEIR_ALLOW_ORIGINS: new URL(model.baseUrl).origin, ...env },
});
const reportOf = async (args: readonly string[], invocation: Invocation = {}) => {
  const { code, stdout, stderr } = await weir(['review', '--json', ...args], invocation);
  return { code, stderr, report: JSON.parse(stdout) as ReviewReport };
};

describe('what is not a change', () => {
  test('not a repository', async () => {
    const { code, stderr } = await weir(['review'], { cwd: folder });
    expect(code).toBe(2);
    expect(stderr).toMatch(/^error\[NOT_A_REPOSITORY\]: .+\ntry: .+--diff -/);
  });

  test('unknown range, and a range with another choice', async () => {
    expect(await weir(['review', 'nope..HEAD'])).toMatchObject({ code: 2, stderr: expect.stringContaining('error[UNKNOWN_REVISION]') });
    expect(await weir(['review', 'HEAD~1..HEAD', '--staged'])).toMatchObject({ code: 2, stderr: expect.stringContaining('error[USAGE]') });
    expect(await weir(['review', '--diff', 'missing.diff'])).toMatchObject({ code: 2, stderr: expect.stringContaining('error[FILE_UNREADABLE]') });
    expect(await weir(['rewiev'])).toMatchObject({ code: 2, stderr: expect.stringContaining('Did you mean review') });
  });

  test(`${verifies('PRO-2')} an empty diff, a binary one: said in a sentence, exit code 0`, async () => {
    const empty = await reportOf(['--diff', '-'], { input: '' });
    expect(empty).toMatchObject({ code: 0, report: { headline: 'Nothing to review: the change is empty.', complete: true } });
    const binary = await reportOf(['--diff', '-'], { input: 'diff --git a/i.png b/i.png\nindex 1..2 100644\nBinary files a/i.png and b/i.png differ\n' });
    expect(binary).toMatchObject({
      code: 0,
      report: { headline: 'Nothing to read: 1 file left out by rule.', coverage: [{ path: 'i.png', reading: 'skipped', reason: 'binary' }] },
    });
  });

  test(`${verifies('REV-14', 'PRO-2')} a diff cut in mid-hunk: the rest is reviewed, the exit code is 6`, async () => {
    const planted = 'diff --git a/a.ts b/a.ts\n--- a/a.ts\n+++ b/a.ts\n@@ -1 +1,2 @@\n a\n+debugger;\n';
    const cut = 'diff --git a/b.ts b/b.ts\n--- a/b.ts\n+++ b/b.ts\n@@ -1,9 +1,9 @@\n a\n-b\n+debugger;\n';
    const { code, report } = await reportOf(['--diff', '-'], { input: planted + cut });
    expect(code).toBe(6);
    expect(report.findings.map(({ path: file, rule }) => `${rule} ${file}`)).toEqual(['leftovers/debug-statement a.ts', 'leftovers/debug-statement b.ts']);
    expect(report.coverage.map(({ reading }) => reading)).toEqual(['full', 'partial']);
  });

  test('bytes that are not UTF-8 are reviewed and printed', async () => {
    const bytes = Buffer.concat([Buffer.from('--- a/caf.js\n+++ b/caf.js\n@@ -1 +1,2 @@\n a\n+debugger; // caf'), Buffer.from([0xe9, 0x0a])]);
    const { report } = await reportOf(['--diff', '-'], { input: bytes });
    expect(report.findings).toHaveLength(1);
    expect((await weir(['review', '--diff', '-', '--format', 'sarif'], { input: bytes })).code).toBe(0);
  });
});

describe('the model', () => {
  test(`${verifies('REV-16')} answers from what it was shown`, async () => {
    const { code, report } = await reportOf([], withModel('scripted'));
    expect(code).toBe(0);
    expect(report.findings).toMatchObject([
      {
        rule: 'correctness/reliability',
        path: 'src/retry.ts',
        line: 1,
        severity: 'major',
        title: 'Retry has no ceiling',
        sources: ['correctness'],
        placement: { kind: 'line', moved: false },
      },
    ]);
    expect(report.model).toMatchObject({ state: 'ran', model: 'scripted', usage: { calls: 1 } });
    expect(report.model.usage.inputTokens).toBeGreaterThan(100);
  });

  test(`${verifies('PRO-2')} without one it says so in one line`, async () => {
    const { stdout } = await weir(['review']);
    expect(stdout.match(/No model is configured/g)).toHaveLength(1);
  });

  test(`${verifies('REV-20')} unreachable, and behind a private address that is not allowed`, async () => {
    const unreachable = await reportOf([], {
      env: { WEIR_MODEL_BASE_URL: 'http://127.0.0.1:9/v1', WEIR_MODEL: 'm', WEIR_ALLOW_ORIGINS: 'http://127.0.0.1:9' },
    });
    expect(unreachable).toMatchObject({ code: 5, report: { complete: false, model: { state: 'failed' } } });
    expect(unreachable.report.coverage.every(file => file.reading !== 'full')).toBe(true);
    const refused = await reportOf([], { env: { WEIR_MODEL_BASE_URL: model.baseUrl, WEIR_MODEL: 'm' } });
    expect(refused).toMatchObject({ code: 3, report: { model: { failure: 'URL_REFUSED' } } });
    expect(refused.report.model.note).toContain('network.allowOrigins');
  });

  test.each([
    ['scripted-garbage', 5, 'failed'],
    ['scripted-cut', 6, 'truncated'],
    ['scripted-empty', 5, 'failed'],
    ['scripted-html', 5, 'failed'],
    ['scripted-403', 3, 'failed'],
    ['scripted-500', 5, 'failed'],
    ['scripted-error-200', 5, 'failed'],
  ] as const)(`${verifies('REV-16a', 'PRO-2')} %s ends with %i, and the checks still ran`, async (name, code, state) => {
    const run = await reportOf([], withModel(name));
    expect({ code: run.code, state: run.report.model.state, complete: run.report.complete }).toEqual({ code, state, complete: false });
    expect(run.report.specialists.length).toBeGreaterThan(3);
  });

  test(`${verifies('PRO-2')} usage that was not reported is unknown`, async () => {
    const { report } = await reportOf([], withModel('scripted-no-usage'));
    expect(report.model.usage).toEqual({ calls: 1, inputTokens: 'unknown', outputTokens: 'unknown' });
  });

  test('an interrupt ends the call and the program', async () => {
    const { code, stderr } = await weir(['review'], { ...withModel('scripted-slow'), interruptAfterMs: 1500 });
    expect({ code, stderr }).toEqual({ code: 130, stderr: 'interrupted\n' });
  });
});

describe('settings', () => {
  test('an invalid value, an unknown name, half a model', async () => {
    expect(await weir(['review'], { env: { WEIR_MODEL_MAX_CALLS: 'many' } })).toMatchObject({
      code: 3,
      stderr: expect.stringContaining('model.maxCalls (WEIR_MODEL_MAX_CALLS) has to be a whole number from 1 to 64.'),
    });
    expect(await weir(['review'], { env: { WEIR_MODEL: 'm' } })).toMatchObject({ code: 3, stderr: expect.stringContaining('model.baseUrl is missing') });
    const config = path.join(folder, 'other-config/weir');
    mkdirSync(config, { recursive: true });
    writeFileSync(path.join(config, 'config.yaml'), 'review: [unclosed\n');
    expect(await weir(['review'], { env: { XDG_CONFIG_HOME: path.dirname(config) } })).toMatchObject({
      code: 3,
      stderr: expect.stringContaining('is not YAML'),
    });
  });

  test(`${verifies('REV-37', 'REV-36', 'PRO-3')} a repository narrows from its target branch, and what it may not is reported`, async () => {
    mkdirSync(path.join(repository, '.weir'), { recursive: true });
    writeFileSync(path.join(repository, '.weir/config.yaml'), 'review:\n  exclude: ["*.gen.ts"]\n  failOn: never\nmodel:\n  baseUrl: https://evil.example\n');
    git('add', '.weir');
    git('commit', '-qm', 'settings');
    writeFileSync(path.join(repository, '.weir/config.yaml'), 'review:\n  exclude: ["**"]\n');
    writeFileSync(path.join(repository, 'x.gen.ts'), 'debugger;\n');
    writeFileSync(path.join(repository, 'y.ts'), 'debugger;\n');
    const { report } = await reportOf([]);
    expect(report.findings.map(finding => finding.path)).toEqual(['y.ts']);
    expect(report.coverage.find(file => file.path === 'x.gen.ts')).toMatchObject({ reading: 'skipped', byRule: true, reason: 'excluded by review.exclude' });
    expect(report.notes).toEqual(
      expect.arrayContaining([expect.stringContaining('review.failOn would widen'), expect.stringContaining("model.baseUrl is the operator's to set")]),
    );
    for (const file of ['x.gen.ts', 'y.ts']) writeFileSync(path.join(repository, file), '');
  });
});

test(`${verifies('REV-12')} a diff is never stored: what is kept holds the findings and no other line of the change`, async () => {
  const state = path.join(folder, 'rev-12');
  const marker = 'aLineOfTheChangeThatNoFindingQuotes';
  const diff = `--- a/x.ts\n+++ b/x.ts\n@@ -1 +1,3 @@\n a\n+const ${marker} = 1;\n+debugger;\n`;
  const { report } = await reportOf(['--diff', '-', '--state-dir', state], { input: diff });
  expect(report.findings).toHaveLength(1);
  const kept = readdirSync(state, { recursive: true, encoding: 'utf8' }).filter(file => file.endsWith('.json'));
  expect(kept).toHaveLength(1);
  const text = readFileSync(path.join(state, kept[0] ?? ''), 'utf8');
  expect(text).toContain('leftovers/debug-statement');
  expect(text).not.toContain(marker);
});

describe('a change does not hide itself', () => {
  const place = path.join(folder, 'hiding');
  const git2 = (...args: string[]): void =>
    void execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@example.invalid', ...args], { cwd: place, stdio: 'pipe' });
  const report = async (...args: string[]) => {
    const { code, stdout, stderr } = await runProgram(folder, ['-C', place, 'review', '--json', ...args]);
    return { code, stderr, report: JSON.parse(stdout) as ReviewReport };
  };
  beforeAll(() => {
    mkdirSync(place);
    git2('init', '-q', '-b', 'main');
    writeFileSync(path.join(place, 'a.txt'), 'a\n');
    writeFileSync(path.join(place, 'image.bin'), Buffer.from([0, 1, 2]));
    git2('add', '-A');
    git2('commit', '-qm', 'first');
  });

  test(`${verifies('REV-14', 'PRO-2')} a file that the change itself marks as binary is read as text`, async () => {
    writeFileSync(path.join(place, '.gitattributes'), '* -diff\n');
    writeFileSync(path.join(place, 'x.js'), 'debugger;\n');
    writeFileSync(path.join(place, 'image.bin'), Buffer.from([0, 1, 3]));
    const working = await report();
    expect(working.report.findings.map(finding => finding.path)).toEqual(['x.js']);
    expect(working.report.coverage.map(({ path: file, reading }) => `${file} ${reading}`).sort()).toEqual([
      '.gitattributes full',
      'image.bin skipped',
      'x.js full',
    ]);
    git2('add', '-A');
    expect((await report('--staged')).report.findings).toHaveLength(1);
    git2('commit', '-qm', 'second');
    expect((await report('HEAD~1..HEAD')).report.findings).toHaveLength(1);
  });

  test(`${verifies('PRO-2')} an untracked repository that git refuses is named, and the rest is reviewed`, async () => {
    mkdirSync(path.join(place, 'nested'));
    execFileSync('git', ['init', '-q'], { cwd: path.join(place, 'nested') });
    writeFileSync(path.join(place, 'y.js'), 'debugger;\n');
    const run = await report('--working-tree');
    expect(run.report.findings.map(finding => finding.path)).toEqual(['y.js']);
    expect(run.report).toMatchObject({ complete: false, notes: [expect.stringContaining('nested')] });
    expect(run.code).toBe(6);
  });

  test(`${verifies('PRO-2')} an index that git cannot read is not called clean`, async () => {
    writeFileSync(path.join(place, '.git/index'), 'broken');
    const { code, stderr } = await runProgram(folder, ['-C', place, 'review']);
    expect({ code, stderr }).toMatchObject({ code: 2, stderr: expect.stringContaining('error[GIT_FAILED]') });
  });
});

test(`${verifies('PRO-2')} text that is no diff is an error, not an empty change`, async () => {
  for (const input of ['hello\n', Buffer.from([0xff, 0xfe, 0x64, 0, 0x69, 0, 0x66, 0, 0x66, 0])]) {
    const { code } = await weir(['review', '--diff', '-'], { input });
    expect([2, 6]).toContain(code);
  }
  expect((await weir(['review', '--diff', '-'], { input: 'hello\n' })).stderr).toContain('error[DIFF_UNREADABLE]');
});

test(`${verifies('PRO-2')} a model specialist alone, without a model, has read nothing`, async () => {
  const { code, report } = await reportOf(['--specialist', 'correctness', '--diff', '-'], { input: '--- a/x.ts\n+++ b/x.ts\n@@ -1 +1,2 @@\n a\n+b\n' });
  expect(report).toMatchObject({ complete: false, coverage: [{ reading: 'skipped', byRule: false }] });
  expect(code).toBe(6);
});

test('a reader that closes the pipe early changes neither the exit code nor what is kept', async () => {
  const diff = '<<<<<<< a\n=======\n>>>>>>> b\n'.repeat(2_000);
  const input = `--- a/x.ts\n+++ b/x.ts\n@@ -0,0 +1,6000 @@\n${diff.replaceAll(/^(?=.)/gm, '+')}`;
  const file = path.join(folder, 'long.diff');
  writeFileSync(file, input);
  const bin = path.resolve(import.meta.dirname, '../bin/weir.js');
  const env = { ...process.env, HOME: folder, XDG_STATE_HOME: path.join(folder, 'pipe-state'), XDG_CONFIG_HOME: path.join(folder, 'config') };
  const shell = `set -o pipefail; "${process.execPath}" "${bin}" review --json --diff "${file}" | head -c 10 > /dev/null; echo "\${PIPESTATUS[0]}"`;
  expect(execFileSync('bash', ['-c', shell], { cwd: folder, env, encoding: 'utf8' }).trim()).toBe('1');
  expect(execFileSync(process.execPath, [bin, 'show', '1a'], { cwd: folder, env, encoding: 'utf8' })).toContain('leftovers/conflict-marker');
});
