import { AppError } from '@weir/kernel';
import type { SecretPlace } from '@weir/ports';

/** `malformed`: not a ciphertext of ours, or cut. `unknown_key`: the keyset lacks its key. `not_authentic`: changed, moved, or another key of that id. */
export type UnreadableReason = 'malformed' | 'unknown_key' | 'not_authentic';

const SENTENCES: Readonly<Record<UnreadableReason, string>> = {
  malformed: 'it is cut, or was not encrypted by Weir',
  unknown_key: 'the keyset lacks the key that encrypted it',
  not_authentic: 'it was changed or moved, or the key of its id is another one',
};

/** A ciphertext that does not open. Names its place and the reason, never the secret, the ciphertext or a key. */
export class SecretUnreadable extends AppError {
  readonly reason: UnreadableReason;

  /** @param keyId of the ciphertext, where it could be read. */
  constructor(reason: UnreadableReason, { store, row, column }: SecretPlace, keyId?: string) {
    const key = keyId === undefined ? '' : ` (key ${keyId})`;
    super('SECRET_UNREADABLE', `The secret ${column} of ${store} ${JSON.stringify(row)} cannot be read: ${SENTENCES[reason]}${key}.`);
    this.reason = reason;
  }
}
