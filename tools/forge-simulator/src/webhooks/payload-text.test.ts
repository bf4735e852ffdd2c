/** The bytes of each vendor's serialiser parse to the same payload and differ from JSON.stringify's. */
import { expect, test } from 'vitest';
import { printGo, printPlain, printPython, printRails } from './payload-text.ts';

const payload = { t: '\u001B[0m 😊 é <b> & \u2028', n: [1, null, { a: true }], gone: undefined };

test.each([
  ['plain', printPlain, '\\u001B[0m 😊'],
  ['go', printGo, '\\u003cb\\u003e \\u0026 \\u2028'],
  ['rails', printRails, '\\u003cb\\u003e'],
  ['python', printPython, '\\ud83d\\ude0a \\u00e9'],
])('%s', (_, print, part) => {
  const text = print(payload);
  expect(text).toContain(part);
  expect(text).not.toBe(JSON.stringify(payload));
  expect(JSON.parse(text)).toEqual({ t: payload.t, n: payload.n });
});
