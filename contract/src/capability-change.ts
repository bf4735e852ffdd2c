/**
 * Arguments and results of the verbs on a change: read, create, merge, approvals and checks.
 */
import { z } from 'zod';
import { Actor, ChangeEnd, ChangeNumber, ChangeState, CheckState, Commit, Id, Instant, RepositoryPath, Url } from './capability-parts.ts';

const onChange = { repository: RepositoryPath, change: ChangeNumber };
const count = z.number().int().nonnegative();

export const Change = z.strictObject({
  id: Id,
  number: ChangeNumber,
  title: z.string(),
  body: z.string(),
  url: Url,
  state: ChangeState,
  draft: z.boolean(),
  author: Actor,
  labels: z.array(z.string()),
  head: ChangeEnd,
  base: ChangeEnd,
  /** Commit that the diff starts from, where the answer has it. */
  mergeBase: Commit.nullable(),
  /** Null while the forge still computes it, or where it never says. */
  mergeable: z.boolean().nullable(),
  createdAt: Instant,
  updatedAt: Instant,
});
export type Change = z.infer<typeof Change>;

/** A file of a change. `patch` is the hunks as the forge prints them, null where it leaves them out. */
export const ChangedFile = z.strictObject({
  path: z.string().min(1),
  previousPath: z.string().min(1).nullable(),
  kind: z.enum(['added', 'deleted', 'modified', 'renamed', 'copied', 'mode', 'unknown']),
  additions: count.nullable(),
  deletions: count.nullable(),
  patch: z.string().nullable(),
});

const Approval = z.strictObject({
  actor: Actor,
  state: z.enum(['approved', 'changes_requested', 'commented', 'dismissed', 'pending']),
  commit: Commit.nullable(),
  at: Instant.nullable(),
});

const Check = z.strictObject({ id: Id.nullable(), name: z.string().min(1), state: CheckState, description: z.string().nullable(), url: Url.nullable() });

const mergeMethod = z.enum(['merge', 'squash', 'rebase']);

export const CHANGE_CAPABILITIES = {
  'change.get': { arguments: z.strictObject(onChange), result: Change },
  'change.list': {
    arguments: z.strictObject({
      repository: RepositoryPath,
      state: z.enum(['open', 'closed', 'merged', 'all']).default('open'),
      /** Branch names; null for any. */
      head: z.string().min(1).nullable().default(null),
      base: z.string().min(1).nullable().default(null),
    }),
    result: z.strictObject({ changes: z.array(Change) }),
  },
  /** The unified diff; bytes that are not UTF-8 as in `@weir/diff`'s lossless text. */
  'change.diff': { arguments: z.strictObject(onChange), result: z.strictObject({ diff: z.string() }) },
  /** `complete` false where the forge cuts the list (3,000 files on one of them). */
  'change.files': { arguments: z.strictObject(onChange), result: z.strictObject({ files: z.array(ChangedFile), complete: z.boolean() }) },
  /** What `head` has that `base` has not. `mergeBase` other than `base` means that history was rewritten in between. */
  'change.compare': {
    arguments: z.strictObject({ repository: RepositoryPath, base: Commit, head: Commit }),
    result: z.strictObject({ diff: z.string(), mergeBase: Commit.nullable(), ahead: count.nullable(), behind: count.nullable() }),
  },
  'change.create': {
    arguments: z.strictObject({
      repository: RepositoryPath,
      title: z.string().min(1),
      body: z.string(),
      head: z.string().min(1),
      base: z.string().min(1),
      draft: z.boolean().default(false),
    }),
    result: Change,
  },
  'change.update': {
    arguments: z.strictObject({
      ...onChange,
      title: z.string().min(1).nullable().default(null),
      body: z.string().nullable().default(null),
      base: z.string().min(1).nullable().default(null),
      state: z.enum(['open', 'closed']).nullable().default(null),
    }),
    result: Change,
  },
  'change.ready': { arguments: z.strictObject({ ...onChange, ready: z.boolean() }), result: z.strictObject({ draft: z.boolean() }) },
  /** `head` guards against merging what nobody has seen. `pending` where the forge merges later. */
  'change.merge': {
    arguments: z.strictObject({
      ...onChange,
      head: Commit,
      method: mergeMethod,
      title: z.string().min(1).nullable().default(null),
      message: z.string().nullable().default(null),
    }),
    result: z.strictObject({ merged: z.boolean(), pending: z.boolean(), commit: Commit.nullable() }),
  },
  'change.automerge': {
    arguments: z.strictObject({ ...onChange, head: Commit, method: mergeMethod, enabled: z.boolean() }),
    result: z.strictObject({ enabled: z.boolean() }),
  },
  'change.approvals': {
    arguments: z.strictObject(onChange),
    result: z.strictObject({ approvals: z.array(Approval), required: count.nullable() }),
  },
  'checks.list': { arguments: z.strictObject({ repository: RepositoryPath, commit: Commit }), result: z.strictObject({ checks: z.array(Check) }) },
} as const;
