/** The key of the operator's routes (MOD-18): the configured one, or one for this run, which commands of this machine find in the address file. */
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { AppError } from '@weir/kernel';

export interface OperatorKey {
  readonly key: string;
  readonly isKey: (presented: string | undefined) => boolean;
}

const RANDOM_BYTES = 32;
/** What a header can carry, and nobody guesses. */
const KEY_TEXT = /^[\x21-\x7e]{32,512}$/;

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

/** @param configured `gateway.operatorKey`. Throws CONFIG_INVALID, without the key. */
export function operatorKey(configured: string | null): OperatorKey {
  if (configured !== null && !KEY_TEXT.test(configured)) {
    throw new AppError('CONFIG_INVALID', '`gateway.operatorKey` has 32 to 512 printable characters and no space.', {
      next: 'Make one: openssl rand -base64 32.',
    });
  }
  const key = configured ?? `weir_op_${randomBytes(RANDOM_BYTES).toString('base64url')}`;
  const expected = digest(key);
  return { key, isKey: presented => presented !== undefined && timingSafeEqual(digest(presented), expected) };
}
