/** Where a secret lies. A ciphertext opens only there: one that was moved to another row or column is refused (REV-39). */
export interface SecretPlace {
  readonly store: string;
  readonly row: string;
  readonly column: string;
}

/**
 * Encrypts what is stored. `seal` uses the newest key, `open` the one that the ciphertext names.
 * Throws AppError KEYSET_INVALID, and SECRET_UNREADABLE for a ciphertext whose key is missing or that was cut, changed or moved. No
 * error holds a secret.
 */
export interface SecretBox {
  seal(plain: string, place: SecretPlace): string;
  open(sealed: string, place: SecretPlace): string;
  /** Whether the newest key made it; one that is not is sealed again after a rotation. */
  isCurrent(sealed: string): boolean;
}

/** A column of ciphertexts, as a rotation walks through it. */
export interface SealedColumn {
  readonly name: string;
  /** Rows after a cursor in the order of the cursors; from the start with an empty text. */
  list(after: string, limit: number): Promise<readonly SealedRow[]>;
  /** Puts the new ciphertext in the place of exactly the old one. @returns false when the row has changed or is gone. */
  replace(cursor: string, before: string, after: string): Promise<boolean>;
}

export interface SealedRow {
  readonly cursor: string;
  readonly place: SecretPlace;
  readonly sealed: string;
}
