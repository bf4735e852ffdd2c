/** One consumer of a group: leases lanes, hands over their oldest messages, prolongs the leases meanwhile, and writes how each one ended. */
import { type BusConsumer, pollLoop, type Subscription } from '@weir/ports';
import { failureText } from './failure-text.ts';
import type { ClaimedMessage, SqlQueue } from './sql.queue.ts';

/** Heartbeats in the time of a lease: two may fail. */
const BEATS = 3;
/** A message whose handler ends the process each time is given up after so many; a deployment may be killed a few times in a row. */
export const MAX_ABANDONED = 10;
export const abandonedText = (times: number): string => `Its process ended, or lost its lease, ${times} times without an answer.`;

export interface ConsumerParts {
  readonly queue: SqlQueue;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  readonly leaseMs: number;
  readonly idleMs: number;
  /** How long a stop waits before it aborts the signals of what is under way. */
  readonly graceMs: number;
  /** The queue cannot be read or written; it is tried again. */
  readonly onFailure: (failure: unknown) => void;
}

export interface Consumer extends BusConsumer {
  wake(): void;
}

interface Underway {
  readonly message: ClaimedMessage;
  readonly controller: AbortController;
  readonly ended: Promise<void>;
}

type Ending = { readonly handled: true } | { readonly handled: false; readonly failure: unknown };

export function startConsumer({ group, concurrency, retry, handle }: Subscription, parts: ConsumerParts): Consumer {
  const { queue, now, leaseMs, onFailure } = parts;
  const underway = new Set<Underway>();
  let swept = true;

  async function attempt(message: ClaimedMessage, signal: AbortSignal): Promise<Ending> {
    if (message.abandoned >= MAX_ABANDONED) {
      return { handled: false, failure: abandonedText(message.abandoned) };
    }
    const { topic, key, envelope, failures } = message;
    try {
      await handle({ topic, key, envelope, attempt: failures + 1, signal });
      return { handled: true };
    } catch (failure) {
      return { handled: false, failure };
    }
  }

  async function settle(message: ClaimedMessage, ending: Ending): Promise<void> {
    if (ending.handled) {
      await queue.acknowledge(message, now());
      return;
    }
    const delay = message.abandoned >= MAX_ABANDONED ? undefined : retry(ending.failure, message.failures + 1);
    if (delay === undefined) await queue.bury(message, now(), failureText(ending.failure));
    else await queue.postpone(message, now() + delay);
  }

  async function deliver(message: ClaimedMessage, signal: AbortSignal): Promise<void> {
    const ending = await attempt(message, signal);
    // Where this fails, the lease ends by itself and the message is delivered again.
    await settle(message, ending).catch(onFailure);
  }

  function start(message: ClaimedMessage): void {
    const controller = new AbortController();
    const entry: Underway = {
      message,
      controller,
      ended: deliver(message, controller.signal).finally(() => {
        underway.delete(entry);
        loop.wake();
      }),
    };
    underway.add(entry);
  }

  async function step(): Promise<boolean> {
    const free = concurrency - underway.size;
    if (free === 0) return false;
    const messages = await queue.claim(group, free, { now: now(), ms: leaseMs });
    for (const message of messages) start(message);
    if (messages.length > 0) swept = false;
    else if (!swept) {
      await queue.sweep(group);
      swept = true;
    }
    return messages.length > 0;
  }

  async function beat(): Promise<void> {
    const entries = [...underway];
    if (entries.length === 0) return;
    const held = await queue.hold(
      group,
      entries.map(({ message }) => message),
      now() + leaseMs,
    );
    for (const { message, controller } of entries) if (!held.has(message.fence)) controller.abort();
  }

  const loop = pollLoop({ step, idleMs: parts.idleMs, onFailure });
  const heart = setInterval(() => void beat().catch(onFailure), leaseMs / BEATS);

  async function stop(): Promise<void> {
    await loop.stop();
    const patience = setTimeout(() => underway.forEach(({ controller }) => controller.abort()), parts.graceMs);
    await Promise.all([...underway].map(({ ended }) => ended));
    clearTimeout(patience);
    clearInterval(heart);
  }

  return { stop, wake: loop.wake };
}
