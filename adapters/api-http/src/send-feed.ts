/** Writes server-sent events. The next message is asked for when the client has taken the last, so nothing queues up here. */
import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import type { ApiFeedEvent } from '@weir/ports';

/** The client takes three times as long for a cut. */
export const HEARTBEAT_MS = 12_000;
/** A client that takes nothing for so long is let go. */
const STALLED_MS = 30_000;

export interface FeedParts {
  readonly messages: AsyncIterable<ApiFeedEvent>;
  readonly headers: Readonly<Record<string, string>>;
  /** Ends the feed: the client went, signed out, or the server stops. */
  readonly signal: AbortSignal;
  readonly heartbeatMs: number;
  /** Whether the session still holds; asked at each heartbeat. */
  readonly holds: () => Promise<boolean>;
}

const textOf = ({ id, event, data }: ApiFeedEvent): string =>
  `id: ${id.replace(/[\r\n\0]/g, '')}\nevent: ${event.replace(/[\r\n]/g, '')}\ndata: ${JSON.stringify(data)}\n\n`;

/** Resolves when the feed has ended; rejects with what the handler threw, after the end of the stream. */
export async function sendFeed(raw: ServerResponse, { messages, headers, signal, heartbeatMs, holds }: FeedParts): Promise<void> {
  const over = new AbortController();
  const ended = AbortSignal.any([signal, over.signal]);
  raw.writeHead(200, { ...headers, 'content-type': 'text/event-stream', 'cache-control': 'no-store', 'x-accel-buffering': 'no' });
  raw.flushHeaders();
  const write = async (text: string): Promise<void> => {
    if (raw.write(text)) return;
    await once(raw, 'drain', { signal: AbortSignal.any([ended, AbortSignal.timeout(STALLED_MS)]) });
  };
  const pump = async (): Promise<void> => {
    for await (const message of messages) {
      if (ended.aborted) return;
      await write(textOf(message));
    }
  };
  const beat = setInterval(() => {
    holds().then(
      yes => (yes ? void raw.write('event: heartbeat\ndata: {}\n\n') : over.abort()),
      () => over.abort(),
    );
  }, heartbeatMs);
  const end = new Promise<void>(resolve => {
    if (ended.aborted) resolve();
    else ended.addEventListener('abort', () => resolve(), { once: true });
  });
  try {
    await Promise.race([pump(), end]);
  } catch (error) {
    if (!(error instanceof Error && (error.name === 'AbortError' || error.name === 'TimeoutError'))) throw error;
  } finally {
    clearInterval(beat);
    over.abort();
    raw.end();
  }
}
