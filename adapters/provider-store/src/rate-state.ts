/**
 * The rules of the rate governor's memory (PRV-10, PRV-19) over the state of one provider and credential. They change the
 * state in place: a process that keeps it pays for what changes, not for a copy. The stores only let one change at a time through.
 */
import type { RateCharge, RateGrant, RateOutcome, RateRefusal, RateRequest, ServerLimit } from '@weir/ports';

/** Plain JSON in lists: names come from outside, and as keys of an object some of them would mean something else. */
export interface RateState {
  /** Spent points by window, each with its slots in order, at most 61 of them. The windows are the engine's own, so they are few. */
  readonly spent: { readonly window: string; seconds: SpentSlot[] }[];
  leases: Lease[];
  readonly server: Budget[];
  notifiedAt: number;
  quarantinedUntil: number;
}

/** All that was spent within one slot of its window. */
interface SpentSlot {
  /** Where the slot begins, in seconds since 1970. */
  readonly second: number;
  points: number;
}

interface Lease {
  readonly id: string;
  /** When it ends by itself. */
  readonly endsAt: number;
  readonly resource: string;
  /** The period of the provider's budget that it was taken from; 0 where none was known. */
  readonly period: number;
}

type Budget = { -readonly [Key in keyof ServerLimit]: ServerLimit[Key] };

export const freshRateState = (): RateState => ({ spent: [], leases: [], server: [], notifiedAt: 0, quarantinedUntil: 0 });

/** A window is counted in this many slots: by the second in a minute, by the minute in an hour. Its row stays small. */
const SLOTS = 60;
/** Budgets that a provider may name; beyond, the one that resets first is dropped. */
const MAX_RESOURCES = 32;

const secondOf = (now: number): number => Math.floor(now / 1_000);
const costOf = ({ cost, limit }: RateCharge): number => Math.min(cost, limit);
const slotSeconds = ({ seconds }: RateCharge): number => Math.ceil(seconds / SLOTS);
/** When a slot is free again, in seconds: all of it is longer ago than the window reaches, so that no such span holds more than the limit. */
const freeAt = ({ second }: SpentSlot, charge: RateCharge): number => second + slotSeconds(charge) + charge.seconds;

/** What a call has to wait for, in milliseconds; 0 and less is nothing. */
const WAITS: readonly { readonly reason: RateRefusal; readonly waitMs: (state: RateState, request: RateRequest, now: number) => number }[] = [
  { reason: 'quarantine', waitMs: (state, _, now) => state.quarantinedUntil - now },
  { reason: 'server_limit', waitMs: waitForServer },
  { reason: 'points', waitMs: waitForPoints },
  { reason: 'notification', waitMs: (state, { notificationIntervalMs: apart }, now) => (apart === undefined ? 0 : state.notifiedAt + apart - now) },
  { reason: 'concurrency', waitMs: waitForSlot },
];

/** Grants a call and charges it, or says what it has to wait for longest; a refusal charges nothing. */
export function decideRate(state: RateState, request: RateRequest, lease: string, now: number): RateGrant {
  dropPast(state, request, now);
  let refusal: Extract<RateGrant, { granted: false }> | undefined;
  for (const { reason, waitMs } of WAITS) {
    const wait = waitMs(state, request, now);
    if (wait > (refusal?.waitMs ?? 0)) refusal = { granted: false, reason, waitMs: wait };
  }
  if (refusal !== undefined) return refusal;
  const budget = budgetOf(state, request.resource);
  if (budget !== undefined) budget.remaining -= 1;
  for (const charge of request.charges) spend(state, charge, secondOf(now));
  if (request.notificationIntervalMs !== undefined) state.notifiedAt = now;
  state.leases.push({ id: lease, endsAt: now + request.leaseMs, resource: request.resource, period: budget?.resetAt ?? 0 });
  return { granted: true, lease };
}

function dropPast(state: RateState, { charges }: RateRequest, now: number): void {
  for (const charge of charges) {
    const spent = spentOf(state, charge.window);
    const [oldest] = spent?.seconds ?? [];
    if (spent === undefined || oldest === undefined || freeAt(oldest, charge) > secondOf(now)) continue;
    spent.seconds = spent.seconds.filter(slot => freeAt(slot, charge) > secondOf(now));
  }
  if (state.leases.some(({ endsAt }) => endsAt <= now)) state.leases = state.leases.filter(({ endsAt }) => endsAt > now);
}

const budgetOf = ({ server }: RateState, wanted: string): Budget | undefined => server.find(({ resource }) => resource === wanted);
const spentOf = ({ spent }: RateState, wanted: string): RateState['spent'][number] | undefined => spent.find(({ window }) => window === wanted);

function waitForServer(state: RateState, { resource }: RateRequest, now: number): number {
  const budget = budgetOf(state, resource);
  return budget === undefined || budget.remaining > 0 ? 0 : budget.resetAt - now;
}

function waitForPoints(state: RateState, { charges }: RateRequest, now: number): number {
  let longest = 0;
  for (const charge of charges) longest = Math.max(longest, waitForWindow(spentOf(state, charge.window)?.seconds ?? [], charge, now));
  return longest;
}

function waitForWindow(slots: readonly SpentSlot[], charge: RateCharge, now: number): number {
  let excess = costOf(charge) - charge.limit;
  for (const { points } of slots) excess += points;
  if (excess <= 0) return 0;
  for (const slot of slots) {
    excess -= slot.points;
    if (excess <= 0) return freeAt(slot, charge) * 1_000 - now;
  }
  return charge.seconds * 1_000;
}

function waitForSlot({ leases }: RateState, { maxConcurrent }: RateRequest, now: number): number {
  const mustEnd = leases.length - maxConcurrent;
  if (mustEnd < 0) return 0;
  const ends = leases.map(({ endsAt }) => endsAt).sort((left, right) => left - right);
  return (ends[mustEnd] ?? now) - now;
}

/** A clock that is a little behind another process's charges the newest slot there is, which frees the points later, never sooner. */
function spend(state: RateState, charge: RateCharge, now: number): void {
  const second = now - (now % slotSeconds(charge));
  const slots = spentOf(state, charge.window)?.seconds;
  const newest = slots?.at(-1);
  if (newest !== undefined && newest.second >= second) newest.points += costOf(charge);
  else if (slots !== undefined) slots.push({ second, points: costOf(charge) });
  else state.spent.push({ window: charge.window, seconds: [{ second, points: costOf(charge) }] });
}

/** @returns whether the state has changed. */
export function settleCall(state: RateState, lease: string, { uncounted = false, limit, quarantineUntil = 0 }: RateOutcome, now: number): boolean {
  // What is given back comes before what the provider says: where it counted the call after all, its word is the lower one and holds.
  const released = release(state, lease, uncounted, now);
  const noted = limit !== undefined && noteLimit(state, limit);
  if (quarantineUntil <= state.quarantinedUntil) return released || noted;
  state.quarantinedUntil = quarantineUntil;
  return true;
}

function release(state: RateState, lease: string, uncounted: boolean, now: number): boolean {
  const at = state.leases.findIndex(({ id }) => id === lease);
  const [ended] = at < 0 ? [] : state.leases.splice(at, 1);
  if (ended === undefined) return false;
  const budget = budgetOf(state, ended.resource);
  if (uncounted && budget?.resetAt === ended.period && ended.endsAt > now) budget.remaining += 1;
  return true;
}

function noteLimit(state: RateState, { resource, remaining, resetAt }: ServerLimit): boolean {
  const known = budgetOf(state, resource);
  if (known === undefined) {
    state.server.push({ resource, remaining, resetAt });
    if (state.server.length > MAX_RESOURCES) state.server.sort((left, right) => right.resetAt - left.resetAt).pop();
    return true;
  }
  if (known.resetAt > resetAt || (known.resetAt === resetAt && known.remaining <= remaining)) return false;
  known.remaining = remaining;
  known.resetAt = resetAt;
  return true;
}
