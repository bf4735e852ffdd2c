/**
 * Anchors, look-ups and quotes on small diffs.
 */
import { verifies } from '@weir/requirements';
import { describe, expect, test } from 'vitest';
import { anchorRange, type DiffFile, findQuote, indexFile, lineAt, lineInBoth, parseDiff } from './index.ts';

const fileWith = (hunks: string): DiffFile => parseDiff(`diff --git a/f b/f\nindex 1..2 100644\n--- a/f\n+++ b/f\n${hunks}`)[0] as DiffFile;

const two = fileWith('@@ -10,3 +10,4 @@\n one\n+two\n three\n four\n@@ -30,3 +31,2 @@\n five\n-six\n seven\n');
const index = indexFile(two);

describe(`${verifies('REV-17')} anchors`, () => {
  test.each([
    [{ line: 11 }, { side: 'new', line: 11, endLine: 11, hunk: 0 }],
    [{ line: 10 }, { side: 'new', line: 10, endLine: 10, hunk: 0 }],
    [
      { line: 31, side: 'old' },
      { side: 'old', line: 31, endLine: 31, hunk: 1 },
    ],
    [{ line: 30 }, { side: 'old', line: 30, endLine: 30, hunk: 1 }],
    [
      { line: 12, endLine: 40 },
      { side: 'new', line: 12, endLine: 13, hunk: 0 },
    ],
    [
      { line: 1, endLine: 100 },
      { side: 'new', line: 10, endLine: 13, hunk: 0 },
    ],
    [
      { line: 14, endLine: 31 },
      { side: 'new', line: 31, endLine: 31, hunk: 1 },
    ],
    [
      { line: 32, endLine: 31 },
      { side: 'new', line: 31, endLine: 32, hunk: 1 },
    ],
    [
      { line: 12, endLine: 12, side: undefined },
      { side: 'new', line: 12, endLine: 12, hunk: 0 },
    ],
  ] as const)('%j', (range, anchor) => {
    expect(anchorRange(index, range)).toEqual({ kind: 'anchor', ...anchor });
  });

  test.each([
    [{ line: 900 }, 'Line 900 is not in the diff.'],
    [{ line: 14, endLine: 20 }, 'Lines 14 to 20 are not in the diff.'],
    [{ line: 30, side: 'new' }, 'Line 30 is not in the diff on the new side.'],
    [{ line: 13, side: 'old' }, 'Line 13 is not in the diff on the old side.'],
    [{ line: 0 }, 'Line numbers are whole numbers from 1 on.'],
    [{ line: 1.5 }, 'Line numbers are whole numbers from 1 on.'],
    [{ line: Number.NaN }, 'Line numbers are whole numbers from 1 on.'],
    [{ line: 10, endLine: Number.POSITIVE_INFINITY }, 'Line numbers are whole numbers from 1 on.'],
  ] as const)('none for %j', (range, reason) => {
    expect(anchorRange(index, range)).toEqual({ kind: 'unanchorable', reason });
  });

  test('files without lines say why', () => {
    const reasons = parseDiff(
      'diff --git a/i b/i\nindex 1..2 100644\nBinary files a/i and b/i differ\ndiff --git a/m b/m\nold mode 100644\nnew mode 100755\ndiff --git a/x b/x\nindex 1..2 100644\n',
    ).map(file => anchorRange(indexFile(file), { line: 1 }));
    expect(reasons.map(reason => reason.kind === 'unanchorable' && reason.reason)).toEqual([
      'The file is binary, so its diff has no lines.',
      'The diff changes no lines of this file.',
      'The diff of this file has no lines: the section ends before its hunks.',
    ]);
  });

  test('both numbers of both ends', () => {
    const both = (line: number, endLine: number, side: 'old' | 'new') => {
      const anchor = anchorRange(index, { line, endLine, side });
      return anchor.kind === 'anchor' ? lineInBoth(index, anchor) : undefined;
    };
    expect(both(11, 13, 'new')).toEqual({ start: { old: null, new: 11 }, end: { old: 12, new: 13 } });
    expect(both(31, 32, 'old')).toEqual({ start: { old: 31, new: null }, end: { old: 32, new: 32 } });
    expect(lineInBoth(index, { kind: 'anchor', side: 'new', line: 900, endLine: 900, hunk: 0 })).toBeUndefined();
  });

  test('lines by number, and none beside the hunks', () => {
    expect([10, 11, 13, 31].map(number => lineAt(index, 'new', number)?.text)).toEqual(['one', 'two', 'four', 'five']);
    expect([9, 14, 30, 33, 0, -1, 1.5, 1e9].map(number => lineAt(index, 'new', number))).toEqual(Array(8).fill(undefined));
  });

  test('a cut hunk has only the lines that were read, and hunks out of order are found', () => {
    const cut = indexFile(fileWith('@@ -50,9 +50,9 @@\n a\n+b\n@@ -1 +1 @@\n-p\n+q\n'));
    expect(anchorRange(cut, { line: 51 })).toMatchObject({ kind: 'anchor', hunk: 0 });
    expect(anchorRange(cut, { line: 52 })).toMatchObject({ kind: 'unanchorable' });
    expect(anchorRange(cut, { line: 1 })).toMatchObject({ kind: 'anchor', hunk: 1 });
  });
});

const code = fileWith(
  '@@ -1,6 +1,7 @@\n const a = load();\n-const total = a.length + 1;\n+const total = a.length;\n+const total = a.size;\n return total;\n \n }\n }\n' +
    '@@ -100,4 +101,6 @@\n if (user) {\n+  await   notify(user, channel);\n+  return;\n }\n done();\n return total;\n',
);

describe(`${verifies('REV-17')} a quoted line that is off its number`, () => {
  test.each([
    ['the changed line, spaced otherwise', 'await notify(user,  channel);', { line: 90 }, { side: 'new', line: 102, endLine: 102, hunk: 1 }],
    ['several lines', 'if (user) {\n  await notify(user, channel);\n', { line: 110 }, { side: 'new', line: 101, endLine: 102, hunk: 1 }],
    ['a removed line', 'const total = a.length + 1;', { line: 5 }, { side: 'old', line: 2, endLine: 2, hunk: 0 }],
    ['a removed line with its mark', '-const total = a.length + 1;', { line: 5 }, { side: 'old', line: 2, endLine: 2, hunk: 0 }],
    ['part of a line, the nearest', 'total = a.', { line: 7 }, { side: 'new', line: 3, endLine: 3, hunk: 0 }],
    ['the whole line before a part', 'const total = a.length', { line: 1, side: 'old' }, { side: 'old', line: 2, endLine: 2, hunk: 0 }],
    ['context when nothing changed matches', 'const a = load();', { line: 6 }, { side: 'new', line: 1, endLine: 1, hunk: 0 }],
    ['the nearest hunk only', 'return total;', { line: 99 }, { side: 'new', line: 106, endLine: 106, hunk: 1 }],
    ['lines with marks', '+  await notify(user, channel);\n+  return;', { line: 101 }, { side: 'new', line: 102, endLine: 103, hunk: 1 }],
  ] as const)('%s', (_, quote, near, anchor) => {
    expect(findQuote(code, quote, near)).toEqual({ kind: 'anchor', ...anchor });
  });

  test.each(['', '   ', '\n\n', '}', '};', 'gone();', 'total', 'await notify(user, channel);\ndone();'])('no match for %j', quote => {
    expect(findQuote(code, quote, { line: 2 })).toBeUndefined();
  });

  test('a changed line farther off wins over context at hand', () => {
    const file = fileWith('@@ -1,3 +1,4 @@\n audit(entry);\n one\n two\n+audit(entry);\n');
    expect(findQuote(file, 'audit(entry);', { line: 1 })).toMatchObject({ line: 4, endLine: 4 });
  });

  test('no hunk, no match', () => {
    expect(findQuote({ ...code, hunks: [] }, 'const a = load();', { line: 1 })).toBeUndefined();
  });
});
