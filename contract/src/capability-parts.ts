/**
 * Parts that arguments, results and integration events share: repositories, people, commits, places in a diff.
 * Ids are strings, whatever a forge makes them of. E-mail addresses have no place here (REV-39).
 */
import { z } from 'zod';

/** A repository by its path. `owner` may have several segments (`group/subgroup`). */
export const RepositoryPath = z.strictObject({ owner: z.string().min(1), name: z.string().min(1) });
export type RepositoryPath = z.infer<typeof RepositoryPath>;

/** A repository as a forge answers it; `id` survives renames and transfers, null where the answer has none. */
export const RepositoryRef = z.strictObject({ id: z.string().min(1).nullable(), owner: z.string().min(1), name: z.string().min(1) });
export type RepositoryRef = z.infer<typeof RepositoryRef>;

/** Who did something. `id` is stable, `login` is not and is for display; `unknown` where a forge does not tell bots from people. */
export const Actor = z.strictObject({ id: z.string().min(1), login: z.string().min(1), kind: z.enum(['person', 'bot', 'unknown']) });
export type Actor = z.infer<typeof Actor>;

/** Hex. Full in `change.get`; lists and webhooks of some forges give a prefix of 12 digits. */
export const Commit = z.string().regex(/^[0-9a-f]{7,64}$/);

const ISO = z.iso.datetime({ offset: true });
/** `2026-01-31 08:00:00 UTC`, an older form of one forge. */
const SPACED = /^(\d{4}-\d{2}-\d{2}) (\d{2}:\d{2}:\d{2}) (UTC|[+-]\d{4})$/;
const isoOf = (text: string): string => text.replace(SPACED, (_, day: string, time: string, zone: string) => `${day}T${time}${zone === 'UTC' ? 'Z' : zone}`);

/** A moment: ISO 8601 with offset, the older spaced form, or milliseconds since 1970. Reads as ISO 8601 in UTC. */
export const Instant = z.union([z.string().transform(isoOf).pipe(ISO), z.number().int().min(0).max(8.64e15)]).transform(value => new Date(value).toISOString());

/** The number that people see. */
export const ChangeNumber = z.number().int().positive();
export const IssueNumber = z.number().int().positive();
export const Url = z.url({ protocol: /^https?$/ });
export const Id = z.string().min(1);

export const ChangeState = z.enum(['open', 'closed', 'merged']);

/** One end of a change. `commit` null where the answer does not say; `repository` null where it is gone or not named. */
export const ChangeEnd = z.strictObject({ branch: z.string(), commit: Commit.nullable(), repository: RepositoryRef.nullable() });

/** A place on lines of a diff. Both numbers are given where the line is on both sides, since forges want different ones (REV-17). */
export const Anchor = z.strictObject({
  path: z.string().min(1),
  /** Path on the old side; equal to `path` unless the file was renamed. */
  previousPath: z.string().min(1),
  side: z.enum(['new', 'old']),
  /** 1-based last line on `side`. */
  line: z.number().int().positive(),
  /** 1-based first line on `side`; null for one line. */
  startLine: z.number().int().positive().nullable(),
  /** The same last line's number on each side; null where it is not there. */
  oldLine: z.number().int().positive().nullable(),
  newLine: z.number().int().positive().nullable(),
});
export type Anchor = z.infer<typeof Anchor>;

/** What names a thread to a forge: opaque to the core, kept as it came and handed back. */
export const ThreadRef = z.strictObject({
  id: Id,
  /** Id of the first comment. */
  root: Id,
  /** Id of the review that the first comment belongs to, where the forge needs it. */
  review: Id.nullable(),
  path: z.string().min(1).nullable(),
  side: z.enum(['new', 'old']).nullable(),
  line: z.number().int().positive().nullable(),
});
export type ThreadRef = z.infer<typeof ThreadRef>;

export const Comment = z.strictObject({ id: Id, url: Url.nullable(), body: z.string(), author: Actor, createdAt: Instant, updatedAt: Instant.nullable() });

/** How far a check has come. `unknown` for a word that the mapping does not know; it is never success. */
export const CheckState = z.enum(['pending', 'success', 'failure', 'error', 'cancelled', 'skipped', 'neutral', 'unknown']);
