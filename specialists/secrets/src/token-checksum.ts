/**
 * The checksum inside GitHub, npm and some later tokens: CRC-32 of the random part in base 62 (0-9, A-Z, a-z), six
 * characters with leading zeros. Source: github.blog 2021-04-05 "Behind GitHub's new authentication token formats".
 */
import type { Verdict } from './secret-rule.ts';

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const CHECKSUM_LENGTH = 6;
const REFLECTED_POLYNOMIAL = 0xedb88320;

const TABLE = Uint32Array.from({ length: 256 }, (_, index) => {
  let value = index;
  for (let bit = 0; bit < 8; bit++) value = value & 1 ? (value >>> 1) ^ REFLECTED_POLYNOMIAL : value >>> 1;
  return value >>> 0;
});

/** CRC-32 (IEEE) of an ASCII text, as an unsigned number. */
function crc32(text: string): number {
  let crc = 0xffffffff;
  for (let index = 0; index < text.length; index++) crc = (TABLE[(crc ^ text.charCodeAt(index)) & 0xff] ?? 0) ^ (crc >>> 8);
  return (crc ^ 0xffffffff) >>> 0;
}

/** Six base-62 characters of the CRC-32 of `body`. */
function checksumOf(body: string): string {
  let rest = crc32(body);
  let text = '';
  for (let index = 0; index < CHECKSUM_LENGTH; index++) {
    text = (ALPHABET[rest % 62] ?? '') + text;
    rest = Math.floor(rest / 62);
  }
  return text;
}

/** True when the last six characters of the part after the first `_` are the checksum of what stands between. */
function hasTokenChecksum(token: string): boolean {
  const body = token.slice(token.indexOf('_') + 1, -CHECKSUM_LENGTH);
  return checksumOf(body) === token.slice(-CHECKSUM_LENGTH);
}

/** `proven` with a right checksum; a wrong one stays `likely`, since vendors lengthen and change their formats. */
export const judgeChecksum = (token: string): Verdict => (hasTokenChecksum(token) ? 'proven' : 'likely');
