import { verifies } from '@weir/requirements';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createRedactor, REDACTED } from './create-redactor.ts';

const SECRET = 'tok-4fQz+81/Lm~Xv29dKe7RbT0sWy';
const redact = createRedactor([SECRET]);
const gone = (text: string): boolean => !/fQz|81\/Lm|Xv29|dKe7|RbT0/i.test(text);

const printable = fc.string({ unit: fc.integer({ min: 0x21, max: 0x7e }).map(code => String.fromCharCode(code)), minLength: 20, maxLength: 60 });

test.each([
  ['as it is', SECRET],
  ['twice', `${SECRET}${SECRET}`],
  ['percent-encoded', encodeURIComponent(SECRET)],
  ['in a host name', SECRET.toLowerCase()],
  ['in hex', Buffer.from(SECRET).toString('hex')],
  ['with an escaped slash', JSON.stringify(SECRET).replaceAll('/', '\\/')],
  ['with every character escaped', Array.from(SECRET, character => `\\u00${character.charCodeAt(0).toString(16)}`).join('')],
  ['escaped twice', JSON.stringify(Array.from(SECRET, character => `\\u00${character.charCodeAt(0).toString(16)}`).join(''))],
  ['its first half', SECRET.slice(0, 15)],
  ['its second half', SECRET.slice(15)],
  ['cut at the end', SECRET.slice(0, -1)],
])(`${verifies('PRV-12')} a secret %s is taken out`, (_, text) => {
  const left = redact(`before ${text} after`);
  expect(left).toContain(REDACTED);
  expect(left.startsWith('before ')).toBe(true);
  expect(left.endsWith(' after')).toBe(true);
  expect(gone(left)).toBe(true);
});

test(`${verifies('PRV-12')} base64 of anything that holds the secret shows nothing of its middle`, () => {
  fc.assert(
    fc.property(printable, fc.string({ unit: 'binary-ascii', maxLength: 10 }), fc.string({ unit: 'binary-ascii', maxLength: 10 }), (secret, before, after) => {
      for (const encoding of ['base64', 'base64url'] as const) {
        const left = createRedactor([secret])(Buffer.from(before + secret + after).toString(encoding));
        expect(Buffer.from(left.replaceAll(REDACTED, ''), encoding).toString('latin1')).not.toContain(secret);
        expect(left).toContain(REDACTED);
      }
    }),
  );
});

test(`${verifies('PRV-12')} JSON stays JSON, and its values hold no secret, however it was escaped`, () => {
  fc.assert(
    fc.property(printable, fc.array(fc.boolean(), { minLength: 60, maxLength: 60 }), (secret, escaped) => {
      const text = Array.from(secret, (character, at) =>
        escaped[at] === true ? `\\u00${character.charCodeAt(0).toString(16)}` : JSON.stringify(character).slice(1, -1),
      );
      const left = createRedactor([secret])(`{"a":"x${text.join('')}y"}`);
      expect(JSON.stringify(JSON.parse(left))).not.toContain(JSON.stringify(secret).slice(1, -1));
    }),
  );
});

test('an ordinary text comes back as it is, escapes and all', () => {
  const text = '{"body":"caf\\u00e9 \\u0026 bar","url":"https:\\/\\/forge.example\\/tok-4fQz"}';
  expect(redact(text)).toBe(text);
  expect(createRedactor(['short'])('a short text')).toBe('a short text');
});
