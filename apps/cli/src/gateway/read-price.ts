/** A price from the flags of `weir models add` and `weir models price`: rates in dollars per million tokens, or the word that calls cost nothing. */
import type { ModelPrice } from '@weir/contract';
import { AppError } from '@weir/kernel';
import { formatDollars, readDollars } from '@weir/model-pricing';
import type { Options } from '../action.ts';

const RATE_FLAGS = {
  inputRate: ['input', '--input-rate'],
  outputRate: ['output', '--output-rate'],
  cachedInputRate: ['cached_input', '--cached-input-rate'],
  cacheWriteRate: ['cache_write', '--cache-write-rate'],
  reasoningRate: ['reasoning', '--reasoning-rate'],
} as const;

function rateOf(value: unknown, flag: string): number {
  const rate = readDollars(String(value));
  if (rate === undefined) throw new AppError('USAGE', `${flag} is an amount in dollars per million tokens, for example 2.50`);
  return rate;
}

/** Undefined when the flags say nothing about a price. Throws USAGE for half a price. @param today YYYY-MM-DD. */
export function readPrice(options: Options, today: string): ModelPrice | undefined {
  const given = Object.entries(RATE_FLAGS).filter(([option]) => options[option] !== undefined);
  if (options['unmetered'] === true) {
    if (given.length > 0) throw new AppError('USAGE', '--unmetered and rates contradict each other');
    return { mode: 'unmetered' };
  }
  if (given.length === 0) return undefined;
  const rates = Object.fromEntries(given.map(([option, [type, flag]]) => [type, rateOf(options[option], flag)]));
  const { input, output } = rates;
  if (input === undefined || output === undefined) throw new AppError('USAGE', 'a price has both --input-rate and --output-rate');
  const source = options['source'];
  return { mode: 'metered', rates: { ...rates, input, output }, since: today, ...(typeof source === 'string' ? { source } : {}) };
}

export function priceText(price: ModelPrice | null): string {
  if (price === null) return 'UNPRICED';
  if (price.mode === 'unmetered') return 'unmetered';
  const { input, output, ...others } = price.rates;
  const more = Object.entries(others).flatMap(([type, rate]) => (rate === undefined ? [] : [`${type} ${formatDollars(rate)}`]));
  return [`in ${formatDollars(input)}`, `out ${formatDollars(output)}`, ...more].join(', ');
}
