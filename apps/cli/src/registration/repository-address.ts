/** A repository from the address that people copy from their browser or from `git remote -v`. */
import type { RepositoryPath } from '@weir/contract';
import { AppError } from '@weir/kernel';

export interface RepositoryAddress {
  readonly origin: string;
  readonly path: RepositoryPath;
}

/** `git@host:owner/name.git` */
const SCP_FORM = /^[\w.-]{1,64}@([\w.-]{1,255}):(?!\/)(.{1,1000})$/;
/** Bitbucket Data Center: `/projects/KEY/repos/name`, with pages of the repository after it. */
const PROJECT_PATH = /^(?:.*\/)?(projects|users)\/([^/]+)\/repos\/([^/]+)/;

function urlOf(text: string): URL | undefined {
  const [, host, path] = SCP_FORM.exec(text) ?? [];
  const written = host === undefined ? text.replace(/^ssh:\/\/(?:[^@/]*@)?([^/:]+)(?::\d+)?\//, 'https://$1/') : `https://${host}/${path ?? ''}`;
  return URL.canParse(written) ? new URL(written) : undefined;
}

/** Throws USAGE. */
export function readRepositoryAddress(text: string): RepositoryAddress {
  const url = urlOf(text);
  // No forge has a name that is written with a percent sign.
  if (url === undefined || !/^https?:$/.test(url.protocol) || url.pathname.includes('%')) throw notOne(text);
  const path = url.pathname.replace(/^\/+|\/+$/g, '');
  const [, kind, key, slug] = PROJECT_PATH.exec(path) ?? [];
  if (key !== undefined && slug !== undefined) return { origin: url.origin, path: { owner: kind === 'users' ? `~${key}` : key, name: slug } };
  // GitLab's pages of a repository follow `/-/`.
  const segments = path
    .replace(/\/-\/.*$/, '')
    .replace(/\.git$/, '')
    .split('/');
  const name = segments.pop() ?? '';
  const owner = segments.join('/');
  if (owner === '' || name === '' || segments.includes('')) throw notOne(text);
  return { origin: url.origin, path: { owner, name } };
}

const notOne = (text: string): AppError =>
  new AppError('USAGE', `${JSON.stringify(text.slice(0, 200))} is not the address of a repository, like https://git.example/owner/name`);
