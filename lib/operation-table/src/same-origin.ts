/**
 * Resolves a target that a server names against the URL that was asked, and only at the same origin: a next page elsewhere
 * would get the credential.
 */

export type ResolvedTarget = { readonly ok: true; readonly url: string } | { readonly ok: false; readonly reason: string };

const MAX_TARGET_CHARACTERS = 8_192;
const ABSOLUTE = /^(https?):\/\/([^/?#]*)/i;
const DEFAULT_PORT: Readonly<Record<string, string>> = { http: ':80', https: ':443' };

/** Scheme, host and port in one spelling; undefined for anything that is not plain http(s) with a host and without user info. */
export const originOf = (url: string): string | undefined => {
  const [, scheme = '', authority = ''] = ABSOLUTE.exec(url) ?? [];
  const kind = scheme.toLowerCase();
  const host = authority.toLowerCase();
  if (!/^(?:[\w.-]+|\[[0-9a-f:.]+\])(?::\d{1,5})?$/.test(host)) return undefined;
  const port = DEFAULT_PORT[kind] ?? '';
  return `${kind}://${host.endsWith(port) ? host.slice(0, host.length - port.length) : host}`;
};

/** `target` is absolute, or starts with one slash or with a question mark; other relative forms are refused. */
export const resolveSameOrigin = (asked: string, target: string): ResolvedTarget => {
  const origin = originOf(asked);
  if (origin === undefined) return { ok: false, reason: 'the URL that was asked has no plain origin' };
  if (target.length > MAX_TARGET_CHARACTERS) return { ok: false, reason: 'the next page has a URL that is too long' };
  if (/[\s\\\p{Cc}\p{Surrogate}]/u.test(target)) return { ok: false, reason: 'the next page has a URL with a space, a backslash or a control character' };
  if (/^\/(?!\/)/.test(target)) return { ok: true, url: origin + target };
  if (target.startsWith('?')) return { ok: true, url: (asked.split(/[?#]/, 1)[0] ?? '') + target };
  if (!ABSOLUTE.test(target)) return { ok: false, reason: 'the next page has no usable URL' };
  return originOf(target) === origin ? { ok: true, url: target } : { ok: false, reason: 'the next page is at another origin' };
};
