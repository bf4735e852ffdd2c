/**
 * The cap on what all model calls cost and how many there are, over a rolling window (REV-31). One reading of the ledger decides for
 * every site: the gateway before a paid call of a review or a conversation, whoever begins a round, and the list of what needs attention.
 */
import type { SpendSum } from '@weir/contract';
import { AppError } from '@weir/kernel';
import { type CapDecision, capacityText, decideCap, type SpendLimits } from '@weir/model-pricing';
import type { LedgerStore } from '@weir/ports';
import type { GatewayFailure } from '@weir/wire';
import type { GatewayWorld } from './gateway-world.ts';
import { holderOf, type Principal } from './principal.ts';

/** What the cap holds for; a client of the gateway has the budget of its key. */
const CAPPED: ReadonlySet<string> = new Set(['review', 'conversation']);

export interface CapState {
  readonly decision: CapDecision;
  /** Of the window; null where no limit is set, so that nothing was measured. */
  readonly spend: SpendSum | 'unreadable' | null;
  /** When there may be room again, as a lower bound; null where there is room, or no time makes any. */
  readonly capacity: string | null;
}

export interface CapSite {
  readonly ledger: Pick<LedgerStore, 'sum' | 'filledAt'>;
  readonly limits: SpendLimits;
  readonly now: () => number;
}

/** Never rejects for a store that fails: an unreadable ledger allows. Archived reviews count like all others. */
export async function readCapState({ ledger, limits, now }: CapSite): Promise<CapState> {
  if (limits.millicents === null && limits.calls === null) return { decision: { allowed: true }, spend: null, capacity: null };
  const window = { since: now() - limits.windowMs };
  const spend = await orUnreadable(() => ledger.sum(window));
  const decision = decideCap(limits, spend);
  if (decision.allowed) return { decision, spend, capacity: null };
  const filledAt = await orUnreadable(() => ledger.filledAt(window, decision.axis, limits[decision.axis] ?? 0));
  return { decision, spend, capacity: typeof filledAt === 'number' ? capacityText(filledAt, limits.windowMs) : null };
}

async function orUnreadable<T>(read: () => Promise<T>): Promise<T | 'unreadable'> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof AppError) return 'unreadable';
    throw error;
  }
}

type GateWorld = Pick<GatewayWorld, 'stores' | 'spendLimits' | 'now' | 'report'>;

/** Viewers are told what was measured; the limit goes to the operator, as an event. */
export async function refuseByCap(principal: Principal, callRef: string, { stores, spendLimits, now, report }: GateWorld): Promise<GatewayFailure | undefined> {
  if (!CAPPED.has(holderOf(principal).capability)) return undefined;
  const { decision, capacity } = await readCapState({ ledger: stores.ledger, limits: spendLimits, now });
  if (decision.allowed) {
    if ('attention' in decision)
      report({ event: 'attention', code: decision.attention, callRef, sentence: 'The ledger cannot be read: the cap on spending is not enforced.' });
    return undefined;
  }
  const when = capacity === null ? '' : ` ${capacity}`;
  report({ event: 'attention', code: decision.code, callRef, sentence: `${decision.operatorSentence}${when}` });
  return { code: 'cap_reached', class: 'quota', message: `${decision.sentence}${when}` };
}
