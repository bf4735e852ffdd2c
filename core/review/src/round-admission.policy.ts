/**
 * Whether a round may be asked for (REV-9), from the facts that a worker gathers for one integration event; and the line that says why
 * nothing was started.
 */
import type { Actor, ChangeCard, ReviewCommand, ReviewCoordinates, ReviewRefusalCode, RoundCause, ThreadRef } from '@weir/contract';
import type { AuthorityFacts } from './actor-authority.policy.ts';

export interface IntakeFacts {
  readonly reviewId: string;
  readonly at: string;
  readonly coordinates: ReviewCoordinates;
  /** As the forge has it now. */
  readonly change: ChangeCard;
  readonly head: string;
  readonly registration: {
    /** Weir's account for this repository; a mention of it lifts the cap of turns (REV-26). */
    readonly reviewer: Actor;
    /** Stable ids of Weir's accounts on this forge. */
    readonly ownAccounts: readonly string[];
    /** Stable id of the factory's account; null for none. Its changes are reviewed like those of a listed author. */
    readonly factoryAccount: string | null;
    /** Stable ids; empty for everyone. */
    readonly listedAuthors: readonly string[];
    readonly allowedBots: readonly string[];
    readonly reviewDrafts: boolean;
    readonly observe: boolean;
  };
  /** Something has been asked of the review before, by its view. */
  readonly seen: boolean;
  /** The review is archived, by its view. */
  readonly archived: boolean;
  /** Finding whose thread the event is about; null for none. */
  readonly finding: string | null;
  /** The thread that the comment stands in, where `intakeNeeds` asks for it; else null. */
  readonly thread: ThreadRef | null;
  readonly authority: AuthorityFacts;
}

/** A person's text, which no command holds: it is stored before the command is decided, and again under the same id when it is repeated. */
export interface KeptText {
  readonly id: string;
  readonly kind: 'finding' | 'reason';
  readonly text: string;
}

export interface Intake {
  readonly command: ReviewCommand;
  /** An artifact that the command names; null for none. */
  readonly keep: KeptText | null;
}

export const drop = ({ reviewId, at, head, coordinates, change }: IntakeFacts, code: ReviewRefusalCode, by: string): ReviewCommand => ({
  type: 'DropRequest',
  reviewId,
  at,
  code,
  head,
  by,
  coordinates,
  change,
});

function request({ reviewId, at, coordinates, change, head, registration }: IntakeFacts, cause: RoundCause, by: string): ReviewCommand {
  return { type: 'RequestRound', reviewId, at, coordinates, change, head, cause, by, forced: cause === 'command', observe: registration.observe };
}

export function isListed({ change: { author }, registration: { listedAuthors, factoryAccount } }: IntakeFacts): boolean {
  return listedAuthors.length === 0 || (author !== null && (author.id === factoryAccount || listedAuthors.includes(author.id)));
}

/** A change whose author is not listed is never touched; a draft waits, unless a person asks for it by name. */
export function admitRound(facts: IntakeFacts, cause: RoundCause, by: string): ReviewCommand {
  if (!isListed(facts)) return drop(facts, 'author_not_listed', by);
  if (facts.change.draft && cause !== 'command' && !facts.registration.reviewDrafts) return drop(facts, 'draft', by);
  return request(facts, cause, by);
}
