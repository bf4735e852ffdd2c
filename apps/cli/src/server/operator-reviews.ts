/** What an operator does with reviews: commands on them, their timeline, and a stored delivery taken once more. */
import { randomUUID } from 'node:crypto';
import { type CommandOutcome, createEnvelopes, keyedMutex, openEnvelope } from '@weir/belt';
import type { ReviewCommand, ReviewEvent, ReviewRefusalCode } from '@weir/contract';
import { compileProvider } from '@weir/forge';
import { AppError } from '@weir/kernel';
import type { SecretBox, SqlPort } from '@weir/ports';
import { type TimelineLine, timelineLine } from '@weir/review';
import { readProvider } from '../provider/open-provider.ts';
import { acceptDelivery, type DeliveryReport } from './accept-delivery.ts';
import { reviewCommands } from './review-commands.ts';
import type { ReviewStores } from './review-stores.ts';
import { UPCASTS } from './review-upcasts.ts';
import { runEffect } from './run-effect.ts';

/** Events that one reading of the log takes. */
const PAGE = 500;
/** Events of one timeline. */
const MAX_EVENTS = 10_000;

/** A delivery as a file holds it. */
export interface GivenDelivery {
  readonly registration: string;
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export interface OperatorReviews {
  execute(command: ReviewCommand): Promise<CommandOutcome<ReviewEvent, ReviewRefusalCode>>;
  /** One line an event, oldest first. */
  timeline(reviewId: string): Promise<readonly TimelineLine[]>;
  /** By the id of a stored one, or as given. No signature is checked: an operator says that it is to be taken. Throws USAGE for one that is not there. */
  redeliver(delivery: string | GivenDelivery): Promise<DeliveryReport>;
}

export interface OperatorReviewsParts {
  readonly stores: ReviewStores;
  readonly sql: SqlPort;
  readonly box: Pick<SecretBox, 'seal' | 'open'>;
}

export function operatorReviews({ stores, sql, box }: OperatorReviewsParts): OperatorReviews {
  const { log, leases, registry, deliveries, outbox } = stores;
  const now = Date.now;
  const envelopes = createEnvelopes({ source: '/operator', now, upcasts: UPCASTS });
  const run = reviewCommands({ log, leases, envelopes, mutex: keyedMutex(), effect: runEffect, onOutcome: () => undefined });
  const provider = async (forge: string) => compileProvider((await readProvider(forge)).files.descriptor);

  async function givenOf(delivery: string | GivenDelivery): Promise<GivenDelivery> {
    if (typeof delivery !== 'string') return delivery;
    const stored = await deliveries.find(delivery);
    if (stored === undefined) throw new AppError('USAGE', `No delivery ${delivery} is kept.`, { next: 'List them: weir replay.' });
    const { registration, headers, body } = stored;
    if (body === null) throw new AppError('USAGE', `The delivery ${delivery} was too large to be kept.`, { next: 'Let the forge send it again.' });
    return { registration, headers, body };
  }

  return {
    execute: command => run(command, envelopes.first(command, { id: randomUUID(), subject: command.reviewId })),
    async timeline(reviewId) {
      const lines: TimelineLine[] = [];
      for (let version = 0; version < MAX_EVENTS; ) {
        const page = await log.readStream(reviewId, version, PAGE);
        lines.push(...page.map(({ envelope }) => timelineLine(openEnvelope<ReviewEvent>(envelope))));
        if (page.length < PAGE) break;
        version += page.length;
      }
      return lines;
    },
    async redeliver(delivery) {
      const { registration, headers, body } = await givenOf(delivery);
      const hook = await registry.hook(registration);
      if (hook === undefined) throw new AppError('USAGE', `There is no registration ${registration}.`, { next: 'List them: weir repo list.' });
      const parts = { database: sql, registry, provider, box, outbox, deliveries, envelopes, effect: runEffect, now, onAccepted: () => undefined };
      return acceptDelivery(
        parts,
        { hook, provider: await provider(hook.forge) },
        { headers, body: new TextEncoder().encode(body), again: randomUUID().slice(0, 8) },
      );
    },
  };
}
