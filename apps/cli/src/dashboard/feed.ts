/**
 * The live feed: the log in its global order, from a place on. The id of an event is its place, so a feed that was cut goes on exactly
 * there; nothing above the oldest transaction under way is told, so nothing is skipped (80-surfaces 3.4).
 */
import type { ApiCall, ApiFeedEvent, EventLog } from '@weir/ports';
import { eventRow } from './review-stream.ts';

/** Events of one reading; the reader's pace bounds what is held. */
const PAGE = 100;
/** How long a reader that is at the end waits before it looks again. */
const IDLE_MS = 200;

export interface FeedParts {
  readonly log: Pick<EventLog, 'readAll' | 'readBack'>;
  /** Rejects when the signal is aborted. */
  readonly sleep: (milliseconds: number, signal: AbortSignal) => Promise<void>;
}

async function startOf({ log }: FeedParts, { query, lastEventId }: ApiCall): Promise<string | undefined> {
  const { after } = query as { readonly after?: string };
  return lastEventId ?? after ?? (await log.readBack(undefined, 1))[0]?.position;
}

/** The Last-Event-ID first: it is newer than the address that the stream was opened with. Without either, from now. */
export async function* readFeed(parts: FeedParts, call: ApiCall): AsyncGenerator<ApiFeedEvent, void> {
  const { signal } = call;
  let after = await startOf(parts, call);
  while (!signal.aborted) {
    const events = await parts.log.readAll(after, PAGE);
    for (const event of events) {
      if (signal.aborted) return;
      after = event.position;
      yield { id: event.position, event: 'event', data: eventRow(event) };
    }
    if (events.length < PAGE) await parts.sleep(IDLE_MS, signal).catch(() => undefined);
  }
}
