/**
 * Tells random text from words and names. Used where no vendor's form says that a value is a credential.
 * Thresholds: a random text of 20 base-64 characters has about 4.1 bits per character, of 32 hex digits about 3.6;
 * identifiers of that length have 3.0 to 3.7 and are told apart by their humps.
 */
import { shannonEntropy } from './entropy.ts';
import type { Verdict } from './secret-rule.ts';

const HEX = /^(?:[0-9a-f]+|[0-9A-F]+)$/;
const UUID = /^\{?[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\}?$/i;
const CHARACTERS = /^[\w+/=.~!@#%^&*:-]+$/;
/** Dates, versions, paths, addresses (Ethereum's too), mail, dotted names, container images. */
const OTHER_FORM =
  /^\d{4}-\d\d-\d\d|^v?\d+\.\d+|^\.{0,2}\/|:\/\/|^[\w.+-]+@[\w.-]+$|^[A-Za-z_][\w-]*(?:\.[A-Za-z_][\w-]*)+$|^sha\d{1,3}[-:]|^[A-Za-z]+\/[A-Za-z/.-]+$|^0x[0-9a-f]{40}$|@sha256:|^[a-z\d-]+(?:\.[a-z\d-]+)+(?::\d+)?\/[\w./-]+(?::[\w.-]+)?$/i;

const MIN_LENGTH = 16;
const MIN_HEX_LENGTH = 20;
const MAX_LENGTH = 512;
const HEX_BITS = 3;
const SHORT_BITS = 3.4;
const MIDDLE_BITS = 3.6;
const LONG_BITS = 3.9;
/** Average length of the parts of an identifier; random text falls into parts of one to three characters. */
const WORD_LENGTH = 3.6;

/** Parts of camelCase, snake_case, kebab-case and paths; digits end a part. */
const HUMPS = /[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+/g;

/** True for `myServiceAccountToken2` and `next-page-token`: the parts are long, and digits are few and apart. */
function looksNamed(text: string): boolean {
  const parts = text.match(HUMPS) ?? [];
  const letters = parts.filter(part => !/\d/.test(part));
  const digits = parts.length - letters.length;
  const length = letters.reduce((sum, part) => sum + part.length, 0);
  return letters.length > 0 && length / letters.length >= WORD_LENGTH && digits <= Math.max(1, letters.length / 2);
}

/** Bits per character that a random text of this length and alphabet nearly always has. */
function requiredBits(text: string): number {
  if (HEX.test(text)) return HEX_BITS;
  if (text.length < 20) return SHORT_BITS;
  return text.length < 32 ? MIDDLE_BITS : LONG_BITS;
}

/** True when the value is long, mixed and without the form of a name, a path, a date, a UUID or a hash label. */
export function isRandomText(text: string): boolean {
  if (text.length < MIN_LENGTH || text.length > MAX_LENGTH || !CHARACTERS.test(text)) return false;
  if (UUID.test(text) || OTHER_FORM.test(text) || !/\d/.test(text) || !/[A-Za-z]/.test(text)) return false;
  if (HEX.test(text) && text.length < MIN_HEX_LENGTH) return false;
  return !looksNamed(text) && shannonEntropy(text) >= requiredBits(text);
}

/** For a form whose body is letters, digits, `-` and `_`: words in lower case are no token. */
export const judgeMixed = (token: string): Verdict => (/[A-Z\d]/.test(token) ? 'likely' : 'no');
