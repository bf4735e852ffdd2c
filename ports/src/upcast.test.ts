import { verifies } from '@weir/requirements';
import { expect, test } from 'vitest';
import { sampleEnvelope } from './envelope-sample.ts';
import { createUpcast, EnvelopeUnreadable, presentVersion, type UpcastTable } from './upcast.ts';

const table: UpcastTable = new Map([['Moved', [({ to, ...rest }) => ({ ...rest, target: to }), data => ({ ...data, speed: 'unknown' })]]]);
const upcast = createUpcast(table);
const moved = (schemaversion: number, data: Record<string, unknown>) => sampleEnvelope('m', { type: 'Moved', schemaversion, data });

test.each([
  ['the first version takes every step', 1, { to: 'a', by: 1 }],
  ['a middle version takes the rest', 2, { target: 'a', by: 1 }],
  ['the present version takes none', 3, { target: 'a', by: 1, speed: 'unknown' }],
])(`${verifies('REV-3')} %s`, (_, version, data) => {
  expect(upcast(moved(version, data))).toEqual(moved(3, { target: 'a', by: 1, speed: 'unknown' }));
});

test(`${verifies('REV-3')} a present envelope is the same object, and the old one is not changed`, () => {
  const present = moved(3, {});
  expect(upcast(present)).toBe(present);
  const old = Object.freeze(moved(1, Object.freeze({ to: 'a' })));
  upcast(old);
  expect(old.data).toEqual({ to: 'a' });
});

test(`${verifies('REV-3')} a version from the future, also of a type that is not named, is not guessed at`, () => {
  expect(() => upcast(moved(4, {}))).toThrow(EnvelopeUnreadable);
  expect(() => upcast(sampleEnvelope('c', { type: 'constructor', schemaversion: 2 }))).toThrow('constructor c has schema version 2, this program knows 1');
});

test(`${verifies('REV-3')} a new envelope has the present version of its type`, () => {
  expect([presentVersion(table, 'Moved'), presentVersion(table, 'Other')]).toEqual([3, 1]);
});
