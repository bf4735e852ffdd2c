/**
 * Charges the calls whose process died (REV-29): their tokens are unknown, and they are counted all the same. For every process at its
 * start and from time to time; running it twice, or in two processes at once, changes nothing.
 */
import { costOfCall, priceUsage, UNKNOWN_USAGE } from '@weir/model-pricing';
import type { ModelStores } from './model-stores.ts';

/** Calls that one run looks at, of each kind. */
const BATCH = 1_000;

/**
 * @param moment calls that began before it: farther back than any call can last.
 * @returns how many calls were charged or settled; 0 when nothing is left.
 */
export async function chargeLostCalls({ ledger, keys }: Pick<ModelStores, 'ledger' | 'keys'>, moment: number): Promise<number> {
  let count = 0;
  for (const { unmetered, ...call } of await ledger.openBefore(moment, BATCH)) {
    if ((await ledger.append(call, priceUsage(UNKNOWN_USAGE, unmetered ? { mode: 'unmetered' } : null))) > 0) count += 1;
  }
  // After the charges, so that a call is settled with what the ledger says of it. One without a line never began, or its cost is unknown.
  for (const callRef of await keys.reservedBefore(moment, BATCH)) {
    if (await keys.settle(callRef, costOfCall(await ledger.charges(callRef)))) count += 1;
  }
  return count;
}
