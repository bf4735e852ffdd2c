import { verifies } from '@weir/requirements';
import type { SecretPlace } from '@weir/ports';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createSecretBox } from './create-secret-box.ts';
import { type Keyset, keysetText, readKeyset, withNewKey } from './keyset.ts';

const NOW = new Date('2026-01-02T03:04:05Z');
const PLACE: SecretPlace = { store: 'model-credentials', row: 'openai/main', column: 'secret' };
const CANARY = 'sk-canary-0123456789';

const one = withNewKey(undefined, NOW);
const box = createSecretBox(() => one);
const failureOf = (work: () => unknown): unknown => {
  try {
    return work();
  } catch (error) {
    return error;
  }
};

test(`${verifies('REV-39')} any text opens where it was sealed, and never has the same ciphertext twice`, () => {
  const text = fc.oneof(fc.string(), fc.string({ unit: fc.constantFrom('\ud800', '\udfff', 'a', 'é', '😀', '\0', '"', '\\') }));
  fc.assert(
    fc.property(text, fc.string(), fc.string(), fc.string(), (plain, store, row, column) => {
      const place = { store, row, column };
      const sealed = box.seal(plain, place);
      expect(box.open(sealed, place)).toBe(plain);
      expect(box.seal(plain, place)).not.toBe(sealed);
    }),
  );
  const long = 'ä'.repeat(1_000_000);
  expect(box.open(box.seal(long, PLACE), PLACE) === long).toBe(true);
});

test.each<[string, SecretPlace]>([
  ['another row', { ...PLACE, row: 'openai/other' }],
  ['another column', { ...PLACE, column: 'label' }],
  ['another store', { ...PLACE, store: 'findings' }],
  ['a place whose parts run together alike', { store: 'model-credentials","openai/main', row: 'secret', column: '' }],
])(`${verifies('REV-39')} a ciphertext that was moved to %s does not open`, (_, place) => {
  expect(failureOf(() => box.open(box.seal(CANARY, PLACE), place))).toMatchObject({ code: 'SECRET_UNREADABLE', reason: 'not_authentic' });
});

test(`${verifies('REV-39')} a ciphertext with any character changed, cut or added does not open`, () => {
  const sealed = box.seal(CANARY, PLACE);
  for (let at = 0; at < sealed.length; at += 1) {
    const other = sealed.charAt(at) === 'A' ? 'B' : 'A';
    for (const changed of [sealed.slice(0, at), sealed.slice(0, at) + other + sealed.slice(at + 1), sealed.slice(0, at) + other + sealed.slice(at)]) {
      expect(
        failureOf(() => box.open(changed, PLACE)),
        changed,
      ).toMatchObject({ code: 'SECRET_UNREADABLE' });
    }
  }
});

test(`${verifies('REV-39')} the last character has one spelling, though its lowest bits decode to nothing`, () => {
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
  for (const plain of ['', 'a', 'ab']) {
    const sealed = box.seal(plain, PLACE);
    const opened = [...alphabet].filter(last => !(failureOf(() => box.open(sealed.slice(0, -1) + last, PLACE)) instanceof Error));
    expect(opened).toEqual([sealed.at(-1)]);
  }
});

test.each([
  ['', 'malformed'],
  ['sk-plain', 'malformed'],
  [`weir1.${one.primary}.`, 'malformed'],
  [`weir1.${one.primary}.AAAA`, 'malformed'],
  [`weir2.${one.primary}.AAAA`, 'malformed'],
  ['weir1.0000000000.AAAA', 'unknown_key'],
  [`weir1.${one.primary}.${'A'.repeat(80)}`, 'not_authentic'],
])(`${verifies('REV-39')} %j is refused as %s`, (sealed, reason) => {
  expect(failureOf(() => box.open(sealed, PLACE))).toMatchObject({ code: 'SECRET_UNREADABLE', reason, name: 'AppError' });
});

test(`${verifies('REV-39')} the same id with another key does not open`, () => {
  const impostor: Keyset = { primary: one.primary, keys: withNewKey(undefined, NOW).keys.map(key => ({ ...key, id: one.primary })) };
  expect(failureOf(() => createSecretBox(() => impostor).open(box.seal(CANARY, PLACE), PLACE))).toMatchObject({ reason: 'not_authentic' });
});

test(`${verifies('REV-39')} after a new key the old ciphertexts open, and are known as old`, () => {
  let keyset = one;
  const rotating = createSecretBox(() => keyset);
  const old = rotating.seal(CANARY, PLACE);
  keyset = withNewKey(one, NOW);
  const fresh = rotating.seal(CANARY, PLACE);
  expect([rotating.open(old, PLACE), rotating.open(fresh, PLACE)]).toEqual([CANARY, CANARY]);
  expect([old, fresh, 'plain'].map(rotating.isCurrent)).toEqual([false, true, false]);
  expect(failureOf(() => box.open(fresh, PLACE))).toMatchObject({ reason: 'unknown_key' });
});

test(`${verifies('REV-39')} no error and no printed keyset holds a secret, a ciphertext or a key`, () => {
  const sealed = box.seal(CANARY, PLACE);
  const keyText = (JSON.parse(keysetText(one)) as { keys: { key: string }[] }).keys[0]?.key ?? '';
  const errors = [sealed.slice(0, -4), `${sealed}AAAA`, CANARY, sealed.replace(one.primary, 'ffffffffff')].map(text => failureOf(() => box.open(text, PLACE)));
  errors.push(failureOf(() => readKeyset(keysetText(one).replace('"version": 1', '"version": 2'), 'WEIR_KEYSET')));
  errors.push(failureOf(() => readKeyset(keysetText(one).slice(0, -9), 'WEIR_KEYSET')));
  for (const error of errors) {
    const all = `${String(error)} ${JSON.stringify(error, Object.getOwnPropertyNames(error))}`;
    expect(error).toBeInstanceOf(Error);
    for (const secret of [CANARY, keyText, sealed.slice(-20)]) expect(all.includes(secret), all).toBe(false);
  }
  expect(JSON.stringify([one, box]).includes(keyText)).toBe(false);
  expect(keyText.length).toBe(43);
});

test(`${verifies('REV-39')} a keyset reads back from its text`, () => {
  const two = withNewKey(one, NOW);
  const read = readKeyset(keysetText(two), 'here');
  expect([read.primary, read.keys.map(({ id }) => id)]).toEqual([two.primary, two.keys.map(({ id }) => id)]);
  expect(createSecretBox(() => read).open(box.seal(CANARY, PLACE), PLACE)).toBe(CANARY);
});

const good = JSON.parse(keysetText(one)) as { version: number; primary: string; keys: { id: string; createdAt: string; key: string }[] };
const [goodKey] = good.keys;

test.each([
  ['nothing', ''],
  ['no JSON', '{"version":1'],
  ['no keys', JSON.stringify({ ...good, keys: [] })],
  ['a primary key that is missing', JSON.stringify({ ...good, primary: 'other' })],
  ['one id twice', JSON.stringify({ ...good, keys: [goodKey, goodKey] })],
  ['a short key', JSON.stringify({ ...good, keys: [{ ...goodKey, key: 'AAAA' }] })],
  ['an unknown member', JSON.stringify({ ...good, password: 'x' })],
])(`${verifies('REV-39')} a keyset with %s is refused`, (_, text) => {
  expect(failureOf(() => readKeyset(text, 'WEIR_KEYSET'))).toMatchObject({ code: 'KEYSET_INVALID', message: expect.stringContaining('WEIR_KEYSET') });
});
