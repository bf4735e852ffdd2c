import { verifies } from '@weir/requirements';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readVerdicts } from './index.ts';

const asked = { finish: 'stop', findings: ['1a', '1b', '2c'] } as const;
const read = (text: string, more: Partial<Parameters<typeof readVerdicts>[1]> = {}) => readVerdicts(text, { ...asked, ...more });
const said = (text: string) => read(text).verdicts.map(({ finding, verdict }) => `${finding} ${verdict}`);
const whole = {
  verdicts: [
    { finding: '1a', verdict: 'resolved', reason: 'the guard is there' },
    { finding: '1b', verdict: 'still_open', reason: 'no' },
    { finding: '2c', verdict: 'unchanged', reason: '' },
  ],
};

test(`${verifies('REV-22')} a whole answer gives one verdict a finding`, () => {
  expect(read(JSON.stringify(whole))).toEqual({ verdicts: whole.verdicts, ignored: 0, complete: true });
});

test.each([
  ['in a code fence with prose around', `Here they are:\n\`\`\`json\n${JSON.stringify(whole)}\n\`\`\`\nThat is all {for now}.`],
  ['as a bare list', JSON.stringify(whole.verdicts)],
  [
    'with trailing commas and other keys',
    '{"results":[{"id":"1a","status":"Resolved","explanation":"x",},{"finding_id":"#1B","verdict":"STILL OPEN"},{"finding":"2c","verdict":"unchanged"},]}',
  ],
  ['by id', '{"verdicts":{"1a":"resolved","1b":{"verdict":"still-open","reason":"x"},"2c":"unchanged"}}'],
  ['one a line', whole.verdicts.map(one => JSON.stringify(one)).join('\n')],
  ['packed into a string', JSON.stringify({ name: 'answer', arguments: JSON.stringify(whole) })],
  ['escaped as a whole', JSON.stringify(JSON.stringify(whole)).slice(1, -1)],
  ['after thinking', `<think>{"finding":"1a","verdict":"superseded"}</think>${JSON.stringify(whole)}`],
])(`${verifies('REV-16', 'REV-22')} an answer %s is read`, (_, text) => {
  expect(said(text)).toEqual(['1a resolved', '1b still_open', '2c unchanged']);
});

test(`${verifies('REV-22')} what is no verdict of the set, or about no finding that was asked about, is ignored and counted`, () => {
  const reading = read(
    '[{"finding":"1a","verdict":"fixed"},{"finding":"9z","verdict":"resolved"},{"finding":"__proto__","verdict":"resolved"},{"finding":"1b","verdict":"resolved"}]',
  );
  expect(reading).toEqual({ verdicts: [{ finding: '1b', verdict: 'resolved', reason: '' }], ignored: 3, complete: false });
});

test(`${verifies('REV-22')} the first verdict on a finding counts`, () => {
  expect(said('[{"finding":"1a","verdict":"unchanged"},{"finding":"1a","verdict":"resolved"}]')).toEqual(['1a unchanged']);
});

test(`${verifies('REV-16a')} a cut answer keeps its whole verdicts, drops the cut one, and is not complete`, () => {
  const text = '{"verdicts":[{"finding":"1a","verdict":"resolved","reason":"x"},{"finding":"1b","verdict":"resolved","rea';
  expect(read(text, { finish: 'length' })).toEqual({ verdicts: [{ finding: '1a', verdict: 'resolved', reason: 'x' }], ignored: 1, complete: false });
  expect(read(JSON.stringify(whole), { finish: 'length' }).complete).toBe(false);
});

test(`${verifies('REV-16a')} an answer that says nothing is not complete`, () => {
  for (const text of ['', 'LGTM', '{}', '{"verdicts":[]}', '[[[[']) expect(read(text)).toEqual({ verdicts: [], ignored: 0, complete: false });
});

test(`${verifies('REV-22')} whatever comes, only findings that were asked about get verdicts, each once`, () => {
  const piece = fc.constantFrom('{"finding":"1a"', '"verdict":"resolved"', '"1b"', ':', ',', '{', '}', '[', ']', '"', '\\"', 'x', '<think>', '</think>', '```');
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 40 }), pieces => {
      const { verdicts } = read(pieces.join(''));
      const ids = verdicts.map(({ finding }) => finding);
      expect(new Set(ids).size).toBe(ids.length);
      expect(ids.every(id => (asked.findings as readonly string[]).includes(id))).toBe(true);
    }),
    { numRuns: 300 },
  );
});
