/**
 * The rules of the rate governor's memory (PRV-10, PRV-19) as pure functions over the state of one provider and credential.
 * The stores only keep the state and let one change at a time through.
 */
import type { RateCharge, RateGrant, RateRefusal, RateRequest, ServerLimit } from '@weir/ports';

export interface RateState {
  /** Spent points by window and second; at most 61 seconds are kept. */
  readonly spent: Readonly<Record<string, readonly (readonly [second: number, points: number])[]>>;
  /** Open leases by id: when each ends by itself. */
  readonly leases: Readonly<Record<string, number>>;
  readonly server: Readonly<Record<string, { readonly remaining: number; readonly resetAt: number }>>;
  readonly notifiedAt: number;
  readonly quarantinedUntil: number;
}

export const FRESH_RATE_STATE: RateState = { spent: {}, leases: {}, server: {}, notifiedAt: 0, quarantinedUntil: 0 };

export interface RateDecision {
  readonly state: RateState;
  readonly grant: RateGrant;
}

const WINDOW_SECONDS = 60;
/** Budgets that a provider may name; beyond, the one that resets first is dropped. */
const MAX_RESOURCES = 32;

const secondOf = (now: number): number => Math.floor(now / 1_000);
const costOf = ({ cost, perMinute }: RateCharge): number => Math.min(cost, perMinute);

/** A second counts until the whole of it is more than a minute ago, so that no 60 seconds hold more than the limit. */
const isRecent = (second: number, now: number): boolean => second >= secondOf(now) - WINDOW_SECONDS;

/** Grants a call and charges it, or says what it has to wait for; a refusal changes nothing. */
export function decideRate(state: RateState, request: RateRequest, lease: string, now: number): RateDecision {
  const waits: readonly (readonly [RateRefusal, number])[] = [
    ['quarantine', state.quarantinedUntil - now],
    ['server_limit', waitForServer(state, request.resource, now)],
    ['points', Math.max(0, ...request.charges.map(charge => waitForPoints(state, charge, now)))],
    ['notification', request.notificationIntervalMs === undefined ? 0 : state.notifiedAt + request.notificationIntervalMs - now],
    ['concurrency', waitForSlot(state, request.maxConcurrent, now)],
  ];
  let longest: (typeof waits)[number] | undefined;
  for (const wait of waits) {
    if (wait[1] > 0 && wait[1] > (longest?.[1] ?? 0)) longest = wait;
  }
  if (longest !== undefined) return { state, grant: { granted: false, reason: longest[0], waitMs: longest[1] } };
  return { state: charged(state, request, lease, now), grant: { granted: true, lease } };
}

function waitForServer(state: RateState, resource: string, now: number): number {
  const limit = state.server[resource];
  return limit === undefined || limit.remaining > 0 ? 0 : limit.resetAt - now;
}

function waitForPoints(state: RateState, charge: RateCharge, now: number): number {
  const recent = (state.spent[charge.window] ?? []).filter(([second]) => isRecent(second, now));
  let excess = recent.reduce((sum, [, points]) => sum + points, 0) + costOf(charge) - charge.perMinute;
  if (excess <= 0) return 0;
  for (const [second, points] of recent) {
    excess -= points;
    if (excess <= 0) return (second + WINDOW_SECONDS + 1) * 1_000 - now;
  }
  return WINDOW_SECONDS * 1_000;
}

function waitForSlot(state: RateState, maxConcurrent: number, now: number): number {
  const ends = Object.values(state.leases)
    .filter(end => end > now)
    .sort((left, right) => left - right);
  const mustEnd = ends.length - maxConcurrent;
  return mustEnd < 0 ? 0 : (ends[mustEnd] ?? now) - now;
}

function charged(state: RateState, request: RateRequest, lease: string, now: number): RateState {
  const limit = state.server[request.resource];
  return {
    ...state,
    spent: spend(state.spent, request.charges, now),
    leases: { ...Object.fromEntries(Object.entries(state.leases).filter(([, end]) => end > now)), [lease]: now + request.leaseMs },
    server: limit === undefined ? state.server : { ...state.server, [request.resource]: { ...limit, remaining: limit.remaining - 1 } },
    notifiedAt: request.notificationIntervalMs === undefined ? state.notifiedAt : now,
  };
}

function spend(spent: RateState['spent'], charges: readonly RateCharge[], now: number): RateState['spent'] {
  const next: Record<string, readonly (readonly [number, number])[]> = {};
  for (const [window, seconds] of Object.entries(spent)) {
    const recent = seconds.filter(([second]) => isRecent(second, now));
    if (recent.length > 0) next[window] = recent;
  }
  for (const charge of charges) {
    const seconds = next[charge.window] ?? [];
    const current = seconds.find(([second]) => second === secondOf(now))?.[1] ?? 0;
    const others = seconds.filter(([second]) => second !== secondOf(now));
    next[charge.window] = [...others, [secondOf(now), current + costOf(charge)] as const].sort(([left], [right]) => left - right);
  }
  return next;
}

export function releaseLease(state: RateState, lease: string): RateState {
  return { ...state, leases: Object.fromEntries(Object.entries(state.leases).filter(([id]) => id !== lease)) };
}

export function reportLimit(state: RateState, { resource, remaining, resetAt }: ServerLimit): RateState {
  const known = state.server[resource];
  if (known !== undefined && known.resetAt > resetAt) return state;
  const least = known?.resetAt === resetAt ? Math.min(known.remaining, remaining) : remaining;
  const server = { ...state.server, [resource]: { remaining: least, resetAt } };
  const latest = Object.entries(server).sort(([, left], [, right]) => right.resetAt - left.resetAt);
  return { ...state, server: Object.fromEntries(latest.slice(0, MAX_RESOURCES)) };
}

export function quarantineUntil(state: RateState, until: number): RateState {
  return { ...state, quarantinedUntil: Math.max(state.quarantinedUntil, until) };
}
