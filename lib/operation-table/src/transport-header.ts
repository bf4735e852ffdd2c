/**
 * Headers that only the transport sets: credentials, framing and connection. No argument, static header or row reaches them.
 */

const NAMES: ReadonlySet<string> = new Set([
  'authorization',
  'proxy-authorization',
  'www-authenticate',
  'cookie',
  'set-cookie',
  'private-token',
  'job-token',
  'deploy-token',
  'host',
  'connection',
  'keep-alive',
  'upgrade',
  'te',
  'trailer',
  'transfer-encoding',
  'content-length',
  'expect',
]);

/** Second factors and keys, whatever the vendor puts before the word. */
const ENDINGS = ['-otp', '-api-key', '-access-token', '-auth-token'];

/** Is this the transport's own header? Upper and lower case are the same. */
export const isTransportHeader = (name: string): boolean => {
  const lower = name.toLowerCase();
  return NAMES.has(lower) || ENDINGS.some(ending => lower.endsWith(ending));
};
