import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readSqlArray, writeSqlArray } from './sql-array.ts';
import { sqlFailure, statementExcerpt } from './sql-failure.ts';
import { encodeSqlValue, sqlDecoder } from './sql-values.ts';

test('every array of texts and nulls reads back as it was written', () => {
  fc.assert(
    fc.property(fc.array(fc.option(fc.string({ unit: 'binary' }))), values => {
      const text = writeSqlArray(values, encodeSqlValue);
      expect(readSqlArray(text ?? '', element => element)).toEqual(values);
    }),
  );
});

test('nested arrays read back, with and without bounds', () => {
  expect(readSqlArray('{{1,2},{3,NULL}}', Number)).toEqual([[1, 2], [3, null]]); // biome-ignore format: one line
  expect(readSqlArray('[2:3]={"a","NULL"}', String)).toEqual(['a', 'NULL']);
  expect(readSqlArray('{}', String)).toEqual([]);
});

test('an array deeper than PostgreSQL has dimensions cannot travel', () => {
  expect(encodeSqlValue([[[[[[1]]]]]])).toBe('{{{{{{"1"}}}}}}');
  expect(encodeSqlValue([[[[[[[1]]]]]]])).toBeUndefined();
});

test('no text makes the reader of arrays or the decoders loop or throw', () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom('{', '}', ',', '"', '\\', 'a', 'NULL', '[', ']', '=') }), text => {
      expect(Array.isArray(readSqlArray(text, element => element))).toBe(true);
      expect(sqlDecoder(1184)(text)).toBeTypeOf('string');
    }),
  );
});

test('bytes of every value travel', () => {
  fc.assert(
    fc.property(fc.uint8Array(), bytes => {
      expect(sqlDecoder(17)(encodeSqlValue(bytes) ?? '')).toEqual(bytes);
    }),
  );
});

test.each([
  ['2026-01-02 03:04:05+00', '2026-01-02T03:04:05.000Z'],
  ['2026-01-02 03:04:05.1+00', '2026-01-02T03:04:05.100Z'],
  ['2026-01-02 03:04:05.123456+00', '2026-01-02T03:04:05.123456Z'],
  ['2026-01-02 03:04:05.1234+00', '2026-01-02T03:04:05.123400Z'],
  ['infinity', 'infinity'],
  ['0044-03-15 12:00:00+00 BC', '0044-03-15 12:00:00+00 BC'],
])('the moment %s arrives as %s', (text, iso) => {
  expect(sqlDecoder(1184)(text)).toBe(iso);
});

test.each([
  ['08006', 'DATABASE_UNAVAILABLE'],
  ['08P01', 'DATABASE_REFUSED'],
  ['23505', 'DATABASE_REFUSED'],
  ['40001', 'DATABASE_CONFLICT'],
  ['40P01', 'DATABASE_CONFLICT'],
  ['40002', 'DATABASE_REFUSED'],
  ['53300', 'DATABASE_UNAVAILABLE'],
  ['55P03', 'DATABASE_CONFLICT'],
  ['57P03', 'DATABASE_UNAVAILABLE'],
  ['XX000', 'DATABASE_REFUSED'],
  ['', 'DATABASE_REFUSED'],
])('SQLSTATE %s is %s', (state, code) => {
  expect(sqlFailure({ state }, 'select 1').code).toBe(code);
});

test('a failure names the places that the database names', () => {
  expect(sqlFailure({ state: '23505', table: 't', constraint: 't_pkey', column: undefined }, 'insert into t values ($1)').sentence).toBe(
    'The database answers SQLSTATE 23505: a unique value exists already (table t, constraint t_pkey, in `insert into t values ($1)`).',
  );
});

test.each([
  ["select 'secret' from t", 'select …'],
  ['do $body$ secret $body$', 'do …'],
  ["select E'sec\\'ret'", 'select E …'],
  ['select $1\n   from  t', 'select $1 from t'],
  [`select ${'a'.repeat(200)}`, `select ${'a'.repeat(73)} …`],
])('the excerpt of %s holds no literal', (statement, excerpt) => {
  expect(statementExcerpt(statement)).toBe(excerpt);
});
