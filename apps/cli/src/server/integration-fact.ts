/** An integration event on the bus. What people wrote is in it, so it travels encrypted (REV-39); what it is about is in clear. */
import type { Fact } from '@weir/belt';
import { IntegrationEvent } from '@weir/contract';
import type { SecretBox } from '@weir/ports';
import type { AcceptedEvent } from '@weir/review-workers';

export interface IntegrationFact extends Fact {
  readonly forge: string;
  readonly origin: string;
  /** The event, sealed at the place of its message. */
  readonly sealed: string;
}

const placeOf = (message: string) => ({ store: 'integration', row: message, column: 'event' }) as const;

/** @param message id of the message, which the ciphertext is bound to. */
export const sealEvent = (box: Pick<SecretBox, 'seal'>, message: string, { forge, origin, event }: AcceptedEvent): IntegrationFact => ({
  type: event.type,
  ...{ forge, origin },
  sealed: box.seal(JSON.stringify(event), placeOf(message)),
});

/** Throws SECRET_UNREADABLE; an event of another shape is a bug, and so is its ZodError. */
export const openEvent = (box: Pick<SecretBox, 'open'>, message: string, { forge, origin, sealed }: IntegrationFact): AcceptedEvent => ({
  ...{ forge, origin },
  event: IntegrationEvent.parse(JSON.parse(box.open(sealed, placeOf(message)))),
});
