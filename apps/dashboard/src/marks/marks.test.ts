import { ROUND_STATUSES } from '@weir/contract';
import { verifies } from '@weir/requirements';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { railOf } from './rail-of.ts';
import { type Part, wordChanges } from './word-changes.ts';

describe('phase rail', () => {
  test.each([
    ['generating', null, ['done', 'done', 'running', 'next']],
    ['completed', null, ['done', 'done', 'done', 'done']],
    ['failed', 'posting', ['done', 'done', 'done', 'failed']],
    ['refused', 'gathering', ['done', 'waiting', 'next', 'next']],
    ['superseded', 'fetching', ['over', 'next', 'next', 'next']],
    ['queued', null, ['next', 'next', 'next', 'next']],
  ])('%s, last seen at %s', (status, reached, bars) => expect(railOf(status, reached)).toEqual(bars));

  test(`${verifies('REV-11')} a status that is not known shows nothing as done, and only an end that is good shows all`, () => {
    expect(railOf('exploded', null)).toEqual(['next', 'next', 'next', 'next']);
    for (const [status, { tone }] of Object.entries(ROUND_STATUSES))
      expect(
        railOf(status, null).every(bar => bar === 'done'),
        status,
      ).toBe(tone === 'ok');
  });
});

describe('words that changed', () => {
  const changed = (parts: readonly Part[]): string =>
    parts
      .filter(part => part.changed)
      .map(part => part.text)
      .join('|');
  test.each([
    ['await this.tx(() => this.post(entries));', 'await this.post(entries);', 'tx(() => this.post(entries)', 'post(entries'],
    ['const a = 1;', 'const b = 1;', 'a', 'b'],
    ['same', 'same', '', ''],
    ['alpha', 'beta', '', ''],
  ])('%s → %s', (before, after, old, young) => expect(wordChanges(before, after).map(changed)).toEqual([old, young]));

  test('nothing is lost, and what is unmarked is equal on both sides', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), (before, after) => {
        const [old, young] = wordChanges(before, after);
        const text = (parts: readonly Part[]): string => parts.map(part => part.text).join('');
        expect([text(old), text(young)]).toEqual([before, after]);
      }),
    );
  });
});
