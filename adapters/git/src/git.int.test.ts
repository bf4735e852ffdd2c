import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type { LocalChange } from '@weir/ports';
import { verifies } from '@weir/requirements';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { isDirty, openBranch, openRange, openRepository, openStaged, openWorkingTree } from './index.ts';

let root: string;
const git = (...args: string[]): string =>
  execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@example.invalid', '-c', 'protocol.file.allow=always', ...args], {
    cwd: root,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
  });
const write = (file: string, text: string): void => {
  mkdirSync(path.dirname(path.join(root, file)), { recursive: true });
  writeFileSync(path.join(root, file), text);
};
const commit = (message: string): void => {
  git('add', '-A');
  git('commit', '-qm', message);
};
const diffOf = async (change: LocalChange): Promise<string> => {
  const chunks: Uint8Array[] = [];
  for await (const chunk of change.diff(AbortSignal.timeout(20_000))) chunks.push(chunk);
  return Buffer.concat(chunks).toString('utf8');
};

beforeEach(() => {
  root = mkdtempSync(path.join(tmpdir(), 'weir-git-'));
  git('init', '-q', '-b', 'main');
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

describe('uncommitted work', () => {
  test(`${verifies('REV-20a')} staged, unstaged and untracked changes come in one diff, and the index stays as it was`, async () => {
    write('a.txt', 'one\n');
    write('b.txt', 'b\n');
    commit('first');
    write('a.txt', 'two\n');
    git('add', 'a.txt');
    write('b.txt', 'changed\n');
    write('new.txt', 'fresh\n');
    write('.gitignore', 'ignored\n');
    write('ignored', 'x\n');
    const before = readFileSync(path.join(root, '.git/index'));
    const repository = await openRepository(root);
    const change = await openWorkingTree(repository);
    const diff = await diffOf(change);
    for (const line of ['+two', '+changed', '+fresh', '+++ b/new.txt']) expect(diff).toContain(line);
    expect(diff).not.toContain('b/ignored');
    expect(readFileSync(path.join(root, '.git/index')).equals(before)).toBe(true);
    expect(await isDirty(repository)).toBe(true);
    expect(await change.readHead?.('new.txt')).toBe('fresh\n');
    expect(await change.readBase?.('a.txt')).toBe('one\n');
  });

  test(`${verifies('REV-14', 'REV-20a')} a change of the same size in the second of the last commit is seen`, async () => {
    // Git tells files apart by size and second; all of this has to be within one.
    await wait(1_000 - (Date.now() % 1_000) + 20);
    write('a.txt', 'one\n');
    commit('first');
    write('a.txt', 'two\n');
    await wait(1_000 - (Date.now() % 1_000) + 20);
    expect(await diffOf(await openWorkingTree(await openRepository(root)))).toContain('+two');
  });

  test('before the first commit everything is new', async () => {
    write('a.txt', 'one\n');
    const change = await openWorkingTree(await openRepository(root));
    expect(await diffOf(change)).toContain('new file mode');
    expect(change.base).toBeNull();
    git('add', 'a.txt');
    expect(await diffOf(await openStaged(await openRepository(root)))).toContain('+one');
  });

  test('staged changes alone', async () => {
    write('a.txt', 'one\n');
    commit('first');
    write('a.txt', 'two\n');
    git('add', 'a.txt');
    write('a.txt', 'three\n');
    const change = await openStaged(await openRepository(root));
    expect(await diffOf(change)).toContain('+two');
    expect(await change.readHead?.('a.txt')).toBe('two\n');
  });

  test('a link out of the repository is not followed', async () => {
    write('a.txt', 'one\n');
    commit('first');
    symlinkSync('/etc', path.join(root, 'out'));
    symlinkSync('/etc/hostname', path.join(root, 'file'));
    const change = await openWorkingTree(await openRepository(root));
    expect(await change.readHead?.('out/hostname')).toBeUndefined();
    expect(await change.readHead?.('file')).toBeUndefined();
    expect(await change.readHead?.('../../etc/hostname')).toBeUndefined();
    expect(await change.readHead?.('a.txt/b')).toBeUndefined();
  });
});

describe('ranges', () => {
  const branchy = (): void => {
    write('a.txt', 'base\n');
    write('.weir/config.yaml', 'review:\n  exclude: [old]\n');
    commit('base');
    git('checkout', '-qb', 'feature');
    write('f.txt', 'feature\n');
    write('.weir/config.yaml', 'review:\n  exclude: ["**"]\n');
    commit('add a feature');
    git('checkout', '-q', 'main');
    write('m.txt', 'main\n');
    commit('on main');
    git('checkout', '-q', 'feature');
  };

  test('a branch is compared with the commit where it left its base', async () => {
    branchy();
    const repository = await openRepository(root);
    const change = await openBranch(repository, null);
    const diff = await diffOf(change);
    expect(diff).toContain('+++ b/f.txt');
    expect(diff).not.toContain('m.txt');
    expect(change).toMatchObject({ kind: 'range', title: 'add a feature', branch: 'feature', author: 't <t@example.invalid>' });
    expect(await diffOf(await openRange(repository, 'main..feature'))).toContain('m.txt');
    expect(await diffOf(await openRange(repository, 'main...feature'))).not.toContain('m.txt');
    expect(await diffOf(await openRange(repository, 'main'))).toEqual(diff);
    expect(await isDirty(repository)).toBe(false);
  });

  test(`${verifies('REV-36')} rules and settings are read from the target branch, never from the head`, async () => {
    branchy();
    const change = await openBranch(await openRepository(root), null);
    expect(await change.readTarget?.('.weir/config.yaml')).toContain('[old]');
    expect(await change.readHead?.('.weir/config.yaml')).toContain('["**"]');
  });

  test(`${verifies('REV-20d', 'REV-36')} generated files are marked by the target's attributes; a change cannot hide its own files`, async () => {
    write('.gitattributes', 'gen/** linguist-generated\nvendor/** linguist-vendored=true\nkeep/** -linguist-generated\n');
    commit('base');
    write('.gitattributes', '** linguist-generated\n');
    write('src/x.ts', 'x\n');
    const change = await openWorkingTree(await openRepository(root));
    expect([...((await change.generated?.(['gen/a.ts', 'vendor/b.js', 'keep/c.ts', 'src/x.ts'])) ?? [])]).toEqual(['gen/a.ts', 'vendor/b.js']);
  });

  test('unknown revisions, unrelated histories and shallow clones are named', async () => {
    branchy();
    const repository = await openRepository(root);
    await expect(openRange(repository, 'nope..HEAD')).rejects.toMatchObject({ code: 'UNKNOWN_REVISION' });
    await expect(openRange(repository, '--output=x')).rejects.toMatchObject({ code: 'UNKNOWN_REVISION' });
    git('checkout', '-q', '--orphan', 'island');
    commit('island');
    await expect(openRange(repository, 'main...HEAD')).rejects.toMatchObject({ code: 'NO_MERGE_BASE' });
    git('checkout', '-q', '--detach', 'feature');
    expect(await openBranch(repository, 'main')).toMatchObject({ branch: null });
    const clone = mkdtempSync(path.join(tmpdir(), 'weir-shallow-'));
    try {
      git('clone', '-q', '--depth=1', '--branch=feature', `file://${root}`, clone);
      await expect(openRange(await openRepository(clone), 'HEAD~1..HEAD')).rejects.toMatchObject({
        code: 'UNKNOWN_REVISION',
        next: expect.stringContaining('--unshallow'),
      });
    } finally {
      rmSync(clone, { recursive: true, force: true });
    }
  });
});

test('a folder without a repository, and a bare one', async () => {
  const outside = mkdtempSync(path.join(tmpdir(), 'weir-none-'));
  try {
    await expect(openRepository(outside)).rejects.toMatchObject({ code: 'NOT_A_REPOSITORY' });
    execFileSync('git', ['init', '-q', '--bare', outside]);
    const repository = await openRepository(outside);
    expect(repository.bare).toBe(true);
    await expect(openWorkingTree(repository)).rejects.toMatchObject({ code: 'USAGE' });
  } finally {
    rmSync(outside, { recursive: true, force: true });
  }
});

test('a repository cannot make git start its own programs', async () => {
  write('.gitattributes', '*.txt diff=evil\n');
  write('a.txt', 'one\n');
  commit('first');
  const witness = path.join(root, 'witness');
  for (const [key, value] of [
    ['core.fsmonitor', `touch ${witness}; false`],
    ['diff.external', `touch ${witness}`],
    ['diff.evil.textconv', `touch ${witness}; cat`],
    ['diff.evil.command', `touch ${witness}`],
  ] as const)
    git('config', key, value);
  rmSync(witness, { force: true });
  write('a.txt', 'two\n');
  const repository = await openRepository(root);
  expect(await diffOf(await openWorkingTree(repository))).toContain('+two');
  await isDirty(repository);
  expect(() => readFileSync(witness)).toThrow();
});

test('an aborted diff stops', async () => {
  write('a.txt', 'x\n'.repeat(200_000));
  const change = await openWorkingTree(await openRepository(root));
  const controller = new AbortController();
  const read = async (): Promise<void> => {
    for await (const chunk of change.diff(controller.signal)) if (chunk.length > 0) controller.abort(new Error('enough'));
  };
  await expect(read()).rejects.toThrow('enough');
});
