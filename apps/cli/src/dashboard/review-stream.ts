/** The events of one review, with their places in the log. */
import { openEnvelope } from '@weir/belt';
import type { ApiEvent, ApiWhyEvent, ReviewEvent } from '@weir/contract';
import { AppError } from '@weir/kernel';
import type { EventLog, LogEvent } from '@weir/ports';
import { timelineLine } from '@weir/review';

/** Events of one reading of the log. */
const PAGE = 500;
/** Events of one review that a why or a page takes in. */
const MAX_EVENTS = 10_000;

export interface PlacedEvent {
  readonly event: ReviewEvent;
  readonly position: string;
}

/** All of them, oldest first. Throws INPUT_TOO_LARGE for a review with more than `MAX_EVENTS`, since a part explains nothing. */
export async function streamOf(log: Pick<EventLog, 'readStream'>, reviewId: string): Promise<readonly PlacedEvent[]> {
  const found: PlacedEvent[] = [];
  for (;;) {
    const page = await log.readStream(reviewId, found.length, PAGE);
    found.push(...page.map(({ envelope, position }) => ({ event: openEnvelope<ReviewEvent>(envelope), position })));
    if (page.length < PAGE) return found;
    if (found.length >= MAX_EVENTS)
      throw new AppError('INPUT_TOO_LARGE', `The review has more than ${MAX_EVENTS} events.`, { next: 'Read them page by page.' });
  }
}

const summaryOf = (event: ReviewEvent): string => timelineLine(event).sentence;

export const whyEvent = ({ event, position }: PlacedEvent): ApiWhyEvent => ({
  ...{ reviewId: event.reviewId, position, type: event.type, at: event.at, summary: summaryOf(event) },
});

export function eventRow({ stream, position, envelope }: LogEvent): ApiEvent {
  const event = openEnvelope<ReviewEvent>(envelope);
  const { id, causationid, correlationid } = envelope;
  return { id, position, at: event.at, type: event.type, summary: summaryOf(event), reviewId: stream, cause: causationid ?? null, correlation: correlationid };
}
