import { createRandom, secretFormats } from '@weir/secret-corpus';
import { verifies } from '@weir/requirements';
import { expect, test } from 'vitest';
import { findSecrets } from './find-secrets.ts';

const random = createRandom(7);
const left = (text: string): string =>
  [...findSecrets(text)].sort((a, b) => b.start - a.start).reduce((rest, { start, end }) => `${rest.slice(0, start)}…${rest.slice(end)}`, text);

test(`${verifies('PRV-12')} nearly every known format is found in one line of JSON, at its place`, () => {
  const missed = secretFormats.filter(({ variable, make }) => {
    const secret = make(random);
    const text = JSON.stringify({ name: 'x'.repeat(20_000), [variable]: secret, after: [1] });
    return left(text).includes(JSON.stringify(secret).slice(1, -1));
  });
  expect(missed.map(({ rule }) => rule).length / secretFormats.length, missed.map(({ rule }) => rule).join(', ')).toBeLessThanOrEqual(0.05);
});

test(`${verifies('PRV-12')} a key block is a place from its begin to its end, and to the end of a text that is cut`, () => {
  const [begin, end] = ['BEGIN', 'END'].map(word => `-----${word} RSA ${'PRIVATE'} KEY-----`);
  expect(left(JSON.stringify({ a: `${begin}\nabc\n${end}`, b: 1 }))).not.toContain('abc');
  expect(left(`x ${begin}\nabc`)).not.toContain('abc');
});

test('ordinary texts hold none', () => {
  const text = JSON.stringify({
    sha: '2fd4e1c67a2d28fced849ee1bb76e7391b93eb12',
    id: 7,
    token_type: 'bearer',
    message: 'Add the token check',
    next_page_token: 'a7',
  });
  expect(findSecrets(text)).toEqual([]);
});
