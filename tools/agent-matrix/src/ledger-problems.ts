/**
 * Whether a gateway's ledger says the same as the upstream that served. The ledger counts money, so each token type has a price of its own:
 * a token that is lost, doubled or counted under another type changes the sum.
 */
import type { Recording, ServedUsage } from '@weir/scripted-upstream';

/** Millicents a token; primes, so that no small exchange of tokens between types leaves the sum as it is. */
export const MILLICENTS_A_TOKEN: Readonly<Record<keyof ServedUsage, number>> = { uncachedInput: 2, cacheRead: 11, cacheWrite: 53, output: 211, reasoning: 887 };

export interface Ledger {
  readonly calls: number;
  /** Calls with a line whose cost is unknown. */
  readonly unpricedCalls: number;
  readonly millicents: number;
}

const priceOf = (usage: ServedUsage): number =>
  Object.entries(MILLICENTS_A_TOKEN).reduce((sum, [type, price]) => sum + price * usage[type as keyof ServedUsage], 0);

type Served = ReturnType<Recording['served']>;

export const ledgerProblems = (ledger: Ledger, served: Served): readonly string[] => [
  ...differences(ledger, { calls: served.known + served.unknown }),
  ...spendProblems(ledger, served),
];

/** The same without the number of calls, which also counts those that the upstream refused. */
export const spendProblems = (ledger: Ledger, served: Served): readonly string[] =>
  differences(ledger, { unpricedCalls: served.unknown, millicents: priceOf(served.sum) });

function differences(ledger: Ledger, expected: Partial<Ledger>): readonly string[] {
  const figures = Object.keys(expected) as readonly (keyof Ledger)[];
  return figures.filter(figure => ledger[figure] !== expected[figure]).map(figure => `ledger: ${figure} is ${ledger[figure]}, served were ${expected[figure]}`);
}
