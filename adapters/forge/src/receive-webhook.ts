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
  const signature = openSignature(provider, headers, secrets);
  if (signature === undefined) return refused('the delivery is not signed');
  signature.update(body);
  return signature.fits() ? readWebhook(provider, { headers, body }) : refused('the signature does not fit');
};

/** A delivery whose signature has been found to fit. */
export const readWebhook = (provider: CompiledProvider, { headers, body }: Pick<IncomingDelivery, 'headers' | 'body'>): WebhookReception => {
  const { webhooks } = provider.descriptor;
  if (webhooks === undefined) return refused('the provider has no webhooks');
  const name = headers[webhooks.event_header.toLowerCase()] ?? '';
  const payload = parse(body);
  if (name === '' || payload === undefined) return refused('the delivery names no event, or its body is not JSON');
  const delivery = webhooks.delivery_headers.map(header => headers[header.toLowerCase()]).find(id => id !== undefined && id !== '');
  return { ...mapWebhook(provider, { name, payload, headers }), name, delivery: delivery ?? null };
};

/** The signature of a delivery whose body is still arriving. */
export interface SignatureCheck {
  update(bytes: Uint8Array): void;
  /** After the last byte, once. */
  fits(): boolean;
}

/** Undefined where the headers alone tell that it cannot fit. */
export function openSignature(
  { descriptor: { webhooks } }: CompiledProvider,
  headers: IncomingDelivery['headers'],
  secrets: IncomingDelivery['secrets'],
): SignatureCheck | undefined {
  const given = headers[webhooks?.signature.header.toLowerCase() ?? ''] ?? '';
  const usable = secrets.filter(secret => secret !== '');
  if (webhooks === undefined || given === '') return undefined;
  return SCHEMES[webhooks.signature.scheme](webhooks.signature, given, usable);
}

const SCHEMES: Readonly<Record<Signature['scheme'], (signature: Signature, given: string, secrets: readonly string[]) => SignatureCheck | undefined>> = {
  'hmac-sha256': ({ prefix }, given, secrets) => {
    const hmacs = secrets.map(secret => createHmac('sha256', secret));
    return {
      update: bytes => hmacs.forEach(hmac => hmac.update(bytes)),
      fits: () => hmacs.some(hmac => isEqual(given, prefix + hmac.digest('hex'))),
    };
  },
  token: ({ prefix }, given, secrets) => (secrets.some(secret => isEqual(given, prefix + secret)) ? { update: () => undefined, fits: () => true } : undefined),
};

/** Compares digests, so that neither the place of the first difference nor the length shows in the time that it takes. */
function isEqual(given: string, expected: string): boolean {
  const digest = (text: string): Uint8Array => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(given), digest(expected));
}

function parse(body: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body)) as unknown;
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof TypeError) return undefined;
    throw error;
  }
}
