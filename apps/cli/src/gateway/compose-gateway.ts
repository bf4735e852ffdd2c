/** The gateway of this process: the engine with real time, chance and timers, over the stores that are handed in. */
import { randomUUID } from 'node:crypto';
import { createMetrics, type GatewayMetrics } from '@weir/gateway-http';
import { createModelGateway, type GatewayEvent, type ModelGateway } from '@weir/model-gateway';
import { createKeyWatch, type KeyWatch, type ModelStores } from '@weir/model-store';
import type { HttpPort, SecretBox } from '@weir/ports';
import { schedule, sha256, sleep } from './real-time.ts';

/** Between two questions whether keys with running streams are revoked. */
const REVOCATION_PAUSE_MS = 1_000;

export interface GatewayParts {
  readonly http: HttpPort;
  readonly stores: ModelStores;
  readonly secrets: Pick<SecretBox, 'open'>;
  readonly report: (event: GatewayEvent) => void;
}

export interface ComposedGateway {
  readonly gateway: ModelGateway;
  readonly metrics: GatewayMetrics;
  readonly keyWatch: KeyWatch;
}

export function composeGateway({ http, stores, secrets, report }: GatewayParts): ComposedGateway {
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
    ...{ http, stores, secrets, schedule, sleep },
    watchKey: keyWatch.watch,
    hash: sha256,
    now: Date.now,
    random: Math.random,
    newId: () => `call_${randomUUID()}`,
    report: tell,
  });
  return { gateway, metrics, keyWatch };
}
