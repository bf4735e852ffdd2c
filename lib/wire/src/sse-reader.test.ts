import { verifies } from '@weir/requirements';
import { expect, test } from 'vitest';
import { createSseReader } from './sse-reader.ts';

const read = (chunks: readonly string[]): readonly (readonly [string, string])[] => {
  const reader = createSseReader();
  return [...chunks.flatMap(chunk => reader.push(new TextEncoder().encode(chunk))), ...reader.end()].map(({ name, data }) => [name, data] as const);
};

test.each([
  ['a line end of two characters that is cut between them', ['event: x\r', '\ndata: a\r', '\ndata: b\r\n\r', '\n'], [['x', 'a\nb']]],
  [
    'carriage returns alone',
    ['data: a\rdata: b\r\rdata: c\r\r'],
    [
      ['', 'a\nb'],
      ['', 'c'],
    ],
  ],
  ['comments, ids and unknown fields', [': ping\n\nid: 7\nretry: 1\nodd\ndata:x\n\n'], [['', 'x']]],
  ['a colon without a space, and only one space taken', ['data:  x\n\n'], [['', ' x']]],
  [
    'a last event without its blank line',
    ['data: a\n\ndata: b'],
    [
      ['', 'a'],
      ['', 'b'],
    ],
  ],
  ['nothing', [''], []],
])(`${verifies('MOD-10')} %s`, (_what, chunks, events) => {
  expect(read(chunks)).toEqual(events);
});

test(`${verifies('MOD-4')} a reader that keeps the text gives it back`, () => {
  const text = ': ping\n\nevent: x\nid: 1\ndata: a\ndata: b\n\n';
  const reader = createSseReader(true);
  expect(reader.push(text).map(event => event.raw)).toEqual(['event: x\nid: 1\ndata: a\ndata: b\n\n']);
});
