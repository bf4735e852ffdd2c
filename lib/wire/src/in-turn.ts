/**
 * Puts the events of an answer's items one item after the other, for protocols whose clients follow one open item at a
 * time. Events of a later item wait until the earlier one is closed; what waits is bounded by the lifecycle's own limits.
 */
import type { AnswerEvent } from './stream-event.ts';

export type ItemEvent = Extract<AnswerEvent, { key: number | undefined }>;

export interface Turns {
  /** What may be written now that this event has come. */
  take(event: ItemEvent): string;
  /** What still waits when the answer ends: an item that only its own protocol knows may close without a word. */
  rest(): string;
}

/** How an item that only one protocol knows says its end there. */
const OPAQUE_ENDS: ReadonlySet<string> = new Set(['content_block_stop', 'response.output_item.done']);

const endsItem = (event: ItemEvent): boolean => event.type === 'close' || (event.type === 'opaque' && OPAQUE_ENDS.has(event.name));

/** @param write writes one event of the item whose turn it is. */
export function createTurns(write: (event: ItemEvent) => string): Turns {
  const waiting = new Map<number, ItemEvent[]>();
  let current = 0;

  const writeQueue = (key: number): { readonly text: string; readonly closed: boolean } => {
    const queue = waiting.get(key) ?? [];
    waiting.delete(key);
    return { text: queue.map(write).join(''), closed: queue.some(endsItem) };
  };
  /** Writes what waits for the next items, as far as they are closed. */
  const next = (): string => {
    const texts: string[] = [];
    for (let closed = true; closed; ) {
      current += 1;
      const queue = writeQueue(current);
      texts.push(queue.text);
      closed = queue.closed;
    }
    return texts.join('');
  };
  const take = (event: ItemEvent): string => {
    if (event.key === undefined) return write(event);
    if (event.key > current) {
      const queue = waiting.get(event.key) ?? [];
      queue.push(event);
      waiting.set(event.key, queue);
      return '';
    }
    const text = write(event);
    return event.key === current && endsItem(event) ? text + next() : text;
  };
  const rest = (): string => {
    const keys = [...waiting.keys()].sort((left, right) => left - right);
    return keys.map(key => writeQueue(key).text).join('');
  };
  return { take, rest };
}
