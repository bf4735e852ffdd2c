/**
 * Finds the row that a binding names: by id, or by method and path template.
 */
import { findOperation, nearestName, type OperationRow, type OperationTable } from '@weir/operation-table';

export type ResolvedOperation = { readonly row: OperationRow } | { readonly row: undefined; readonly suggestion: string | undefined };

const labelOf = ({ method, path }: OperationRow): string => `${method} ${path}`;
const indexes = new WeakMap<OperationTable, ReadonlyMap<string, OperationRow>>();

function labelsOf(table: OperationTable): ReadonlyMap<string, OperationRow> {
  const known = indexes.get(table);
  if (known !== undefined) return known;
  const made = new Map(table.operations.map(row => [labelOf(row), row]));
  indexes.set(table, made);
  return made;
}

/** @param reference an operation id, or `METHOD /path/{name}` as the description writes it. */
export const resolveOperation = (table: OperationTable, reference: string): ResolvedOperation => {
  if (!reference.includes(' ')) {
    const found = findOperation(table, reference);
    return found.kind === 'found' ? { row: found.row } : { row: undefined, suggestion: found.suggestion };
  }
  const labels = labelsOf(table);
  const row = labels.get(reference);
  return row === undefined ? { row: undefined, suggestion: nearestName(reference, labels.keys()) } : { row };
};
