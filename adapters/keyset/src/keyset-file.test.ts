import { chmodSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { SealedColumn, SealedRow } from '@weir/ports';
import { verifies } from '@weir/requirements';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createSecretBox } from './create-secret-box.ts';
import { changeKeysetFile, createKeysetFile, keysetFileSource, readKeysetFile } from './keyset-file.ts';
import { withNewKey } from './keyset.ts';
import { rotateKeyset } from './rotate-keyset.ts';

const NOW = new Date('2026-01-02T03:04:05Z');
let folder: string;
let file: string;

beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'weir-keyset-'));
  file = path.join(folder, 'config', 'keyset.json');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** A column in memory. `hooks` run once, after the next list. */
function column(rows: Map<string, string>, hooks: (() => void)[] = []): SealedColumn {
  const place = (cursor: string) => ({ store: 's', row: cursor, column: 'c' });
  return {
    name: 'column',
    list: async (after, limit) => {
      const cursors = [...rows.keys()].sort().filter(cursor => cursor > after);
      const page: SealedRow[] = cursors.slice(0, limit).map(cursor => ({ cursor, place: place(cursor), sealed: rows.get(cursor) ?? '' }));
      hooks.shift()?.();
      return page;
    },
    replace: async (cursor, before, after) => {
      if (rows.get(cursor) !== before) return false;
      rows.set(cursor, after);
      return true;
    },
  };
}

const placeOf = (row: string) => ({ store: 's', row, column: 'c' });

test(`${verifies('REV-39')} a keyset is made once, for its owner alone, and leaves no drafts`, () => {
  expect(createKeysetFile(file, NOW)).toBe(true);
  const text = readFileSync(file, 'utf8');
  expect(createKeysetFile(file, NOW)).toBe(false);
  expect(readFileSync(file, 'utf8')).toBe(text);
  expect([statSync(file).mode & 0o777, statSync(path.dirname(file)).mode & 0o777]).toEqual([0o600, 0o700]);
  expect(readdirSync(path.dirname(file))).toEqual(['keyset.json']);
});

test.each([
  ['is missing', () => undefined, 'is missing'],
  ['others may read', () => chmodSync(file, 0o640), 'Others may read'],
  ['is empty', () => writeFileSync(file, ''), 'holds no keyset'],
  ['is huge', () => writeFileSync(file, 'x'.repeat(70_000)), 'too large'],
])(`${verifies('REV-39')} a keyset that %s is refused`, (state, spoil, message) => {
  if (state !== 'is missing') createKeysetFile(file, NOW);
  spoil();
  const source = keysetFileSource(file);
  for (const read of [() => readKeysetFile(file), source]) {
    expect(read).toThrow(expect.objectContaining({ code: 'KEYSET_INVALID', message: expect.stringContaining(message) }));
  }
});

test(`${verifies('REV-39')} a process sees the rotation of another one, without a restart`, async () => {
  createKeysetFile(file, NOW);
  const [mine, other] = [createSecretBox(keysetFileSource(file)), createSecretBox(keysetFileSource(file))];
  const old = mine.seal('secret', placeOf('a'));
  await rotateKeyset(file, [], NOW);
  expect(mine.isCurrent(old)).toBe(false);
  expect(mine.open(other.seal('secret', placeOf('a')), placeOf('a'))).toBe('secret');
});

test(`${verifies('REV-39')} a rotation encrypts everything again; the key before stays for one more, then it is dropped`, async () => {
  createKeysetFile(file, NOW);
  const box = createSecretBox(keysetFileSource(file));
  const rows = new Map(Array.from({ length: 250 }, (_, index) => [`row ${index}`, box.seal(`secret ${index}`, placeOf(`row ${index}`))]));
  const first = readKeysetFile(file).primary;
  const one = await rotateKeyset(file, [column(rows)], NOW);
  expect(one).toMatchObject({ resealed: 250, unreadable: [], unsettled: 0, dropped: [] });
  expect([...rows.values()].every(box.isCurrent)).toBe(true);
  const two = await rotateKeyset(file, [column(rows)], NOW);
  expect(two).toMatchObject({ resealed: 250, dropped: [first] });
  expect(readKeysetFile(file).keys.map(({ id }) => id)).toEqual([one.primary, two.primary]);
  for (const [row, sealed] of rows) expect(box.open(sealed, placeOf(row))).toBe(`secret ${row.slice(4)}`);
  expect(readdirSync(path.dirname(file))).toEqual(['keyset.json']);
});

test(`${verifies('REV-39')} what cannot be read is named, stays, and keeps every key`, async () => {
  createKeysetFile(file, NOW);
  const box = createSecretBox(keysetFileSource(file));
  const rows = new Map([
    ['a', box.seal('1', placeOf('a'))],
    ['b', box.seal('2', placeOf('moved from here'))],
    ['c', 'plain'],
  ]);
  const kept = [rows.get('b'), rows.get('c')];
  await rotateKeyset(file, [], NOW);
  const report = await rotateKeyset(file, [column(rows)], NOW);
  expect(report).toMatchObject({
    resealed: 1,
    dropped: [],
    unreadable: [
      { column: 'column', cursor: 'b', reason: 'not_authentic' },
      { column: 'column', cursor: 'c', reason: 'malformed' },
    ],
  });
  expect([rows.get('b'), rows.get('c'), box.open(rows.get('a') ?? '', placeOf('a'))]).toEqual([...kept, '1']);
});

test(`${verifies('REV-39')} a row that changes under the walk is looked at again, and its new value stays`, async () => {
  createKeysetFile(file, NOW);
  const box = createSecretBox(keysetFileSource(file));
  const rows = new Map([['a', box.seal('before', placeOf('a'))]]);
  const changed = box.seal('meanwhile', placeOf('a'));
  const report = await rotateKeyset(file, [column(rows, [() => void rows.set('a', changed)])], NOW);
  expect(report).toMatchObject({ resealed: 1, unsettled: 0 });
  expect(box.open(rows.get('a') ?? '', placeOf('a'))).toBe('meanwhile');
  expect(box.isCurrent(rows.get('a') ?? '')).toBe(true);
});

test(`${verifies('REV-39')} two processes never change the keyset at the same time, and a failed change leaves it as it was`, () => {
  createKeysetFile(file, NOW);
  const before = readFileSync(file, 'utf8');
  expect(() =>
    changeKeysetFile(file, keyset => {
      expect(() => changeKeysetFile(file, other => withNewKey(other, NOW))).toThrow(expect.objectContaining({ code: 'KEYSET_INVALID' }));
      expect(existsSync(`${file}.lock`)).toBe(true);
      throw new Error(keyset.primary === '' ? '' : 'changed my mind');
    }),
  ).toThrow('changed my mind');
  expect(readFileSync(file, 'utf8')).toBe(before);
  expect(readdirSync(path.dirname(file))).toEqual(['keyset.json']);
});
