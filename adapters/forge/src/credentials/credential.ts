/**
 * A credential as one call carries it.
 */
import { createHash } from 'node:crypto';
import type { Redact } from '@weir/redaction';

export interface Credential {
  /** Stands for it in stores and logs: a name or a digest. */
  readonly name: string;
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, string>>;
  /** Takes the credential out of a text that the provider sent, however it is written there. */
  readonly redact: Redact;
}

/** The digest that names a token where it is stored. */
export const digestName = (token: string): string => createHash('sha256').update(`weir credential\0${token}`).digest('hex').slice(0, 32);
