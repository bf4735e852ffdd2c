/**
 * A pull or merge request and what hangs on it: threads, comments, reviews, reactions.
 * The neutral record; each forge prints it in its own words.
 */
import type { Account } from './account.ts';
import type { Label, Milestone, Reaction, Remark, TimelineEntry } from './issue.ts';

/** Where an inline comment stands. Lines are of the files at `commit` (new) and at `base` (old), from 1. */
export interface Place {
  readonly path: string;
  readonly oldPath: string;
  readonly side: 'OLD' | 'NEW';
  /** Null for a comment on a whole file. */
  readonly oldLine: number | null;
  readonly newLine: number | null;
  readonly startOldLine: number | null;
  readonly startNewLine: number | null;
  readonly startSide: 'OLD' | 'NEW' | null;
  readonly base: string;
  readonly commit: string;
  /** The vendor's own position object, given back as it was sent. */
  readonly vendor?: Readonly<Record<string, unknown>>;
}

export interface Thread {
  readonly id: number;
  readonly key: string;
  /** Null for a conversation thread without a place. */
  readonly place: Place | null;
  readonly remarks: Remark[];
  /** The review that opened it. */
  readonly review: Review | null;
  /** A plain comment that opened no discussion; a reply makes one of it (GitLab). */
  individual: boolean;
  resolved: boolean;
  resolvedBy: Account | null;
}

export type ReviewState = 'pending' | 'commented' | 'approved' | 'changes_requested' | 'dismissed';

export interface Review {
  readonly id: number;
  readonly author: Account;
  state: ReviewState;
  body: string;
  readonly commit: string;
  submittedAt: Date | null;
  readonly threads: Thread[];
}

export interface Commitment {
  readonly sha: string;
  readonly by: Account;
  readonly at: Date;
}

export interface Change {
  readonly number: number;
  readonly id: number;
  title: string;
  body: string;
  readonly author: Account;
  state: 'open' | 'closed' | 'merged';
  draft: boolean;
  readonly head: string;
  base: string;
  headSha: string;
  /** The target branch's head when the change was opened or last retargeted. */
  baseSha: string;
  merge: Commitment | null;
  closedAt: Date | null;
  closedBy: Account | null;
  autoMerge: { readonly by: Account; readonly method: string } | null;
  readonly createdAt: Date;
  updatedAt: Date;
  labels: Label[];
  milestone: Milestone | null;
  assignees: Account[];
  reviewers: Account[];
  /** Each head that was pushed, oldest first. */
  readonly heads: { readonly id: number; readonly head: string; readonly base: string; readonly at: Date }[];
  /** Conversation comments. */
  readonly remarks: Remark[];
  readonly threads: Thread[];
  readonly reviews: Review[];
  readonly approvals: Account[];
  readonly reactions: Reaction[];
  readonly timeline: TimelineEntry[];
}
