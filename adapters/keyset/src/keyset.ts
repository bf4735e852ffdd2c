/**
 * A keyset (REV-39): keys by id, of which the primary one encrypts and all decrypt. Its text is JSON, kept in a file or an
 * environment variable; whoever has it can read everything that Weir encrypts.
 */
import { type KeyObject, createSecretKey, randomBytes } from 'node:crypto';
import { AppError } from '@weir/kernel';
import { z } from 'zod';

export interface Keyset {
  readonly primary: string;
  /** The newest last. */
  readonly keys: readonly KeysetKey[];
}

export interface KeysetKey {
  readonly id: string;
  /** ISO 8601. */
  readonly createdAt: string;
  /** 256 bits. A KeyObject does not print its bytes. */
  readonly key: KeyObject;
}

const KEY_BYTES = 32;
const ID_BYTES = 5;
/** A rotation keeps two; more is a file that someone edits. */
const MAX_KEYS = 100;

const KeysetText = z.strictObject({
  version: z.literal(1),
  primary: z.string(),
  keys: z
    .array(
      z.strictObject({
        id: z.string().regex(/^[a-z0-9]{1,32}$/),
        createdAt: z.iso.datetime(),
        key: z.string().regex(/^[A-Za-z0-9_-]{43}$/),
      }),
    )
    .min(1)
    .max(MAX_KEYS),
});

/** @param place where the text is from, for the message; the message never quotes the text. */
export function readKeyset(text: string, place: string): Keyset {
  const parsed = KeysetText.safeParse(jsonOf(text));
  if (!parsed.success) throw new AppError('KEYSET_INVALID', `${place} holds no keyset.`);
  const { primary, keys } = parsed.data;
  const ids = new Set(keys.map(({ id }) => id));
  if (ids.size !== keys.length) throw new AppError('KEYSET_INVALID', `The keyset in ${place} has two keys with one id.`);
  if (!ids.has(primary)) throw new AppError('KEYSET_INVALID', `The keyset in ${place} lacks its primary key ${JSON.stringify(primary.slice(0, 32))}.`);
  return { primary, keys: keys.map(({ id, createdAt, key }) => ({ id, createdAt, key: createSecretKey(key, 'base64url') })) };
}

/** What is no JSON is no keyset; the parser's message would quote it. */
function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** With the new key as the primary one; the old ones still decrypt. */
export function withNewKey(keyset: Keyset | undefined, now: Date): Keyset {
  const key = { id: randomBytes(ID_BYTES).toString('hex'), createdAt: now.toISOString(), key: createSecretKey(randomBytes(KEY_BYTES)) };
  return { primary: key.id, keys: [...(keyset?.keys ?? []), key] };
}

/** The secret text itself: for a file of mode 0600 or an environment variable, and nothing else. */
export function keysetText({ primary, keys }: Keyset): string {
  const plain = keys.map(({ id, createdAt, key }) => ({ id, createdAt, key: key.export().toString('base64url') }));
  return `${JSON.stringify({ version: 1, primary, keys: plain }, null, 2)}\n`;
}
