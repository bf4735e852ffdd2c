/**
 * Whose text passes the lockdown (PRV-20): who may push to the repository, and the acting account itself.
 * It is asked through the engine like everything else, so policy, budgets and limits hold for it too.
 */
import type { RepositoryPath, Verb, VerbResult } from '@weir/contract';
import type { VerbContext } from '../perform-verb-call.ts';
import type { VerbOutcome } from '../run-verb.ts';

export interface Author {
  readonly id: string;
  readonly login: string;
}

export type DropReason = 'no-push-access' | 'lookup-failed' | 'lookup-unsupported' | 'too-many-authors' | 'author-unknown';

export type AskVerb = <V extends Verb>(verb: V, args: unknown, options: VerbContext & { readonly signal: AbortSignal }) => Promise<VerbOutcome<V>>;

export interface JudgeContext extends VerbContext {
  readonly signal: AbortSignal;
  /** Where push access counts. Without it nobody has any. */
  readonly repository?: RepositoryPath;
}

/** Why the author's text is dropped; undefined where it stays. */
export type AuthorJudge = (author: Author | null) => DropReason | undefined;

/** Distinct authors that one call looks up; a long thread has fewer. */
export const MAX_AUTHORS = 50;

type Permission = VerbResult<'account.permission'>['permission'];
const PUSH: ReadonlySet<Permission> = new Set(['write', 'maintain', 'admin']);

/** One look-up per author. A login can change hands and an id can have an old one, so only both together are one author. */
const keyOf = ({ id, login }: Author): string => JSON.stringify([id, login]);

/** Looks up each author once. An answer that can't be had counts as no access. Aborting the signal rejects with its reason. */
export const judgeAuthors = async (ask: AskVerb, authors: readonly (Author | null)[], { repository, ...by }: JudgeContext): Promise<AuthorJudge> => {
  const reasonAgainst = async ({ id, login }: Author): Promise<DropReason | undefined> => {
    const outcome = await ask('account.permission', { repository, user: { id, login } }, by);
    if (outcome.ok) return PUSH.has(outcome.value.permission) ? undefined : 'no-push-access';
    return outcome.kind === 'unsupported' ? 'lookup-unsupported' : 'lookup-failed';
  };
  const distinct = new Map(authors.flatMap(author => (author === null ? [] : [[keyOf(author), author] as const])));
  const asked = [...distinct].slice(0, MAX_AUTHORS);
  const reasons = new Map(await Promise.all(asked.map(async ([key, author]) => [key, await reasonAgainst(author)] as const)));
  const isDoubtful = distinct.size > asked.length || [...reasons.values()].some(reason => reason !== undefined);
  // Weir's own comments stay, also where its account is no member: an app's, or one that may only read.
  const self = isDoubtful ? await ask('account.whoami', {}, by) : undefined;
  return author => {
    if (author === null) return 'author-unknown';
    if (self?.ok === true && self.value.id === author.id) return undefined;
    const key = keyOf(author);
    return reasons.has(key) ? reasons.get(key) : 'too-many-authors';
  };
};
