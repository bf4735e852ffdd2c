/** The reader of git's own diff, on text that git prints. */
import { expect, test } from 'vitest';
import { readChangedFiles, readDiffLines } from './changed-file.ts';

const PATCH = ['@@ -10,4 +10,4 @@ head', ' a', '-b', '+B', ' c', ' d', '@@ -20 +20 @@', '-x', '\\ No newline at end of file', '+y'].join('\n');

test('a removed line counts on the old side, positions go on through later headers', () => {
  const lines = readDiffLines(PATCH);
  expect(lines.map(line => [line.kind, line.oldLine, line.newLine, line.position, line.hunk])).toEqual([
    ['context', 10, 10, 1, 0],
    ['removed', 11, null, 2, 0],
    ['added', null, 11, 3, 0],
    ['context', 12, 12, 4, 0],
    ['context', 13, 13, 5, 0],
    ['removed', 20, null, 7, 1],
    ['added', null, 20, 9, 1],
  ]);
});

test('joins raw entries with sections, pure renames and mode changes included', () => {
  const raw = [':100644 100644 aaa aaa R100', 'old name', 'new name', ':100644 100755 bbb bbb M', 'run.sh', ':000000 100644 000 ccc A', 'n', ''].join('\0');
  const patch =
    'diff --git a/old name b/new name\nsimilarity index 100%\nrename from old name\nrename to new name\ndiff --git a/run.sh b/run.sh\nold mode 100644\nnew mode 100755\ndiff --git a/n b/n\nnew file mode 100644\n--- /dev/null\n+++ b/n\n@@ -0,0 +1 @@\n+diff --git a/x b/x\n';
  const files = readChangedFiles(raw, patch);
  expect(files.map(file => [file.status, file.oldPath, file.path, file.patch])).toEqual([
    ['renamed', 'old name', 'new name', null],
    ['modified', 'run.sh', 'run.sh', null],
    ['added', 'n', 'n', '@@ -0,0 +1 @@\n+diff --git a/x b/x'],
  ]);
});
