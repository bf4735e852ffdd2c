/** A simulated repository: its git store and every record that a forge keeps beside it. */
import type { GitStore } from '../git/git-store.ts';
import type { Account, Permission } from './account.ts';
import type { Change } from './change.ts';
import type { Issue, Label, Milestone } from './issue.ts';

export interface CommitStatus {
  readonly id: number;
  readonly sha: string;
  state: string;
  readonly context: string;
  description: string | null;
  targetUrl: string | null;
  readonly by: Account;
  readonly createdAt: Date;
  updatedAt: Date;
}

/** A check run, a build report or the like: kept as the vendor's fields. */
export interface CheckRun {
  readonly id: number;
  readonly sha: string;
  readonly by: Account;
  fields: Record<string, unknown>;
  readonly annotations: Record<string, unknown>[];
}

export interface Hook {
  readonly id: number;
  readonly uuid: string;
  url: string;
  secret: string | null;
  /** GitLab's signing token, beside the secret that it sends in the clear. */
  signingToken: string | null;
  contentType: 'json' | 'form';
  events: string[];
  active: boolean;
  readonly createdAt: Date;
  updatedAt: Date;
  /** The vendor's other fields, given back as they were sent. */
  fields: Record<string, unknown>;
}

export interface Repository {
  readonly id: number;
  readonly uuid: string;
  readonly owner: Account;
  readonly name: string;
  readonly fullName: string;
  readonly private: boolean;
  readonly defaultBranch: string;
  readonly git: GitStore;
  readonly createdAt: Date;
  readonly permissions: Map<number, Permission>;
  readonly changes: Change[];
  readonly issues: Issue[];
  readonly labels: Label[];
  readonly milestones: Milestone[];
  readonly statuses: CommitStatus[];
  readonly checks: CheckRun[];
  readonly protections: Map<string, Record<string, unknown>>;
  readonly hooks: Hook[];
}
