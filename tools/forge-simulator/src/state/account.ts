/**
 * An account of a simulated forge: a person, a bot or an app's installation, with ids that never change.
 * Names may change; ids may not.
 */
import { createHash } from 'node:crypto';

export type Permission = 'none' | 'read' | 'triage' | 'write' | 'maintain' | 'admin';

const ORDER: readonly Permission[] = ['none', 'read', 'triage', 'write', 'maintain', 'admin'];

export const allows = (held: Permission, needed: Permission): boolean => ORDER.indexOf(held) >= ORDER.indexOf(needed);

export interface Account {
  readonly id: number;
  readonly uuid: string;
  login: string;
  readonly name: string;
  readonly email: string;
  readonly kind: 'user' | 'bot' | 'organization';
  /** The secret of this run. Made when the forge starts, never written down. */
  readonly token: string;
}

/** A stable UUID of a word, so that a run can be repeated. */
export function uuidOf(word: string): string {
  const hex = createHash('sha256').update(word).digest('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}
