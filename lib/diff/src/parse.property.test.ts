/**
 * Properties of the parser: random file pairs come back exactly, damage stays where it is, chunks do not matter, nothing throws.
 */
import { verifies } from '@weir/requirements';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Blob, differencesFrom } from '../tests/blob-check.ts';
import { createDiffReader, type DiffFile, type DiffLine, encodeLossless, type FileHead, type Hunk, parseDiff } from './index.ts';

/** Contents that parsers have taken for structure. */
const line = fc.oneof(
  fc.constantFrom(
    '',
    ' ',
    '-- x',
    '++ y',
    '- a/x',
    '+ b/x',
    '@@ -1 +1 @@',
    'diff --git a/x b/x',
    '\\ No newline',
    '\r',
    'a\r',
    '\u2028',
    '\f',
    '-- ',
    '\udce9',
    'Binary files a and b differ',
  ),
  fc.string({ unit: 'binary', maxLength: 8 }).map(text => text.replaceAll('\n', '')),
);

const blob: fc.Arbitrary<Blob> = fc
  .record({ lines: fc.array(line, { maxLength: 14 }), noEol: fc.boolean() })
  .map(({ lines, noEol }) => ({ lines, noEol: noEol && lines.length > 0 && lines.at(-1) !== '' }));

interface Step {
  readonly mark: ' ' | '-' | '+';
  readonly text: string;
}

/** A simple edit script: common start and end, everything between replaced, some common lines in the middle kept. */
function stepsBetween(old: Blob, now: Blob): Step[] {
  const endOf = (of: Blob, i: number): string => (of.noEol && i === of.lines.length - 1 ? 'cut' : 'whole');
  const steps: Step[] = [];
  let j = 0;
  old.lines.forEach((text, i) => {
    const found = now.lines.findIndex((other, k) => k >= j && k < j + 4 && other === text && endOf(old, i) === endOf(now, k));
    if (found < 0) {
      steps.push({ mark: '-', text });
      return;
    }
    for (; j < found; j += 1) steps.push({ mark: '+', text: now.lines[j] ?? '' });
    steps.push({ mark: ' ', text });
    j += 1;
  });
  for (; j < now.lines.length; j += 1) steps.push({ mark: '+', text: now.lines[j] ?? '' });
  return steps;
}

const span = (start: number, count: number): string => (count === 1 ? `${start}` : `${count === 0 ? start - 1 : start},${count}`);

/** One hunk of these steps; both numbers are those of its first line. */
function renderHunk(steps: readonly Step[], pair: { old: Blob; new: Blob }, first: { old: number; new: number }): string {
  const next = { ...first };
  let body = '';
  for (const { mark, text } of steps) {
    const sides = mark === ' ' ? (['old', 'new'] as const) : mark === '-' ? (['old'] as const) : (['new'] as const);
    const cut = sides.some(side => pair[side].noEol && next[side] === pair[side].lines.length);
    for (const side of sides) next[side] += 1;
    body += `${mark}${text}\n${cut ? '\\ No newline at end of file\n' : ''}`;
  }
  return `@@ -${span(first.old, next.old - first.old)} +${span(first.new, next.new - first.new)} @@ f\n${body}`;
}

/** Renders as git does: hunks with `around` context lines, counts of 1 omitted, markers after the last lines. */
function render(old: Blob, now: Blob, around: number): string {
  const steps = stepsBetween(old, now);
  const shown = steps.map((_, i) => steps.some((step, k) => step.mark !== ' ' && Math.abs(i - k) <= around));
  const number = { old: 1, new: 1 };
  let text = '';
  let open: Step[] = [];
  steps.forEach((step, i) => {
    if (shown[i]) open.push(step);
    if (open.length > 0 && !shown[i + 1]) {
      text += renderHunk(open, { old, new: now }, number);
      number.old += open.filter(({ mark }) => mark !== '+').length;
      number.new += open.filter(({ mark }) => mark !== '-').length;
      open = [];
    } else if (!shown[i]) {
      number.old += 1;
      number.new += 1;
    }
  });
  return text;
}

const sectionOf = (name: string, hunks: string): string =>
  `diff --git a/${name} b/${name}\nold mode 100644\nnew mode 100755\n${hunks === '' ? '' : `--- a/${name}\n+++ b/${name}\n${hunks}`}`;

const change = fc.record({ old: blob, new: blob, around: fc.integer({ min: 0, max: 4 }) });

const inChunks = (text: string, cuts: readonly number[]): DiffFile[] => {
  const files: DiffFile[] = [];
  let head: FileHead | undefined;
  let hunks: Hunk[] = [];
  let lines: DiffLine[] = [];
  const reader = createDiffReader({
    startFile: fileHead => {
      head = fileHead;
      hunks = [];
    },
    startHunk: range => {
      lines = [];
      hunks.push({ ...range, lines });
    },
    line: (kind, old, now, content) => lines.push({ kind, old, new: now, text: content }),
    endFile: tail => {
      if (head !== undefined) files.push({ ...head, ...tail, hunks });
    },
  });
  let from = 0;
  for (const cut of cuts) {
    reader.push(text.slice(from, cut));
    from = cut;
  }
  reader.push(text.slice(from));
  reader.end();
  return files;
};

describe(`${verifies('REV-20e', 'REV-17')} properties`, () => {
  test('two files, their diff, and back: lines, numbers, ends of file and anchors', () => {
    fc.assert(
      fc.property(fc.array(change, { minLength: 1, maxLength: 4 }), changes => {
        const text = changes.map((pair, i) => sectionOf(`f${i}`, render(pair.old, pair.new, pair.around))).join('');
        const files = parseDiff(text);
        expect(files.map(file => [file.newPath, file.problem])).toEqual(changes.map((_, i) => [`f${i}`, null]));
        files.forEach((file, i) => {
          const pair = changes[i];
          if (pair !== undefined) expect(differencesFrom(file, { old: pair.old, new: pair.new })).toEqual([]);
        });
      }),
      { numRuns: 400 },
    );
  });

  test('damage to one section leaves the next one whole', () => {
    fc.assert(
      fc.property(change, fc.nat(), fc.nat(), fc.string({ unit: 'binary', maxLength: 5 }), change, (pair, at, length, noise, next) => {
        const text = sectionOf('f', render(pair.old, pair.new, pair.around));
        const from = at % text.length;
        const damaged = text.slice(0, from) + noise + text.slice(from + (length % 30));
        const good = sectionOf('next', render(next.old, next.new, next.around));
        expect(parseDiff(`${damaged}\n${good}`).at(-1)).toEqual(parseDiff(good)[0]);
      }),
      { numRuns: 400 },
    );
  });

  test('any text parses, with and without words of the format', () => {
    const words = fc.constantFrom(
      'diff --git ',
      'diff --cc ',
      'a/x b/x',
      '"a',
      '--- ',
      '+++ ',
      '@@ -1 +1 @@',
      '@@@ -1 -1 +1 @@@',
      '@@ -',
      '1,2',
      '\n',
      '\n',
      '\n+',
      '\n-',
      '\n ',
      '\n\\',
      '\r\n',
      'rename from ',
      'Binary files ',
      ' and ',
      ' differ',
      'Submodule x 1234..5678:',
      'Only in ',
      '\t',
      '/dev/null',
      '\\303',
      '"',
    );
    fc.assert(
      fc.property(fc.array(fc.oneof(words, fc.string({ unit: 'binary', maxLength: 4 })), { maxLength: 40 }), pieces => {
        const text = pieces.join('');
        const files = parseDiff(text);
        const cuts = pieces.map((_, i) => pieces.slice(0, i).join('').length);
        expect(inChunks(text, cuts)).toEqual(files);
      }),
      { numRuns: 1000 },
    );
  });

  test('every split of a diff gives the same files', () => {
    fc.assert(
      fc.property(change, change, (first, second) => {
        const text = sectionOf('f', render(first.old, first.new, first.around)) + sectionOf('g', render(second.old, second.new, second.around));
        const whole = parseDiff(text);
        for (let cut = 0; cut <= text.length; cut += 1) expect(inChunks(text, [cut])).toEqual(whole);
        expect(inChunks(text, [...text.split('').keys()])).toEqual(whole);
      }),
      { numRuns: 15 },
    );
  });

  test('all content is there: the bytes of the lines add up', () => {
    fc.assert(
      fc.property(change, pair => {
        const hunks = render(pair.old, pair.new, pair.around);
        const lines = parseDiff(sectionOf('f', hunks)).flatMap(file => file.hunks.flatMap(hunk => hunk.lines));
        const sum = lines.reduce((bytes, { text }) => bytes + encodeLossless(text).length + 2, 0);
        const body = hunks
          .split('\n')
          .filter(text => !text.startsWith('@@') && !text.startsWith('\\'))
          .join('\n');
        expect(sum).toBe(encodeLossless(body).length);
      }),
    );
  });
});
