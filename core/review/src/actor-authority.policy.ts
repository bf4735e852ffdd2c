/**
 * Whether somebody may ask for something, by stable id (REV-27): the deny list, then the grant list, then what a live measurement says.
 * Unknown refuses. A grant stands in for the measurement alone; author lists, observe mode, archive and caps hold for everybody.
 */
import type { ReviewRefusalCode, VerbResult } from '@weir/contract';

export type Permission = VerbResult<'account.permission'>['permission'];

export interface AuthorityNeed {
  readonly permission: Permission;
  /** The author of the change needs no permission. */
  readonly author: boolean;
}

export interface AuthorityFacts {
  /** Stable ids; both lists belong to the repository. */
  readonly denied: readonly string[];
  readonly granted: readonly string[];
  /**
   * Of this event's actor: measured within 20 s for this event alone, and `unknown` where it failed, took longer, or account, repository or
   * lists changed meanwhile. Null while nobody has measured.
   */
  readonly measured: Permission | 'unknown' | null;
}

const RANKS: readonly Permission[] = ['none', 'read', 'triage', 'write', 'maintain', 'admin'];

/** @returns `measure` where it takes a measurement, which has not been made. */
export function actorAuthority(
  actor: { readonly id: string; readonly isAuthor: boolean },
  need: AuthorityNeed,
  { denied, granted, measured }: AuthorityFacts,
): 'allowed' | 'measure' | Extract<ReviewRefusalCode, 'actor_denied' | 'actor_not_permitted' | 'permission_unknown'> {
  if (denied.includes(actor.id)) return 'actor_denied';
  if (granted.includes(actor.id) || (need.author && actor.isAuthor)) return 'allowed';
  if (measured === null) return 'measure';
  if (measured === 'unknown') return 'permission_unknown';
  return RANKS.indexOf(measured) >= RANKS.indexOf(need.permission) ? 'allowed' : 'actor_not_permitted';
}
