/** The virtual key that a client presents: as a bearer, or in the header that Anthropic's or Azure's clients use. */
import type { IncomingHttpHeaders } from 'node:http';

const BEARER = /^bearer +(\S+)$/i;

export function clientKey(headers: IncomingHttpHeaders): string | undefined {
  const bearer = BEARER.exec(headers.authorization ?? '')?.[1];
  const named = headers['x-api-key'] ?? headers['api-key'];
  return bearer ?? (typeof named === 'string' ? named : undefined);
}
