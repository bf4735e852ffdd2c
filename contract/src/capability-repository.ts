/**
 * Arguments and results of the verbs on a repository and on accounts: files, branches, commits, protection, webhooks, people.
 */
import { z } from 'zod';
import { Actor, Commit, Id, RepositoryPath, Url } from './capability-parts.ts';

const inRepository = { repository: RepositoryPath };
const branch = z.string().min(1);

const Webhook = z.strictObject({ id: Id, url: z.string(), active: z.boolean(), events: z.array(z.string()) });

/** Null where a forge has no such rule. */
const Protection = z.strictObject({
  protected: z.boolean(),
  requiredApprovals: z.number().int().nonnegative().nullable(),
  requiredChecks: z.array(z.string()).nullable(),
  forcePush: z.boolean().nullable(),
});

/** A file of a commit. `content` is base64, null to delete. `action` since some forges want to know which it is; `executable` as git has it. */
const FileWrite = z.strictObject({
  path: z.string().min(1),
  action: z.enum(['create', 'update', 'delete']),
  content: z.base64().nullable(),
  executable: z.boolean().default(false),
});

const Repository = z.strictObject({
  id: Id,
  owner: z.string().min(1),
  name: z.string().min(1),
  url: Url,
  /** Null where the repository is empty. */
  defaultBranch: z.string().min(1).nullable(),
  private: z.boolean(),
  archived: z.boolean().nullable(),
});

export const REPOSITORY_CAPABILITIES = {
  /** Text of a file at a commit or branch; bytes that are not UTF-8 as in `@weir/diff`'s lossless text. */
  'file.get': { arguments: z.strictObject({ ...inRepository, path: z.string().min(1), ref: z.string().min(1) }), result: z.strictObject({ text: z.string() }) },
  'branch.create': { arguments: z.strictObject({ ...inRepository, branch, commit: Commit }), result: z.strictObject({ branch, commit: Commit }) },
  /** One commit on a branch whose head is `parent`. */
  'commit.create': {
    arguments: z.strictObject({ ...inRepository, branch, parent: Commit, message: z.string().min(1), files: z.array(FileWrite).min(1).max(100) }),
    result: z.strictObject({ commit: Commit }),
  },
  'protection.get': { arguments: z.strictObject({ ...inRepository, branch }), result: Protection },
  'protection.reconcile': {
    arguments: z.strictObject({
      ...inRepository,
      branch,
      requiredApprovals: z.number().int().nonnegative(),
      requiredChecks: z.array(z.string().min(1)),
      forcePush: z.boolean().default(false),
    }),
    result: Protection,
  },
  'webhook.list': { arguments: z.strictObject(inRepository), result: z.strictObject({ webhooks: z.array(Webhook) }) },
  /** The hook with this address, made or brought up to date. The events are those that the descriptor maps. */
  'webhook.upsert': { arguments: z.strictObject({ ...inRepository, url: Url, secret: z.string().min(16) }), result: z.strictObject({ id: Id }) },
  'webhook.delete': { arguments: z.strictObject({ ...inRepository, id: Id }), result: z.strictObject({ deleted: Id }) },
  'account.whoami': { arguments: z.strictObject({}), result: Actor },
  /** What a user may do in a repository; by stable id and by login, since forges ask for one or the other. */
  'account.permission': {
    arguments: z.strictObject({ ...inRepository, user: z.strictObject({ id: Id, login: z.string().min(1) }) }),
    result: z.strictObject({ permission: z.enum(['none', 'read', 'triage', 'write', 'maintain', 'admin']) }),
  },
  /** Scopes of the token in use; null where a token of this kind has none to tell. */
  'account.scopes': { arguments: z.strictObject({}), result: z.strictObject({ scopes: z.array(z.string()).nullable() }) },
  'repo.get': { arguments: z.strictObject(inRepository), result: Repository },
  'user.get': { arguments: z.strictObject({ login: z.string().min(1) }), result: Actor },
} as const;
