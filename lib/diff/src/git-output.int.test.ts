/**
 * What git and GNU diff really print, in every form that the corpus leaves out, held against the files it was made from.
 */
import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, renameSync, rmSync, symlinkSync, unlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { verifies } from '@weir/requirements';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { blobOf, combinedDifferencesFrom, differencesFrom, emptyBlob } from '../tests/blob-check.ts';
import { type DiffFile, decodeLossless, encodeLossless, parseDiff } from './index.ts';

let root = '';
let work = '';

const environment = {
  ...process.env,
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_AUTHOR_NAME: 't',
  GIT_AUTHOR_EMAIL: 't@example.invalid',
  GIT_COMMITTER_NAME: 't',
  GIT_COMMITTER_EMAIL: 't@example.invalid',
  LC_ALL: 'C',
  TZ: 'UTC',
};

/** Diff programs answer 1 when there are differences. */
const run = (program: string, args: readonly string[], folder = work): Buffer => {
  try {
    return execFileSync(program, args, { cwd: folder, env: environment, maxBuffer: 64 << 20, stdio: ['ignore', 'pipe', 'pipe'] });
  } catch (error) {
    if (error instanceof Error && 'status' in error && error.status === 1 && 'stdout' in error && Buffer.isBuffer(error.stdout)) return error.stdout;
    throw error;
  }
};

const git = (...args: string[]): Buffer => run('git', ['-c', 'protocol.file.allow=always', '-c', 'init.defaultBranch=main', ...args]);
const parsed = (bytes: Buffer): DiffFile[] => parseDiff(decodeLossless(bytes));
const write = (name: string | Buffer, content: string | Uint8Array): void => {
  const file = Buffer.concat([Buffer.from(`${work}/`), Buffer.from(name)]);
  const slash = file.lastIndexOf('/');
  mkdirSync(file.subarray(0, slash), { recursive: true });
  writeFileSync(file, content);
};
const commit = (): void => {
  git('add', '-A');
  git('commit', '-q', '--allow-empty', '-m', 'change\n\n--- a/f\n+++ b/f\n not a hunk');
};

const numbered = (count: number, change: (i: number) => string = i => `line ${i}`): string =>
  Array.from({ length: count }, (_, i) => `${change(i + 1)}\n`).join('');

const blobAt = (revision: string, name: string | null) => (name === null ? emptyBlob : blobOf(run('git', ['show', `${revision}:${name}`])));

/** Every file of the diff against both commits. */
const expectTrue = (files: readonly DiffFile[], before = 'HEAD~', after = 'HEAD'): void => {
  expect(files.filter(file => file.problem !== null)).toEqual([]);
  for (const file of files) {
    if (file.binary || file.submodule) continue;
    expect(differencesFrom(file, { old: blobAt(before, file.oldPath), new: blobAt(after, file.newPath) })).toEqual([]);
  }
};

const heads = (files: readonly DiffFile[]) => files.map(file => `${file.kind} ${file.oldPath} -> ${file.newPath}`);

beforeEach(() => {
  root = mkdtempSync(path.join(tmpdir(), 'weir-git-'));
  work = path.join(root, 'work');
  mkdirSync(work);
  git('init', '-q');
});

afterEach(() => rmSync(root, { recursive: true, force: true }));

describe(`${verifies('REV-20e', 'REV-17')} names`, () => {
  const names = [
    'a b/c d.txt',
    'sp b/x',
    'tab\there',
    'new\nline',
    'quo"te',
    'back\\slash',
    ' lead',
    'trail ',
    'é/排.txt',
    'dev/null',
    'a/b',
    'b/a',
    '\u2028',
    '-dash',
    '"q"',
    'x\ry',
    ' and b/y',
    '\u0001',
  ];
  const flags = [
    [],
    ['--no-prefix'],
    ['--src-prefix=before/', '--dst-prefix=after/'],
    ['--src-prefix=x/y/', '--dst-prefix=z/w/'],
    ['-R'],
    ['-U0'],
    ['-U100'],
    ['-W'],
    ['--full-index'],
    ['--no-renames', '-B'],
  ];

  test.each([true, false])('edits, whatever the prefixes (core.quotePath=%s)', quote => {
    git('config', 'core.quotePath', `${quote}`);
    for (const name of names) write(name, numbered(20));
    commit();
    for (const name of names)
      write(
        name,
        numbered(20, i => (i === 10 ? 'ten' : `line ${i}`)),
      );
    commit();
    for (const flag of flags) {
      const files = parsed(git('diff', ...flag, 'HEAD~', 'HEAD'));
      expect(files.map(file => [file.oldPath, file.newPath]).sort()).toEqual(names.map(name => [name, name]).sort());
      expectTrue(files, ...(flag[0] === '-R' ? ['HEAD', 'HEAD~'] : []));
    }
  });

  test.each([true, false])('files that come, go, move, change mode, are empty or binary (core.quotePath=%s)', quote => {
    git('config', 'core.quotePath', `${quote}`);
    names.forEach((name, i) => {
      for (const what of ['gone', 'moved', 'mode', 'emptied', 'binary', 'both'])
        write(`${what}/${name}`, what === 'binary' ? `${i}\0` : what === 'emptied' ? '' : numbered(20, k => `${what} ${i} ${k}`));
    });
    commit();
    names.forEach((name, i) => {
      unlinkSync(path.join(work, 'gone', name));
      unlinkSync(path.join(work, 'emptied', name));
      write(
        `here/${name}`,
        numbered(3, k => `here ${i} ${k}`),
      );
      write(`void/${name}`, '');
      for (const [from, to] of [
        ['moved', 'new place'],
        ['both', 'other b'],
      ] as const) {
        mkdirSync(path.dirname(path.join(work, to, name)), { recursive: true });
        renameSync(path.join(work, from, name), path.join(work, to, name));
      }
      write(
        `other b/${name}`,
        numbered(21, k => `both ${i} ${k}`),
      );
      for (const to of ['mode', 'other b']) chmodSync(path.join(work, to, name), 0o755);
      write(`binary/${name}`, `${i} more\0`);
    });
    commit();
    const expected = names.flatMap(name => [
      `deleted gone/${name} -> null`,
      `deleted emptied/${name} -> null`,
      `added null -> here/${name}`,
      `added null -> void/${name}`,
      `renamed moved/${name} -> new place/${name}`,
      `renamed both/${name} -> other b/${name}`,
      `mode mode/${name} -> mode/${name}`,
      `modified binary/${name} -> binary/${name}`,
    ]);
    for (const flag of [[], ['--no-prefix'], ['--src-prefix=before/', '--dst-prefix=after/']]) {
      for (const binary of [[], ['--binary']]) {
        const files = parsed(git('diff', '-M', '-l9999', '--no-rename-empty', ...flag, ...binary, 'HEAD~', 'HEAD'));
        expect(heads(files).sort()).toEqual([...expected].sort());
        expect(files.filter(file => file.binary)).toHaveLength(names.length);
        expect(files.filter(file => file.kind === 'renamed' && file.newMode === '100755')).toHaveLength(names.length);
        expectTrue(files);
      }
    }
  });

  test('bytes that are not UTF-8, in names and contents', () => {
    const name = Buffer.from([0x63, 0xe9, 0x20, 0xff]);
    write(name, Uint8Array.from([0xe9, 10, 0xff, 0xfe, 10]));
    commit();
    write(name, Uint8Array.from([0xe9, 10, 0xc3, 0xa9, 0xc3, 10]));
    commit();
    for (const quote of ['true', 'false']) {
      const [file] = parsed(git('-c', `core.quotePath=${quote}`, 'diff', 'HEAD~', 'HEAD'));
      expect([...encodeLossless(file?.newPath ?? '')]).toEqual([...name]);
      expect(file?.oldPath).toBe(file?.newPath);
      expect(file?.hunks[0]?.lines.map(line => [...encodeLossless(line.text)])).toEqual([[0xe9], [0xff, 0xfe], [0xc3, 0xa9, 0xc3]]);
    }
  });

  test('mnemonic prefixes of each pair of places', () => {
    git('config', 'diff.mnemonicPrefix', 'true');
    write('w/i.txt', 'one\n');
    commit();
    write('w/i.txt', 'two\n');
    git('add', '-A');
    write('w/i.txt', 'three\n');
    const other = path.join(root, 'other.txt');
    writeFileSync(other, 'four\n');
    for (const args of [[], ['--cached'], ['HEAD'], ['-R'], ['--cached', '-R'], ['HEAD:w/i.txt', 'w/i.txt']]) {
      expect(heads(parsed(git('diff', ...args)))).toEqual(['modified w/i.txt -> w/i.txt']);
    }
    const [apart] = parsed(git('diff', '--no-index', 'w/i.txt', other));
    expect([apart?.oldPath, apart?.newPath?.endsWith('/other.txt')]).toEqual(['w/i.txt', true]);
  });
});

describe(`${verifies('REV-20e', 'REV-17')} contents`, () => {
  const traps = [
    '++ x',
    '-- x',
    '-- ',
    '@@ -1 +1 @@',
    'diff --git a/x b/x',
    '\\ No newline at end of file',
    'form\ffeed',
    'v\vt',
    'ls\u2028ps\u2029',
    'nel\u0085',
    'lone\rcr',
    'crlf\r',
    '',
    ' ',
    '\t',
    '+',
    '-',
    'Binary files a and b differ',
  ];

  test.each([[], ['-U0'], ['-U1'], ['-U100'], ['--inter-hunk-context=3'], ['--minimal'], ['--patience'], ['--histogram'], ['-W']])(
    'lines that look like structure (%s)',
    (...flag) => {
      write('f', traps.map(line => `${line}\n`).join('') + numbered(30));
      write('g', numbered(30));
      write('h', traps.join('\n'));
      commit();
      write('f', numbered(30, i => `${i % 7 === 0 ? 'changed' : 'line'} ${i}`) + traps.map(line => `${line}\n`).join(''));
      write('g', traps.map(line => `${line}\nx\n`).join('') + traps.join('\n'));
      write('h', `${traps.join('\n')}\n`);
      commit();
      expectTrue(parsed(git('diff', '-a', ...flag, 'HEAD~', 'HEAD')));
      git('config', 'diff.suppressBlankEmpty', 'true');
      expectTrue(parsed(git('diff', '-a', ...flag, 'HEAD~', 'HEAD')));
    },
  );

  test('NUL bytes in text', () => {
    write('f', 'a\0b\nc\n');
    commit();
    write('f', 'a\0b\nd\0\n');
    commit();
    expectTrue(parsed(git('diff', '--text', 'HEAD~', 'HEAD')));
  });

  test.each(['\n', ''])('ends of file (%j)', end => {
    for (const [i, old] of ['', 'a', 'a\n', 'a\nb', 'a\nb\n', '\n', '\n\n'].entries()) write(`f${i}`, old);
    commit();
    for (const [i] of Array(7).entries()) write(`f${i}`, `a\nc${end}`);
    commit();
    expectTrue(parsed(git('diff', 'HEAD~', 'HEAD')));
    expectTrue(parsed(git('diff', '-U0', 'HEAD~', 'HEAD')));
  });

  test('a type change is two sections; a symlink ends without a line feed', () => {
    write('f', 'text\n');
    symlinkSync('one', path.join(work, 'link'));
    commit();
    for (const name of ['f', 'link']) unlinkSync(path.join(work, name));
    symlinkSync('target', path.join(work, 'f'));
    symlinkSync('two', path.join(work, 'link'));
    commit();
    const files = parsed(git('diff', 'HEAD~', 'HEAD'));
    expect(heads(files)).toEqual(['deleted f -> null', 'added null -> f', 'modified link -> link']);
    expect(files.map(file => [file.oldMode, file.newMode])).toEqual([
      ['100644', null],
      [null, '120000'],
      ['120000', '120000'],
    ]);
    expectTrue(files);
  });

  test('copies, and rewrites in two parts', () => {
    write('a', numbered(30));
    write('r', numbered(30));
    commit();
    write('a', `${numbered(30)}tail\n`);
    write(
      'b',
      numbered(30, i => (i === 5 ? 'five' : `line ${i}`)),
    );
    write(
      'r',
      numbered(30, i => `other ${i * 7}`),
    );
    commit();
    const files = parsed(git('diff', '-C', '-B', 'HEAD~', 'HEAD'));
    expect(heads(files)).toEqual(['modified a -> a', 'copied a -> b', 'modified r -> r']);
    expectTrue(files);
  });
});

describe(`${verifies('REV-20e')} whole outputs`, () => {
  const edit = (): void => {
    write('src/one.ts', numbered(40));
    write('src/two.ts', numbered(40));
    commit();
    write(
      'src/one.ts',
      numbered(40, i => (i % 15 === 0 ? `changed ${i}` : `line ${i}`)),
    );
    write(
      'src/two.ts',
      numbered(40, i => (i === 40 ? '-- ' : `line ${i}`)),
    );
    commit();
  };

  test('show, log -p, format-patch and diffstats', () => {
    edit();
    const outputs = [
      git('show'),
      git('show', '--stat', '-p', '--raw'),
      git('show', '--format=fuller', '--notes'),
      git('log', '-p', '-1', '--stat'),
      git('format-patch', '--stdout', '-1'),
      git('format-patch', '--stdout', '--attach', '-1'),
      git('diff', '--stat', '-p', '--summary', 'HEAD~', 'HEAD'),
      git('diff', '-p', '--raw', '--numstat', '--shortstat', 'HEAD~', 'HEAD'),
    ];
    for (const output of outputs) {
      const files = parsed(output);
      expect(heads(files)).toEqual(['modified src/one.ts -> src/one.ts', 'modified src/two.ts -> src/two.ts']);
      expectTrue(files);
    }
    expect(parsed(git('log', '-p', '--oneline')).map(file => file.problem)).toEqual([null, null, null, null]);
    expect(parsed(git('format-patch', '--stdout', '--root', 'HEAD')).map(file => file.problem)).toEqual([null, null, null, null]);
  });

  test('a diff that went through a CRLF transport', () => {
    edit();
    const text = decodeLossless(git('diff', 'HEAD~', 'HEAD'));
    expect(parseDiff(text.replaceAll('\n', '\r\n'))).toEqual(parseDiff(text));
  });

  test('submodules, as entries, as a log and as a diff', () => {
    const sub = path.join(root, 'sub');
    mkdirSync(sub);
    const inSub = (...args: string[]): Buffer => run('git', ['-c', 'init.defaultBranch=main', ...args], sub);
    const subCommit = (text: string): void => {
      writeFileSync(path.join(sub, 's.txt'), text);
      inSub('add', '-A');
      inSub('commit', '-q', '-m', text.trim());
    };
    inSub('init', '-q');
    subCommit('one\n');
    write('f', 'x\n');
    commit();
    git('submodule', '--quiet', 'add', sub, 'lib/s ub');
    commit();
    subCommit('two\n');
    run('git', ['pull', '-q'], path.join(work, 'lib/s ub'));
    commit();
    const [entry] = parsed(git('diff', 'HEAD~', 'HEAD'));
    expect(entry).toMatchObject({ kind: 'modified', newPath: 'lib/s ub', submodule: true, oldMode: '160000', newMode: '160000', problem: null });
    expect(entry?.hunks[0]?.lines.map(line => line.text.slice(0, 18))).toEqual(['Subproject commit ', 'Subproject commit ']);
    expect(parsed(git('diff', '--submodule=log', 'HEAD~', 'HEAD'))).toMatchObject([{ kind: 'modified', newPath: 'lib/s ub', submodule: true, problem: null }]);
    expect(parsed(git('diff', '--submodule=diff', 'HEAD~', 'HEAD'))).toMatchObject([
      { submodule: true },
      { newPath: 'lib/s ub/s.txt', submodule: false, problem: null },
    ]);
    expect(parsed(git('diff', '--submodule=log', 'HEAD~2', 'HEAD'))).toMatchObject([
      { newPath: '.gitmodules' },
      { kind: 'added', oldPath: null, newPath: 'lib/s ub', submodule: true },
    ]);
    expect(parsed(git('diff', 'HEAD~2', 'HEAD'))[1]).toMatchObject({ kind: 'added', newMode: '160000', submodule: true });
    writeFileSync(path.join(work, 'lib/s ub', 's.txt'), 'x');
    expect(parsed(git('diff', '--submodule=log'))).toMatchObject([{ newPath: 'lib/s ub', submodule: true }]);
  });

  test('merges, combined for two and three parents', () => {
    write('m.txt', numbered(30));
    write('gone.txt', numbered(5));
    commit();
    for (const branch of ['left', 'right']) {
      git('checkout', '-q', '-b', branch, 'main');
      write(
        'm.txt',
        numbered(30, i => (i === 10 ? branch : i === 20 && branch === 'left' ? 'twenty' : `line ${i}`)),
      );
      write('gone.txt', `${branch}\n`);
      commit();
    }
    git('checkout', '-q', 'main');
    write('m.txt', `top\n${numbered(30)}`);
    write('gone.txt', 'main\n');
    commit();
    const tree = (() => {
      write('m.txt', `top\n${numbered(30, i => (i === 10 ? 'all' : i === 20 ? 'twenty' : i === 25 ? 'evil' : `line ${i}`))}last`);
      unlinkSync(path.join(work, 'gone.txt'));
      git('add', '-A');
      return git('write-tree').toString().trim();
    })();
    for (const parents of [
      ['main', 'left'],
      ['main', 'left', 'right'],
      ['right', 'left'],
    ]) {
      const merge = git('commit-tree', tree, ...parents.flatMap(parent => ['-p', parent]), '-m', 'merge')
        .toString()
        .trim();
      for (const flag of ['--cc', '-c']) {
        const files = parsed(git('diff-tree', '-p', flag, merge));
        expect(heads(files)).toEqual(['deleted gone.txt -> null', 'modified m.txt -> m.txt']);
        for (const file of files) {
          expect(file.problem).toBeNull();
          const blobs = { old: blobAt(`${merge}^1`, file.oldPath), new: blobAt(merge, file.newPath) };
          expect(combinedDifferencesFrom(file, blobs)).toEqual([]);
        }
      }
    }
  });

  test('diff -u and diff -ruN of two trees', () => {
    for (const tree of ['v1', 'v2']) {
      write(`${tree}/same`, 'x\n');
      write(
        `${tree}/sub dir/edited.c`,
        numbered(20, i => (i === 9 ? tree : `line ${i}`)),
      );
      write(`${tree}/pic`, `${tree}\0`);
      write(`${tree}/only ${tree}`, `${tree}\n`);
    }
    const there = run('diff', ['-ru', 'v1', 'v2']);
    expect(heads(parsed(there)).sort()).toEqual([
      'modified pic -> pic',
      'modified sub dir/edited.c -> sub dir/edited.c',
      'unparsed v1/only v1 -> v1/only v1',
      'unparsed v2/only v2 -> v2/only v2',
    ]);
    const both = parsed(run('diff', ['-ruN', 'v1', 'v2']));
    expect(heads(both).sort()).toEqual([
      'added null -> only v2',
      'deleted only v1 -> null',
      'modified pic -> pic',
      'modified sub dir/edited.c -> sub dir/edited.c',
    ]);
    const [file] = parsed(run('diff', ['-u', 'v1/sub dir/edited.c', 'v2/sub dir/edited.c']));
    expect(file).toMatchObject({ kind: 'modified', newPath: 'sub dir/edited.c', problem: null });
  });
});
