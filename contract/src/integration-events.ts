/**
 * Integration events (REV-3): what a forge reports, in Weir's words. Webhooks become these by the descriptor's mappings.
 * They state what happened and decide nothing; provider, delivery id and time of arrival are added by the ingress.
 */
import { z } from 'zod';
import { Actor, ChangeEnd, ChangeNumber, ChangeState, CheckState, Commit, Id, IssueNumber, RepositoryRef, Url } from './capability-parts.ts';

/** The change as a delivery shows it: what it leaves out is null and has to be read by `change.get`. */
export const EventChange = z.strictObject({
  number: ChangeNumber,
  title: z.string().nullable(),
  url: Url.nullable(),
  state: ChangeState,
  draft: z.boolean().nullable(),
  author: Actor.nullable(),
  head: ChangeEnd.nullable(),
  base: ChangeEnd.nullable(),
});

export const EventComment = z.strictObject({ id: Id, body: z.string(), url: Url.nullable() });

/**
 * Where a comment of a thread stands. `root`, the id of the first comment, is null when this comment opens the thread, or where the
 * forge does not say; `id` null where it names no thread.
 */
const EventThread = z.strictObject({ id: Id.nullable(), root: Id.nullable(), path: z.string().nullable() });

const base = { repository: RepositoryRef, actor: Actor };
const ofChange = { ...base, change: EventChange };
const EventIssue = z.strictObject({
  number: IssueNumber,
  title: z.string(),
  url: Url.nullable(),
  state: z.enum(['open', 'closed']),
  labels: z.array(z.string()),
});
const ofIssue = { ...base, issue: EventIssue };

export const IntegrationEvent = z.discriminatedUnion('type', [
  z.strictObject({
    type: z.literal(['change.opened', 'change.reopened', 'change.ready', 'change.drafted', 'change.edited', 'change.closed', 'change.merged']),
    ...ofChange,
  }),
  /** `before` null where the delivery does not say. */
  z.strictObject({ type: z.literal('change.head_pushed'), ...ofChange, before: Commit.nullable() }),
  /** `label` null where only the fact is reported; the labels have to be read. */
  z.strictObject({ type: z.literal(['change.labelled', 'change.unlabelled']), ...ofChange, label: z.string().nullable() }),
  z.strictObject({ type: z.literal(['comment.created', 'comment.edited', 'comment.deleted']), ...ofChange, comment: EventComment }),
  /** `thread.replied` only where the forge tells a reply from a first comment; else both are `thread.commented`. */
  z.strictObject({
    type: z.literal(['thread.commented', 'thread.replied', 'thread.edited', 'thread.deleted']),
    ...ofChange,
    comment: EventComment,
    thread: EventThread,
  }),
  z.strictObject({ type: z.literal(['thread.resolved', 'thread.unresolved']), ...ofChange, thread: EventThread }),
  z.strictObject({
    type: z.literal(['review.submitted', 'review.dismissed']),
    ...ofChange,
    review: z.strictObject({
      id: Id.nullable(),
      verdict: z.enum(['approved', 'changes_requested', 'commented', 'dismissed']),
      body: z.string(),
      commit: Commit.nullable(),
    }),
  }),
  z.strictObject({ type: z.literal(['issue.opened', 'issue.reopened', 'issue.edited', 'issue.closed']), ...ofIssue }),
  z.strictObject({ type: z.literal(['issue.labelled', 'issue.unlabelled']), ...ofIssue, label: z.string().nullable() }),
  z.strictObject({ type: z.literal('issue.commented'), ...ofIssue, comment: EventComment }),
  /** A branch moved. `after` null when it was deleted, `before` null when it is new. */
  z.strictObject({ type: z.literal('branch.pushed'), ...base, branch: z.string().min(1), before: Commit.nullable(), after: Commit.nullable() }),
  z.strictObject({ type: z.literal('check.updated'), repository: RepositoryRef, commit: Commit, name: z.string().min(1), state: CheckState }),
  /** The repository has another owner or name now; its id is the same. */
  z.strictObject({ type: z.literal('repository.moved'), ...base, from: z.string().nullable() }),
]);
export type IntegrationEvent = z.infer<typeof IntegrationEvent>;
export type IntegrationEventType = IntegrationEvent['type'];

/** Every type that a descriptor may name. */
export const INTEGRATION_EVENTS: readonly IntegrationEventType[] = IntegrationEvent.options.flatMap(
  option => [...option.shape.type.values] as IntegrationEventType[],
);
