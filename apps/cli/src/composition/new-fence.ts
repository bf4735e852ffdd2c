/** A fence word: more than anybody can guess within one call (REV-15). */
import { randomBytes } from 'node:crypto';

const FENCE_BYTES = 12;

export const newFence = (): string => randomBytes(FENCE_BYTES).toString('hex');
