/**
 * Server-sent events from bytes that are cut anywhere, even inside a character or a line end. Bounded: one event may hold
 * MAX_EVENT_CHARS, and nothing is kept but the event that is being read.
 */
import { createLosslessDecoder } from '@weir/diff';

/** UTF-16 units of one event, MOD-10. An image in an event is the largest that real upstreams send. */
export const MAX_EVENT_CHARS = 16 * 1024 * 1024;

export interface SseEvent {
  /** Empty where the upstream names none. */
  readonly name: string;
  readonly data: string;
  /** The event's own lines with their blank line, and comments before them; empty unless they are kept. */
  readonly raw: string;
}

export interface SseReader {
  /** Events that these bytes complete. Text is taken as already decoded. */
  push(chunk: Uint8Array | string): readonly SseEvent[];
  /** The event that the stream ended in, without its blank line; some upstreams leave that out. */
  end(): readonly SseEvent[];
  /** True once an event was larger than the limit; nothing is read any more. */
  overflown(): boolean;
}

interface OpenEvent {
  name: string;
  data: string[];
  raw: string[];
  size: number;
}

const NO_EVENTS: readonly SseEvent[] = [];
const emptyEvent = (): OpenEvent => ({ name: '', data: [], raw: [], size: 0 });

/** @param keepRaw for a stream that passes on as it came. */
export function createSseReader(keepRaw = false): SseReader {
  const decoder = createLosslessDecoder();
  const lines = createLineSplitter();
  let event = emptyEvent();

  const takeLine = (line: string): readonly SseEvent[] => {
    if (line !== '') {
      readField(event, line);
      if (keepRaw) event.raw.push(line);
      return NO_EVENTS;
    }
    const { name, data, raw } = event;
    event = emptyEvent();
    return data.length === 0 ? NO_EVENTS : [{ name, data: data.join('\n'), raw: keepRaw ? `${raw.join('\n')}\n\n` : '' }];
  };
  const overflown = (): boolean => event.size + lines.waiting() > MAX_EVENT_CHARS;
  const read = (text: string): readonly SseEvent[] => (overflown() ? [] : lines.push(text).flatMap(takeLine));
  return {
    push: chunk => read(typeof chunk === 'string' ? chunk : decoder.push(chunk)),
    end: () => [...read(decoder.end()), ...lines.end().flatMap(takeLine), ...takeLine('')],
    overflown,
  };
}

interface LineSplitter {
  push(text: string): readonly string[];
  end(): readonly string[];
  /** Units of the unfinished line. */
  waiting(): number;
}

/** Lines end with LF, CR or both; a byte order mark at the very start is no text. */
function createLineSplitter(): LineSplitter {
  let pieces: string[] = [];
  let size = 0;
  let started = false;
  let afterReturn = false;
  const complete = (last: string): string => {
    const line = pieces.length === 0 ? last : pieces.join('') + last;
    pieces = [];
    size = 0;
    return line;
  };
  const push = (text: string): readonly string[] => {
    if (text === '') return [];
    const mark = !started && text.startsWith('\ufeff') ? 1 : 0;
    const skipped = afterReturn && text[mark] === '\n' ? 1 : 0;
    started = true;
    afterReturn = text.endsWith('\r');
    const parts = text.slice(mark + skipped).split(text.includes('\r') ? /\r\n|\r|\n/ : '\n');
    const last = parts.pop() ?? '';
    const lines = parts.map((part, index) => (index === 0 ? complete(part) : part));
    if (last !== '') pieces.push(last);
    size += last.length;
    return lines;
  };
  return { push, end: () => (pieces.length > 0 ? [complete('')] : []), waiting: () => size };
}

function readField(event: OpenEvent, line: string): void {
  event.size += line.length;
  const colon = line.indexOf(':');
  const field = colon === -1 ? line : line.slice(0, colon);
  const start = line[colon + 1] === ' ' ? colon + 2 : colon + 1;
  const value = colon === -1 ? '' : line.slice(start);
  if (field === 'data') event.data.push(value);
  else if (field === 'event') event.name = value;
}
