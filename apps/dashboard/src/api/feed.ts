/**
 * The live feed: one stream for all pages, in the order of the log. It says how far it has come and since when nothing came; what an event
 * changes is read again through the API, so a page shows nothing that the API would not.
 */
import { apiPath } from './call-api.ts';

/** Before a stream that the server ended is opened again; one that is only cut opens itself. */
const REOPEN_MS = 2_000;
/** Where the server's heartbeat is a message, it comes well within it; later the stream counts as cut. One that is a comment is not told to pages. */
const SILENCE_MS = 40_000;
const LOOK_MS = 5_000;
const HEARTBEAT = 'heartbeat';
/** Of the stream's messages. */
const NAMES = ['message', 'event', HEARTBEAT];

export interface FeedState {
  readonly live: boolean;
  /** Of the last sign of the server; the time of the start before the first. */
  readonly seenAt: number;
}

export interface FeedEvent {
  /** Position of the log. */
  readonly id: string;
}

interface FeedListener {
  readonly onEvent: (event: FeedEvent) => void;
  /** It is live after it was cut: what was missed arrives by its events, older things are read again. */
  readonly onLive: () => void;
  /** The server does not give the stream, as to a session that has ended. */
  readonly onRefused: () => void;
  readonly onState: (state: FeedState) => void;
}

/** @returns ends it */
export function openFeed({ onEvent, onLive, onRefused, onState }: FeedListener): () => void {
  let source: EventSource | null = null;
  let seenAt = Date.now();
  let live = false;
  let beats = false;
  let after = '';
  let reopening: ReturnType<typeof setTimeout> | undefined;

  const tell = (now: boolean): void => {
    if (now && !live) onLive();
    live = now;
    onState({ live, seenAt });
  };
  const seen = (): void => {
    seenAt = Date.now();
    tell(true);
  };
  const take = (message: MessageEvent<string>): void => {
    seen();
    beats ||= message.type === HEARTBEAT;
    if (message.lastEventId === '' || message.type === HEARTBEAT) return;
    after = message.lastEventId;
    onEvent({ id: message.lastEventId });
  };
  const open = (): void => {
    source?.close();
    source = new EventSource(apiPath('/feed', { after }));
    source.onopen = seen;
    source.onerror = () => {
      if (live) seenAt = Date.now();
      tell(false);
      if (source?.readyState !== EventSource.CLOSED) return;
      onRefused();
      reopening = setTimeout(open, REOPEN_MS);
    };
    for (const name of NAMES) source.addEventListener(name, take);
  };
  const look = setInterval(() => {
    if (live && beats && Date.now() - seenAt > SILENCE_MS) {
      tell(false);
      open();
    }
  }, LOOK_MS);

  open();
  return () => {
    clearInterval(look);
    clearTimeout(reopening);
    source?.close();
  };
}
