/** What all parts of one process of the server share. */
import { createEnvelopes, type Envelopes } from '@weir/belt';
import { createHttp } from '@weir/http';
import type { HttpPort, LeaseStore, RunEffect, SecretBox } from '@weir/ports';
import { type LoadedSettings, loadSettings } from '../composition/load-settings.ts';
import type { Storage } from '../composition/open-storage.ts';
import { MODEL_CONNECTIONS } from '../gateway/compose-gateway.ts';
import { openReceiptKey } from '../provider/receipt-key.ts';
import type { SettingSources } from '@weir/settings';
import { type Bell, createBell } from './bell.ts';
import { type OpenBus, openBus } from './open-bus.ts';
import { createProviderBook, type ProviderBook } from './provider-book.ts';
import { openReviewStores, type ReviewStores } from './review-stores.ts';
import { UPCASTS } from './review-upcasts.ts';
import { runEffect } from './run-effect.ts';
import type { ServerLog } from './server-log.ts';
import { createServerMetrics, type ServerMetrics } from './server-metrics.ts';
import { watchedLeases } from './watched-leases.ts';

export interface ServerParts {
  readonly storage: Storage;
  /** Nobody else has the database open. */
  readonly embedded: boolean;
  readonly box: SecretBox;
  /** The operator's; what a repository says of its reviews comes on top, from its target branch. */
  readonly sources: SettingSources;
  readonly log: ServerLog;
}

export interface ServerWorld extends ServerParts {
  readonly settings: LoadedSettings;
  readonly stores: ReviewStores;
  /** Those of `stores`, with the ends of work told. */
  readonly leases: LeaseStore;
  readonly bus: OpenBus;
  readonly http: HttpPort;
  readonly providers: ProviderBook;
  readonly envelopes: Envelopes;
  readonly effect: RunEffect;
  readonly metrics: ServerMetrics;
  /** After which another process takes what one that is silent has under way. */
  readonly leaseMs: number;
  /** Something has been put into the outbox. */
  readonly written: Bell;
  /** Work has been offered. */
  readonly offered: Bell;
  close(): Promise<void>;
}

export function openWorld(parts: ServerParts): ServerWorld {
  const { storage, box, sources, log } = parts;
  const settings = loadSettings(sources);
  const leaseMs = settings.get<number>('server.leaseSeconds') * 1_000;
  const stores = openReviewStores(storage.sql, box);
  const http = createHttp({ allowOrigins: settings.get<readonly string[]>('network.allowOrigins'), maxPerOrigin: MODEL_CONNECTIONS });
  const bus = openBus({ settings, database: storage.sql, onFailure: log.failure });
  const written = createBell();
  return {
    ...{ ...parts, settings, stores, leaseMs, bus, http, written },
    leases: watchedLeases(stores.leases, runEffect, written.ring),
    providers: createProviderBook({
      ...{ ...storage, registry: stores.registry, box, http, receiptKey: openReceiptKey },
      onCredential: (account, state) => log.outcome({ event: 'credential', account, state }),
    }),
    envelopes: createEnvelopes({ source: '/weir', now: Date.now, upcasts: UPCASTS }),
    effect: runEffect,
    metrics: createServerMetrics(),
    offered: createBell(),
    close: async () => {
      await bus.close();
      http.close();
    },
  };
}
