/** Rounds that have come to an end, as one line of the log and one count each. */
import type { CommandOutcome } from '@weir/belt';
import type { ReviewCommand, ReviewEvent, ReviewRefusalCode } from '@weir/contract';
import type { ServerLog } from './server-log.ts';
import type { ServerMetrics } from './server-metrics.ts';

const ENDS: Readonly<Partial<Record<ReviewEvent['type'], string>>> = {
  RoundCompleted: 'completed',
  RoundObserved: 'observed',
  RoundRefused: 'refused',
  RoundFailed: 'failed',
  RoundCancelled: 'cancelled',
  RoundSuperseded: 'superseded',
};

const codeOf = (event: ReviewEvent): string | null => ('code' in event ? event.code : 'failure' in event ? event.failure : null);

export const tellRoundEnds =
  (log: Pick<ServerLog, 'outcome'>, metrics: Pick<ServerMetrics, 'round'>) =>
  (command: ReviewCommand, outcome: CommandOutcome<ReviewEvent, ReviewRefusalCode>): void => {
    if (outcome.outcome !== 'accepted') return;
    for (const event of outcome.events) {
      const status = ENDS[event.type];
      if (status === undefined) continue;
      metrics.round(status);
      log.outcome({ event: 'round', review_id: command.reviewId, round: 'round' in event ? event.round : null, status, code: codeOf(event) });
    }
  };
