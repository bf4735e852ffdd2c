/**
 * Keeps calls within a provider's limits (PRV-10, PRV-19): takes points and a slot before a call, tells the store afterwards
 * what the provider said. The store is shared by all processes; nothing is counted here. Without it nothing is sent.
 */
import type { ProviderDescriptor } from '@weir/contract';
import { type OperationRow, readRateLimit } from '@weir/operation-table';
import type { RateCharge, RateGrant, RateOutcome, RateRequest, RateStore } from '@weir/ports';
import type { PlannedCall } from './plan-call.ts';
import { failed, type Outcome, type ProviderFailure } from './provider-failure.ts';
import { orStoreAway } from './store-away.ts';
import type { RawAnswer } from './send-request.ts';

export interface GovernorParts {
  readonly descriptor: ProviderDescriptor;
  readonly rateStore: RateStore;
  readonly now: () => number;
  readonly random: () => number;
  readonly sleep: (milliseconds: number, signal: AbortSignal) => Promise<void>;
}

export interface Governor {
  /** Waits for a slot, at most until `patience.until`. */
  enter(call: PlannedCall, credential: string, patience: Patience): Promise<Outcome<string>>;
  /**
   * Gives the slot back and feeds the answer back, where there is one: what remains, and for how long nothing may be sent.
   * False where the store could not be told; the slot then ends by itself.
   */
  leave(call: PlannedCall, slot: Slot, heard?: Heard): Promise<boolean>;
}

export interface Slot {
  readonly credential: string;
  readonly lease: string;
}

export interface Heard {
  /** As it came, before a kept answer is put in its place. */
  readonly answer: RawAnswer;
  readonly failure: ProviderFailure | undefined;
}

export interface Patience {
  readonly signal: AbortSignal;
  /** Milliseconds since 1970. */
  readonly until: number;
}

/** A slot is asked for again after this long at most: another call may end before its lease does. */
const SLOT_POLL_MS = 250;
/** A limit that is not the counted one stops everything for at least this long. */
const QUARANTINE_MS = 60_000;
/** GitHub does not count a conditional read that finds nothing new. A provider that does says so with what remains. */
const NOT_MODIFIED = 304;
const MINUTE_S = 60;
const HOUR_S = 3_600;
/** Budgets are learnt from answers; until then a call counts in this one. */
const USUAL_RESOURCE = 'core';

export const createGovernor = ({ descriptor, rateStore, now, random, sleep }: GovernorParts): Governor => {
  const { name: provider, ratelimit, timeouts } = descriptor;
  const quarantineMs = Math.max(QUARANTINE_MS, descriptor.policy.budget.cooldown_s * 1_000);
  const readLimit = limitReader(ratelimit);
  const resources = new Map<string, string>();
  const templates = new WeakMap<OperationRow, Omit<RateRequest, 'credential' | 'resource'>>();

  /** What an operation takes is the same for each of its calls. */
  function templateOf(call: PlannedCall): Omit<RateRequest, 'credential' | 'resource'> {
    const known = templates.get(call.row);
    if (known !== undefined) return known;
    const spaced = call.mutates && call.row.notifies && ratelimit.notification_interval_ms > 0;
    const made = {
      ...{ provider, charges: chargesOf(ratelimit, call), maxConcurrent: ratelimit.max_concurrent, leaseMs: 2 * timeouts.request_ms },
      ...(spaced ? { notificationIntervalMs: ratelimit.notification_interval_ms } : {}),
    };
    templates.set(call.row, made);
    return made;
  }

  const requestOf = (call: PlannedCall, credential: string): RateRequest => ({
    ...templateOf(call),
    credential,
    resource: resources.get(call.row.id) ?? USUAL_RESOURCE,
  });

  /** Calls are left, or nobody counts: a limit beside the counted one, unless the provider itself names its end. */
  function pauseOf({ retryAfterMs = 0 }: ProviderFailure, remaining: number | undefined, headers: RawAnswer['headers']): number {
    const named = remaining === undefined && headers['retry-after'] !== undefined;
    return named ? retryAfterMs : Math.max(quarantineMs, retryAfterMs);
  }

  function outcomeOf(call: PlannedCall, { answer, failure }: Heard): RateOutcome {
    const { remaining, resetMs } = readRateLimit(readLimit(answer.headers), now());
    const resource = answer.headers['x-ratelimit-resource']?.slice(0, 64);
    if (resource !== undefined) resources.set(call.row.id, resource);
    const counts = remaining !== undefined && resetMs !== undefined;
    const pauses = failure?.kind === 'RateLimited' && !(counts && remaining === 0);
    return {
      ...(answer.status === NOT_MODIFIED ? { uncounted: true } : {}),
      ...(counts ? { limit: { resource: resource ?? USUAL_RESOURCE, remaining, resetAt: now() + resetMs } } : {}),
      ...(pauses ? { quarantineUntil: now() + pauseOf(failure, remaining, answer.headers) } : {}),
    };
  }

  return {
    enter: async (call, credential, { signal, until }) => {
      const request = requestOf(call, credential);
      for (;;) {
        signal.throwIfAborted();
        const asked = await orStoreAway(rateStore.acquire(request));
        if (!asked.ok) return asked;
        const grant = asked.value;
        if (grant.granted) return { ok: true, value: grant.lease };
        const waitMs = waitOf(grant, random());
        if (now() + waitMs > until) return refusal(grant);
        await sleep(waitMs, signal);
      }
    },
    leave: async (call, { credential, lease }, heard) => {
      const outcome = heard === undefined ? {} : outcomeOf(call, heard);
      return (await orStoreAway(rateStore.release({ provider, credential }, lease, outcome))).ok;
    },
  };
};

function chargesOf(ratelimit: ProviderDescriptor['ratelimit'], { mutates, row }: PlannedCall): readonly RateCharge[] {
  const cost = mutates ? ratelimit.write_cost : 1;
  const content = mutates && row.method === 'POST' ? ratelimit.content_creating_per_minute : undefined;
  const windows = [
    { window: 'points', cost, limit: ratelimit.points_per_minute, seconds: MINUTE_S },
    { window: 'hour', cost, limit: ratelimit.points_per_hour, seconds: HOUR_S },
    { window: 'content', cost: 1, limit: content, seconds: MINUTE_S },
  ];
  return windows.flatMap(({ limit, ...charge }) => (limit === undefined ? [] : [{ ...charge, limit }]));
}

type Refused = Extract<RateGrant, { granted: false }>;

/** Spread by up to a tenth, so that those who wait for the same moment do not come at once. */
const waitOf = ({ reason, waitMs }: Refused, random: number): number => {
  const least = reason === 'concurrency' ? Math.min(waitMs, SLOT_POLL_MS) : waitMs;
  return Math.max(1, Math.ceil(least * (1 + random / 10)));
};

const REASONS: Readonly<Record<Refused['reason'], string>> = {
  quarantine: 'the provider asked for a pause',
  server_limit: "the provider's budget is spent",
  points: 'what the provider allows in its window is spent',
  notification: 'calls that notify people are spaced',
  concurrency: 'too many calls are under way',
};

const refusal = ({ reason, waitMs }: Refused): Outcome<never> =>
  failed('RateLimited', `${REASONS[reason]}; a call is possible in ${Math.ceil(waitMs / 1_000)} s`, { retry: 'later', retryAfterMs: waitMs });

/** The descriptor's header names, under those that are read. */
function limitReader({
  remaining_header: remaining = '',
  reset_header: reset = '',
}: ProviderDescriptor['ratelimit']): (headers: RawAnswer['headers']) => Readonly<Record<string, string>> {
  const names = [
    ['x-ratelimit-remaining', remaining.toLowerCase()],
    ['x-ratelimit-reset', reset.toLowerCase()],
  ] as const;
  return headers => {
    const found: Record<string, string> = {};
    for (const [name, theirs] of names) {
      const value = headers[theirs];
      if (value !== undefined) found[name] = value;
    }
    return found;
  };
}
