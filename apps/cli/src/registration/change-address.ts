/** A change from the address of its page: which provider, where, which repository, which number. */
import type { RepositoryPath } from '@weir/contract';
import { AppError } from '@weir/kernel';

export interface ChangeAddress {
  /** Name of the provider's descriptor. */
  readonly forge: string;
  readonly origin: string;
  readonly path: RepositoryPath;
  readonly change: number;
}

interface PageForm {
  /** Owner, name and number of a change in the path of its page; pages below it are the change's too. */
  readonly path: RegExp;
  /** By host, where the product runs the service itself; the other name is that of an instance of one's own. */
  readonly hosted: Readonly<Record<string, string>>;
  readonly own: string;
}

const FORMS: readonly PageForm[] = [
  { path: /^\/([^/]+)\/([^/]+)\/pull\/(\d{1,9})(?:\/|$)/, hosted: { 'github.com': 'github' }, own: 'github-ghes' },
  { path: /^\/(.{1,1000}?)\/([^/]+)\/-\/merge_requests\/(\d{1,9})(?:\/|$)/, hosted: {}, own: 'gitlab' },
  { path: /^\/([^/]+)\/([^/]+)\/pulls\/(\d{1,9})(?:\/|$)/, hosted: { 'codeberg.org': 'forgejo' }, own: 'gitea' },
  { path: /^\/(?:projects|users)\/([^/]+)\/repos\/([^/]+)\/pull-requests\/(\d{1,9})(?:\/|$)/, hosted: {}, own: 'bitbucket-dc' },
  { path: /^\/([^/]+)\/([^/]+)\/pull-requests\/(\d{1,9})(?:\/|$)/, hosted: {}, own: 'bitbucket-cloud' },
];

/** @param forge the provider where the address does not tell it; null to read it off. Throws USAGE. */
export function readChangeAddress(text: string, forge: string | null): ChangeAddress {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol) || url.pathname.includes('%')) throw notOne(text);
  for (const { path, hosted, own } of FORMS) {
    const [, owner, name, number] = path.exec(url.pathname) ?? [];
    if (owner === undefined || name === undefined || Number(number) === 0) continue;
    return { forge: forge ?? hosted[url.hostname] ?? own, origin: url.origin, path: { owner, name }, change: Number(number) };
  }
  throw notOne(text);
}

const notOne = (text: string): AppError =>
  new AppError('USAGE', `${JSON.stringify(text.slice(0, 200))} is not the address of a change`, {
    next: 'Give the address of its page, like https://git.example/owner/name/pulls/7.',
  });
