/** The limits of a change's size. */
import { verifies } from '@weir/requirements';
import { expect, test } from 'vitest';
import { decideChangeSize, readChangeLimits } from './change-size.policy.ts';

const size = { changedFiles: 12, diffBytes: 5_000 };

test(`${verifies('REV-31')} unset limits are no limits`, () => {
  const { limits, problems } = readChangeLimits({ changedFiles: null, diffBytes: null });
  expect(problems).toEqual([]);
  expect(decideChangeSize(limits, { changedFiles: 1_000_000, diffBytes: 1_000_000_000 })).toEqual({ allowed: true });
});

test.each(['many', '1.5', '-1', '', '1e3', '9'.repeat(16), 'boolean'])(`${verifies('REV-31')} the limit %j makes no sense: it is none, and named`, text => {
  expect(readChangeLimits({ changedFiles: text, diffBytes: '7' })).toEqual({
    limits: { changedFiles: null, diffBytes: 7 },
    problems: [expect.stringContaining('caps.changedFiles cannot be read')],
  });
});

test(`${verifies('REV-31')} a change beyond a limit is refused with what was measured; the limit is the operator's to know`, () => {
  expect(decideChangeSize({ changedFiles: 12, diffBytes: 5_000 }, size)).toEqual({ allowed: true });
  expect(decideChangeSize({ changedFiles: 11, diffBytes: null }, size)).toEqual({
    allowed: false,
    code: 'change_too_large',
    measurement: '12 changed files',
    operatorSentence: 'The change has 12 changed files. The limit is 11.',
  });
  const bytes = decideChangeSize({ changedFiles: null, diffBytes: 4_999 }, size);
  expect(bytes).toMatchObject({ code: 'change_too_large', measurement: '5000 bytes of diff' });
  expect(bytes).not.toMatchObject({ measurement: expect.stringContaining('4999') });
});
