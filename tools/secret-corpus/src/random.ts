/** A seeded source of made-up secrets: the same seed gives the same corpus everywhere (mulberry32). */
export const ALPHABETS = {
  hex: '0123456789abcdef',
  HEX: '0123456789ABCDEF',
  digit: '0123456789',
  lower: 'abcdefghijklmnopqrstuvwxyz0123456789',
  upper: 'ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789',
  base32: 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567',
  base62: '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz',
  base64: 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/',
  url64: 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_',
  bech32: 'QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L',
  sign: '!#*+-=',
} as const;
export type Alphabet = keyof typeof ALPHABETS;

export interface Random {
  /** A whole number from 0 to `below` - 1. */
  readonly below: (limit: number) => number;
  readonly pick: <T>(items: readonly [T, ...T[]]) => T;
  readonly text: (alphabet: Alphabet, length: number) => string;
}

/** @param seed any 32-bit number */
export function createRandom(seed: number): Random {
  let state = seed | 0;
  const below = (limit: number): number => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % limit;
  };
  const text = (alphabet: Alphabet, length: number): string =>
    Array.from({ length }, () => ALPHABETS[alphabet].charAt(below(ALPHABETS[alphabet].length))).join('');
  return { below, text, pick: items => items[below(items.length)] ?? items[0] };
}
