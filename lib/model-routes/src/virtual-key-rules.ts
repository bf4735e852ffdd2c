/** What a virtual key may do (MOD-17), as decisions over its row. The stores ask here, so that all of them decide alike. */
import type { VirtualKey } from '@weir/contract';

export type VirtualKeyState = 'active' | 'revoked' | 'expired';

export function virtualKeyState({ revokedAt, expiresAt }: Pick<VirtualKey, 'revokedAt' | 'expiresAt'>, now: number): VirtualKeyState {
  if (revokedAt !== null) return 'revoked';
  return expiresAt !== null && expiresAt <= now ? 'expired' : 'active';
}

/** @param model its name among the callers. */
export function allowsRoute({ allowedRoutes }: Pick<VirtualKey, 'allowedRoutes'>, modelProvider: string, model: string): boolean {
  return allowedRoutes === null || allowedRoutes.some(route => route.modelProvider === modelProvider && (route.model === undefined || route.model === model));
}

/**
 * `spent`: final, the money is gone. `in_flight`: the calls under way may use up the rest, so asking again later may succeed.
 * Undefined: within the budget. A call that begins within it is finished, so that one call may go over.
 */
export function budgetRefusal(
  key: Pick<VirtualKey, 'budgetMillicents' | 'budgetCalls' | 'spentMillicents' | 'reservedMillicents' | 'calls'>,
): 'spent' | 'in_flight' | undefined {
  const { budgetMillicents, budgetCalls, spentMillicents, reservedMillicents, calls } = key;
  if (budgetCalls !== null && calls >= budgetCalls) return 'spent';
  if (budgetMillicents === null) return undefined;
  if (spentMillicents >= budgetMillicents) return 'spent';
  return spentMillicents + reservedMillicents >= budgetMillicents ? 'in_flight' : undefined;
}
