/**
 * Looks an operation up by its id, or by method and path. The index is made at the first look-up of a table and lives as long as the table.
 */
import { nearestName } from './near-name.ts';
import type { OperationRow, OperationTable } from './operation-row.ts';

export type OperationLookup =
  | { readonly kind: 'found'; readonly row: OperationRow }
  /** `suggestion` is the nearest id of the table, where one is near. */
  | { readonly kind: 'unknown'; readonly suggestion: string | undefined };

const indexes = new WeakMap<OperationTable, ReadonlyMap<string, OperationRow>>();
const places = new WeakMap<OperationTable, ReadonlyMap<string, OperationRow>>();

function indexOf(kept: typeof indexes, table: OperationTable, keyOf: (row: OperationRow) => string): ReadonlyMap<string, OperationRow> {
  const known = kept.get(table);
  if (known !== undefined) return known;
  const made = new Map(table.operations.map(row => [keyOf(row), row]));
  kept.set(table, made);
  return made;
}

/**
 * The row of this id, or of this method and path template (`GET /user`), as tables have it whose ids are missing or unstable.
 * Both are compared exactly; a near one is suggested, never taken.
 */
export const findOperation = (table: OperationTable, id: string): OperationLookup => {
  const index = / \//.test(id.slice(0, 10)) ? indexOf(places, table, row => `${row.method} ${row.path}`) : indexOf(indexes, table, row => row.id);
  const row = index.get(id);
  return row === undefined ? { kind: 'unknown', suggestion: nearestName(id, index.keys()) } : { kind: 'found', row };
};
