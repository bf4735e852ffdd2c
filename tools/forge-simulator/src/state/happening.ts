/** What happened on a forge, in neutral words. Each forge turns one into its own webhook events, or into none. */
import type { Account } from './account.ts';
import type { Change, Review, Thread } from './change.ts';
import type { Issue, Label, Remark } from './issue.ts';
import type { CommitStatus, Hook, Repository } from './repository.ts';

export type ChangeAction =
  | 'opened'
  | 'pushed'
  | 'closed'
  | 'merged'
  | 'reopened'
  | 'ready'
  | 'drafted'
  | 'edited'
  | 'labeled'
  | 'unlabeled'
  | 'approved'
  | 'unapproved';

export type Happening = { readonly repository: Repository; readonly by: Account } & (
  | { readonly kind: 'ping'; readonly hook: Hook }
  | { readonly kind: 'push'; readonly branch: string; readonly before: string; readonly after: string; readonly forced: boolean }
  | {
      readonly kind: 'change';
      readonly action: ChangeAction;
      readonly change: Change;
      readonly before?: string;
      readonly after?: string;
      readonly label?: Label;
      /** Field to its value before an edit. */
      readonly was?: Readonly<Record<string, unknown>>;
    }
  | {
      readonly kind: 'remark';
      readonly action: 'created' | 'edited' | 'deleted';
      readonly subject: Change | Issue;
      readonly remark: Remark;
      readonly thread?: Thread;
      readonly was?: string;
    }
  | { readonly kind: 'review'; readonly action: 'submitted' | 'edited' | 'dismissed'; readonly change: Change; readonly review: Review }
  | { readonly kind: 'thread'; readonly action: 'resolved' | 'unresolved'; readonly change: Change; readonly thread: Thread }
  | {
      readonly kind: 'issue';
      readonly action: 'opened' | 'edited' | 'closed' | 'reopened' | 'labeled' | 'unlabeled';
      readonly issue: Issue;
      readonly label?: Label;
    }
  | { readonly kind: 'status'; readonly status: CommitStatus }
);

export const ABSENT = '0'.repeat(40);
