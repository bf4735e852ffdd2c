import { ROUND_STATUSES } from '@weir/contract';
import { verifies } from '@weir/requirements';
import { expect, test } from 'vitest';
import { comparePositions } from '../api/arrivals.ts';
import { figureText, readWhy } from '../shell/read-why.ts';
import { readReviewsFilter, reviewsQuery } from './reviews-filter.ts';

test('a filter that the address gives is taken, and nothing else is', () => {
  expect(readReviewsFilter({ view: 'ended', text: 412, repository: 'a/b', status: 'failed' })).toEqual({
    view: 'ended',
    text: '412',
    repository: 'a/b',
    status: 'failed',
  });
  expect(readReviewsFilter({ view: 'all', text: '', repository: ['x'], status: '__proto__', other: 1 })).toEqual({});
  expect(readReviewsFilter({ text: 'x'.repeat(301) })).toEqual({});
});

test(`${verifies('REV-11')} the views part the contract's statuses: each is in flight or ended, and what needs a person is among them`, () => {
  const of = (view: 'in-flight' | 'ended' | 'needs-me'): readonly string[] => reviewsQuery({ view }).status.split(',');
  expect([...of('in-flight'), ...of('ended')].sort()).toEqual(Object.keys(ROUND_STATUSES).sort());
  expect(of('needs-me')).toEqual(['refused', 'failed']);
});

test('a why of the address is a place of the API or nothing', () => {
  const id = '0'.repeat(32);
  expect(readWhy(`review/${id}/open_findings`)).toEqual({ path: `/reviews/${id}/why`, figure: 'open_findings' });
  expect(readWhy('spend/total')).toEqual({ path: '/spend/why', figure: 'total' });
  for (const text of ['', 'review/../x/y', `review/${id}/../z`, 'javascript:alert(1)']) expect(readWhy(text), text).toBeNull();
});

test(`${verifies('PRO-2')} the value of a why is said in its unit, and unknown is not zero`, () => {
  expect([
    figureText('cost', 44_000),
    figureText('model:a/b', 0),
    figureText('duration', 52_000),
    figureText('resolved', 1200),
    figureText('cost', null),
  ]).toEqual(['$0.44', '$0.00', '52.0 s', '1,200', 'unknown']);
});

test.each([
  ['12-3', '12-4', -1],
  ['9-100', '10-1', -1],
  ['10-1', '10-1', 0],
  ['', '0-1', -1],
  ['99999999999999999999-2', '99999999999999999999-1', 1],
])('position %s against %s', (a, b, order) => expect(comparePositions(a, b)).toBe(order));
