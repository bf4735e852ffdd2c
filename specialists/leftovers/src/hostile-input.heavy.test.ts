/**
 * A million characters that are made to be slow. Quadratic work on so much text takes hours and runs into the timeout.
 */
import type { DiffFile } from '@weir/diff';
import { verifies } from '@weir/requirements';
import { expect, test } from 'vitest';
import { specialist } from './index.ts';

const LT = '<'.repeat(7);
const EQ = '='.repeat(7);
function added(path: string, text: string): DiffFile {
  const lines = text.split('\n').map((line, index) => ({ kind: 'added' as const, old: null, new: index + 1, text: line }));
  const paths = { oldPath: null, newPath: path, kind: 'added' as const, oldMode: null, newMode: null };
  const flags = { binary: false, submodule: false, oldNoEol: false, newNoEol: false, problem: null };
  return { ...paths, ...flags, hunks: [{ oldStart: 0, oldLines: 0, newStart: 1, newLines: lines.length, lines }] };
}

const units = [
  '"',
  "'",
  '`',
  '`${',
  '/',
  '=/[',
  '{',
  '/*',
  '"""',
  '\\',
  ' .only',
  '<<A ',
  "'\n",
  '<<A\n',
  `${LT} a\n`,
  `${EQ}\n`,
  "it.only('a')\n",
  'test\n .only(',
];

test.each(units)(
  `${verifies('SPEC-6')} a million characters of %j`,
  async unit => {
    const text = unit.repeat(Math.ceil(1_000_000 / unit.length));
    for (const path of ['a.test.ts', 'a_spec.rb', 'a.py']) {
      const result = await specialist.review?.check?.({ files: [added(path, `${text}\nit.only debugger`)], signal: { aborted: false } });
      expect(result?.findings.length).toBeLessThanOrEqual(200);
      expect(result?.partial.filter(({ reason }) => !reason.endsWith('the first 200 are listed'))).toEqual([]);
    }
  },
  120_000,
);
