/** Whether a request is meant for this server and comes from its own pages. */
import { AppError } from '@weir/kernel';
import type { FastifyRequest } from 'fastify';

const LOOPBACK: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]']);

export const isLoopback = (address: string): boolean => LOOPBACK.has(address) || address === '::1';

export interface OwnSite {
  readonly https: boolean;
  /** A page whose name was made to point to this machine sends its own name. Throws AppError CROSS_SITE_REFUSED. */
  assertName(request: FastifyRequest): void;
  /** For what carries a cookie. Throws AppError CROSS_SITE_REFUSED. */
  assertOwnPage(request: FastifyRequest): void;
}

/** @param publicOrigin where browsers find the server, as behind a proxy; null: by the address that it listens on. */
export function ownSite(host: string, publicOrigin: string | null): OwnSite {
  const https = publicOrigin?.startsWith('https:') ?? false;
  const publicHost = publicOrigin === null ? null : new URL(publicOrigin).host;
  return {
    https,
    assertName({ headers }) {
      const name = (headers.host ?? '').toLowerCase();
      if (name === publicHost || LOOPBACK.has(name.replace(/:\d{1,5}$/, ''))) return;
      if (publicHost === null && !isLoopback(host)) return;
      throw new AppError('CROSS_SITE_REFUSED', 'This server is asked by another name than its own.');
    },
    assertOwnPage({ headers }) {
      const { origin, host: name = '' } = headers;
      const own = origin === undefined ? headers['sec-fetch-site'] === 'same-origin' : origin === publicOrigin || (!https && origin === `http://${name}`);
      if (!own) throw new AppError('CROSS_SITE_REFUSED', 'This write does not come from a page of this server.');
    },
  };
}
