import { expect, test } from 'vitest';
import { stableRows } from './stable-rows.ts';

const rows = (...ids: readonly string[]) => ids.map(id => ({ id }));
const ids = (order: readonly string[] | null, ...fresh: readonly string[]) => {
  const { shown, waiting } = stableRows(order, rows(...fresh));
  return [shown.map(row => row.id).join(''), waiting];
};

test('before a person has seen rows, all are shown', () => expect(ids(null, 'a', 'b')).toEqual(['ab', 0]));
test('a new row above waits until it is asked for', () => expect(ids(['b', 'c'], 'a', 'b', 'c')).toEqual(['bc', 1]));
test('a row that moved up keeps its place', () => expect(ids(['a', 'b', 'c'], 'c', 'a', 'b')).toEqual(['abc', 0]));
test('a row that is gone leaves', () => expect(ids(['a', 'b'], 'b')).toEqual(['b', 0]));
test('a further page is added below', () => expect(ids(['a', 'b'], 'a', 'b', 'c', 'd')).toEqual(['abcd', 0]));
test('where all that was shown is gone, the fresh rows are shown', () => expect(ids(['a'], 'x', 'y')).toEqual(['xy', 0]));
