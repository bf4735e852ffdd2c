/** What the orchestrator reads off the bus: deliveries become commands, events become work, results become commands. */
import { type Envelopes, retryPolicy, sagaHandler, type StreamSaga } from '@weir/belt';
import type { ReviewEvent, ReviewResult, ReviewWork } from '@weir/contract';
import type { Bus, BusConsumer, Delivery, LeaseStore, Outbox, RunEffect, SecretBox, SqlPort } from '@weir/ports';
import { commandAfter, workAfter } from '@weir/review';
import { type IntakeDrop, intakeEvent, type IntakeParts } from '@weir/review-workers';
import { type IntegrationFact, openEvent } from './integration-fact.ts';
import type { RunReviewCommand } from './review-commands.ts';
import { INTAKE_GROUP, RESULTS_GROUP, SAGA_GROUP } from './topology.ts';
import { workKey } from './work-key.ts';

/** Messages under way at a time in each group of a process. */
const CONCURRENCY = 8;
/** A forge that is away for a quarter of an hour loses no delivery. */
const INTAKE_RETRIES = { attempts: 10, baseMs: 1_000, maxMs: 120_000 };
const RETRIES = { attempts: 3, baseMs: 500, maxMs: 10_000 };
const SECOND = 1_000;

export interface ConsumerParts {
  readonly bus: Bus;
  readonly database: SqlPort;
  readonly outbox: Outbox;
  readonly leases: LeaseStore;
  readonly envelopes: Envelopes;
  readonly box: Pick<SecretBox, 'open'>;
  readonly intake: IntakeParts;
  readonly run: RunReviewCommand;
  readonly effect: RunEffect;
  readonly random: () => number;
  readonly onDropped: (reason: IntakeDrop, type: string) => void;
  /** Work has been offered. */
  readonly onOffered: () => void;
}

export async function startReviewConsumers(parts: ConsumerParts): Promise<readonly BusConsumer[]> {
  const { bus, random } = parts;
  const groups = [
    { group: INTAKE_GROUP, handle: intakeHandler(parts), retry: retryPolicy({ ...INTAKE_RETRIES, random }) },
    { group: SAGA_GROUP, handle: offerHandler(parts), retry: retryPolicy({ ...RETRIES, random }) },
    { group: RESULTS_GROUP, handle: resultHandler(parts), retry: retryPolicy({ ...RETRIES, random }) },
  ];
  const consumers: BusConsumer[] = [];
  for (const subscription of groups) consumers.push(await bus.subscribe({ ...subscription, concurrency: CONCURRENCY }));
  return consumers;
}

const intakeHandler =
  ({ envelopes, box, intake, run, effect, onDropped }: ConsumerParts) =>
  async ({ envelope, signal }: Delivery): Promise<void> => {
    const accepted = openEvent(box, envelope.id, envelopes.open<IntegrationFact>(envelope));
    const answer = await intakeEvent(intake, accepted, signal);
    if ('dropped' in answer) onDropped(answer.dropped, accepted.event.type);
    else await effect('intake.decide', () => run(answer.command, envelope, { group: INTAKE_GROUP, messageId: envelope.id }));
  };

/** The commit that cancels a round stops its work, so an `AbortRound` has nothing left to ask for. */
const saga: StreamSaga<ReviewEvent, ReviewWork> = {
  name: 'review-pipeline',
  react: event => workAfter(event).filter(({ type }) => type !== 'AbortRound'),
};

function offerHandler(parts: ConsumerParts): (delivery: Delivery) => Promise<void> {
  const offer = sagaHandler({
    ...{ ...parts, saga, group: SAGA_GROUP, now: Date.now },
    route: work => ({ to: 'work', kind: work.type, key: workKey(work), ...('delaySeconds' in work ? { delayMs: work.delaySeconds * SECOND } : {}) }),
  });
  return async delivery => {
    await parts.effect('saga.offer', () => offer(delivery));
    parts.onOffered();
  };
}

const resultHandler =
  ({ envelopes, run }: ConsumerParts) =>
  async ({ envelope }: Delivery): Promise<void> => {
    const command = commandAfter(envelopes.open<ReviewResult>(envelope));
    await run(command, envelope, { group: RESULTS_GROUP, messageId: envelope.id });
  };
