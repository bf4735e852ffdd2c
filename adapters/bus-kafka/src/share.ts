/**
 * What a member of a group has been given until the group shares anew: messages in memory, key by key, and how far each partition has
 * come. It is closed before the member joins again, so that the next holder of a key begins when this one has ended.
 */
import type { BusMessage } from '@weir/ports';
import { createOffsetTracker, type OffsetTracker } from './offset-tracker.ts';
import type { Permits } from './permits.ts';

/** Messages that a share holds, those that wait for an earlier one of their partition included; the next ones are fetched when there is room. */
const MAX_HELD = 1_000;

export interface ReadMessage extends BusMessage {
  readonly partition: number;
  readonly offset: bigint;
  /** It was in the partition when this member got it, so another one may have begun it. */
  readonly mayRepeat: boolean;
}

export interface PartitionPosition {
  readonly partition: number;
  /** Of the first message that has not ended. */
  readonly offset: string;
}

export interface Share {
  accept(messages: readonly ReadMessage[]): void;
  /** Resolves when more may be accepted, when the share is closed, or after that time. @returns whether to wait on. */
  full(patienceMs: number): Promise<boolean>;
  /** What has moved since it was last asked and `committed` was said. */
  positions(): readonly PartitionPosition[];
  committed(positions: readonly PartitionPosition[]): void;
  /** Begins no other message and waits for those under way; after that time their signals are aborted, and their ends do not count. */
  close(graceMs: number): Promise<void>;
  /** Every handler has returned, the aborted ones too. */
  idle(): Promise<void>;
}

/** @param deliver ends when the message is settled, in any way; it fails never. */
export function createShare(permits: Permits, deliver: (message: ReadMessage, signal: AbortSignal) => Promise<void>): Share {
  const keys = new Map<string, Entry[]>();
  const partitions = new Map<number, { readonly tracker: OffsetTracker; committed: bigint | undefined }>();
  const underway = new Set<Promise<void>>();
  const lost = new AbortController();
  let closed = false;
  let changed = (): void => undefined;

  const held = (): number => [...partitions.values()].reduce((sum, { tracker }) => sum + tracker.size(), 0);
  const isFull = (): boolean => !closed && held() >= MAX_HELD;

  async function settle({ message, end }: Entry): Promise<void> {
    if (closed) return;
    const work = deliver(message, lost.signal);
    underway.add(work);
    await work;
    underway.delete(work);
    if (lost.signal.aborted) return;
    end();
    changed();
  }

  async function run(key: string, entries: Entry[]): Promise<void> {
    for (let entry = entries[0]; entry !== undefined; entry = entries[0]) {
      const next = entry;
      await permits.with(() => settle(next));
      entries.shift();
    }
    keys.delete(key);
  }

  function accept(message: ReadMessage): void {
    const { partition, offset, key } = message;
    const place = partitions.get(partition) ?? { tracker: createOffsetTracker(), committed: undefined };
    partitions.set(partition, place);
    const entry = { message, end: place.tracker.begin(offset) };
    const entries = keys.get(key);
    if (entries !== undefined) {
      entries.push(entry);
      return;
    }
    const fresh = [entry];
    keys.set(key, fresh);
    void run(key, fresh);
  }

  const idle = async (): Promise<void> => void (await Promise.all(underway));

  return {
    accept: messages => {
      if (!closed) messages.forEach(accept);
    },
    full: async patienceMs => {
      if (isFull()) await within(patienceMs, new Promise<void>(resolve => (changed = resolve)));
      return isFull();
    },
    positions: () =>
      [...partitions].flatMap(([partition, { tracker, committed }]) => {
        const position = tracker.position();
        return position === undefined || position === committed ? [] : [{ partition, offset: String(position) }];
      }),
    committed: positions => {
      for (const { partition, offset } of positions) {
        const place = partitions.get(partition);
        if (place !== undefined) place.committed = BigInt(offset);
      }
    },
    close: async graceMs => {
      closed = true;
      changed();
      await within(graceMs, idle());
      lost.abort();
    },
    idle,
  };
}

interface Entry {
  readonly message: ReadMessage;
  /** Its offset is passed. */
  readonly end: () => void;
}

/** The work, or that time, whichever is first. */
export async function within(patienceMs: number, work: Promise<void>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  await Promise.race([work, new Promise<void>(resolve => (timer = setTimeout(resolve, patienceMs)))]);
  clearTimeout(timer);
}
