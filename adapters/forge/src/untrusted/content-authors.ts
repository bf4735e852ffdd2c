/**
 * Where the people stand who wrote what a provider returns, by verb: data for the lockdown (PRV-20).
 * A piece is dropped whole, since titles, paths and branch names are as much its author's text as its body is.
 */
import type { Verb } from '@weir/contract';

/** What is shown to a model: a verb's result, the value of any other answer, or what is known of a failure. */
export type ModelSubject = Verb | 'answer' | 'failure';

export type AuthorRule =
  /** `path`: members that are lists, from outside to inside; empty where the whole value is the piece. `author`: the piece's member. */
  | { readonly kind: 'pieces'; readonly path: readonly string[]; readonly author: 'author' | 'actor'; readonly what: string }
  /** Text of people, without a word about who they are. */
  | { readonly kind: 'unattributed'; readonly what: string }
  /** Facts of the forge, settings of the repository (labels, hooks, protection), and what Weir itself has just written. */
  | { readonly kind: 'facts' };

const pieces = (what: string, path: readonly string[] = [], author: 'author' | 'actor' = 'author'): AuthorRule => ({ kind: 'pieces', path, author, what });
const unattributed = (what: string): AuthorRule => ({ kind: 'unattributed', what });
const FACTS: AuthorRule = { kind: 'facts' };

export const CONTENT_AUTHORS: Readonly<Record<ModelSubject, AuthorRule>> = {
  'change.get': pieces('change'),
  'change.list': pieces('change', ['changes']),
  'change.diff': unattributed('diff'),
  'change.files': unattributed('list of files'),
  'change.compare': unattributed('diff'),
  'change.create': pieces('change'),
  'change.update': pieces('change'),
  'change.ready': FACTS,
  'change.merge': FACTS,
  'change.automerge': FACTS,
  'change.approvals': pieces('approval', ['approvals'], 'actor'),
  // The names of checks come from workflow files, which a change from outside may bring along.
  'checks.list': unattributed('list of checks'),
  'branch.create': FACTS,
  'commit.create': FACTS,
  'review.submit': FACTS,
  'reaction.add': FACTS,
  'comment.create': pieces('comment'),
  'comment.update': pieces('comment'),
  'comment.list': pieces('comment', ['comments']),
  'review.comment.create': FACTS,
  'thread.list': pieces('comment', ['threads', 'comments']),
  'thread.reply': FACTS,
  'thread.resolve': FACTS,
  'thread.unresolve': FACTS,
  'status.post': FACTS,
  'check.upsert': FACTS,
  // Commits of a fork can be read through the repository that it was made from.
  'file.get': unattributed('file'),
  'issue.get': pieces('issue'),
  'issue.list': pieces('issue', ['issues']),
  'issue.create': pieces('issue'),
  'issue.update': pieces('issue'),
  'issue.comment': pieces('comment'),
  'issue.events': pieces('event', ['events'], 'actor'),
  'label.upsert': FACTS,
  'label.add': FACTS,
  'label.remove': FACTS,
  // Some forges let people write milestones who cannot push.
  'milestone.list': unattributed('list of milestones'),
  'milestone.create': FACTS,
  'protection.get': FACTS,
  'protection.reconcile': FACTS,
  'webhook.list': FACTS,
  'webhook.upsert': FACTS,
  'webhook.delete': FACTS,
  'account.whoami': FACTS,
  'account.permission': FACTS,
  'account.scopes': FACTS,
  'repo.get': FACTS,
  'user.get': FACTS,
  answer: unattributed('answer'),
  // A sentence of the forge itself; without it a model cannot know what to do next.
  failure: FACTS,
};
