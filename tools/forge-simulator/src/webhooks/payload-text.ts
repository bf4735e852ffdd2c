/**
 * Prints payloads as each vendor's serialiser does. The bytes differ from JSON.stringify's on purpose:
 * a receiver that signs a payload which it parsed and printed again gets another hash.
 */
import { createHmac } from 'node:crypto';

const unicode = (character: string): string => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;

/** Control characters as upper-case escapes; everything else as it is. */
export const printPlain = (payload: unknown): string => JSON.stringify(payload).replace(/\\u00([0-9a-f]{2})/g, (_, hex: string) => `\\u00${hex.toUpperCase()}`);

/** Go: two-space indent, and `<`, `>`, `&`, U+2028 and U+2029 escaped. */
export const printGo = (payload: unknown): string => JSON.stringify(payload, null, 2).replace(/[<>&\u2028\u2029]/g, unicode);

/** Rails: one line, the same characters escaped. */
export const printRails = (payload: unknown): string => JSON.stringify(payload).replace(/[<>&\u2028\u2029]/g, unicode);

/** Python: a space after `:` and `,`, and everything beyond ASCII escaped. */
export function printPython(payload: unknown): string {
  return spaced(payload).replace(/[\u0080-\uffff]/g, unicode);
}

function spaced(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(spaced).join(', ')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
  const fields = Object.entries(value).filter(([, one]) => one !== undefined);
  return `{${fields.map(([name, one]) => `${JSON.stringify(name)}: ${spaced(one)}`).join(', ')}}`;
}

export const hmac = (algorithm: 'sha1' | 'sha256', secret: string, body: Buffer): string => createHmac(algorithm, secret).update(body).digest('hex');
