/**
 * The one gate of spending over a rolling window (REV-31): every site that pays for a model call asks here, and so does the
 * list of what needs attention. The limit is soft: calls under way when it is reached are finished.
 */
import type { SpendSum } from '@weir/contract';
import { formatDollars, readDollars } from './dollars.ts';

/** Null: unlimited. */
export interface SpendLimits {
  readonly millicents: number | null;
  readonly calls: number | null;
  readonly windowMs: number;
}

/** As the operator wrote them; null: unset. */
export interface StoredSpendLimits {
  /** Dollars: `50.00`. */
  readonly spend: string | null;
  readonly calls: string | null;
  /** `45m`, `24h`, `30d`. */
  readonly window: string | null;
}

const UNIT_MS: Readonly<Record<string, number>> = { m: 60_000, h: 3_600_000, d: 86_400_000 };
const SPAN = /^(\d{1,5})([mhd])$/;
const DAY_MS = 86_400_000;
/** A leap year. */
const MAX_WINDOW_MS = 366 * DAY_MS;
const MAX_CALLS = 1_000_000_000;

export const NO_LIMITS: SpendLimits = { millicents: null, calls: null, windowMs: DAY_MS };

/** A value that is unset or makes no sense is no limit, and a window that makes none is a day. @returns a sentence for each that makes none. */
export function readSpendLimits(stored: StoredSpendLimits): { readonly limits: SpendLimits; readonly problems: readonly string[] } {
  const problems: string[] = [];
  const read = (name: keyof StoredSpendLimits, parse: (text: string) => number | undefined, otherwise: string): number | null => {
    const text = stored[name];
    const value = text === null ? undefined : parse(text);
    if (text !== null && value === undefined) problems.push(`caps.${name} cannot be read: ${otherwise}`);
    return value ?? null;
  };
  const millicents = read('spend', readDollars, 'spending has no limit. It is an amount in dollars, for example 50.00.');
  const calls = read('calls', readCount, 'calls have no limit. It is a whole number.');
  const windowMs = read('window', readWindow, 'the window is a day. It is a span of at most 366 days: 45m, 24h, 30d.') ?? DAY_MS;
  return { limits: { millicents, calls, windowMs }, problems };
}

function readCount(text: string): number | undefined {
  return /^\d{1,10}$/.test(text) && Number(text) <= MAX_CALLS ? Number(text) : undefined;
}

function readWindow(text: string): number | undefined {
  const [, count = '', unit = ''] = SPAN.exec(text) ?? [];
  const windowMs = Number(count) * (UNIT_MS[unit] ?? 0);
  return windowMs > 0 && windowMs <= MAX_WINDOW_MS ? windowMs : undefined;
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
      /** What was measured, for a refused round and the inbox: `12 model calls made in the last 24 hours`. */
      readonly measurement: string;
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
  const measurement = `${measured} in the last ${windowText(windowMs)}`;
  const sentence = `${measurement}; no more calls are paid for now.`;
  return { allowed: false, code: 'CAP_REACHED', axis, measurement, sentence, operatorSentence: `${sentence} The limit is ${limit}.` };
}

/** How far the limits are used up, for an operator: `$0.12 of $5.00 and 3 of 100 calls in the last 24 hours`. Empty without a limit. */
export function capText({ millicents, calls, windowMs }: SpendLimits, spend: SpendSum): string {
  const parts = [
    ...(millicents === null ? [] : [`${formatDollars(spend.millicents)} of ${formatDollars(millicents)}`]),
    ...(calls === null ? [] : [`${spend.calls} of ${calls} calls`]),
  ];
  return parts.length === 0 ? '' : `${parts.join(' and ')} in the last ${windowText(windowMs)}`;
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
