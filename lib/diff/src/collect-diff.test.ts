/**
 * The collector: limits leave heads and exact counts, and say which limit it was.
 */
import { verifies } from '@weir/requirements';
import { describe, expect, test } from 'vitest';
import { type CollectedFile, collectDiff, parseDiff } from './index.ts';

const added = (name: string, lines: readonly string[]): string =>
  `diff --git a/${name} b/${name}\nnew file mode 100644\nindex 0000000..1111111\n--- /dev/null\n+++ b/${name}\n@@ -0,0 +1,${lines.length} @@\n${lines.map(line => `+${line}\n`).join('')}`;

const collect = (text: string, maxFileBytes: number, maxDiffBytes: number): CollectedFile[] => {
  const collector = collectDiff({ maxFileBytes, maxDiffBytes });
  for (let at = 0; at < text.length; at += 7) collector.push(text.slice(at, at + 7));
  return collector.end();
};

describe(`${verifies('REV-14', 'REV-20e')} limits`, () => {
  test('B16: one huge file is named and counted, all others are whole', () => {
    const others = Array.from({ length: 27 }, (_, i) => added(`f${i}.ts`, ['one', 'two']));
    const text = others.slice(0, 13).join('') + added('data.jsonl', ['x'.repeat(139_989), 'é']) + others.slice(13).join('');
    const files = collect(text, 100_000, 1_000_000);
    expect(files).toHaveLength(28);
    const [huge] = files.filter(({ file }) => file.problem !== null);
    expect(huge).toMatchObject({ added: 2, removed: 0, bytes: 139_993, file: { newPath: 'data.jsonl', kind: 'added', hunks: [] } });
    expect(huge?.file.problem).toContain('100000');
    expect(files.filter(({ file }) => file.problem === null).map(({ file }) => file)).toEqual(parseDiff(text).filter(file => file.newPath !== 'data.jsonl'));
  });

  test('files past the whole limit keep their heads and counts; a smaller one still fits', () => {
    const text = added('a', ['12345']) + added('b', ['12345678', '']) + added('c', ['123']);
    const files = collect(text, 100, 10);
    expect(files.map(({ file, added: lines, bytes }) => [file.newPath, file.hunks.length, lines, bytes])).toEqual([
      ['a', 1, 1, 6],
      ['b', 0, 2, 10],
      ['c', 1, 1, 4],
    ]);
    expect(files[1]?.file.problem).toContain('limit of 10 bytes');
  });

  test('at the limit nothing is left out, and context counts as bytes but not as a change', () => {
    const text = 'diff --git a/f b/f\nindex 1..2 100644\n--- a/f\n+++ b/f\n@@ -1,2 +1,2 @@\n c\n-\udce9\n+é\n';
    expect(collect(text, 7, 7)).toEqual([{ file: parseDiff(text)[0], added: 1, removed: 1, bytes: 7 }]);
    expect(collect(text, 6, 7)[0]).toMatchObject({ added: 1, removed: 1, bytes: 7, file: { hunks: [], problem: expect.stringContaining('limit of 6') } });
  });

  test('the end-of-file flags survive a limit', () => {
    const [only] = collect(`${added('a', ['12345'])}\\ No newline at end of file\n`, 1, 1);
    expect(only?.file).toMatchObject({ newNoEol: true, hunks: [] });
  });
});
