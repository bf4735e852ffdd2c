/** The gateway of this process: the engine with real time, chance and timers, over the stores that are handed in. */
import { randomUUID } from 'node:crypto';
import { createMetrics, type GatewayMetrics } from '@weir/gateway-http';
import { createModelGateway, type GatewayEvent, type ModelGateway } from '@weir/model-gateway';
import { NO_LIMITS, type SpendLimits } from '@weir/model-pricing';
import { createKeyWatch, type KeyWatch, type ModelStores } from '@weir/model-store';
import type { HttpPort, SecretBox } from '@weir/ports';
import { schedule, sha256, sleep } from './real-time.ts';

/** Between two questions whether keys with running streams are revoked. */
const REVOCATION_PAUSE_MS = 1_000;

/**
 * Calls under way at one model provider, as connections: each stream holds one (MOD-19 asks for 200 at a time). More wait for their turn
 * within their own deadline.
 */
export const MODEL_CONNECTIONS = 1_024;

export interface GatewayParts {
  readonly http: HttpPort;
  readonly stores: ModelStores;
  readonly secrets: Pick<SecretBox, 'open'>;
  /** The cap on reviews and conversations (REV-31); none where it is left out. */
  readonly spendLimits?: SpendLimits;
  readonly report: (event: GatewayEvent) => void;
}

export interface ComposedGateway {
  readonly gateway: ModelGateway;
  readonly metrics: GatewayMetrics;
  /** Counts an event and reports it, for what this process notices itself. */
  readonly tell: (event: GatewayEvent) => void;
  readonly keyWatch: KeyWatch;
}

export function composeGateway({ http, stores, secrets, spendLimits = NO_LIMITS, report }: GatewayParts): ComposedGateway {
  const metrics = createMetrics();
  const tell = (event: GatewayEvent): void => {
    if (event.event === 'call') metrics.record(event);
    else metrics.attention(event.code);
    report(event);
  };
  const keyWatch = createKeyWatch({
    store: stores.keys,
    pauseMs: REVOCATION_PAUSE_MS,
    schedule,
    onUnreadable: () =>
      tell({ event: 'attention', code: 'CAP_UNENFORCEABLE', callRef: null, sentence: 'The store of virtual keys does not answer: revocations are not seen.' }),
  });
  const gateway = createModelGateway({
    ...{ http, stores, secrets, spendLimits, schedule, sleep },
    watchKey: keyWatch.watch,
    hash: sha256,
    now: Date.now,
    random: Math.random,
    newId: () => `call_${randomUUID()}`,
    report: tell,
  });
  return { gateway, metrics, tell, keyWatch };
}
