/** The text of a virtual key: made once, shown once, and kept as its hash alone. */
import { createHash, randomBytes } from 'node:crypto';

/** So that a scanner of secrets, and a person, knows it when it turns up somewhere. */
const PREFIX = 'weir_vk_';
const RANDOM_BYTES = 32;

export interface VirtualKeySecret {
  /** Handed to its holder and never stored. */
  readonly secret: string;
  readonly hash: string;
}

export function newVirtualKeySecret(): VirtualKeySecret {
  const secret = `${PREFIX}${randomBytes(RANDOM_BYTES).toString('base64url')}`;
  return { secret, hash: hashVirtualKey(secret) };
}

/** sha256, hex. The key has 256 random bits, so a slow hash would protect nothing. Any text has one; what no key has finds no key. */
export const hashVirtualKey = (presented: string): string => createHash('sha256').update(presented).digest('hex');
