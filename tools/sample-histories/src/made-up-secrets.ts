/** Credentials in the right form that belong to nobody. They are put together here, so that no file holds one. */
import { createHash } from 'node:crypto';

/** Deterministic characters of an alphabet; `name` is the seed. */
function characters(name: string, length: number, alphabet: string): string {
  let text = '';
  for (let round = 0; text.length < length; round++) {
    for (const byte of createHash('sha256').update(`${name}:${round}`).digest()) text += alphabet[byte % alphabet.length];
  }
  return text.slice(0, length);
}

const UPPER = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';
const BASE64 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
const DIGITS = '0123456789';
const ALNUM = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789';

export const accessKeyId = (name: string): string => `AK${'IA'}${characters(name, 16, UPPER)}`;
export const slackToken = (name: string): string =>
  `xo${'xb'}-${characters(`${name}1`, 12, DIGITS)}-${characters(`${name}2`, 12, DIGITS)}-${characters(name, 24, ALNUM)}`;
export const databasePassword = (name: string): string => characters(name, 20, ALNUM);

/** Lines of a private key block. */
export const privateKey = (name: string): readonly string[] => [
  `-----BEGIN RSA ${'PRIVATE'} KEY-----`,
  ...Array.from({ length: 12 }, (_, at) => characters(`${name}${at}`, 64, BASE64)),
  `-----END RSA ${'PRIVATE'} KEY-----`,
];
