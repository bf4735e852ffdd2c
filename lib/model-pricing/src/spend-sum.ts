/** Sums of charges. What is unknown is never added as zero: it is counted beside the money and said first. */
import type { Charge, ChargeLine, SpendSum } from '@weir/contract';
import { formatDollars } from './dollars.ts';

export const NO_SPEND: SpendSum = { calls: 0, unpricedCalls: 0, millicents: 0 };

/** The cost of the lines of one call; null when one of them is unknown. */
export function costOfCall(lines: readonly ChargeLine[]): number | null {
  let sum = 0;
  for (const { cost } of lines) {
    if (cost === null) return null;
    sum += cost;
  }
  return lines.length === 0 ? null : sum;
}

/** Lines may come in any order, and the lines of a call apart from each other. */
export function sumCharges(charges: Iterable<Pick<Charge, 'callRef' | 'cost'>>): SpendSum {
  const calls = new Set<string>();
  const unpriced = new Set<string>();
  let millicents = 0;
  for (const { callRef, cost } of charges) {
    calls.add(callRef);
    if (cost === null) unpriced.add(callRef);
    else millicents += cost;
  }
  return { calls: calls.size, unpricedCalls: unpriced.size, millicents };
}

/** Whatever has unpriced calls comes first, then the dearest; equals by name. */
export function unknownFirst<Row extends SpendSum & { readonly name: string | null }>(rows: readonly Row[]): readonly Row[] {
  return [...rows].sort(
    (left, right) =>
      right.unpricedCalls - left.unpricedCalls ||
      right.millicents - left.millicents ||
      right.calls - left.calls ||
      ((left.name ?? '') < (right.name ?? '') ? -1 : 1),
  );
}

/** One line for people: `2 of 7 calls unpriced, the others $0.01234`. */
export function spendText({ calls, unpricedCalls, millicents }: SpendSum): string {
  const noun = calls === 1 ? 'call' : 'calls';
  if (unpricedCalls === 0) return `${formatDollars(millicents)} for ${calls} ${noun}`;
  if (unpricedCalls === calls && millicents === 0) return `${calls} ${noun} unpriced`;
  return `${unpricedCalls} of ${calls} ${noun} unpriced, the rest ${formatDollars(millicents)}`;
}
