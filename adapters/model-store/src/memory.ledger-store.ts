/** The ledger in the memory of one process: for the CLI without a server, and for tests. */
import type { Charge } from '@weir/contract';
import { sumCharges, unknownFirst } from '@weir/model-pricing';
import type { LedgerStore, OpenCall, SpendFilter, SpendGroup, SpendRow } from '@weir/ports';
import { goodLines, inOrder } from './ledger-lines.ts';

const nameOf = (charge: Charge, group: SpendGroup): string | null => (group === 'model' ? `${charge.modelProvider}/${charge.model}` : charge[group]);

function matches(charge: Charge, { since, until, reviews, unpriced, ...same }: SpendFilter): boolean {
  if (reviews !== undefined && (charge.review === null || !reviews.includes(charge.review))) return false;
  if (unpriced === true && charge.cost !== null) return false;
  if (since !== undefined && charge.at < since) return false;
  if (until !== undefined && charge.at >= until) return false;
  return Object.entries(same).every(([key, value]) => value === undefined || charge[key as keyof typeof same] === value);
}

export function memoryLedgerStore(): LedgerStore {
  /** By call, then by token type. */
  const charges = new Map<string, Map<string, Charge>>();
  const opened = new Map<string, OpenCall>();
  const matching = (filter: SpendFilter): Charge[] => [...charges.values()].flatMap(lines => [...lines.values()]).filter(charge => matches(charge, filter));

  return {
    async open(call) {
      if (!charges.has(call.callRef) && !opened.has(call.callRef)) opened.set(call.callRef, call);
    },
    async append(call, lines) {
      const good = goodLines(lines);
      const known = charges.get(call.callRef) ?? new Map<string, Charge>();
      const fresh = good.filter(({ tokenType }) => !known.has(tokenType));
      for (const line of fresh) known.set(line.tokenType, { ...call, ...line });
      charges.set(call.callRef, known);
      opened.delete(call.callRef);
      return fresh.length;
    },
    openBefore: async (moment, limit) =>
      [...opened.values()]
        .filter(({ at }) => at < moment)
        .sort((left, right) => left.at - right.at || (left.callRef < right.callRef ? -1 : 1))
        .slice(0, limit),
    charges: async callRef => inOrder([...(charges.get(callRef)?.values() ?? [])]),
    async calls(filter, { limit, before }) {
      const last = new Map<string, number>();
      for (const { callRef, at } of matching(filter)) last.set(callRef, Math.max(at, last.get(callRef) ?? 0));
      const newest = [...last].sort(([leftRef, left], [rightRef, right]) => right - left || (leftRef < rightRef ? 1 : -1));
      const page = newest.filter(([callRef, at]) => before === null || at < before.at || (at === before.at && callRef < before.callRef)).slice(0, limit);
      return page.map(([callRef]) => inOrder([...(charges.get(callRef)?.values() ?? [])]));
    },
    sum: async filter => sumCharges(matching(filter)),
    async sumBy(group, filter, limit) {
      const groups = new Map<string | null, Charge[]>();
      for (const charge of matching(filter)) {
        const name = nameOf(charge, group);
        groups.set(name, [...(groups.get(name) ?? []), charge]);
      }
      const rows: SpendRow[] = [...groups].map(([name, lines]) => ({ name, ...sumCharges(lines) }));
      return unknownFirst(rows).slice(0, limit);
    },
    async filledAt(filter, axis, limit) {
      if (limit <= 0) return null;
      let rest = limit;
      for (const [at, { calls, millicents }] of newestFirst(matching(filter))) {
        rest -= axis === 'calls' ? calls : millicents;
        if (rest <= 0) return at;
      }
      return null;
    },
  };
}

/** Money at the moment of its line, a call at the moment of its last line. */
function newestFirst(charges: readonly Charge[]): readonly (readonly [number, { calls: number; millicents: number }])[] {
  const last = new Map<string, number>();
  for (const { callRef, at } of charges) last.set(callRef, Math.max(at, last.get(callRef) ?? 0));
  const moments = new Map<number, { calls: number; millicents: number }>();
  const momentOf = (at: number): { calls: number; millicents: number } => {
    const moment = moments.get(at) ?? { calls: 0, millicents: 0 };
    moments.set(at, moment);
    return moment;
  };
  for (const { at, cost } of charges) momentOf(at).millicents += cost ?? 0;
  for (const at of last.values()) momentOf(at).calls += 1;
  return [...moments].sort(([left], [right]) => right - left);
}
