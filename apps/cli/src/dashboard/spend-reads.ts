/** What model calls have cost, by what it was spent on, and the caps (REV-31). Viewers are told what was measured, never a limit. */
import type { ApiSpend, ApiSpendSlice } from '@weir/contract';
import { type CapState, readCapState } from '@weir/model-gateway';
import { capText } from '@weir/model-pricing';
import type { ApiAnswer, ApiCall, SpendGroup } from '@weir/ports';
import { readCaps } from '../gateway/read-caps.ts';
import { callerOf, type DashboardWorld, isoOf } from './dashboard-world.ts';

/** Rows of one group. */
const MAX_SLICES = 200;
const DAY_MS = 86_400_000;
/** Stands where calls have no name of the group. */
export const NO_NAME = '(none)';

/** From midnight, UTC, so that the figure and its why mean the same calls. */
export const sinceOf = (now: number, windowMs: number): number => Math.floor((now - windowMs) / DAY_MS) * DAY_MS;

async function slicesOf({ models }: DashboardWorld, group: SpendGroup, since: number): Promise<ApiSpendSlice[]> {
  const rows = await models.ledger.sumBy(group, { since }, MAX_SLICES);
  return rows.map(({ name, calls, unpricedCalls, millicents }) => ({ name: name ?? NO_NAME, calls, unpricedCalls, millicents }));
}

function capRows({ settings }: DashboardWorld, { decision, spend, capacity }: CapState, isAdmin: boolean): ApiSpend['caps'] {
  if (spend === null) return [];
  const limits = readCaps(settings).spend;
  if (spend === 'unreadable') return [{ name: 'spend', measured: 'The ledger cannot be read; no cap holds.', reached: false, returns: null }];
  const measured = decision.allowed ? `${spend.calls} calls in the window` : decision.sentence;
  return [{ name: 'spend', measured, reached: !decision.allowed, returns: capacity, ...(isAdmin ? { limit: capText(limits, spend) } : {}) }];
}

export async function readSpend(world: DashboardWorld, call: ApiCall): Promise<ApiAnswer> {
  const { days } = call.query as { readonly days: number };
  const { models, settings, now } = world;
  const since = sinceOf(now(), days * DAY_MS);
  const { millicents, calls, unpricedCalls } = await models.ledger.sum({ since });
  const state = await readCapState({ ledger: models.ledger, limits: readCaps(settings).spend, now });
  const body: ApiSpend = {
    since: isoOf(since),
    total: { millicents, calls, unpricedCalls },
    byCapability: await slicesOf(world, 'capability', since),
    byRepository: await slicesOf(world, 'repository', since),
    byModel: await slicesOf(world, 'model', since),
    caps: capRows(world, state, callerOf(call).role === 'admin'),
  };
  return { body };
}
