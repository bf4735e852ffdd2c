/**
 * Bytes to text and back: exact for every byte sequence, the same at every split, equal to the platform's decoder on valid UTF-8.
 */
import { verifies } from '@weir/requirements';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createLosslessDecoder, decodeLossless, encodeLossless, losslessByteLength } from './index.ts';

/** Bytes near the borders of UTF-8's table are far more likely than in plain noise. */
const borderBytes = fc.constantFrom(0x00, 0x41, 0x7f, 0x80, 0x8f, 0x90, 0x9f, 0xa0, 0xbf, 0xc0, 0xc1, 0xc2, 0xdf, 0xe0, 0xed, 0xef, 0xf0, 0xf4, 0xf5, 0xff);
const anyBytes = fc.oneof(
  fc.uint8Array({ maxLength: 40 }),
  fc.array(borderBytes, { maxLength: 24 }).map(bytes => Uint8Array.from(bytes)),
);

describe(`${verifies('REV-20e')} lossless text`, () => {
  test('every byte sequence comes back, and its length is known', () => {
    fc.assert(
      fc.property(anyBytes, bytes => {
        const text = decodeLossless(bytes);
        expect(encodeLossless(text)).toEqual(bytes);
        expect(losslessByteLength(text)).toBe(bytes.length);
      }),
      { numRuns: 1000 },
    );
  });

  test('all sequences of two bytes, and all leads with border bytes after them', () => {
    for (let first = 0; first < 256; first += 1) {
      for (let second = 0; second < 256; second += 1) {
        for (const bytes of [
          [first, second],
          [first, second, 0x80],
          [first, second, 0x80, 0xbf],
          [first, second, 0x80, 0x41],
        ]) {
          const input = Uint8Array.from(bytes);
          if (encodeLossless(decodeLossless(input)).join() !== bytes.join()) expect.fail(`${bytes} does not come back`);
        }
      }
    }
  });

  test('valid UTF-8 reads as the platform reads it, byte order mark kept', () => {
    const platform = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 3000 }), text => {
        const bytes = new TextEncoder().encode(text);
        expect(decodeLossless(bytes)).toBe(platform.decode(bytes));
        expect(encodeLossless(text)).toEqual(bytes);
      }),
    );
    expect(decodeLossless(Uint8Array.from([0xef, 0xbb, 0xbf, 0x61]))).toBe('\ufeffa');
  });

  test.each([
    ['a lone continuation', [0x80], '\udc80'],
    ['Latin-1', [0x63, 0xe9, 0x0a], 'c\udce9\n'],
    ['an overlong slash', [0xc0, 0xaf], '\udcc0\udcaf'],
    ['an overlong slash in three', [0xe0, 0x80, 0xaf], '\udce0\udc80\udcaf'],
    ['a surrogate in three bytes', [0xed, 0xa0, 0x80], '\udced\udca0\udc80'],
    ['an escape in three bytes', [0xed, 0xb2, 0x80], '\udced\udcb2\udc80'],
    ['past U+10FFFF', [0xf4, 0x90, 0x80, 0x80], '\udcf4\udc90\udc80\udc80'],
    ['a cut character', [0xe2, 0x82, 0x41], '\udce2\udc82A'],
    ['U+10080, whose low half looks like an escape', [0xf0, 0x90, 0x82, 0x80], '\ud800\udc80'],
  ])('%s', (_, bytes, text) => {
    expect(decodeLossless(Uint8Array.from(bytes))).toBe(text);
    expect([...encodeLossless(text)]).toEqual(bytes);
  });

  test('a lone surrogate from elsewhere becomes U+FFFD', () => {
    expect([...encodeLossless('\ud800')]).toEqual([0xef, 0xbf, 0xbd]);
    expect([...encodeLossless('\udc7f')]).toEqual([0xef, 0xbf, 0xbd]);
  });

  test('a stream gives the same text at every split', () => {
    fc.assert(
      fc.property(anyBytes, bytes => {
        const whole = decodeLossless(bytes);
        for (let at = 0; at <= bytes.length; at += 1) {
          const decoder = createLosslessDecoder();
          expect(decoder.push(bytes.subarray(0, at)) + decoder.push(bytes.subarray(at)) + decoder.end()).toBe(whole);
        }
        const decoder = createLosslessDecoder();
        expect([...bytes].map(byte => decoder.push(Uint8Array.of(byte))).join('') + decoder.end()).toBe(whole);
      }),
      { numRuns: 200 },
    );
  });
});
