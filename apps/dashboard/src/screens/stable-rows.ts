/** Live rows that do not jump: what is shown keeps its place and is renewed there; what is new is counted until it is asked for. */

export interface Rows<Row> {
  readonly shown: readonly Row[];
  /** New rows that wait above. */
  readonly waiting: number;
}

/** @param order ids as they stand on the page; null shows the fresh rows as they are */
export function stableRows<Row extends { readonly id: string }>(order: readonly string[] | null, fresh: readonly Row[]): Rows<Row> {
  if (order === null) return { shown: fresh, waiting: 0 };
  const byId = new Map(fresh.map(row => [row.id, row]));
  const kept = order.flatMap(id => byId.get(id) ?? []);
  const known = new Set(order);
  const last = fresh.findLastIndex(row => known.has(row.id));
  const above = fresh.slice(0, last + 1).filter(row => !known.has(row.id));
  const below = fresh.slice(last + 1);
  return { shown: [...kept, ...below], waiting: above.length };
}
