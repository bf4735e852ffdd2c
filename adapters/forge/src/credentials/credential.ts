/**
 * A credential as one call carries it.
 */
import { createHash } from 'node:crypto';

export interface Credential {
  /** Stands for it in stores and logs: a name or a digest. */
  readonly name: string;
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, string>>;
  /** Texts that must never leave: replaced wherever an answer repeats them. */
  readonly secrets: readonly string[];
}

/** A secret shorter than this is not looked for: it would be found in ordinary text. */
const MIN_SECRET = 6;
export const REDACTED = '[redacted]';

/** The digest that names a token where it is stored. */
export const digestName = (token: string): string => createHash('sha256').update(`weir credential\0${token}`).digest('hex').slice(0, 32);

/** The text without any of the secrets. */
export const redact = (text: string, secrets: readonly string[]): string => {
  let left = text;
  for (const secret of secrets) if (secret.length >= MIN_SECRET && left.includes(secret)) left = left.replaceAll(secret, REDACTED);
  return left;
};
