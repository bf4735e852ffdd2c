import { readFileSync } from 'node:fs';
import path from 'node:path';
import { verifies } from '@weir/requirements';
import { afterAll, describe, expect, test } from 'vitest';
import { runProgram, temporaryFolder } from './test-program.ts';

const { folder, release } = temporaryFolder();
afterAll(release);
const weir = async (args: readonly string[], input: string | Uint8Array): Promise<unknown> => {
  const { code, stdout, stderr } = await runProgram(folder, ['debug', ...args], { input });
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  return JSON.parse(stdout);
};

const two = 'diff --git a/x.ts b/x.ts\nindex 1..2 100644\n--- a/x.ts\n+++ b/x.ts\n@@ -5,3 +5,2 @@\n a\n-b\n c\n@@ -20 +19 @@\n-x\n+y\n';

describe('weir debug diff', () => {
  test(`${verifies('REV-20e')} the keys are these, and no others`, async () => {
    expect(await weir(['diff'], two)).toEqual({
      files: [
        {
          oldPath: 'x.ts',
          newPath: 'x.ts',
          kind: 'modified',
          oldMode: '100644',
          newMode: '100644',
          binary: false,
          submodule: false,
          oldNoEol: false,
          newNoEol: false,
          hunks: [
            {
              oldStart: 5,
              oldLines: 3,
              newStart: 5,
              newLines: 2,
              lines: [
                { kind: 'context', old: 5, new: 5, text: 'a' },
                { kind: 'removed', old: 6, new: null, text: 'b' },
                { kind: 'context', old: 7, new: 6, text: 'c' },
              ],
            },
            {
              oldStart: 20,
              oldLines: 1,
              newStart: 19,
              newLines: 1,
              lines: [
                { kind: 'removed', old: 20, new: null, text: 'x' },
                { kind: 'added', old: null, new: 19, text: 'y' },
              ],
            },
          ],
        },
      ],
    });
  });

  test(`${verifies('REV-20e')} bytes that are not UTF-8 come back from the JSON`, async () => {
    const bytes = Buffer.concat([Buffer.from('--- a/f\n+++ b/f\n@@ -1 +1 @@\n-a\n+caf'), Buffer.from([0xe9, 0x0a])]);
    const { files } = (await weir(['diff'], bytes)) as { files: { hunks: { lines: { text: string }[] }[] }[] };
    expect(files[0]?.hunks[0]?.lines[1]?.text).toBe('caf\udce9');
  });

  test('nothing in, no files out; a cut hunk keeps its lines and says so', async () => {
    expect(await weir(['diff'], '')).toEqual({ files: [] });
    const { files } = (await weir(['diff'], two.slice(0, two.indexOf(' c\n')))) as { files: { problem?: string; hunks: { lines: unknown[] }[] }[] };
    expect(files[0]?.hunks[0]?.lines).toHaveLength(2);
    expect(files[0]?.problem).toMatch(/./);
  });
});

describe('weir debug anchor', () => {
  test(`${verifies('REV-17')} prints the anchor, or why there is none`, async () => {
    expect(await weir(['anchor', '--path', 'x.ts', '--line', '19'], two)).toEqual({ side: 'new', line: 19, endLine: 19, hunk: 1 });
    expect(await weir(['anchor', '--path', 'x.ts', '--line', '6', '--side', 'old'], two)).toEqual({ side: 'old', line: 6, endLine: 6, hunk: 0 });
    expect(await weir(['anchor', '--path', 'x.ts', '--line', '900'], two)).toEqual({ unanchorable: expect.any(String) });
    expect(await weir(['anchor', '--path', 'y.ts', '--line', '1'], two)).toEqual({ unanchorable: 'y.ts is not in the diff' });
  });

  test(`${verifies('REV-17')} one path in several sections: the first that has the line, on the new side before the old`, async () => {
    const typeChange =
      'diff --git a/f b/f\ndeleted file mode 100644\nindex 1..0\n--- a/f\n+++ /dev/null\n@@ -1,2 +0,0 @@\n-a\n-b\n' +
      'diff --git a/f b/f\nnew file mode 120000\nindex 0..1\n--- /dev/null\n+++ b/f\n@@ -0,0 +1 @@\n+t\n\\ No newline at end of file\n';
    const at = (line: number, ...more: string[]) => weir(['anchor', '--path', 'f', '--line', `${line}`, ...more], typeChange);
    expect(await at(1)).toMatchObject({ side: 'new', line: 1 });
    expect(await at(1, '--side', 'old')).toMatchObject({ side: 'old', line: 1 });
    expect(await at(2)).toMatchObject({ side: 'old', line: 2 });
    expect(await at(2, '--side', 'new')).toEqual({ unanchorable: expect.any(String) });
    const log = `commit 1\n\n    x\n\n${two}\ncommit 2\n\n    y\n\n${two.replace('-5,3 +5,2', '-105,3 +105,2').replace('-20 +19', '-120 +119')}`;
    expect(await weir(['anchor', '--path', 'x.ts', '--line', '119'], log)).toEqual({ side: 'new', line: 119, endLine: 119, hunk: 1 });
  });

  test(`${verifies('REV-17', 'REV-20e')} a path with bytes that are not UTF-8 is named as an argument can name it`, async () => {
    const text = 'diff --git "a/caf\\351" "b/caf\\351"\nindex 1..2 100644\n--- "a/caf\\351"\n+++ "b/caf\\351"\n@@ -1 +1 @@\n-a\n+b\n';
    expect(await weir(['anchor', '--path', 'caf\udce9', '--line', '1'], text)).toEqual({ side: 'new', line: 1, endLine: 1, hunk: 0 });
  });

  test('wrong arguments are a usage error', async () => {
    for (const args of [
      ['--path', 'x.ts', '--line', 'two'],
      ['--path', 'x.ts'],
      ['--path', 'x.ts', '--line', '1', '--side', 'left'],
    ]) {
      expect((await runProgram(folder, ['debug', 'anchor', ...args], { input: two })).code, args.join(' ')).toBe(2);
    }
  });
});

describe('weir debug findings', () => {
  const shared = path.resolve(import.meta.dirname, '../../..', process.env['WEIR_SHARED'] ?? '../shared');
  const own = path.resolve(import.meta.dirname, '../../../lib/model-answer/fixtures/cases.json');
  const file = path.join(shared, 'fixtures/model-output/cases.json');
  const read = (): { name: string; output: string; recoverableFindings: number; mayBeClean: boolean }[] => {
    try {
      return JSON.parse(readFileSync(file, 'utf8')) as ReturnType<typeof read>;
    } catch {
      console.warn(`SKIPPED: ${file} is not there (WEIR_SHARED); the cases of the repository are used`);
      return JSON.parse(readFileSync(own, 'utf8')) as ReturnType<typeof read>;
    }
  };

  test(`${verifies('REV-16', 'REV-16a')} every recorded answer: all recoverable findings, and clean only where it may be`, async () => {
    for (const { name, output, recoverableFindings, mayBeClean } of read()) {
      const reading = (await weir(['findings'], output)) as { findings: unknown[]; complete: boolean; reason: string | null };
      expect({ name, findings: reading.findings.length, complete: reading.complete }).toEqual({ name, findings: recoverableFindings, complete: mayBeClean });
      expect(reading.reason === null, name).toBe(mayBeClean);
    }
  });
});
