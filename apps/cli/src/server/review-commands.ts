/** The one way in which a review's stream is written: a command through the decider, its events to the bus (REV-2, REV-3a). */
import { commandLoop, type CommandOutcome, type Envelopes, type KeyedMutex, openEnvelope, type StreamDecider } from '@weir/belt';
import type { Envelope, ReviewCommand, ReviewEvent, ReviewRefusalCode } from '@weir/contract';
import type { EventLog, HandledMark, LeaseStore, RunEffect, SqlSession } from '@weir/ports';
import { reviewLifecycle, type ReviewState } from '@weir/review';
import { EVENTS } from './topology.ts';

/** The decider of core/review in the form that the belt drives. */
const decider: StreamDecider<ReviewCommand, ReviewState, ReviewEvent, ReviewRefusalCode> = {
  name: 'review-lifecycle',
  initialState: reviewLifecycle.initial,
  evolve: reviewLifecycle.evolve,
  decide(command, state) {
    const outcome = reviewLifecycle.decide(command, state);
    return outcome.kind === 'accepted' ? outcome : { kind: 'refused', code: outcome.refusal.code, because: outcome.refusal.sentence };
  },
};

export interface ReviewCommandParts {
  readonly log: EventLog;
  readonly leases: Pick<LeaseStore, 'cancel'>;
  readonly mutex: KeyedMutex;
  readonly envelopes: Envelopes;
  readonly effect: RunEffect;
  /** After the commit. */
  readonly onOutcome: (command: ReviewCommand, outcome: CommandOutcome<ReviewEvent, ReviewRefusalCode>) => void;
}

/** @param cause the envelope that the command follows from. Throws what EventLog throws. */
export type RunReviewCommand = (command: ReviewCommand, cause: Envelope, handled?: HandledMark) => Promise<CommandOutcome<ReviewEvent, ReviewRefusalCode>>;

export function reviewCommands({ log, leases, mutex, envelopes, effect, onOutcome }: ReviewCommandParts): RunReviewCommand {
  /** Work of a cancelled round is stopped by the commit that cancels it; a supersede cancels nothing (REV-7). */
  async function alongside(session: SqlSession, events: readonly Envelope[]): Promise<void> {
    const cancelled = events.map(event => openEnvelope<ReviewEvent>(event)).find(({ type }) => type === 'RoundCancelled');
    if (cancelled !== undefined) await leases.cancel(session, cancelled.reviewId);
  }
  const execute = commandLoop({
    ...{ decider, log, mutex, envelopes, alongside },
    messages: events => events.map(envelope => ({ topic: EVENTS, key: envelope.subject, envelope })),
  });
  return async (command, cause, handled) => {
    const outcome = await effect('command.append', () =>
      execute({ stream: command.reviewId, command, cause: { ...cause, subject: command.reviewId }, ...(handled === undefined ? {} : { handled }) }),
    );
    onOutcome(command, outcome);
    return outcome;
  };
}
