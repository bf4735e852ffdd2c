/**
 * The money side of one call (MOD-17, REV-29): its budget is reserved, the call is opened in the ledger before the first byte goes
 * out, and charged once when it has ended, whichever way. A call that never went out costs nothing; what is unknown is never zero.
 */
import type { ModelCall } from '@weir/contract';
import { costOfCall, estimateCost, partitionUsage, priceUsage, UNKNOWN_USAGE, USAGE_RULE, type UsagePartition } from '@weir/model-pricing';
import type { ResolvedRoute } from '@weir/model-routes';
import type { ReserveOutcome, ReserveRefusal } from '@weir/ports';
import type { GatewayFailure, TokenUsage } from '@weir/wire';
import type { GatewayWorld } from './gateway-world.ts';
import { invalidKey } from './key-door.ts';
import { holderOf, type Principal } from './principal.ts';
import { whenUnavailable } from './when-unavailable.ts';

/** What a call ended with. `nothing`: the upstream says in its own form that it did not answer, or was never asked. */
export type Spent = 'unknown' | 'nothing' | TokenUsage;

export interface CallOrder {
  readonly callRef: string;
  readonly principal: Principal;
  readonly route: ResolvedRoute;
  /** For the reservation alone. */
  readonly estimate: { readonly inputTokens: number; readonly outputTokens: number };
}

export interface CallCharge {
  /** Before the first byte goes out; a repeat changes nothing. */
  open(): Promise<void>;
  /** Once; a repeat changes nothing. Never rejects: what cannot be written now is charged as unknown later. */
  settle(spent: Spent, credentialRef: string | null): Promise<void>;
}

export type Reserved = { readonly charge: CallCharge } | { readonly failure: GatewayFailure };

/** Seconds after which a call may ask again when calls under way hold the rest of the budget. */
const IN_FLIGHT_RETRY_SECONDS = 5;

const REFUSALS: Readonly<Record<ReserveRefusal, GatewayFailure>> = {
  unknown: invalidKey('There is no such virtual key.'),
  revoked: invalidKey('This virtual key is revoked.'),
  expired: invalidKey('This virtual key is expired.'),
  spent: { code: 'insufficient_quota', class: 'quota', message: 'The budget of this virtual key is spent.' },
  in_flight: {
    code: 'budget_in_flight',
    class: 'rate_limited',
    message: 'Calls under way may use up the budget of this virtual key. Try again when they have ended.',
    retryAfterSeconds: IN_FLIGHT_RETRY_SECONDS,
  },
};

const NOTHING: UsagePartition = { kind: 'parts', parts: { input: 0, output: 0 } };

export const partitionOf = (spent: Spent, route: ResolvedRoute): UsagePartition => {
  if (spent === 'unknown') return UNKNOWN_USAGE;
  return spent === 'nothing' ? NOTHING : partitionUsage(spent.reported, USAGE_RULE[route.usageRule]);
};

type ChargeWorld = Pick<GatewayWorld, 'stores' | 'now' | 'report'>;

/** Reserves the budget of a virtual key; a call from within has none. Where the store does not answer, the call is allowed (REV-31). */
export async function reserveCall(order: CallOrder, world: ChargeWorld): Promise<Reserved> {
  const { principal, callRef, route, estimate } = order;
  if (principal.kind === 'internal') return { charge: chargeOf(order, world, false) };
  const millicents = estimateCost(route.price, estimate);
  const outcome = await whenUnavailable<ReserveOutcome | 'unreadable'>(
    () => world.stores.keys.reserve({ keyId: principal.key.id, callRef, millicents }),
    () => 'unreadable',
  );
  if (outcome === 'unreadable') {
    attention(world, 'CAP_UNENFORCEABLE', callRef, 'The store of virtual keys does not answer: budgets are not enforced.');
    return { charge: chargeOf(order, world, false) };
  }
  return outcome.granted ? { charge: chargeOf(order, world, true) } : { failure: REFUSALS[outcome.reason] };
}

function attention({ report }: ChargeWorld, code: 'CAP_UNENFORCEABLE' | 'CHARGE_LATE', callRef: string, sentence: string): void {
  report({ event: 'attention', code, callRef, sentence });
}

function chargeOf(order: CallOrder, world: ChargeWorld, reserved: boolean): CallCharge {
  const { callRef, route } = order;
  const { ledger, keys } = world.stores;
  let opening: Promise<void> | undefined;
  let settling: Promise<void> | undefined;

  const open = (): Promise<void> =>
    whenUnavailable(
      () => ledger.open({ ...callOf(order, world.now(), null), unmetered: route.price.mode === 'unmetered' }),
      () => attention(world, 'CAP_UNENFORCEABLE', callRef, 'The ledger does not answer: the call is not kept in it yet.'),
    );
  const write = async (spent: Spent, credentialRef: string | null): Promise<void> => {
    const lines = priceUsage(partitionOf(spent, route), route.price);
    if (opening !== undefined) await ledger.append(callOf(order, world.now(), credentialRef), lines);
    if (reserved) await keys.settle(callRef, opening === undefined ? 0 : costOfCall(lines));
  };
  return {
    open: () => (opening ??= open()),
    settle: (spent, credentialRef) => (settling ??= write(spent, credentialRef).catch((error: unknown) => late(error, callRef, world))),
  };
}

/** The answer is on its way already; the open call stays in the ledger and is charged as unknown when somebody looks for such calls. */
function late(error: unknown, callRef: string, world: ChargeWorld): void {
  attention(world, 'CHARGE_LATE', callRef, `A call could not be charged: ${error instanceof Error ? error.message : 'unknown error'}`);
}

function callOf({ callRef, principal, route }: CallOrder, at: number, credentialRef: string | null): ModelCall {
  return { callRef, at, modelProvider: route.modelProvider, model: route.model, credentialRef, ...holderOf(principal) };
}
