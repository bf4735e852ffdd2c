/**
 * What an integration event asks of a review (REV-5, REV-7 to REV-9): one command, or none. The facts are gathered by a worker;
 * a forge's delivery may leave out what `change.get` has.
 */
import type { IntegrationEvent, ReviewCommand, RoundCause } from '@weir/contract';
import { commentIntake, commentNeeds, type IntakeNeeds, isCommented } from './comment-intake.policy.ts';
import { admitRound, type Intake, type IntakeFacts } from './round-admission.policy.ts';

const CAUSES: Readonly<Partial<Record<IntegrationEvent['type'], RoundCause>>> = {
  'change.opened': 'opened',
  'change.reopened': 'reopened',
  'change.ready': 'ready',
  'change.head_pushed': 'pushed',
};

const NOTED: ReadonlySet<IntegrationEvent['type']> = new Set(['change.drafted', 'change.edited', 'change.closed', 'change.merged']);

function commandOf(event: IntegrationEvent, facts: IntakeFacts): ReviewCommand | null {
  const { reviewId, at, change, finding } = facts;
  const cause = CAUSES[event.type];
  if (cause !== undefined && 'actor' in event) return admitRound(facts, cause, event.actor.id);
  if (NOTED.has(event.type)) return { type: 'NoteChange', reviewId, at, change };
  if (event.type !== 'thread.resolved' && event.type !== 'thread.unresolved') return null;
  // Weir's own resolve comes back as a delivery, and is not a person's word.
  if (finding === null || facts.registration.ownAccounts.includes(event.actor.id)) return null;
  return { type: 'SettleThread', reviewId, at, finding, resolved: event.type === 'thread.resolved', by: event.actor };
}

/** What has to be read from the forge before the event can be decided. Ask with `authority.measured` and `thread` null, read, then call `intake`. */
export const intakeNeeds = (event: IntegrationEvent, facts: IntakeFacts): IntakeNeeds =>
  isCommented(event) ? commentNeeds(event, facts) : { permission: false, thread: false };

/** Null where the event asks for nothing: labels, reviews by others, checks. */
export function intake(event: IntegrationEvent, facts: IntakeFacts): Intake | null {
  if (isCommented(event)) return commentIntake(event, facts);
  const command = commandOf(event, facts);
  return command === null ? null : { command, keep: null };
}
