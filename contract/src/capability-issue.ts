/**
 * Arguments and results of the verbs on issues, labels and milestones.
 */
import { z } from 'zod';
import { Actor, Comment, Id, Instant, IssueNumber, RepositoryPath, Url } from './capability-parts.ts';

const onIssue = { repository: RepositoryPath, issue: IssueNumber };
/** A label is put on an issue or on a change; some forges number the two apart. */
const onLabelled = { repository: RepositoryPath, on: z.enum(['issue', 'change']), number: z.number().int().positive() };

export const Issue = z.strictObject({
  id: Id,
  number: IssueNumber,
  title: z.string(),
  body: z.string(),
  url: Url,
  state: z.enum(['open', 'closed']),
  author: Actor,
  labels: z.array(z.string()),
  assignees: z.array(Actor),
  milestone: z.string().nullable(),
  createdAt: Instant,
  updatedAt: Instant,
});
export type Issue = z.infer<typeof Issue>;

/** What happened to an issue, with the one who did it. Kinds that the mapping does not know are left out. */
export const IssueEvent = z.strictObject({
  kind: z.enum(['labelled', 'unlabelled', 'opened', 'closed', 'reopened', 'assigned', 'unassigned', 'milestoned', 'renamed', 'commented']),
  actor: Actor.nullable(),
  at: Instant,
  label: z.string().nullable(),
});

const Milestone = z.strictObject({
  id: Id,
  title: z.string().min(1),
  state: z.enum(['open', 'closed']),
  description: z.string(),
  dueOn: z.string().nullable(),
});
/** Six hex digits without `#`. */
const colour = z.string().regex(/^[0-9a-f]{6}$/);

export const ISSUE_CAPABILITIES = {
  'issue.get': { arguments: z.strictObject(onIssue), result: Issue },
  'issue.list': {
    arguments: z.strictObject({
      repository: RepositoryPath,
      state: z.enum(['open', 'closed', 'all']).default('open'),
      labels: z.array(z.string().min(1)).default([]),
      /** Changed at or after this moment; null for all. */
      since: Instant.nullable().default(null),
    }),
    result: z.strictObject({ issues: z.array(Issue) }),
  },
  'issue.create': {
    arguments: z.strictObject({ repository: RepositoryPath, title: z.string().min(1), body: z.string(), labels: z.array(z.string().min(1)).default([]) }),
    result: Issue,
  },
  'issue.update': {
    arguments: z.strictObject({
      ...onIssue,
      title: z.string().min(1).nullable().default(null),
      body: z.string().nullable().default(null),
      state: z.enum(['open', 'closed']).nullable().default(null),
    }),
    result: Issue,
  },
  'issue.comment': { arguments: z.strictObject({ ...onIssue, body: z.string().min(1) }), result: Comment },
  'issue.events': {
    arguments: z.strictObject({ repository: RepositoryPath, on: z.enum(['issue', 'change']).default('issue'), number: z.number().int().positive() }),
    result: z.strictObject({ events: z.array(IssueEvent) }),
  },
  'label.upsert': {
    arguments: z.strictObject({ repository: RepositoryPath, name: z.string().min(1), colour, description: z.string() }),
    result: z.strictObject({ name: z.string().min(1) }),
  },
  'label.add': {
    arguments: z.strictObject({ ...onLabelled, labels: z.array(z.string().min(1)).min(1) }),
    result: z.strictObject({ labels: z.array(z.string()) }),
  },
  'label.remove': { arguments: z.strictObject({ ...onLabelled, label: z.string().min(1) }), result: z.strictObject({ removed: z.string() }) },
  'milestone.list': {
    arguments: z.strictObject({ repository: RepositoryPath, state: z.enum(['open', 'closed', 'all']).default('open') }),
    result: z.strictObject({ milestones: z.array(Milestone) }),
  },
  'milestone.create': {
    arguments: z.strictObject({ repository: RepositoryPath, title: z.string().min(1), description: z.string(), dueOn: z.iso.date().nullable().default(null) }),
    result: Milestone,
  },
} as const;
