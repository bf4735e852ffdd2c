/** Issues, labels, milestones and comments ("remarks") of a simulated repository. */
import type { Account } from './account.ts';

export interface Label {
  readonly id: number;
  name: string;
  /** Six hex digits without `#`. */
  color: string;
  description: string;
}

export interface Milestone {
  readonly id: number;
  readonly number: number;
  title: string;
  description: string;
  state: 'open' | 'closed';
  dueOn: string | null;
  readonly createdAt: Date;
  readonly by: Account;
}

export interface Remark {
  readonly id: number;
  readonly author: Account;
  body: string;
  readonly createdAt: Date;
  updatedAt: Date;
  readonly reactions: Reaction[];
  /** The remark that this one answers. */
  readonly parent: number | null;
  deleted: boolean;
}

export interface Issue {
  readonly number: number;
  readonly id: number;
  title: string;
  body: string;
  readonly author: Account;
  state: 'open' | 'closed';
  stateReason: string | null;
  readonly createdAt: Date;
  updatedAt: Date;
  closedAt: Date | null;
  labels: Label[];
  milestone: Milestone | null;
  assignees: Account[];
  readonly remarks: Remark[];
  readonly reactions: Reaction[];
  readonly timeline: TimelineEntry[];
}

export interface Reaction {
  readonly id: number;
  readonly content: string;
  readonly by: Account;
  readonly at: Date;
}

export interface TimelineEntry {
  readonly id: number;
  readonly kind: string;
  readonly by: Account;
  readonly at: Date;
  readonly label?: Label;
  readonly remark?: Remark;
  readonly commit?: string;
  readonly text?: string;
}
