import { expect, test } from 'vitest';
import { citations } from './citations.ts';
import { building, built, untested } from './requirements.ts';

test('every built rule has a test, or stands in the list of untested rules with its reason', async () => {
  const cited = await citations();
  expect(Object.keys(built).filter(id => !cited.has(id) && !(id in untested))).toEqual([]);
});

test('the list of untested rules only shrinks: a rule that has a test is not in it', async () => {
  const cited = await citations();
  expect(Object.keys(untested).filter(id => cited.has(id))).toEqual([]);
});

test('every cited rule is built or being built', async () => {
  expect([...(await citations()).keys()].filter(id => !(id in built) && !(id in building))).toEqual([]);
});
