/**
 * Diffs of 50 MB through the reader and the collector, each in a child process with a heap of 64 MB (96 MB for 100,000 kept heads).
 * Three shapes: one file, 100,000 files, lines of 1 MB; each pushed in 64 KiB chunks of bytes.
 */
import { execFileSync } from 'node:child_process';
import path from 'node:path';
import { verifies } from '@weir/requirements';
import { describe, expect, test } from 'vitest';

const MEGABYTE = 1 << 20;
const TOTAL = 50 * MEGABYTE;
const door = path.resolve(import.meta.dirname, 'index.ts');

/** Runs in the child: makes the diff piece by piece, so that only the reader can hold it. */
const program = `
const { collectDiff, createDiffReader, createLosslessDecoder } = await import(process.env.WEIR_DOOR);
const shape = process.argv.at(-2);
const use = process.argv.at(-1);
const head = (name, lines) => 'diff --git a/' + name + ' b/' + name + '\\nnew file mode 100644\\nindex 0000000..1111111\\n--- /dev/null\\n+++ b/' + name + '\\n@@ -0,0 +1,' + lines + ' @@\\n';
function* pieces() {
  if (shape === 'one file') {
    const line = '+' + 'x'.repeat(62) + '\\n';
    const block = line.repeat(1024);
    yield head('big.txt', (${TOTAL} / block.length) * 1024);
    for (let made = 0; made < ${TOTAL}; made += block.length) yield block;
  } else if (shape === 'many files') {
    for (let i = 0; i < 100000; i++) yield head('folder/of/some/depth/file-number-' + i + '.txt', 6) + ('+' + 'y'.repeat(58) + '\\n').repeat(6);
  } else {
    yield head('long.txt', 50);
    for (let i = 0; i < 50; i++) { yield '+'; for (let k = 0; k < 1024; k++) yield 'z'.repeat(1024); yield '\\n'; }
  }
}
let lines = 0, files = 0, characters = 0;
const events = createDiffReader({ startFile() {}, startHunk() {}, line(kind, old, now, text) { lines++; characters += text.length; }, endFile(tail) { files++; if (tail.problem) throw new Error(tail.problem); } });
const collector = collectDiff({ maxFileBytes: 2_000_000, maxDiffBytes: 4_000_000 });
const target = use === 'events' ? events : collector;
const decoder = createLosslessDecoder();
const encoder = new TextEncoder();
let waiting = '';
for (const piece of pieces()) {
  waiting += piece;
  if (waiting.length < 65536) continue;
  target.push(decoder.push(encoder.encode(waiting)));
  waiting = '';
}
target.push(decoder.push(encoder.encode(waiting)) + decoder.end());
const collected = target.end() ?? [];
console.log(JSON.stringify(use === 'events' ? { files, lines, characters } : {
  files: collected.length,
  lines: collected.reduce((sum, one) => sum + one.added, 0),
  kept: collected.filter(one => one.file.hunks.length > 0).length,
  named: collected.filter(one => one.file.problem !== null).length,
  firstAndLast: [collected[0].file.newPath, collected.at(-1).file.newPath],
}));
`;

const inChild = (shape: string, use: string, heap = 64): unknown => {
  const args = [`--max-old-space-size=${heap}`, '--import', 'tsx', '--input-type=module', '-e', program, shape, use];
  const output = execFileSync(process.execPath, args, { cwd: import.meta.dirname, env: { ...process.env, WEIR_DOOR: door }, maxBuffer: MEGABYTE });
  return JSON.parse(output.toString());
};

describe(`${verifies('REV-20e', 'REV-14')} 50 MB in a small heap`, () => {
  test('one file', () => {
    expect(inChild('one file', 'events')).toEqual({ files: 1, lines: TOTAL / 64, characters: (TOTAL / 64) * 62 });
    expect(inChild('one file', 'collector')).toEqual({ files: 1, lines: TOTAL / 64, kept: 0, named: 1, firstAndLast: ['big.txt', 'big.txt'] });
  });

  test('100,000 files', () => {
    expect(inChild('many files', 'events')).toEqual({ files: 100_000, lines: 600_000, characters: 600_000 * 58 });
    const name = (i: number): string => `folder/of/some/depth/file-number-${i}.txt`;
    const kept = Math.floor(4_000_000 / (6 * 59));
    expect(inChild('many files', 'collector', 96)).toEqual({
      files: 100_000,
      lines: 600_000,
      kept,
      named: 100_000 - kept,
      firstAndLast: [name(0), name(99_999)],
    });
  });

  test('lines of 1 MB', () => {
    expect(inChild('long lines', 'events')).toEqual({ files: 1, lines: 50, characters: TOTAL });
    expect(inChild('long lines', 'collector')).toEqual({ files: 1, lines: 50, kept: 0, named: 1, firstAndLast: ['long.txt', 'long.txt'] });
  });
});
