/** The secret box of a process: encrypts with the primary key of its keyset, decrypts with all. */
import type { SecretBox } from '@weir/ports';
import type { Keyset } from './keyset.ts';
import { keyIdOf, openText, sealText } from './sealed-text.ts';
import { SecretUnreadable } from './secret-unreadable.ts';

/** Asked before each use, so that a rotation by another process is seen. */
export type KeysetSource = () => Keyset;

export function createSecretBox(source: KeysetSource): SecretBox {
  return {
    seal(plain, place) {
      const { primary, keys } = source();
      const key = keys.find(({ id }) => id === primary);
      if (key === undefined) throw new RangeError('A keyset that was read has its primary key.');
      return sealText(key, plain, place);
    },
    open(sealed, place) {
      const keyId = keyIdOf(sealed);
      if (keyId === undefined) throw new SecretUnreadable('malformed', place);
      const key = source().keys.find(({ id }) => id === keyId);
      if (key === undefined) throw new SecretUnreadable('unknown_key', place, keyId);
      return openText(key, sealed, place);
    },
    isCurrent: sealed => keyIdOf(sealed) === source().primary,
  };
}
