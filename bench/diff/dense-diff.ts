/**
 * A deterministic diff of about 6.5 MB for the benches: many small hunks, about 165,000 lines, no randomness.
 */

const TARGET_CHARACTERS = 6_500_000;
const HUNKS_A_FILE = 40;

export const denseDiff = (): string => {
  const pieces: string[] = [];
  let size = 0;
  for (let file = 0; size < TARGET_CHARACTERS; file += 1) {
    const section = fileSection(file);
    pieces.push(section);
    size += section.length;
  }
  return pieces.join('');
};

function fileSection(file: number): string {
  const path = `packages/core/src/module-${file}.ts`;
  const head = `diff --git a/${path} b/${path}\nindex 1111111..2222222 100644\n--- a/${path}\n+++ b/${path}\n`;
  return head + Array.from({ length: HUNKS_A_FILE }, (_, hunk) => hunkText(file, hunk)).join('');
}

function hunkText(file: number, hunk: number): string {
  const start = 1 + hunk * 20;
  const around = (name: string): string => [0, 1, 2].map(i => ` const ${name}${i} = compute(${file}, ${hunk}, ${i});\n`).join('');
  const changed = `-  return previous(${file}, ${hunk}) + offset;\n+  return current(${file}, ${hunk}) + offset;\n`;
  return `@@ -${start},7 +${start},7 @@ export function step${hunk}(state: State) {\n${around('before')}${changed}${around('after')}`;
}
