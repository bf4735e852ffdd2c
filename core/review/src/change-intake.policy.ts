/**
 * What an integration event asks of a review (REV-5, REV-7 to REV-9): one command, or none. The facts are gathered by a worker;
 * a forge's delivery may leave out what `change.get` has.
 */
import type { ChangeCard, IntegrationEvent, ReviewCommand, ReviewCoordinates, ReviewRefusalCode, RoundCause } from '@weir/contract';
import { readCommand } from './comment-command.ts';

export interface IntakeFacts {
  readonly reviewId: string;
  readonly at: string;
  readonly coordinates: ReviewCoordinates;
  /** As the forge has it now. */
  readonly change: ChangeCard;
  readonly head: string;
  readonly registration: {
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
  /** Finding whose thread the event is about; null for none. */
  readonly finding: string | null;
}

type Commented = Extract<IntegrationEvent, { comment: unknown; change: unknown }>;

const CAUSES: Readonly<Partial<Record<IntegrationEvent['type'], RoundCause>>> = {
  'change.opened': 'opened',
  'change.reopened': 'reopened',
  'change.ready': 'ready',
  'change.head_pushed': 'pushed',
};

const NOTED: ReadonlySet<IntegrationEvent['type']> = new Set(['change.drafted', 'change.edited', 'change.closed', 'change.merged']);

const drop = ({ reviewId, at, head }: IntakeFacts, code: ReviewRefusalCode, by: string): ReviewCommand => ({
  type: 'DropRequest',
  reviewId,
  at,
  code,
  head,
  by,
});

function request({ reviewId, at, coordinates, change, head, registration }: IntakeFacts, cause: RoundCause, by: string): ReviewCommand {
  return { type: 'RequestRound', reviewId, at, coordinates, change, head, cause, by, forced: cause === 'command', observe: registration.observe };
}

function isListed({ change: { author }, registration: { listedAuthors, factoryAccount } }: IntakeFacts): boolean {
  return listedAuthors.length === 0 || (author !== null && (author.id === factoryAccount || listedAuthors.includes(author.id)));
}

/** A change whose author is not listed is never touched; a draft waits, unless a person asks for it by name. */
function admit(facts: IntakeFacts, cause: RoundCause, by: string): ReviewCommand {
  if (!isListed(facts)) return drop(facts, 'author_not_listed', by);
  if (facts.change.draft && cause !== 'command' && !facts.registration.reviewDrafts) return drop(facts, 'draft', by);
  return request(facts, cause, by);
}

/** Only what would have started something is dropped with a line: Weir's own comments come back by the dozen. */
function ofComment({ actor, comment }: Commented, facts: IntakeFacts): ReviewCommand | null {
  const { ownAccounts, allowedBots } = facts.registration;
  if (readCommand(comment.body)?.name !== 'review') return null;
  if (ownAccounts.includes(actor.id)) return drop(facts, 'own_action', actor.id);
  if (actor.kind === 'bot' && !allowedBots.includes(actor.id)) return drop(facts, 'bot_command', actor.id);
  return admit(facts, 'command', actor.id);
}

/** Null where the event asks for nothing: labels, reviews by others, checks. */
export function intake(event: IntegrationEvent, facts: IntakeFacts): ReviewCommand | null {
  const { reviewId, at, change, finding } = facts;
  const cause = CAUSES[event.type];
  if (cause !== undefined && 'actor' in event) return admit(facts, cause, event.actor.id);
  if (NOTED.has(event.type)) return { type: 'NoteChange', reviewId, at, change };
  if (event.type === 'comment.created' || event.type === 'thread.commented' || event.type === 'thread.replied') return ofComment(event, facts);
  if (event.type !== 'thread.resolved' && event.type !== 'thread.unresolved') return null;
  // Weir's own resolve comes back as a delivery, and is not a person's word.
  if (finding === null || facts.registration.ownAccounts.includes(event.actor.id)) return null;
  return { type: 'SettleThread', reviewId, at, finding, resolved: event.type === 'thread.resolved', by: event.actor };
}
