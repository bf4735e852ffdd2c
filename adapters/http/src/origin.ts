/**
 * Origins as people write them in `network.allowOrigins`: scheme, host and port, nothing else (REV-40).
 * One row opens exactly one origin; there are no wildcards.
 */

/** @returns the origin as browsers serialise it (`http://127.0.0.1:11434`), or the problem as a sentence for people. */
export function parseOrigin(text: string): { readonly origin: string } | { readonly problem: string } {
  const trimmed = text.trim();
  if (trimmed.includes('*')) return { problem: 'has a wildcard; name each origin in full' };
  if (!URL.canParse(trimmed)) return { problem: 'is not an origin; write it like https://host or http://host:port' };
  const url = new URL(trimmed);
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return { problem: 'must start with https:// or http://' };
  if (url.username !== '' || url.password !== '') return { problem: 'holds a user name or password; remove it' };
  const hasMore = url.pathname !== '/' || /[?#]/.test(trimmed);
  return hasMore ? { problem: `has more than scheme, host and port; write ${url.origin}` } : { origin: url.origin };
}
