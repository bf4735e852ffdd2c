import { verifies } from '@weir/requirements';
import { expect, test } from 'vitest';
import { cutEnd, cutMiddle, padTo, widthOf } from './display-width.ts';

test(`${verifies('REV-20a')} cells: wide characters and emoji take two, marks and joiners none`, () => {
  const widths: readonly (readonly [text: string, cells: number])[] = [
    ['abc', 3],
    ['決済', 4],
    ['한글', 4],
    ['ｆｕｌｌ', 8],
    ['e\u0301', 1],
    ['\u0301', 0],
    ['👩‍💻', 2],
    ['🇩🇪', 2],
    ['⛔', 2],
    ['▲', 1],
    ['☃', 1],
    ['☃\ufe0f', 2],
  ];
  for (const [text, cells] of widths) expect(widthOf(text), text).toBe(cells);
});

test(`${verifies('REV-20a')} a cut text never takes more cells than it may, and says that it is cut`, () => {
  expect(cutEnd('abcdef', 4)).toBe('abc…');
  expect(cutEnd('abcd', 4)).toBe('abcd');
  expect(cutEnd('決済決済', 4)).toBe('決…');
  expect(cutMiddle('src/a/very/long/path.ts:17', 14)).toBe('src/…ath.ts:17');
  expect(padTo('決', 4)).toBe('決  ');
});
