import { expect, test } from 'vitest';
import { type MigrationRecord, pendingMigrations } from './pending-migrations.ts';

const checksum = (sql: string): string => `sum of ${sql}`;
const file = (name: string, sql = name): { name: string; sql: string } => ({ name, sql });
const done = (...names: string[]): MigrationRecord[] => names.map(name => ({ name, checksum: checksum(name) }));
const set = (...names: string[]): { set: string; migrations: { name: string; sql: string }[] } => ({ set: 'audit', migrations: names.map(name => file(name)) });

test('the files after the ones that ran are pending, in their order', () => {
  expect(pendingMigrations(set('1', '2', '3'), [], checksum)).toEqual({ pending: [file('1'), file('2'), file('3')] });
  expect(pendingMigrations(set('1', '2', '3'), done('1'), checksum)).toEqual({ pending: [file('2'), file('3')] });
  expect(pendingMigrations(set('1'), done('1'), checksum)).toEqual({ pending: [] });
  expect(pendingMigrations(set(), [], checksum)).toEqual({ pending: [] });
});

test.each([
  ['a changed file', { set: 'audit', migrations: [file('1', 'other'), file('2')] }, done('1'), /audit\/1 was changed after it ran/],
  ['a missing file', set('2', '3'), done('1', '2'), /audit\/1 has run here, but its file is missing/],
  ['a file put in between', set('1', '2', '3'), done('1', '3'), /audit\/2 is new but stands before 3/],
  ['a database of a newer version', set('1'), done('1', '2'), /audit\/2, which this program does not know: a newer version/],
  ['names out of order', set('2', '1'), [], /not sorted by unique names: 1/],
  ['a name that is there twice', set('1', '1'), [], /not sorted by unique names: 1/],
])('%s is refused with a sentence', (_, migrations, records, sentence) => {
  expect(pendingMigrations(migrations, records, checksum)).toEqual({ refusal: expect.stringMatching(sentence) });
});
