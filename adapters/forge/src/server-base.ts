/**
 * Where an operation goes whose description names a server of its own, as uploads do. A credential never follows it to a host that
 * is not the provider's.
 */
import { failed, type Outcome } from './provider-failure.ts';

export interface ProviderBase {
  /** The descriptor's `base_url`; undefined where each instance has its own. */
  readonly published: string | undefined;
  /** The one in use. */
  readonly baseUrl: string;
}

/**
 * A path is one of the host in use. A published URL has to be a neighbour of the published base URL (`uploads.x.com` beside `api.x.com`).
 * At another base URL the host is renamed alike (`api.acme.example` has `uploads.acme.example`); where it has no such name, the host in
 * use gets the path.
 */
export const serverBase = (server: string | undefined, { published, baseUrl }: ProviderBase): Outcome<string> => {
  if (server === undefined) return { ok: true, value: baseUrl };
  const base = new URL(baseUrl);
  if (server.startsWith('/')) return { ok: true, value: base.origin + server };
  const named = URL.canParse(server) ? new URL(server) : undefined;
  if (named === undefined) return refused(server);
  if (named.origin === base.origin) return { ok: true, value: server };
  const from = published === undefined ? undefined : new URL(published);
  if (from === undefined || named.protocol !== from.protocol || !areNeighbours(from.hostname, named.hostname)) return refused(server);
  if (base.origin === from.origin) return { ok: true, value: server };
  if (labelsOf(base.hostname).first !== labelsOf(from.hostname).first) return { ok: true, value: base.origin + named.pathname };
  base.hostname = `${labelsOf(named.hostname).first}.${labelsOf(base.hostname).rest}`;
  return { ok: true, value: base.origin + named.pathname };
};

const refused = (server: string): Outcome<never> =>
  failed('UrlRefused', `the description names ${server.slice(0, 200)} for this operation, which is no neighbour of the provider's host`, {
    hint: 'Nothing is sent there with a credential. Correct its `servers` with an overlay entry, if the provider does answer there.',
  });

function labelsOf(hostname: string): { readonly first: string; readonly rest: string } {
  const [first = '', ...rest] = hostname.split('.');
  return { first, rest: rest.join('.') };
}

/** Names that differ in their first label alone, below a domain of two labels at least. Addresses have no labels. */
const areNeighbours = (one: string, other: string): boolean => {
  const { rest } = labelsOf(one);
  return rest.includes('.') && !/^[\d.]+$|:/.test(one) && labelsOf(other).rest === rest;
};
