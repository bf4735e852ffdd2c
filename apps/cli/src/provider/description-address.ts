/** The address that a pinned description is fetched from, for each kind of source that a descriptor may name. */
import type { SpecSource } from '@weir/contract';
import { AppError } from '@weir/kernel';

export interface DescriptionAddress {
  readonly url: string;
  /** Path inside the package that the address answers, without its top folder; absent where the answer is the description. */
  readonly member?: string;
}

/** Serves files of a commit as they are. */
const RAW_HOST = 'https://raw.githubusercontent.com';
export const PACKAGE_REGISTRY = 'https://registry.npmjs.org';

const REPOSITORY = /^[\w-][\w.-]*\/[\w-][\w.-]*$/;
const PACKAGE = /^(?:@[a-z0-9][\w.-]*\/)?[a-z0-9][\w.-]*$/;
const VERSION = /^\d[\w.+-]*$/;

const refused = (what: string): AppError =>
  new AppError('DESCRIPTOR_INVALID', `spec.source: ${what}`, { next: 'Correct it, or fetch the description yourself and name it with --from <file>.' });

/** @param registry origin, and path, of the package registry. Throws DESCRIPTOR_INVALID for a source that has no address of its own. */
export function descriptionAddress(source: Exclude<SpecSource, { file: string }>, registry: string): DescriptionAddress {
  if ('instance_url' in source) return { url: source.instance_url };
  if ('repo' in source) {
    if (!REPOSITORY.test(source.repo)) throw refused(`${source.repo} is not owner/name, the one form whose files have a known address`);
    return { url: `${RAW_HOST}/${source.repo}/${source.commit}/${source.path.split('/').map(encodeURIComponent).join('/')}` };
  }
  if (!PACKAGE.test(source.package)) throw refused(`${source.package} is no name of a package`);
  if (!VERSION.test(source.version)) throw refused(`${source.version} is no version of a package; a tag or range moves`);
  const file = `${source.package.slice(source.package.indexOf('/') + 1)}-${source.version}.tgz`;
  return { url: `${registry.replace(/\/+$/, '')}/${source.package}/-/${file}`, member: source.path };
}
