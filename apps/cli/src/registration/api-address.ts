/** The address of a forge's API from the address that people see. */
import { AppError } from '@weir/kernel';

/** Services of the vendors themselves. At an instance of one's own the API is at the instance's address; its paths are in the table. */
const GITHUB = { origin: 'https://github.com', api: 'https://api.github.com' };
const HOSTED: Readonly<Record<string, { readonly origin: string; readonly api: string }>> = {
  github: GITHUB,
  'github-ghec': GITHUB,
  gitlab: { origin: 'https://gitlab.com', api: 'https://gitlab.com' },
  'bitbucket-cloud': { origin: 'https://bitbucket.org', api: 'https://api.bitbucket.org' },
};

export interface ForgePlace {
  /** Scheme, host in lower case, and the port where it is not the default. */
  readonly origin: string;
  readonly baseUrl: string;
}

/** Throws USAGE for an address that is none. */
export function forgePlace(forge: string, given: { readonly origin: string | undefined; readonly baseUrl: string | undefined }): ForgePlace {
  const hosted = HOSTED[forge];
  const text = given.origin ?? hosted?.origin;
  if (text === undefined) throw new AppError('USAGE', `${forge} has no address of its own: give --origin https://…`);
  const origin = originOf(text, '--origin');
  if (given.baseUrl === undefined) return { origin, baseUrl: hosted?.origin === origin ? hosted.api : origin };
  originOf(given.baseUrl, '--base-url');
  return { origin, baseUrl: given.baseUrl.replace(/\/$/, '') };
}

/** Throws USAGE. */
export function originOf(text: string, flag: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url !== undefined && /^https?:$/.test(url.protocol)) return url.origin;
  throw new AppError('USAGE', `${flag} is an address like https://git.example, not ${JSON.stringify(text.slice(0, 80))}`);
}
