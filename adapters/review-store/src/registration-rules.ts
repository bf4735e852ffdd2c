/** What may not be registered (REV-8a), as checks that throw REGISTRATION_INVALID with the rule in words. */
import { AppError } from '@weir/kernel';
import type { ForgeAccount, HookRegistration, RegisteredRepository } from '@weir/ports';

export const refused = (sentence: string, next?: string): AppError => new AppError('REGISTRATION_INVALID', sentence, next === undefined ? {} : { next });

export const unknownAccount = (id: string): AppError => refused(`There is no account ${id}.`, 'List them: weir account list.');
export const unknownRepository = (id: string): AppError => refused(`There is no registered repository ${id}.`, 'List them: weir repo list.');

type Place = Pick<ForgeAccount, 'forge' | 'origin'>;

const samePlace = (left: Place, right: Place): boolean => left.forge === right.forge && left.origin === right.origin;

const nameOf = ({ path }: Pick<RegisteredRepository, 'path'>): string => `${path.owner}/${path.name}`;

/** The identity of a reviewer and of a factory account that one repository binds. */
function checkIdentities(repository: RegisteredRepository, one: ForgeAccount, other: ForgeAccount): void {
  if (one.identity.id !== other.identity.id) return;
  const [reviewer, factory] = repository.account === one.id ? [one, other] : [other, one];
  throw refused(
    `The reviewer ${reviewer.id} and the factory account ${factory.id} of ${nameOf(repository)} are both ${reviewer.identity.login} at the forge.`,
    'Use an account of its own for the factory, so that what it writes is reviewed.',
  );
}

/** Two accounts where the repository binds both; undefined for one that is not known. */
export interface BoundAccounts {
  readonly reviewer: ForgeAccount | undefined;
  readonly factory: ForgeAccount | undefined;
}

export function checkRepository(repository: RegisteredRepository, { reviewer, factory }: BoundAccounts, hook: HookRegistration | undefined): void {
  if (reviewer === undefined) throw unknownAccount(repository.account);
  if (repository.factoryAccount !== null && factory === undefined) throw unknownAccount(repository.factoryAccount);
  if (hook === undefined) throw refused(`There is no hook ${repository.hook}.`);
  for (const [what, place] of [
    ['account', reviewer],
    ['factory account', factory],
    ['hook', hook],
  ] as const) {
    if (place !== undefined && !samePlace(repository, place)) {
      throw refused(`The ${what} ${place.id} is for ${place.origin}, and ${nameOf(repository)} is at ${repository.origin}.`);
    }
  }
  if (reviewer.role !== 'reviewer') throw refused(`The account ${reviewer.id} has the role ${reviewer.role}; a repository is reviewed by a reviewer.`);
  if (factory === undefined) return;
  if (factory.role !== 'factory') throw refused(`The account ${factory.id} has the role ${factory.role}, not factory.`);
  checkIdentities(repository, reviewer, factory);
}

/** @param bound the repositories that bind the account. `hooks`: whether addresses of the ingress belong to it. */
export interface AccountUse {
  readonly before: ForgeAccount | undefined;
  readonly hooks: boolean;
  readonly bound: readonly (RegisteredRepository & { readonly other: ForgeAccount | undefined })[];
}

export function checkAccount(account: ForgeAccount, { before, hooks, bound }: AccountUse): void {
  if (before !== undefined && (bound.length > 0 || hooks) && !samePlace(before, account)) {
    throw refused(
      `The account ${account.id} is in use at ${before.origin} and is not moved to ${account.origin}.`,
      'Add another account for the other origin.',
    );
  }
  if (before !== undefined && bound.length > 0 && before.role !== account.role) {
    throw refused(`The account ${account.id} is in use as ${before.role}.`, 'Release its repositories first: weir repo set.');
  }
  for (const repository of bound) if (repository.other !== undefined) checkIdentities(repository, account, repository.other);
}

export function checkDeletion(id: string, bound: readonly RegisteredRepository[]): void {
  if (bound.length === 0) return;
  const names = bound.slice(0, 5).map(nameOf).join(', ');
  throw refused(
    `The account ${id} is in use by ${names}${bound.length > 5 ? ` and ${bound.length - 5} more` : ''}.`,
    'Remove or set these repositories first: weir repo list.',
  );
}
