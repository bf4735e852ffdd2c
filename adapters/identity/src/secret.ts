/** Secrets of sessions, links and tokens: 256 random bits, shown once and kept as their hash. */
import { createHash, randomBytes } from 'node:crypto';

const RANDOM_BYTES = 32;

export const newSecret = (): string => randomBytes(RANDOM_BYTES).toString('base64url');

/** sha256, hex. With 256 random bits a slow hash would protect nothing. */
export const hashOf = (secret: string): string => createHash('sha256').update(secret).digest('hex');
