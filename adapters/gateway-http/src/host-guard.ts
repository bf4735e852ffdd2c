/**
 * Whom the request says it talks to. A server on loopback answers to loopback's names alone: a web page whose name was made to point
 * to this machine sends its own.
 */

const LOOPBACK: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]']);

export const isLoopback = (address: string): boolean => LOOPBACK.has(address) || address === '::1';

/** @param bound the address that the server listens on. @param hostHeader as it came. */
export function isHostAllowed(bound: string, hostHeader: string | undefined): boolean {
  if (!isLoopback(bound)) return true;
  return LOOPBACK.has((hostHeader ?? '').replace(/:\d{1,5}$/, '').toLowerCase());
}
