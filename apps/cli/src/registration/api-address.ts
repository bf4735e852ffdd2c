/** The address of a forge's API from the address that people see. */
import type { ProviderDescriptor } from '@weir/contract';
import { AppError } from '@weir/kernel';

export interface ForgePlace {
  /** Scheme, host in lower case, and the port where it is not the default. */
  readonly origin: string;
  readonly baseUrl: string;
}

/** At an instance of one's own the API is at the instance's address; its paths are in the table. Throws USAGE for an address that is none. */
export function forgePlace(
  { name, site, base_url: api }: Pick<ProviderDescriptor, 'name' | 'site' | 'base_url'>,
  given: { readonly origin: string | undefined; readonly baseUrl: string | undefined },
): ForgePlace {
  const text = given.origin ?? site;
  if (text === undefined) throw new AppError('USAGE', `${name} has no address of its own: give --origin https://…`);
  const origin = originOf(text, '--origin');
  if (given.baseUrl === undefined) return { origin, baseUrl: api !== undefined && site === origin ? new URL(api).origin : origin };
  originOf(given.baseUrl, '--base-url');
  return { origin, baseUrl: given.baseUrl.replace(/\/$/, '') };
}

/** Throws USAGE. */
export function originOf(text: string, flag: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url !== undefined && /^https?:$/.test(url.protocol)) return url.origin;
  throw new AppError('USAGE', `${flag} is an address like https://git.example, not ${JSON.stringify(text.slice(0, 80))}`);
}
