/** Guards routes that act in a repository: what is hidden is missing, what is not allowed is refused, in a forge's words. */
import { allows, type Permission } from '../state/account.ts';
import type { Repository } from '../state/repository.ts';
import type { World } from '../state/world.ts';
import type { Account } from '../state/account.ts';
import { type Answer, type Call, type Handler, Refusal } from './call.ts';

export interface AccessWords {
  readonly find: (world: World, call: Call) => Repository | undefined;
  /** Also the answer for a private repository that the account may not see. */
  readonly missing: () => Answer;
  readonly unauthenticated: () => Answer;
  readonly forbidden: (needed: Permission) => Answer;
  /** Whether reading needs an account, too. */
  readonly closed?: boolean;
}

export type RepositoryHandler = (call: Call, repository: Repository) => Answer | Promise<Answer>;
export type RepositoryGuard = (needed: Permission, handle: RepositoryHandler) => Handler;

export function repositoryGuard(world: World, words: AccessWords): RepositoryGuard {
  return (needed, handle) => call => {
    const repository = words.find(world, call);
    const held = repository === undefined ? 'none' : world.permission(repository, call.account);
    const writes = call.method !== 'GET';
    if (call.account === null && (writes || words.closed === true || needed !== 'read')) throw new Refusal(words.unauthenticated());
    if (repository === undefined || held === 'none') throw new Refusal(words.missing());
    if (!allows(held, needed)) throw new Refusal(words.forbidden(needed));
    return handle(call, repository);
  };
}

/** The account of a call whose guard made sure that there is one. */
export function actor(call: Call): Account {
  if (call.account === null) throw new Error(`${call.method} ${call.path} runs without an account`);
  return call.account;
}

/** The value, or the refusal when there is none. */
export function found<T>(value: T | undefined | null, missing: () => Answer): T {
  if (value === undefined || value === null) throw new Refusal(missing());
  return value;
}
