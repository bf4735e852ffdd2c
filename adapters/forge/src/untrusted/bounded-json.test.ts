import { verifies } from '@weir/requirements';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { boundedJson } from './bounded-json.ts';

const print = (value: unknown, limit = 2_000, clean: (text: string) => string = text => text) => boundedJson(value, { limit, clean, finish: json => json });
const parsed = (value: unknown, limit?: number): unknown => JSON.parse(print(value, limit).text);

test('a value that fits is printed as it is, a text without quotes', () => {
  const value = { a: [1, true, null, 'x\ny'], b: { c: -1.5 } };
  expect(parsed(value)).toEqual(value);
  expect(print(value).cut).toEqual({ texts: 0, lists: 0, nested: 0 });
  expect(print('two\nlines').text).toBe('two\nlines');
});

test(`${verifies('REV-14')} long texts are shortened first, and each says how much of it is missing`, () => {
  const value = {
    comments: [
      { body: 'a'.repeat(9_000), id: '1' },
      { body: 'short', id: '2' },
    ],
  };
  const { text, cut } = print(value);
  expect(JSON.parse(text)).toEqual({
    comments: [{ body: expect.stringMatching(/^a{1000}\[weir: cut here, 1000 of 9000 characters are shown\]$/) as string, id: '1' }, value.comments[1]],
  });
  expect(cut).toEqual({ texts: 1, lists: 0, nested: 0 });
});

test(`${verifies('REV-14')} lists and objects are cut when short texts are not enough, and say so`, () => {
  const list = Array.from({ length: 5_000 }, (_, at) => ({ id: at }));
  const shown = parsed(list) as unknown[];
  expect(shown.length).toBeGreaterThan(50);
  expect(shown.at(-1)).toBe(`[weir: cut here, ${shown.length - 1} of 5000 entries are shown]`);
  const object = Object.fromEntries(list.map(({ id }) => [`member ${id}`, id]));
  const members = parsed(object) as Record<string, unknown>;
  expect(members['[weir: cut here]']).toBe(`${Object.keys(members).length - 1} of 5000 members are shown`);
  expect(print(object).cut).toEqual({ texts: 0, lists: 1, nested: 0 });
});

test(`${verifies('REV-14')} nesting without end is cut, and a limit that nothing fits is told`, () => {
  let deep: unknown = 'x';
  for (let level = 0; level < 50_000; level += 1) deep = [deep];
  const { text, cut } = print(deep, 20_000);
  expect(cut.nested).toBe(1);
  expect(JSON.stringify(JSON.parse(text))).toContain('[weir: cut here, nested too deeply]');
  expect(print({ a: 1 }, 1).text).toBe('"[weir: cut here, nothing of this answer fits]"');
});

test('no member is lost: names that are alike once cleaned, and names of prototypes, are own members', () => {
  const value: unknown = JSON.parse('{"__proto__":{"polluted":1},"constructor":2,"a\\u200b":3,"aX":4,"aX+3":5,"toJSON":6}');
  const { text } = print(value, 2_000, dirty => dirty.replaceAll('\u200b', 'X'));
  const shown = JSON.parse(text) as object;
  expect(Object.entries(shown)).toEqual([
    ['__proto__', { polluted: 1 }],
    ['constructor', 2],
    ['aX', 3],
    ['aX+3', 4],
    ['aX+3+4', 5],
    ['toJSON', 6],
  ]);
  expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
});

test('a cut leaves no half of a character', () => {
  const shown = print({ a: `${'x'.repeat(999)}${'😀'.repeat(2_000)}` }).text;
  expect(shown).not.toMatch(/\\ud[89a-f]/i);
});

test(`${verifies('REV-14')} whatever the value, the JSON is whole and within the limit, and what is not there is said`, () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 6 }), fc.integer({ min: 200, max: 3_000 }), (value, limit) => {
      const { text, cut } = print({ value }, limit);
      expect(text.length).toBeLessThanOrEqual(limit);
      const shown: unknown = JSON.parse(text);
      if (cut.texts + cut.lists + cut.nested === 0) expect(JSON.stringify(shown)).toBe(JSON.stringify({ value }));
      else expect(text).toContain('[weir: cut here');
    }),
    { numRuns: 300 },
  );
});

test('the work is bounded by the limit, not by the value', () => {
  let cleaned = 0;
  const list = Array.from({ length: 100_000 }, () => ({ body: 'x'.repeat(1_000) }));
  print(list, 2_000, text => {
    cleaned += text.length;
    return text;
  });
  expect(cleaned).toBeLessThan(100_000);
});
