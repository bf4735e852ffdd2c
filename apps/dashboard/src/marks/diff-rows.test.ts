import { expect, test } from 'vitest';
import { type DiffHunk, rowsOf } from './diff-rows.ts';

const hunk = (...lines: readonly string[]): DiffHunk => ({
  oldStart: 41,
  newStart: 41,
  lines: lines.map(line => ({ kind: line.startsWith('+') ? 'add' : line.startsWith('-') ? 'del' : 'context', text: line.slice(1) })),
});
const shown = (...lines: readonly string[]): readonly string[] =>
  rowsOf(hunk(...lines)).map(
    row => `${row.oldLine ?? ''}|${row.newLine ?? ''}|${row.parts.map(part => (part.changed ? `[${part.text}]` : part.text)).join('')}`,
  );

test('both numbers move on by what each side has', () => {
  expect(shown(' open', '-post', '+emit', '+emit twice', ' close')).toEqual(['41|41|open', '42||post', '|42|emit', '|43|emit twice', '43|44|close']);
});
test('a line that was changed shows its words', () => {
  expect(shown('-const a = 1;', '+const b = 1;')).toEqual(['41||const [a] = 1;', '|41|const [b] = 1;']);
});
test('two lines for two lines are matched in their order', () => {
  expect(shown('-let a', '-let b', '+let c', '+let d')).toEqual(['41||let [a]', '42||let [b]', '|41|let [c]', '|42|let [d]']);
});
test('one line for two is not matched, and added lines before deleted ones are not either', () => {
  expect(shown('-let a', '+let b', '+let c')).toEqual(['41||let a', '|41|let b', '|42|let c']);
  expect(shown('+let b', '-let a')).toEqual(['|41|let b', '41||let a']);
});
