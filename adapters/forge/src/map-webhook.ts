/**
 * A verified delivery becomes an integration event, or is ignored, by the descriptor's rules alone.
 */
import { IntegrationEvent } from '@weir/contract';
import type { CompiledProvider } from './compile-provider.ts';

export type WebhookOutcome =
  | { readonly kind: 'event'; readonly event: IntegrationEvent }
  /** No rule wants it. */
  | { readonly kind: 'ignored' }
  /** A rule wants it and its payload is not what the descriptor expects: kept for a person, never guessed. */
  | { readonly kind: 'unreadable'; readonly reason: string };

export interface Delivery {
  /** Value of the event header. */
  readonly name: string;
  readonly payload: unknown;
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, string>>;
}

/** The signature has been verified over the raw bytes before this (B29); here is nothing to trust and nothing to check. */
export const mapWebhook = (provider: CompiledProvider, { name, payload, headers }: Delivery): WebhookOutcome => {
  const root = { payload, headers };
  for (const rule of provider.webhooks.get(name) ?? []) {
    const wanted = rule.when?.(root) ?? { ok: true, value: true };
    if (!wanted.ok) return { kind: 'unreadable', reason: wanted.reason };
    if (wanted.value === null || wanted.value === false || wanted.value === '') continue;
    if (rule.event === null || rule.map === undefined) return { kind: 'ignored' };
    const mapped = rule.map(root);
    if (!mapped.ok) return { kind: 'unreadable', reason: mapped.reason };
    return read(rule.event, mapped.value);
  }
  return { kind: 'ignored' };
};

function read(type: string, mapped: unknown): WebhookOutcome {
  const event = IntegrationEvent.safeParse(typeof mapped === 'object' && mapped !== null ? { ...mapped, type } : mapped);
  if (event.success) return { kind: 'event', event: event.data };
  const [issue] = event.error.issues;
  return { kind: 'unreadable', reason: `${issue?.path.map(String).join('.') || 'the event'}: ${issue?.message ?? 'does not fit'}` };
}
