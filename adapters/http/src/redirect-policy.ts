/**
 * Which redirects are followed, and with what (REV-40). The next address is guarded like the first one.
 * Reads follow anywhere; a write is repeated only for 307 and 308 at the same origin (PRV-12).
 */
import type { HttpRequest } from '@weir/ports';

const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);
const KEEPS_METHOD: ReadonlySet<number> = new Set([307, 308]);

const READS: ReadonlySet<HttpRequest['method']> = new Set(['GET', 'HEAD']);

/** Headers that another origin may see. All others can be credentials (`private-token`, `x-api-key`, …), so they stay behind. */
const PORTABLE: ReadonlySet<string> = new Set(['accept', 'accept-language', 'user-agent']);

const portable = (headers: HttpRequest['headers']) => Object.fromEntries(Object.entries(headers).filter(([name]) => PORTABLE.has(name.toLowerCase())));

/**
 * @param from the address that answered.
 * @param location the Location header, relative or absolute; not trusted.
 * @returns the request for the next hop, not yet guarded; undefined when the answer is to be handed over as it is.
 */
export function followRedirect(request: HttpRequest, from: URL, status: number, location: string | undefined): HttpRequest | undefined {
  if (!REDIRECTS.has(status) || location === undefined || !URL.canParse(location, from.href)) return undefined;
  const next = new URL(location, from);
  const sameOrigin = next.origin === from.origin;
  if (!READS.has(request.method) && !(sameOrigin && KEEPS_METHOD.has(status))) return undefined;
  return { ...request, url: next.href, headers: sameOrigin ? request.headers : portable(request.headers) };
}
