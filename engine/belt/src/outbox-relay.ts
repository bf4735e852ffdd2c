/** Publishes what the outbox holds, as a leased work that never ends: one process of a deployment does it, and another goes on when it dies. */
import { type Bus, type NewWork, type Outbox, type PollLoop, pollLoop } from '@weir/ports';
import type { Envelopes } from './envelopes.ts';
import type { WorkKind } from './work-runner.ts';

/** Messages that are published together. */
const BATCH = 200;

/** The kind of the work, its key and its id: there is one. */
export const OUTBOX_RELAY = 'outbox-relay';

export interface OutboxRelayParts {
  readonly outbox: Outbox;
  readonly bus: Bus;
  readonly idleMs: number;
  /** The database or the broker is away; it is tried again. */
  readonly onFailure: (failure: unknown) => void;
}

export interface OutboxRelay {
  /** For the work runner, under OUTBOX_RELAY. */
  readonly kind: WorkKind;
  /** The work itself, to be offered when a process starts; offered again it stays one. */
  work(envelopes: Envelopes): NewWork;
  /** Something has been put by this process. */
  wake(): void;
}

export function outboxRelay({ outbox, bus, idleMs, onFailure }: OutboxRelayParts): OutboxRelay {
  let loop: PollLoop | undefined;

  async function run(signal: AbortSignal): Promise<never> {
    const step = async (): Promise<boolean> => (await outbox.publish(BATCH, messages => bus.publish(messages))) > 0;
    const running = pollLoop({ step, idleMs, onFailure });
    loop = running;
    await new Promise<void>(resolve => {
      if (signal.aborted) resolve();
      else signal.addEventListener('abort', () => resolve(), { once: true });
    });
    loop = undefined;
    await running.stop();
    throw new Error('The publisher of the outbox was stopped.');
  }

  return {
    kind: { run: (_, signal) => run(signal), gaveUp: () => [], endless: true },
    work: envelopes => ({
      id: OUTBOX_RELAY,
      kind: OUTBOX_RELAY,
      key: OUTBOX_RELAY,
      envelope: envelopes.first({ type: 'PublishOutbox' }, { id: OUTBOX_RELAY, subject: OUTBOX_RELAY }),
    }),
    wake: () => loop?.wake(),
  };
}
