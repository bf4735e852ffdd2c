/**
 * Every commit of real repositories: each line, number, anchor and end of file against git's blobs, merges as combined diffs too.
 * Walks the corpus bundle and this repository; WEIR_CORPUS_REPO names one more.
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { verifies } from '@weir/requirements';
import { afterAll, describe, expect, test } from 'vitest';
import { type Blob, blobOf, combinedDifferencesFrom, differencesFrom, emptyBlob } from '../tests/blob-check.ts';
import { type DiffFile, decodeLossless, encodeLossless, parseDiff } from './index.ts';

const bundle = path.resolve(import.meta.dirname, '../fixtures/blobs.bundle');
const scratch = mkdtempSync(path.join(tmpdir(), 'weir-history-'));
const here = path.resolve(import.meta.dirname, '../../..');
const named = process.env.WEIR_CORPUS_REPO;

afterAll(() => rmSync(scratch, { recursive: true }));

const gitIn = (folder: string) => (args: readonly string[], input?: Uint8Array) =>
  execFileSync('git', ['-C', folder, ...args], { maxBuffer: 512 << 20, stdio: ['pipe', 'pipe', 'ignore'], ...(input === undefined ? {} : { input }) });

type Git = ReturnType<typeof gitIn>;

/** The blobs at these names, `commit:path` as bytes, through one `git cat-file --batch`. */
const readBlobs = (git: Git, names: readonly Uint8Array[]): Blob[] => {
  const output = git(['cat-file', '--batch'], Buffer.concat(names.flatMap(name => [name, Buffer.from('\n')])));
  let at = 0;
  return names.map(() => {
    const end = output.indexOf(10, at);
    const [, type, size] = output.subarray(at, end).toString('latin1').split(' ');
    if (type !== 'blob') {
      at = end + 1 + (type === 'commit' ? Number(size) + 1 : 0);
      return emptyBlob;
    }
    const bytes = output.subarray(end + 1, end + 1 + Number(size));
    at = end + 2 + Number(size);
    return blobOf(bytes);
  });
};

const nothing = encodeLossless('missing:');

const blobName = (revision: string, name: string | null): Uint8Array =>
  name === null || name.includes('\n') ? nothing : encodeLossless(`${revision}:${name}`);

interface Totals {
  files: number;
  lines: number;
  merges: number;
}

const checkAll = (git: Git, files: readonly DiffFile[], revisions: readonly [string, string], check: typeof differencesFrom): string[] => {
  const text = files.filter(file => !file.binary && !file.submodule && !`${file.oldPath}${file.newPath}`.includes('\n'));
  const blobs = readBlobs(
    git,
    text.flatMap(file => [blobName(revisions[0], file.oldPath), blobName(revisions[1], file.newPath)]),
  );
  const wrong = text.flatMap((file, i) => {
    // A move without edits shows no hunk and is the same on both sides.
    const pair = { old: blobs[2 * i] ?? emptyBlob, new: blobs[2 * i + 1] ?? emptyBlob };
    return check(file, pair).map(what => `${revisions[1]} ${file.newPath}: ${what}`);
  });
  return [...wrong, ...files.filter(file => file.problem !== null).map(file => `${revisions[1]} ${file.newPath}: ${file.problem}`)];
};

/** git's own list of changed paths, to see that no file is missing and none is made up. */
const pathsOf = (git: Git, commit: string): string[] => {
  const fields = git(['diff-tree', '-r', '-M', '--root', '--name-status', '--no-commit-id', '-z', commit]);
  const words = decodeLossless(fields).split('\0').slice(0, -1);
  const paths: string[] = [];
  for (let i = 0; i < words.length; ) {
    const status = words[i] ?? '';
    const moved = /^[RC]/.test(status);
    const name = words[i + (moved ? 2 : 1)] ?? '';
    // A type change is a deletion and an addition in the diff.
    paths.push(...(status === 'T' ? [name, name] : [name]));
    i += moved ? 3 : 2;
  }
  return paths.sort();
};

const walk = (folder: string): { wrong: string[]; totals: Totals } => {
  const git = gitIn(folder);
  const totals: Totals = { files: 0, lines: 0, merges: 0 };
  const wrong: string[] = [];
  const commits = git(['rev-list', '--all', '--parents'])
    .toString()
    .trim()
    .split('\n')
    .filter(line => line !== '');
  for (const [commit = '', ...parents] of commits.map(line => line.split(' '))) {
    const merge = parents.length > 1;
    const files = parseDiff(decodeLossless(git(['diff-tree', '-p', '-M', '--root', '--no-commit-id', ...(merge ? ['--cc'] : []), commit])));
    totals.files += files.length;
    totals.merges += merge ? 1 : 0;
    totals.lines += files.reduce((sum, file) => sum + file.hunks.reduce((count, hunk) => count + hunk.lines.length, 0), 0);
    wrong.push(...checkAll(git, files, [parents[0] ?? 'missing', commit], merge ? combinedDifferencesFrom : differencesFrom));
    if (merge) continue;
    const seen = files.map(file => file.newPath ?? file.oldPath ?? '').sort();
    if (seen.join('\0') !== pathsOf(git, commit).join('\0')) wrong.push(`${commit}: ${seen.join(', ')}`);
  }
  return { wrong, totals };
};

describe(`${verifies('REV-20e', 'REV-17')} every commit`, () => {
  test('of the corpus, cases without a diff file included', () => {
    execFileSync('git', ['clone', '-q', '--bare', bundle, path.join(scratch, 'corpus')]);
    const { wrong, totals } = walk(path.join(scratch, 'corpus'));
    expect(wrong).toEqual([]);
    expect(totals.files).toBeGreaterThan(100);
    expect(totals.merges).toBeGreaterThan(0);
  });

  test('of this repository', () => {
    const { wrong, totals } = walk(here);
    expect(wrong).toEqual([]);
    expect(totals.files).toBeGreaterThan(0);
  }, 600_000);

  test.skipIf(named === undefined)(
    'of the repository in WEIR_CORPUS_REPO',
    () => {
      const { wrong, totals } = walk(named ?? here);
      console.log(`${named}: ${totals.files} files, ${totals.lines} lines, ${totals.merges} merges`);
      expect(wrong).toEqual([]);
    },
    3_600_000,
  );
});

if (named === undefined) console.warn('SKIPPED: one more repository’s history; set WEIR_CORPUS_REPO to its folder');
