/** Whether a charge line fits its own figures: the ledgers ask before they write, so that no sum holds what no price list made. */
import { type ChargeLine, MAX_LINE_TOKENS, MAX_RATE } from '@weir/contract';
import { costOf } from './price-usage.ts';

const isCount = (value: number, max: number): boolean => Number.isInteger(value) && value >= 0 && value <= max;

/** @returns what is wrong, as a sentence; undefined for a good line. */
export function lineFault(line: ChargeLine): string | undefined {
  const { tokenType, tokens, rate, cost, pricingMode } = line;
  if (tokens !== null && !isCount(tokens, MAX_LINE_TOKENS)) return `The tokens of ${tokenType} are no count.`;
  if (pricingMode === 'metered') return meteredFault(line);
  if (rate !== null) return `The ${pricingMode} line ${tokenType} has a rate.`;
  return cost === (pricingMode === 'unmetered' ? 0 : null) ? undefined : `The cost of the ${pricingMode} line ${tokenType} does not fit its mode.`;
}

function meteredFault({ tokenType, tokens, rate, cost }: ChargeLine): string | undefined {
  if (tokenType === 'total') return 'A total is not metered.';
  if (tokens === null || rate === null || !isCount(rate, MAX_RATE)) return `The metered line ${tokenType} lacks its tokens or its rate.`;
  return cost === costOf(tokens, rate) ? undefined : `The cost of ${tokenType} is not its tokens at its rate.`;
}
