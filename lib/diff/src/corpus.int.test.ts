/**
 * The corpus of real git output: each case against index.json (paths, kinds, modes) and against the blobs that prove its lines.
 * `fixtures/` is the whole visible corpus; the two large cases are made from the bundle's commits.
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { verifies } from '@weir/requirements';
import { parsePatch } from 'diff';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Blob, blobOf, combinedDifferencesFrom, differencesFrom, emptyBlob } from '../tests/blob-check.ts';
import { type DiffFile, decodeLossless, parseDiff } from './index.ts';

interface Entry {
  readonly om: string;
  readonly nm: string;
  readonly os: string;
  readonly ns: string;
  readonly st: string;
  readonly old: string | null;
  readonly new: string | null;
}

interface Case {
  readonly id: string;
  readonly files: readonly Entry[];
  readonly numstat: readonly string[];
}

const fixtures = path.resolve(import.meta.dirname, '../fixtures');
const cases: Case[] = JSON.parse(readFileSync(path.join(fixtures, 'index.json'), 'utf8'));
const present = new Set(readdirSync(fixtures));
const folder = mkdtempSync(path.join(tmpdir(), 'weir-corpus-'));

const git = (...args: string[]): Buffer => execFileSync('git', ['-C', folder, ...args], { maxBuffer: 64 << 20 });

const blob = (id: string): Blob => (/^0+$/.test(id) ? emptyBlob : blobOf(git('cat-file', 'blob', id)));

const diffOf = (item: Case): Uint8Array =>
  present.has(`${item.id}.diff`)
    ? readFileSync(path.join(fixtures, `${item.id}.diff`))
    : git(...item.numstat.filter(word => word !== '--numstat' && word !== '-z'));

const kinds: Readonly<Record<string, DiffFile['kind']>> = { A: 'added', D: 'deleted', R: 'renamed', C: 'copied', M: 'modified' };

/** Diffs that print no mode: pure renames, combined and plain ones. */
const modeless = new Set(['11-space-b-slash-rename-pure', '13-rename-pure', '51-plain-diff-u']);

const headOf = (item: Case, entry: Entry) => {
  const mode = (value: string): string | null => (value === '000000' || modeless.has(item.id) ? null : value);
  const kind = entry.st === 'M' && entry.os === entry.ns ? 'mode' : kinds[entry.st];
  return { oldPath: entry.old, newPath: entry.new, kind, oldMode: mode(entry.om), newMode: mode(entry.nm), problem: null };
};

beforeAll(() => {
  execFileSync('git', ['clone', '-q', '--bare', path.join(fixtures, 'blobs.bundle'), folder]);
});

afterAll(() => rmSync(folder, { recursive: true }));

describe(`${verifies('REV-20e', 'REV-17')} the corpus`, () => {
  test('is all here', () => {
    expect(cases).toHaveLength(44);
    expect([...present].filter(name => name.endsWith('.diff'))).toHaveLength(43);
  });

  test.each(cases)('$id: heads as git says, lines and anchors as the blobs say', item => {
    const files = parseDiff(decodeLossless(diffOf(item)));
    const heads = files.map(({ oldPath, newPath, kind, oldMode, newMode, problem }) => ({ oldPath, newPath, kind, oldMode, newMode, problem }));
    expect(heads).toEqual(item.files.map(entry => headOf(item, entry)));
    item.files.forEach((entry, i) => {
      const file = files[i];
      if (file === undefined) return;
      expect(file.binary).toBe(entry.new === 'i.png');
      if (!file.binary) expect(differencesFrom(file, { old: blob(entry.os), new: blob(entry.ns) })).toEqual([]);
    });
  });

  test.each(cases)('$id: as many added and removed lines as git counts', item => {
    const files = parseDiff(decodeLossless(diffOf(item)));
    const fields = git(...item.numstat)
      .toString('latin1')
      .split('\0');
    const counts = fields.flatMap(field => (/^(\d+|-)\t(\d+|-)\t/.test(field) ? [field.split('\t', 2).map(count => (count === '-' ? 0 : Number(count)))] : []));
    const count = (file: DiffFile, kind: string): number => file.hunks.flatMap(hunk => hunk.lines).filter(line => line.kind === kind).length;
    expect(files.map(file => [count(file, 'added'), count(file, 'removed')])).toEqual(counts);
  });

  test('59: a combined diff, against its first parent and its result', () => {
    const [file, ...more] = parseDiff(decodeLossless(readFileSync(path.join(fixtures, '59-combined-cc.diff'))));
    expect(more).toEqual([]);
    expect(file).toMatchObject({ oldPath: 'm.txt', newPath: 'm.txt', kind: 'modified', problem: null });
    if (file === undefined) return;
    expect(combinedDifferencesFrom(file, { old: blob('d115de4'), new: blob('d107c70') })).toEqual([]);
    const changed = file.hunks.flatMap(hunk => hunk.lines).filter(line => line.kind !== 'context');
    expect(changed).toEqual([
      { kind: 'removed', old: 6, new: null, text: 'main' },
      { kind: 'removed', old: null, new: null, text: 'side' },
      { kind: 'added', old: null, new: 6, text: 'both' },
    ]);
  });
});

/** jsdiff reads the mail signature as a line, and keeps the transport's CR. */
const beyondOracle = /^(43|52)-/;

test.each(cases.filter(item => !beyondOracle.test(item.id)))(`${verifies('REV-20e')} $id: the oracle reads the same hunks`, item => {
  const text = decodeLossless(diffOf(item));
  const ours = parseDiff(text).map(file =>
    file.hunks.map(hunk => ({
      ...hunk,
      // jsdiff moves the start of an empty side by one.
      oldStart: hunk.oldStart + (hunk.oldLines === 0 ? 1 : 0),
      newStart: hunk.newStart + (hunk.newLines === 0 ? 1 : 0),
      lines: hunk.lines.map(line => line.text),
    })),
  );
  const theirs = parsePatch(text).map(file =>
    file.hunks.map(({ lines, ...range }) => ({ ...range, lines: lines.filter(line => !line.startsWith('\\')).map(line => line.slice(1)) })),
  );
  expect(ours).toEqual(theirs);
});
