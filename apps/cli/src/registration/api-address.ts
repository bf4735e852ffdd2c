/** The address of a forge's API from the address that people see. */
import { AppError } from '@weir/kernel';

interface ForgeAddress {
  /** Of the vendor's own service; absent where every instance has its own. */
  readonly hosted?: { readonly origin: string; readonly api: string };
  /** What the API's address has after the origin, at an instance of one's own. */
  readonly path: string;
}

const GITHUB = { hosted: { origin: 'https://github.com', api: 'https://api.github.com' }, path: '' };

const ADDRESSES: Readonly<Record<string, ForgeAddress>> = {
  github: GITHUB,
  'github-ghes': { path: '/api/v3' },
  gitlab: { hosted: { origin: 'https://gitlab.com', api: 'https://gitlab.com' }, path: '' },
  gitea: { path: '/api/v1' },
  forgejo: { path: '/api/v1' },
  'bitbucket-cloud': { hosted: { origin: 'https://bitbucket.org', api: 'https://api.bitbucket.org/2.0' }, path: '/2.0' },
  'bitbucket-dc': { path: '/rest' },
};

export interface ForgePlace {
  /** Scheme, host in lower case, and the port where it is not the default. */
  readonly origin: string;
  readonly baseUrl: string;
}

/** Throws USAGE for an address that is none, and for a forge whose addresses are not known. */
export function forgePlace(forge: string, given: { readonly origin: string | undefined; readonly baseUrl: string | undefined }): ForgePlace {
  const known = ADDRESSES[forge];
  const text = given.origin ?? known?.hosted?.origin;
  if (text === undefined) throw new AppError('USAGE', `${forge} has no address of its own: give --origin https://…`);
  const origin = originOf(text, '--origin');
  if (given.baseUrl !== undefined) {
    originOf(given.baseUrl, '--base-url');
    return { origin, baseUrl: given.baseUrl.replace(/\/$/, '') };
  }
  if (known === undefined) throw new AppError('USAGE', `The address of the API of ${forge} is not known: give --base-url https://…`);
  return { origin, baseUrl: known.hosted?.origin === origin ? known.hosted.api : origin + known.path };
}

/** Throws USAGE. */
export function originOf(text: string, flag: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url !== undefined && /^https?:$/.test(url.protocol)) return url.origin;
  throw new AppError('USAGE', `${flag} is an address like https://git.example, not ${JSON.stringify(text.slice(0, 80))}`);
}
