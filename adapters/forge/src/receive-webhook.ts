/**
 * A webhook as it arrives: verified over its raw bytes, then mapped to an integration event by the descriptor (B29).
 */
import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import type { ProviderDescriptor } from '@weir/contract';
import type { CompiledProvider } from './compile-provider.ts';
import { mapWebhook, type WebhookOutcome } from './map-webhook.ts';

/** Forges send at most this much. */
export const MAX_DELIVERY_BYTES = 25 * 1024 * 1024;

export interface IncomingDelivery {
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
  /** Any of them may have signed: while a secret is changed there are two. */
  readonly secrets: readonly string[];
}

export type WebhookReception =
  /** Nothing of it is used. */
  | { readonly kind: 'refused'; readonly reason: string }
  | (WebhookOutcome & {
      /** Value of the event header. */
      readonly name: string;
      /** The forge's id of the delivery, for the second time that it comes; null where it names none. */
      readonly delivery: string | null;
    });

type Signature = NonNullable<ProviderDescriptor['webhooks']>['signature'];

const refused = (reason: string): WebhookReception => ({ kind: 'refused', reason });

/** Never throws on what arrives; a refusal names nothing of it. */
export const receiveWebhook = (provider: CompiledProvider, { headers, body, secrets }: IncomingDelivery): WebhookReception => {
  const { webhooks } = provider.descriptor;
  if (webhooks === undefined) return refused('the provider has no webhooks');
  if (body.byteLength > MAX_DELIVERY_BYTES) return refused(`the delivery is larger than ${MAX_DELIVERY_BYTES} bytes`);
  const given = headers[webhooks.signature.header.toLowerCase()] ?? '';
  if (given === '') return refused('the delivery is not signed');
  if (!secrets.some(secret => secret !== '' && isSigned(webhooks.signature, given, body, secret))) return refused('the signature does not fit');
  const name = headers[webhooks.event_header.toLowerCase()] ?? '';
  const payload = parse(body);
  if (name === '' || payload === undefined) return refused('the delivery names no event, or its body is not JSON');
  const delivery = webhooks.delivery_headers.map(header => headers[header.toLowerCase()]).find(id => id !== undefined && id !== '');
  return { ...mapWebhook(provider, { name, payload, headers }), name, delivery: delivery ?? null };
};

const SCHEMES: Readonly<Record<Signature['scheme'], (signature: Signature, body: Uint8Array, secret: string) => string>> = {
  'hmac-sha256': ({ prefix }, body, secret) => prefix + createHmac('sha256', secret).update(body).digest('hex'),
  token: ({ prefix }, _body, secret) => prefix + secret,
};

/** Compares digests, so that neither the place of the first difference nor the length shows in the time that it takes. */
function isSigned(signature: Signature, given: string, body: Uint8Array, secret: string): boolean {
  const digest = (text: string): Uint8Array => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(given), digest(SCHEMES[signature.scheme](signature, body, secret)));
}

function parse(body: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body)) as unknown;
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof TypeError) return undefined;
    throw error;
  }
}
