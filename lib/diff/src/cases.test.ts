/**
 * Inputs from public bug reports against diff parsers and reviewers, and inputs that are damaged on purpose.
 */
import { verifies } from '@weir/requirements';
import { describe, expect, test } from 'vitest';
import { anchorRange, type DiffFile, decodeLossless, encodeLossless, indexFile, lineAt, parseDiff, pathOf } from './index.ts';

const only = (text: string): DiffFile => {
  const files = parseDiff(text);
  expect(files).toHaveLength(1);
  return files[0] as DiffFile;
};

const linesOf = (file: DiffFile) => file.hunks.map(hunk => hunk.lines.map(({ kind, old, new: now, text }) => [kind, old, now, text]));

const git = (name: string, body: string, header = ''): string => `diff --git a/${name} b/${name}\n${header}--- a/${name}\n+++ b/${name}\n${body}`;

const small = '@@ -1 +1 @@\n-a\n+b\n';

const replaced = [
  ['removed', 1, null, 'a'],
  ['added', null, 1, 'b'],
];

describe(`${verifies('REV-20e')} header paths`, () => {
  test('B1: octal escapes are bytes of a UTF-8 name', () => {
    const file = only(`diff --git "a/caf\\303\\251.md" "b/caf\\303\\251.md"\n--- "a/caf\\303\\251.md"\n+++ "b/caf\\303\\251.md"\n${small.slice(0, -1)}`);
    expect(file).toMatchObject({ oldPath: 'café.md', newPath: 'café.md', kind: 'modified', problem: null });
    expect(linesOf(file)).toEqual([replaced]);
  });

  test('B1: bytes that are not UTF-8 keep a lossless form', () => {
    const file = only(`diff --git "a/caf\\351" "b/caf\\351"\n--- "a/caf\\351"\n+++ "b/caf\\351"\n${small}`);
    expect(file.newPath).toBe('caf\udce9');
    expect([...encodeLossless(pathOf(file))]).toEqual([0x63, 0x61, 0x66, 0xe9]);
  });

  test('B2: a quoted name with a space is no rename', () => {
    const name = '/d/Bug \\346\\216\\222.md"';
    expect(only(`diff --git "a${name} "b${name}\nindex 1..2 100644\n--- "a${name}\n+++ "b${name}\n${small}`)).toMatchObject({
      kind: 'modified',
      oldPath: 'd/Bug 排.md',
      newPath: 'd/Bug 排.md',
    });
  });

  test.each([
    ['a/plain.txt "b/\\320\\270.txt"', 'plain.txt', '"\\320\\270.txt"', 'plain.txt', 'и.txt'],
    ['"a/\\320\\270.txt" b/plain.txt', '"\\320\\270.txt"', 'plain.txt', 'и.txt', 'plain.txt'],
  ])('B2: quoted and bare names mixed: %s', (names, from, to, old, now) => {
    const file = only(`diff --git ${names}\nsimilarity index 100%\nrename from ${from}\nrename to ${to}\n`);
    expect(file).toMatchObject({ kind: 'renamed', oldPath: old, newPath: now, hunks: [], problem: null });
  });

  test.each([
    ['with hunks', 'index 1..2 100644\n--- a/foo b/bar.md\t\n+++ b/foo b/bar.md\t\n@@ -1 +1 @@\n-a\n+b\n', 'modified'],
    ['mode only', 'old mode 100644\nnew mode 100755\n', 'mode'],
    ['binary', 'index 1..2 100644\nBinary files a/foo b/bar.md and b/foo b/bar.md differ\n', 'modified'],
    ['empty', 'new file mode 100644\nindex 0000000..e69de29\n', 'added'],
  ])('B3: a name that holds " b/" (%s)', (_, rest, kind) => {
    expect(only(`diff --git a/foo b/bar.md b/foo b/bar.md\n${rest}`)).toMatchObject({ kind, newPath: 'foo b/bar.md', problem: null });
  });

  test.each([
    ['i/x/y.ts w/x/y.ts', 'x/y.ts', 'x/y.ts'],
    ['c/x/y.ts i/x/y.ts', 'x/y.ts', 'x/y.ts'],
    ['o/x/y.ts w/x/y.ts', 'x/y.ts', 'x/y.ts'],
    ['1/x/y.ts 2/x/y.ts', 'x/y.ts', 'x/y.ts'],
    ['b/x/y.ts a/x/y.ts', 'x/y.ts', 'x/y.ts'],
    ['before/x/y.ts after/x/y.ts', 'x/y.ts', 'x/y.ts'],
    ['old/v1/x/y.ts new/v2/x/y.ts', 'x/y.ts', 'x/y.ts'],
    ['x/y.ts x/y.ts', 'x/y.ts', 'x/y.ts'],
    ['a/y.ts a/y.ts', 'a/y.ts', 'a/y.ts'],
    ['y.ts y.ts', 'y.ts', 'y.ts'],
    ['a y.ts a y.ts', 'a y.ts', 'a y.ts'],
    ['a/left/y.ts b/right/y.ts', 'left/y.ts', 'right/y.ts'],
    ['src://x/y.ts dst://x/y.ts', 'x/y.ts', 'x/y.ts'],
    ['x/y.ts b/x/y.ts', 'x/y.ts', 'x/y.ts'],
    ['y.ts new/y.ts', 'y.ts', 'y.ts'],
    ['old/v1/a b/c d new/c/d/a b/c d', 'a b/c d', 'a b/c d'],
  ])('prefixes: %s', (names, old, now) => {
    const spaces = [...names.matchAll(/ /g)].map(found => found.index);
    const middle = spaces[spaces.length >> 1] ?? 0;
    const [x, y] = [names.slice(0, middle), names.slice(middle + 1)];
    expect(only(`diff --git ${names}\nindex 1..2 100644\n--- ${x}\n+++ ${y}\n${small}`)).toMatchObject({ oldPath: old, newPath: now, problem: null });
    expect(only(`diff --git ${names}\nold mode 100644\nnew mode 100755\n`)).toMatchObject({ oldPath: old, newPath: now, problem: null });
  });

  test.each([
    ['a/x b/x', 'b/x', 'x'],
    ['src/x src/x', 'src/x', 'src/x'],
    ['a/x a/x', 'a/x', 'a/x'],
    ['before/x after/x', 'after/x', 'x'],
    ['a/dev/null b/dev/null', 'b/dev/null', 'dev/null'],
    ['dev/null dev/null', 'dev/null', 'dev/null'],
    ['old/v1/x y.ts new/v2/x y.ts', 'new/v2/x y.ts', 'x y.ts'],
  ])('a new file takes its prefix from the header line: %s', (names, name, expected) => {
    const file = only(`diff --git ${names}\nnew file mode 100644\nindex 0000000..1111111\n--- /dev/null\n+++ ${name}\n@@ -0,0 +1 @@\n+b\n`);
    expect(file).toMatchObject({ kind: 'added', oldPath: null, newPath: expected, oldMode: null, newMode: '100644' });
  });

  test('the names of a binary section without a sensible split stay visible', () => {
    const file = only('diff --git one two three four\nindex 1..2 100644\nBinary files differ\n');
    expect(file).toMatchObject({ kind: 'unparsed', newPath: 'one two three four', problem: expect.stringContaining('told apart') });
  });
});

describe(`${verifies('REV-20e')} sections`, () => {
  test('B4: the first hunk is found by scan, with and without an index line', () => {
    const added = only('diff --git a/new.py b/new.py\nnew file mode 100644\nindex 0000000..3e75765\n--- /dev/null\n+++ b/new.py\n@@ -0,0 +1 @@\n+new\n');
    expect([added.kind, linesOf(added)]).toEqual(['added', [[['added', null, 1, 'new']]]]);
    const head = 'diff --git a/o.ts b/n.ts\nsimilarity index 90%\nrename from o.ts\nrename to n.ts\n';
    const renamed = only(`${head}index 1..2 100644\n--- a/o.ts\n+++ b/n.ts\n${small}`);
    expect([renamed.kind, linesOf(renamed)]).toEqual(['renamed', [replaced]]);
    expect(linesOf(only(git('x', small)))).toEqual([replaced]);
    expect(only('diff --git a/new.py b/new.py\n--- /dev/null\n+++ b/new.py\n@@ -0,0 +1 @@\n+new\n')).toMatchObject({ kind: 'added', oldPath: null });
  });

  test('B5: sections without hunks are listed', () => {
    const text =
      'diff --git a/notes.txt b/payload.py\nsimilarity index 100%\nrename from notes.txt\nrename to payload.py\n' +
      'diff --git a/run.sh b/run.sh\nold mode 100644\nnew mode 100755\n' +
      'diff --git a/data.txt b/data.txt\nindex 1111111..2222222 100644\nBinary files a/data.txt and b/data.txt differ\n';
    expect(parseDiff(text)).toMatchObject([
      { kind: 'renamed', oldPath: 'notes.txt', newPath: 'payload.py', hunks: [], problem: null },
      { kind: 'mode', newPath: 'run.sh', oldMode: '100644', newMode: '100755', hunks: [], problem: null },
      { kind: 'modified', newPath: 'data.txt', binary: true, hunks: [], problem: null },
    ]);
  });

  test('B6, B8: several hunks, with only deletions first or last', () => {
    const file = only(git('f', '@@ -5,3 +5,2 @@ \n a\n-b\n c\n@@ -20 +19 @@\n-x\n+y\n@@ -30,2 +28,0 @@\n-p\n-q\n'));
    expect(linesOf(file)).toEqual([
      [
        ['context', 5, 5, 'a'],
        ['removed', 6, null, 'b'],
        ['context', 7, 6, 'c'],
      ],
      [
        ['removed', 20, null, 'x'],
        ['added', null, 19, 'y'],
      ],
      [
        ['removed', 30, null, 'p'],
        ['removed', 31, null, 'q'],
      ],
    ]);
    expect(anchorRange(indexFile(file), { line: 6, side: 'old' })).toMatchObject({ hunk: 0 });
    expect(anchorRange(indexFile(file), { line: 19 })).toMatchObject({ side: 'new', hunk: 1 });
  });

  test('B9: the marker of a missing line feed is a flag, not a line', () => {
    const file = only(git('f', '@@ -1,3 +1,4 @@\n one\n two\n-third\n\\ No newline at end of file\n+third\n+fourth\n'));
    expect(linesOf(file)[0]?.slice(2)).toEqual([
      ['removed', 3, null, 'third'],
      ['added', null, 3, 'third'],
      ['added', null, 4, 'fourth'],
    ]);
    expect(file).toMatchObject({ oldNoEol: true, newNoEol: false, problem: null });
    expect(only(git('f', '@@ -1 +1 @@\n-a\n+b\n\\ Kein Zeilenumbruch am Dateiende.\n'))).toMatchObject({ oldNoEol: false, newNoEol: true });
    expect(only(git('f', '@@ -1,2 +1 @@\n-a\n b\n\\ No newline at end of file\n'))).toMatchObject({ oldNoEol: true, newNoEol: true });
  });

  test('B11: CR at the end of each header line is the transport’s, and goes from every line once', () => {
    const text = 'diff --git a/f.go b/f.go\nnew file mode 100644\n--- /dev/null\n+++ b/f.go\n@@ -0,0 +1,2 @@\n+package x\n+kept\r\n';
    const file = only(text.replaceAll('\n', '\r\n'));
    expect(file).toMatchObject({ kind: 'added', oldPath: null, newPath: 'f.go' });
    expect(linesOf(file)).toEqual([
      [
        ['added', null, 1, 'package x'],
        ['added', null, 2, 'kept\r'],
      ],
    ]);
    expect(only('--- /dev/null\r\n+++ b/f.go\r\n@@ -0,0 +1 @@\r\n+x\r\n')).toMatchObject({
      kind: 'added',
      newPath: 'f.go',
      hunks: [{ lines: [{ text: 'x' }] }],
    });
    expect(only(git('f', '@@ -1 +1 @@\n-a\r\n+b\r\n')).hunks[0]?.lines.map(line => line.text)).toEqual(['a\r', 'b\r']);
  });

  test('B11: headers where only some lines end in CR are no CRLF transport; their paths still end before it', () => {
    const file = only('diff --git a/f b/f\r\nindex 1..2 100644\n--- a/f\r\n+++ b/f\r\n@@ -1 +1 @@\n-a\r\n+b\r\n');
    expect([file.newPath, file.hunks[0]?.lines.map(line => line.text)]).toEqual(['f', ['a\r', 'b\r']]);
  });

  test.each(['\u2028', '\u2029', '\u0085', '\f', '\v', '\r', '\u001c', '\0'])('B12: %j starts no line', mark => {
    const file = only(git('f', `@@ -0,0 +1 @@\n+ok${mark}diff --git a/x b/x\n`));
    expect(linesOf(file)).toEqual([[['added', null, 1, `ok${mark}diff --git a/x b/x`]]]);
  });

  test('what looks like a header inside a hunk is content', () => {
    const body = ['--- x', '+++ y', '-@@ -1 +1 @@', '+diff --git a/q b/q', '\\ No newline at end of file'].join('\n');
    const file = only(git('f', `@@ -1,3 +1,3 @@\n ctx\n${body}\n`));
    expect(linesOf(file)[0]?.map(line => line[3])).toEqual(['ctx', '-- x', '++ y', '@@ -1 +1 @@', 'diff --git a/q b/q']);
    expect(only(git('q.sql', '@@ -4 +4 @@\n--- drop\n+++ new\n@@ -9 +9 @@\n-a\n+b\n')).hunks).toHaveLength(2);
  });

  test('a mail signature, a message and a diffstat are noise', () => {
    const noise = 'From 1 Mon Sep 17 00:00:00 2001\nSubject: x\n\n---\n f | 2 +-\n 1 file changed\n\n';
    const files = parseDiff(`${noise}${git('f', small)}-- \n2.39.5\n\n${noise}${git('g', small)}-- \n2.39.5\n`);
    expect(files.map(file => [pathOf(file), file.problem])).toEqual([
      ['f', null],
      ['g', null],
    ]);
  });

  test('plain diffs: dates end names, the epoch with no lines is a missing side', () => {
    const dated = (old: string, now: string, hunk: string) => only(`--- a/x y.c\t${old}\n+++ b/x y.c\t${now}\n${hunk}`);
    const day = '2026-01-02 03:04:05.000000000 +0000';
    expect(dated(day, day, small)).toMatchObject({ kind: 'modified', oldPath: 'x y.c', newPath: 'x y.c' });
    expect(dated('1970-01-01 00:00:00.000000000 +0000', day, '@@ -0,0 +1 @@\n+b\n')).toMatchObject({ kind: 'added', oldPath: null, newPath: 'x y.c' });
    expect(dated(day, '1969-12-31 19:00:00.000000000 -0500', '@@ -1 +0,0 @@\n-b\n')).toMatchObject({ kind: 'deleted', newPath: null });
    expect(dated(day, '1970-01-01 05:30:00.000000000 +0530', '@@ -1 +0,0 @@\n-b\n')).toMatchObject({ kind: 'deleted', newPath: null });
    expect(dated('1970-01-01 00:00:00.000000000 +0000', day, small)).toMatchObject({ kind: 'modified', oldPath: 'x y.c' });
    expect(only('--- old.txt\n+++ new.txt\n@@ -1 +1 @@\n-a\n+b\n')).toMatchObject({ oldPath: 'old.txt', newPath: 'new.txt' });
  });

  test('one-line sections are visible files', () => {
    const text =
      'diff -r v1/a.png v2/a.png\nBinary files v1/a.png and v2/a.png differ\nOnly in v2/sub: new.c\ndiff -r v1/f v2/f\n--- v1/f\t2026-01-01\n+++ v2/f\t2026-01-01\n' +
      `${small}Submodule lib/x 1234567..89abcde:\n  > one\n  < two\nSubmodule lib/y 0000000...89abcde (new submodule)\nSubmodule z contains modified content\nSubmodule z 1234567..89abcde (rewind):\n`;
    expect(parseDiff(text)).toMatchObject([
      { newPath: 'a.png', binary: true, kind: 'modified', problem: null },
      { newPath: 'v2/sub/new.c', kind: 'unparsed', problem: expect.stringContaining('name') },
      { newPath: 'f', kind: 'modified', problem: null },
      { newPath: 'lib/x', submodule: true, kind: 'modified', problem: null },
      { newPath: 'lib/y', oldPath: null, submodule: true, kind: 'added' },
      { newPath: 'z', submodule: true },
    ]);
    expect(parseDiff('Dear all,\n\nOnly in dev: this happens\n')).toEqual([]);
  });

  test('hunks without any header are shown, not read as a file', () => {
    const file = only(`${small}@@ -9 +9,2 @@ f\n c\n+d`);
    expect(file).toMatchObject({ kind: 'unparsed', oldPath: null, newPath: null, problem: expect.stringContaining('no line names') });
    expect(linesOf(file)).toEqual([
      replaced,
      [
        ['context', 9, 9, 'c'],
        ['added', null, 10, 'd'],
      ],
    ]);
    expect(pathOf(file)).toBe('(unnamed)');
    expect(parseDiff(`Dear all,\n\n${small}`)).toEqual([]);
    expect(parseDiff(`@@ see below @@\n\n${git('f', small)}`)).toMatchObject([{ newPath: 'f', problem: null }]);
  });

  test('a byte order mark before the first line is not part of it', () => {
    expect(parseDiff(`\ufeff${git('f', small)}`)).toEqual(parseDiff(git('f', small)));
    expect(parseDiff(`\ufeff${git('f', small, 'index 1..2 100644\n')}`)).toMatchObject([{ oldMode: '100644', problem: null }]);
    expect(only(git('f', '@@ -1 +1 @@\n-\ufeffa\n+b\n')).hunks[0]?.lines[0]?.text).toBe('\ufeffa');
  });

  const index = (name: string): string => `Index: ${name}\n${'='.repeat(67)}\n`;

  test('Subversion: both names in words, files without hunks, properties', () => {
    const text =
      `${index('a b.c')}--- a b.c\t(revision 12)\n+++ a b.c\t(working copy)\n${small}\n` +
      `Property changes on: a b.c\n${'_'.repeat(67)}\nAdded: svn:executable\n## -0,0 +1 ##\n+*\n\\ No newline at end of property\n` +
      `${index('new.c')}--- new.c\t(nonexistent)\n+++ new.c\t(working copy)\n@@ -0,0 +1 @@\n+b\n` +
      `${index('old.c')}--- old.c\t(revision 5)\n+++ old.c\t(nonexistent)\n@@ -1 +0,0 @@\n-b\n` +
      `${index('i.png')}Cannot display: file marked as a binary type.\nsvn:mime-type = image/png\n${index('empty')}${index('g')}${git('g', small)}`;
    expect(parseDiff(text)).toMatchObject([
      { kind: 'modified', oldPath: 'a b.c', newPath: 'a b.c', oldNoEol: false, newNoEol: false, problem: null },
      { kind: 'added', oldPath: null, newPath: 'new.c', problem: null },
      { kind: 'deleted', oldPath: 'old.c', newPath: null, problem: null },
      { kind: 'modified', newPath: 'i.png', binary: true, hunks: [], problem: null },
      { kind: 'unparsed', newPath: 'empty', hunks: [], problem: expect.stringContaining('no unified diff') },
      { kind: 'modified', newPath: 'g', problem: null },
    ]);
  });

  test('Mercurial: revisions before the name, its words for a binary file', () => {
    const text =
      'diff -r 1a2b3c4d5e6f -r aabbccddeeff x/f.c\n--- a/x/f.c\tThu Jan 01 00:00:00 1970 +0000\n+++ b/x/f.c\tMon Jan 02 00:00:00 2017 +0000\n' +
      `${small}diff -r 1a2b3c4d5e6f i.png\nBinary file i.png has changed\ndiff --git a/j.png b/j.png\nBinary file j.png has changed\n`;
    expect(parseDiff(text)).toMatchObject([
      { newPath: 'x/f.c', problem: null },
      { newPath: 'i.png', binary: true, problem: null },
      { newPath: 'j.png', binary: true, problem: null },
    ]);
  });

  const unread = (path: string, problem: string) => ({ kind: 'unparsed', newPath: path, hunks: [], problem: expect.stringContaining(problem) });

  test.each([
    ['context', '*** a/f\t2026\n--- b/f\t2026\n***************\n*** 1,2 ****\n! a\n  x\n--- 1,2 ----\n! b\n  x\n', 'context diff'],
    ['context, with its command', 'diff -rc a/f b/f\n*** a/f\t2026\n--- b/f\t2026\n***************\n*** 1 ****\n! a\n--- 1 ----\n! b\n', 'context diff'],
    ['normal', 'diff -r a/f b/f\n1c1\n< a\n---\n> b\n', 'no unified diff'],
    ['brief', 'Files a/f and b/f differ\n', 'name'],
    ['a conflict', '* Unmerged path f\n', 'conflict'],
    ['colours', '\x1b[1mdiff --git a/f b/f\x1b[m\n\x1b[1m--- a/f\x1b[m\n\x1b[1m+++ b/f\x1b[m\n\x1b[36m@@ -1 +1 @@\x1b[m\n\x1b[31m-a\x1b[m\n', 'colour'],
    ['a graph', '* commit 1\n| \n|     x\n| \n| diff --git a/f b/f\n| --- a/f\n| +++ b/f\n| @@ -1 +1 @@\n| -a\n', 'graph'],
  ])('what is not a unified diff is named, and no line is made up: %s', (_, text, problem) => {
    expect(parseDiff(text)).toMatchObject([unread('f', problem)]);
    expect(parseDiff(text + git('g', small))).toMatchObject([unread('f', problem), { newPath: 'g', problem: null }]);
  });

  test('such lines in a message are words', () => {
    const words = 'Message\n\n* Unmerged path f\nFiles a and b differ\ndiff -r a b\nOnly in a: b\n    | diff --git a/x b/x\n*** lost ***\n--- a\nIndex: x\n\n';
    expect(parseDiff(words + git('g', small))).toMatchObject([{ newPath: 'g', problem: null }]);
    expect(parseDiff(`*** lost ***\n--- a/g\n+++ b/g\n${small}`)).toMatchObject([{ newPath: 'g', problem: null }]);
    expect(parseDiff('*** a\n--- b\n')).toEqual([]);
  });

  test('UTF-16 is named as the reason', () => {
    const bytes = Uint8Array.from([0xff, 0xfe, ...[...git('f', small)].flatMap(unit => [unit.charCodeAt(0), 0])]);
    expect(only(decodeLossless(bytes))).toMatchObject({ kind: 'unparsed', hunks: [], problem: expect.stringContaining('UTF-16') });
  });

  test('CR, LF and nothing at all', () => {
    expect(['', '\n', '\r', '\r\n\r\n', 'x'].map(parseDiff)).toEqual([[], [], [], [], []]);
  });
});

describe(`${verifies('REV-20e', 'REV-14')} damaged sections say so and leave the others alone`, () => {
  const next = git('next', small);

  test.each([
    ['cut by the next section', '@@ -1,5 +1,5 @@\n one\n-two\n', 2],
    ['cut by noise', '@@ -1,5 +1,5 @@\n one\n-two\n*** lost ***\n three\n', 2],
    ['more context than counted', '@@ -1 +1,2 @@\n one\n two\n', 1],
    ['surplus lines', '@@ -1 +1 @@\n-one\n+two\n+three\n', 2],
    ['a malformed second header', '@@ -1 +1 @@\n-one\n+two\n@@ -x +9 @@\n-p\n+q\n', 2],
    ['a malformed first header', '@@ -9,x +9 @@\n-p\n+q\n@@ -19 +19 @@\n-one\n+two\n', 2],
  ])('%s', (_, body, lines) => {
    const [file, after, ...more] = parseDiff(git('f', body) + next);
    expect(more).toEqual([]);
    expect(file?.problem).toEqual(expect.any(String));
    expect(file?.kind).toBe('modified');
    expect(file?.hunks.flatMap(hunk => hunk.lines)).toHaveLength(lines);
    expect(after).toEqual(parseDiff(next)[0]);
  });

  test.each([
    '@@ -1,99999999999999999999 +1 @@',
    '@@ -9007199254740991,2 +1 @@',
    '@@ -0 +1 @@',
    '@@ -1 +1',
    '@@ -1 +1 @',
    '@@@ -1 +1 @@@',
    '@@ -a +1 @@',
    '@@',
  ])('without one readable hunk it is a placeholder: %s', header => {
    const [file, after] = parseDiff(`${git('f', `${header}\n-a\n+b\n`)}${next}`);
    expect(file).toMatchObject({ kind: 'unparsed', oldPath: 'f', newPath: 'f', hunks: [], problem: 'hunk header 1 can’t be read' });
    expect(after).toEqual(parseDiff(next)[0]);
  });

  test('a cut plain section does not swallow the next one', () => {
    const plain = (name: string, hunk: string) => `--- ${name}\t2026\n+++ ${name}\t2026\n${hunk}`;
    const files = parseDiff(plain('one', '@@ -1,9 +1,9 @@\n a\n-b\n') + plain('two', small));
    expect(files).toMatchObject([
      { newPath: 'one', problem: expect.stringContaining('cut') },
      { newPath: 'two', problem: null },
    ]);
    expect(linesOf(files[1] as DiffFile)).toEqual([replaced]);
  });

  test('a header that promises hunks and has none', () => {
    const heads = ['index 1111111..2222222 100644\n', 'new file mode 100644\nindex 0000000..1111111\n', '', '--- a/f\n+++ b/f\n'];
    for (const head of heads) {
      const [file, after] = parseDiff(`diff --git a/f b/f\n${head}${next}`);
      expect(file).toMatchObject({ newPath: 'f', hunks: [], problem: 'the section ends before its hunks' });
      expect(after).toEqual(parseDiff(next)[0]);
    }
  });

  test.each([
    'similarity index 90%\nrename from f\nrename to f\n',
    'similarity index 100%\nrename from f\n',
    'similarity index 90%\ncopy from e\ncopy to f\nindex 1111111..2222222 100644\n',
    'old mode 100644\n',
    'old mode 100644\nnew mode 100755\nindex 1111111..2222222\n',
    'index ',
  ])('a header cut before its hunks: %j', header => {
    expect(only(`diff --git a/f b/f\n${header}`)).toMatchObject({ newPath: 'f', hunks: [], problem: 'the section ends before its hunks' });
  });

  test('an empty file has no hunks, however few digits its blob has', () => {
    for (const blob of ['e69d', 'e69de29', '473a0f4c']) {
      expect(only(`diff --git a/f b/f\nnew file mode 100644\nindex 0000..${blob}\n`)).toMatchObject({ kind: 'added', problem: null });
    }
  });

  test('a diff that is cut anywhere keeps the sections before, whole', () => {
    const text = git('one', small) + git('two', '@@ -1,2 +1,3 @@\n a\n-b\n+B\n+C\n\\ No newline at end of file\n') + git('three', small);
    const whole = parseDiff(text);
    for (let end = 0; end < text.length; end += 1) {
      const files = parseDiff(text.slice(0, end));
      expect(files.slice(0, -1)).toEqual(whole.slice(0, Math.max(files.length - 1, 0)));
    }
  });

  test('a header line past the limit', () => {
    const long = 'x'.repeat(70_000);
    const files = parseDiff(`${git(long, small)}${git('f', small, `rename from ${long}\n`)}${next}`);
    expect(files.map(file => [file.kind, file.problem !== null])).toEqual([
      ['unparsed', true],
      ['unparsed', true],
      ['modified', false],
    ]);
  });
});

describe(`${verifies('REV-20e')} combined diffs`, () => {
  test('three parents', () => {
    const text =
      'diff --cc "a\\tb"\nindex 1,2,3..4\nmode 100644,100755,100644..100755\n--- "a/a\\tb"\n+++ "b/a\\tb"\n' +
      '@@@@ -1,3 -1,2 -5,2 +1,3 @@@@ f\n   one\n++ two\n - gone\n  +three\n-  lost\n';
    const file = only(text);
    expect(file).toMatchObject({
      kind: 'modified',
      oldPath: 'a\tb',
      newPath: 'a\tb',
      oldMode: '100644',
      newMode: '100755',
      problem: expect.stringContaining('cut'),
    });
    expect(linesOf(file)[0]).toEqual([
      ['context', 1, 1, 'one'],
      ['added', null, 2, 'two'],
      ['removed', null, null, 'gone'],
    ]);
  });

  test('a file that the first parent lacks is new to it', () => {
    const file = only('diff --cc f\nindex 0000000,1..2\nmode 000000,100644..100644\n--- a/f\n+++ b/f\n@@@ -0,0 -1 +1,2 @@@\n+ a\n++b\n');
    expect(file).toMatchObject({ kind: 'added', oldPath: null, newPath: 'f', oldMode: null, newMode: '100644', problem: null });
    expect(linesOf(file)).toEqual([
      [
        ['added', null, 1, 'a'],
        ['added', null, 2, 'b'],
      ],
    ]);
  });

  test('a line that git counts for a later parent and does not print is no cut', () => {
    const body = (counts: string) => `diff --cc f\nindex 1,2..3\n--- a/f\n+++ b/f\n@@@ ${counts} @@@\n  a\n++b\n  c\n`;
    expect(parseDiff(body('-5,2 -6,3 +5,3') + git('g', small))).toMatchObject([{ newPath: 'f', problem: null }, { newPath: 'g' }]);
    expect(only(body('-5,3 -6,2 +5,3'))).toMatchObject({ problem: expect.stringContaining('cut') });
    expect(only(body('-5,2 -6,2 +5,4'))).toMatchObject({ problem: expect.stringContaining('cut') });
  });

  test('an empty file, and a change of mode, come without hunks', () => {
    const names = (old: string) => `--- ${old}\n+++ b/f\n`;
    expect(only(`diff --cc f\nindex 0000000,0000000..e69de29\nnew file mode 100644\n${names('/dev/null')}`)).toMatchObject({ kind: 'added', problem: null });
    expect(only(`diff --cc f\nindex 1,1..1\nmode 100644,100644..100755\n${names('a/f')}`)).toMatchObject({ kind: 'mode', problem: null });
    expect(only(`diff --cc f\nindex 1,2..3\n${names('a/f')}`)).toMatchObject({ problem: 'the section ends before its hunks' });
  });

  test('deleted, added, binary and renamed in one parent', () => {
    const text =
      'diff --cc gone\nindex 1,2..0000000\ndeleted file mode 100644,100644\n--- a/gone\n+++ /dev/null\n@@@ -1 -1 +0,0 @@@\n--x\n' +
      'diff --combined made\nindex 0000000,0000000..2\nnew file mode 100644\n--- /dev/null\n+++ b/made\n@@@ -0,0 -0,0 +1 @@@\n++x\n' +
      'diff --cc pic\nindex 1,2..3\nBinary files differ\n' +
      'diff --cc now\nindex 1,2..3\nrename from was\n--- a/was\n--- a/now\n+++ b/now\n@@@ -1 -1 +1 @@@\n- x\n -y\n++z\n';
    expect(parseDiff(text)).toMatchObject([
      { kind: 'deleted', oldPath: 'gone', newPath: null, oldMode: '100644', newMode: null, problem: null },
      { kind: 'added', oldPath: null, newPath: 'made', newMode: '100644', problem: null },
      { kind: 'modified', newPath: 'pic', binary: true, problem: null },
      { oldPath: 'was', newPath: 'now', problem: null },
    ]);
  });
});

describe(`${verifies('REV-17')} anchors`, () => {
  test('B17: the new side is searched in all hunks before the old one', () => {
    const removed = Array.from({ length: 50 }, (_, i) => `-r${i}\n`).join('');
    const index = indexFile(only(git('f', `@@ -10,50 +9,0 @@\n${removed}@@ -69,0 +20 @@\n+here\n`)));
    expect(anchorRange(index, { line: 20 })).toEqual({ kind: 'anchor', side: 'new', line: 20, endLine: 20, hunk: 1 });
    expect(anchorRange(index, { line: 21 })).toMatchObject({ side: 'old', hunk: 0 });
    expect(lineAt(index, 'new', 20)?.text).toBe('here');
  });

  test('B20: a range on the old side', () => {
    const index = indexFile(only(git('f', '@@ -10,4 +10,4 @@\n a\n-b\n+B\n c\n d\n')));
    expect(anchorRange(index, { line: 11, endLine: 12, side: 'old' })).toEqual({ kind: 'anchor', side: 'old', line: 11, endLine: 12, hunk: 0 });
    expect([11, 12].map(number => lineAt(index, 'old', number)?.text)).toEqual(['b', 'c']);
  });
});

test(`${verifies('REV-20e')} text that is not UTF-8 goes through byte by byte`, () => {
  const bytes = Uint8Array.from([...git('f', '@@ -1 +1 @@\n-caf').split('')].map(c => c.charCodeAt(0)).concat([0xe9, 10, 43, 0xff, 0xc3, 0xa9, 10]));
  expect(only(decodeLossless(bytes)).hunks[0]?.lines.map(line => [...encodeLossless(line.text)])).toEqual([
    [0x63, 0x61, 0x66, 0xe9],
    [0xff, 0xc3, 0xa9],
  ]);
});
