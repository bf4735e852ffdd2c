/**
 * The one gate of spending over a rolling window (REV-31): every site that pays for a model call asks here, and so does the
 * list of what needs attention. The limit is soft: calls under way when it is reached are finished.
 */
import { MAX_MILLICENTS, type SpendSum } from '@weir/contract';
import { formatDollars } from './dollars.ts';

/** Null: unlimited. */
export interface SpendLimits {
  readonly millicents: number | null;
  readonly calls: number | null;
  readonly windowMs: number;
}

const DAY_MS = 86_400_000;
/** A leap year. */
const MAX_WINDOW_MS = 366 * DAY_MS;
const MAX_CALLS = 1_000_000_000;

/** A value that is unset or makes no sense is no limit; a window that makes none is a day. */
export function readSpendLimits(stored: { readonly millicents?: unknown; readonly calls?: unknown; readonly windowMs?: unknown }): SpendLimits {
  return {
    millicents: within(stored.millicents, 0, MAX_MILLICENTS),
    calls: within(stored.calls, 0, MAX_CALLS),
    windowMs: within(stored.windowMs, 1, MAX_WINDOW_MS) ?? DAY_MS,
  };
}

function within(value: unknown, min: number, max: number): number | null {
  return typeof value === 'number' && Number.isInteger(value) && value >= min && value <= max ? value : null;
}

export type SpendAxis = 'millicents' | 'calls';

export type CapDecision =
  | { readonly allowed: true }
  /** The ledger cannot be read: calls go on, and an operator has to know. */
  | { readonly allowed: true; readonly attention: 'CAP_UNENFORCEABLE' }
  | {
      readonly allowed: false;
      readonly code: 'CAP_REACHED';
      readonly axis: SpendAxis;
      /** For everybody: names what was measured, not the limit. */
      readonly sentence: string;
      /** For an operator: names the limit too. */
      readonly operatorSentence: string;
    };

/** @param spend of the window; `unreadable` when the ledger did not answer. */
export function decideCap(limits: SpendLimits, spend: SpendSum | 'unreadable'): CapDecision {
  if (limits.millicents === null && limits.calls === null) return { allowed: true };
  if (spend === 'unreadable') return { allowed: true, attention: 'CAP_UNENFORCEABLE' };
  if (limits.millicents !== null && spend.millicents >= limits.millicents) {
    return refusal('millicents', `${formatDollars(spend.millicents)} spent`, formatDollars(limits.millicents), limits);
  }
  if (limits.calls !== null && spend.calls >= limits.calls) return refusal('calls', `${spend.calls} model calls made`, String(limits.calls), limits);
  return { allowed: true };
}

function refusal(axis: SpendAxis, measured: string, limit: string, { windowMs }: SpendLimits): CapDecision {
  const sentence = `${measured} in the last ${windowText(windowMs)}; no more calls are paid for now.`;
  return { allowed: false, code: 'CAP_REACHED', axis, sentence, operatorSentence: `${sentence} The limit is ${limit}.` };
}

function windowText(windowMs: number): string {
  const hours = Math.round(windowMs / 3_600_000);
  return hours <= 1 ? `${Math.max(1, Math.round(windowMs / 60_000))} minutes` : `${hours} hours`;
}

/**
 * When the window lets a call through again, at the earliest: calls under way may still add to it, so it is a lower bound.
 * @param filledAt from `LedgerStore.filledAt` for the axis and its limit.
 */
export function capacityText(filledAt: number, windowMs: number): string {
  return `No capacity before ${new Date(filledAt + windowMs).toISOString()}, and later if calls are still under way.`;
}
