/**
 * One secret as AES-256-GCM: `weir1.{key id}.{nonce, ciphertext and tag as base64url}`. The associated data binds it to the format,
 * the key's id and the place, so that it opens nowhere else. A nonce is 96 random bits: one key may encrypt 2^32 secrets (NIST SP
 * 800-38D, 8.3); rotate long before.
 */
import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import type { SecretPlace } from '@weir/ports';
import type { KeysetKey } from './keyset.ts';
import { SecretUnreadable } from './secret-unreadable.ts';

const FORMAT = 'weir1';
const CIPHER = 'aes-256-gcm';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const SEALED = /^weir1\.([a-z0-9]{1,32})\.([A-Za-z0-9_-]+)$/;

/** A JSON array has one reading: no two places have the same bytes. */
const boundTo = (keyId: string, { store, row, column }: SecretPlace): Buffer => Buffer.from(JSON.stringify([FORMAT, keyId, store, row, column]));

export function sealText({ id, key }: KeysetKey, plain: string, place: SecretPlace): string {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv(CIPHER, key, nonce, { authTagLength: TAG_BYTES });
  cipher.setAAD(boundTo(id, place));
  // As JSON, so that a text that is no valid Unicode comes back as it was.
  const sealed = Buffer.concat([nonce, cipher.update(JSON.stringify(plain), 'utf8'), cipher.final(), cipher.getAuthTag()]);
  return `${FORMAT}.${id}.${sealed.toString('base64url')}`;
}

/** Undefined for what is no ciphertext of this format. */
export const keyIdOf = (sealed: string): string | undefined => SEALED.exec(sealed)?.[1];

export function openText({ id, key }: KeysetKey, sealed: string, place: SecretPlace): string {
  const text = SEALED.exec(sealed)?.[2] ?? '';
  const bytes = Buffer.from(text, 'base64url');
  // The last character may hold bits that decode to nothing: only the one spelling that was written is taken.
  if (bytes.length < NONCE_BYTES + TAG_BYTES || bytes.toString('base64url') !== text) throw new SecretUnreadable('malformed', place, id);
  const decipher = createDecipheriv(CIPHER, key, bytes.subarray(0, NONCE_BYTES), { authTagLength: TAG_BYTES });
  decipher.setAAD(boundTo(id, place));
  decipher.setAuthTag(bytes.subarray(-TAG_BYTES));
  const plain = decipher.update(bytes.subarray(NONCE_BYTES, -TAG_BYTES));
  if (!isAuthentic(decipher)) throw new SecretUnreadable('not_authentic', place, id);
  return JSON.parse(plain.toString()) as string;
}

/** Before this says yes, nothing that was decrypted may be used. */
function isAuthentic(decipher: { final(): Buffer }): boolean {
  try {
    decipher.final();
    return true;
  } catch {
    return false;
  }
}
