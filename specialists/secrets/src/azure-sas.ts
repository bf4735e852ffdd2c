/** A shared access signature is 32 bytes in base64, percent-encoded or plain; other `sig=` parameters are not. */
import type { Verdict } from './secret-rule.ts';

const SIGNATURE = /^[A-Za-z0-9+/]{43}=$/;

/** @param signature the value of `sig`, as it stands in the URL */
export function isServiceToken(signature: string): Verdict {
  const plain = signature.replace(/%2b/gi, '+').replace(/%2f/gi, '/').replace(/%3d/gi, '=');
  return SIGNATURE.test(plain) ? 'likely' : 'no';
}
