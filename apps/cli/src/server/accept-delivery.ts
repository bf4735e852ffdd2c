/**
 * The door of the ingress: who may deliver, and what a verified delivery becomes. It is stored in one transaction, once for each id
 * (REV-3a, REV-10). It opens the secrets of hooks and no others.
 */
import { createHash } from 'node:crypto';
import type { Envelopes } from '@weir/belt';
import type { IntegrationEvent } from '@weir/contract';
import { type CompiledProvider, openSignature, readWebhook } from '@weir/forge';
import type { IngressDoor, OpenDelivery } from '@weir/ingress-http';
import {
  type DeliveryStore,
  type HookRegistration,
  hookSecretPlace,
  MAX_DELIVERY_TEXT,
  type Outbox,
  type OutboxMessage,
  type RegisteredRepository,
  retryConflict,
  type ReviewRegistry,
  type RunEffect,
  type SecretBox,
  type SqlPort,
} from '@weir/ports';
import { reviewOfEvent } from '@weir/review-workers';
import { sha256 } from '../gateway/real-time.ts';
import { sealEvent } from './integration-fact.ts';
import { INTEGRATION } from './topology.ts';

export type DeliveryOutcome = 'stored' | 'repeated' | 'ignored' | 'unregistered' | 'unreadable';

export interface DeliveryReport {
  readonly outcome: DeliveryOutcome;
  readonly forge: string;
  readonly delivery: string;
  /** Type of the event, where one was made. */
  readonly type: string | null;
  /** Why no event could be made. */
  readonly reason: string | null;
}

export interface AcceptParts {
  readonly database: SqlPort;
  readonly registry: Pick<ReviewRegistry, 'hook' | 'findRepository' | 'noteDelivery'>;
  readonly provider: (forge: string) => Promise<CompiledProvider>;
  readonly box: Pick<SecretBox, 'seal' | 'open'>;
  readonly outbox: Outbox;
  readonly deliveries: Pick<DeliveryStore, 'keep'>;
  readonly envelopes: Envelopes;
  readonly effect: RunEffect;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  readonly onAccepted: (report: DeliveryReport) => void;
}

/** Marks of deliveries that were taken. */
const GROUP = 'ingress';
const ATTEMPTS = 5;
/** Characters of a delivery id that are kept as they are; a longer one is hashed. */
const MAX_ID = 100;

export function createIngressDoor(parts: AcceptParts): IngressDoor {
  return {
    async open({ registration, headers }) {
      const hook = await parts.registry.hook(registration);
      if (hook === undefined) return 'unknown_hook';
      const provider = await parts.provider(hook.forge);
      const secrets = hook.sealedSecrets.map((sealed, index) => parts.box.open(sealed, hookSecretPlace(hook.id, index)));
      const signature = openSignature(provider, headers, secrets);
      if (signature === undefined) return 'not_signed';
      return {
        update: signature.update,
        accept: async body => {
          if (!signature.fits()) return false;
          parts.onAccepted(await acceptDelivery(parts, { hook, provider }, { headers, body }));
          return true;
        },
      } satisfies OpenDelivery;
    },
  };
}

export interface VerifiedDelivery {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
  /** Takes it once more although it was taken before: `weir replay`. */
  readonly again?: string;
}

/** Of a delivery whose signature fits, or that an operator replays. Throws the failures of the store. */
export async function acceptDelivery(
  parts: AcceptParts,
  { hook, provider }: { readonly hook: HookRegistration; readonly provider: CompiledProvider },
  { headers, body, again }: VerifiedDelivery,
): Promise<DeliveryReport> {
  const reception = readWebhook(provider, { headers, body });
  const given = reception.kind === 'refused' ? null : reception.delivery;
  const delivery = given === null || given.length > MAX_ID ? createHash('sha256').update(body).digest('hex') : given;
  const id = `${hook.id}/${delivery}${again === undefined ? '' : `/${again}`}`;
  const report = (outcome: DeliveryOutcome, type: string | null, reason: string | null = null): DeliveryReport => ({
    ...{ outcome, type, reason, delivery },
    forge: hook.forge,
  });
  if (reception.kind === 'ignored') return report('ignored', null);
  const kept = { id, hook, provider, headers, body };
  if (reception.kind !== 'event') {
    await parts.database.transaction(session => parts.deliveries.keep(session, storedOf(parts, kept, reception.reason)));
    return report('unreadable', null, reception.reason);
  }
  const { event } = reception;
  const repository = await registeredOf(parts, hook, event);
  if (repository === undefined) return report('unregistered', event.type);
  const message = messageOf(parts, { id, hook, repository, event });
  const stored = await parts.effect('ingress.store', () =>
    retryConflict(
      parts.database,
      async session => {
        if (!(await parts.outbox.mark(session, { group: GROUP, messageId: id }))) return false;
        await parts.outbox.put(session, [message]);
        await parts.deliveries.keep(session, storedOf(parts, kept, null));
        return true;
      },
      ATTEMPTS,
    ),
  );
  return report(stored ? 'stored' : 'repeated', event.type);
}

/** A hook speaks for the repositories that are registered with it, so that whoever knows one secret speaks for no other repository. */
async function registeredOf(
  { registry, now }: AcceptParts,
  hook: HookRegistration,
  { repository }: IntegrationEvent,
): Promise<RegisteredRepository | undefined> {
  const { id: repositoryId, owner, name } = repository;
  const path = { owner, name };
  const found = await registry.findRepository({ forge: hook.forge, origin: hook.origin, repositoryId, path });
  const registered = found?.hook === hook.id;
  await registry.noteDelivery({ registration: hook.id, repositoryId, path, at: now(), registered });
  return registered ? found : undefined;
}

interface Accepted {
  readonly id: string;
  readonly hook: HookRegistration;
  readonly repository: RegisteredRepository;
  readonly event: IntegrationEvent;
}

function messageOf({ box, envelopes }: AcceptParts, { id, hook, repository, event }: Accepted): OutboxMessage {
  const { forge, origin } = hook;
  const key = reviewOfEvent(event, repository, sha256)?.reviewId ?? `${forge}|${origin}|${repository.id}`;
  const envelope = envelopes.first(sealEvent(box, id, { forge, origin, event }), { id, subject: key });
  return { topic: INTEGRATION, key, envelope };
}

interface Kept extends Pick<Accepted, 'id' | 'hook'>, Pick<VerifiedDelivery, 'headers' | 'body'> {
  readonly provider: CompiledProvider;
}

function storedOf({ now }: AcceptParts, { id, hook, provider, headers, body }: Kept, problem: string | null): Parameters<DeliveryStore['keep']>[1] {
  const { webhooks } = provider.descriptor;
  const names = [webhooks?.event_header ?? '', ...(webhooks?.delivery_headers ?? [])].map(name => name.toLowerCase());
  return {
    ...{ id, problem },
    registration: hook.id,
    headers: Object.fromEntries(Object.entries(headers).filter(([name]) => names.includes(name))),
    body: body.byteLength > MAX_DELIVERY_TEXT ? null : Buffer.from(body).toString('utf8'),
    arrivedAt: now(),
  };
}
