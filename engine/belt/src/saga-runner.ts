/** Hands what came over the bus to a saga, and writes what it asks for: commands for the bus, work for whoever leases it. */
import type { Envelope } from '@weir/contract';
import { type Delivery, type HandledMark, type LeaseStore, type NewWork, type Outbox, type OutboxMessage, retryConflict, type SqlPort } from '@weir/ports';
import type { Envelopes, Fact } from './envelopes.ts';

const ATTEMPTS = 5;

/** A saga of core/: a timetable and nothing else. */
export interface StreamSaga<Event extends Fact, Asked extends Fact> {
  readonly name: string;
  react(event: Event): readonly Asked[];
}

/** Where something asked for goes. The key is that of the event when it is left out; `delayMs` for what must not begin at once. */
export type SagaRoute = SagaTarget & { readonly key?: string; readonly delayMs?: number };
type SagaTarget = { readonly to: 'bus'; readonly topic: string } | { readonly to: 'work'; readonly kind: string };

export interface SagaParts<Event extends Fact, Asked extends Fact> {
  readonly saga: StreamSaga<Event, Asked>;
  readonly route: (asked: Asked) => SagaRoute;
  /** The group of the bus that it reads as. */
  readonly group: string;
  readonly database: SqlPort;
  readonly outbox: Outbox;
  readonly leases: LeaseStore;
  readonly envelopes: Envelopes;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

interface Asked {
  readonly envelope: Envelope;
  readonly key: string;
  readonly at: number | undefined;
  readonly route: SagaRoute;
}

/** @returns the handler of a subscription; a message that it sees again asks for nothing. */
export function sagaHandler<Event extends Fact, A extends Fact>(parts: SagaParts<Event, A>): (delivery: Delivery) => Promise<void> {
  const { saga, route, group, database, outbox, leases, envelopes, now } = parts;

  function ask({ envelope, key }: Delivery): readonly Asked[] {
    const facts = saga.react(envelopes.open<Event>(envelope));
    const wrapped = envelopes.following(envelope, saga.name, facts);
    return facts.flatMap((fact, index) => {
      const asked = wrapped[index];
      if (asked === undefined) return [];
      const way = route(fact);
      return [{ envelope: asked, key: way.key ?? key, at: way.delayMs === undefined ? undefined : now() + way.delayMs, route: way }];
    });
  }

  return async delivery => {
    const mark: HandledMark = { group, messageId: delivery.envelope.id };
    const asked = ask(delivery);
    await retryConflict(
      database,
      async session => {
        if (!(await outbox.mark(session, mark))) return;
        await outbox.put(session, asked.flatMap(toMessage));
        await leases.offer(session, asked.flatMap(toWork));
      },
      ATTEMPTS,
    );
  };
}

const toMessage = ({ envelope, key, at, route }: Asked): readonly OutboxMessage[] =>
  route.to === 'bus' ? [{ topic: route.topic, key, envelope, ...(at === undefined ? {} : { dueAt: at }) }] : [];

const toWork = ({ envelope, key, at, route }: Asked): readonly NewWork[] =>
  route.to === 'work' ? [{ id: envelope.id, kind: route.kind, key, envelope, ...(at === undefined ? {} : { readyAt: at }) }] : [];
