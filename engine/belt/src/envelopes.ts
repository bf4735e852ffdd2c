/** Puts facts into envelopes and takes them out. What follows from a cause has an id that follows from it too, so a repeat makes no second one. */
import { createHash } from 'node:crypto';
import type { Envelope } from '@weir/contract';
import { createUpcast, presentVersion, type UpcastTable } from '@weir/ports';

/** An event, a command, a work or a result: its type, and its data beside it. */
export interface Fact {
  readonly type: string;
}

const ID_LENGTH = 32;

export interface EnvelopeParts {
  /** Which part of Weir writes: `/orchestrator`. */
  readonly source: string;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  readonly upcasts: UpcastTable;
}

export interface Envelopes {
  /** The first of a chain, as a delivery of a webhook: its id is the correlation of all that follows. */
  first(fact: Fact, place: { readonly id: string; readonly subject: string }): Envelope;
  /**
   * What follows from a cause. The same cause and `by` (which saga, which worker) give the same ids, in the order of the facts.
   * @param subject that of the cause when left out.
   */
  following(cause: Envelope, by: string, facts: readonly Fact[], subject?: string): readonly Envelope[];
  /**
   * The fact in an envelope that came over the bus, brought to the present schema version: it may have waited since before an upgrade.
   * @throws EnvelopeUnreadable
   */
  open<F extends Fact>(envelope: Envelope): F;
}

export function createEnvelopes({ source, now, upcasts }: EnvelopeParts): Envelopes {
  const upcast = createUpcast(upcasts);
  const wrap = ({ type, ...data }: Fact, place: Pick<Envelope, 'id' | 'subject' | 'correlationid'>): Envelope => ({
    specversion: '1.0',
    source,
    type,
    time: new Date(now()).toISOString(),
    datacontenttype: 'application/json',
    schemaversion: presentVersion(upcasts, type),
    ...place,
    data,
  });
  const idOf = (cause: Envelope, by: string, index: number): string =>
    createHash('sha256')
      .update(JSON.stringify([cause.id, by, index]))
      .digest('hex')
      .slice(0, ID_LENGTH);

  return {
    first: (fact, { id, subject }) => wrap(fact, { id, subject, correlationid: id }),
    following: (cause, by, facts, subject = cause.subject) =>
      facts.map((fact, index) => ({
        ...wrap(fact, { id: idOf(cause, by, index), subject, correlationid: cause.correlationid }),
        causationid: cause.id,
      })),
    open: <F extends Fact>(envelope: Envelope) => openEnvelope<F>(upcast(envelope)),
  };
}

/** The fact in an envelope of the log, which is of the present version already. The caller names the type; what came from outside is checked by its schema before it is put in. */
export const openEnvelope = <F extends Fact>({ type, data }: Envelope): F => ({ ...data, type }) as unknown as F;
