/**
 * Lets path values hold slashes that are written as %2F, for the parameters that a descriptor names.
 */
import type { OperationRow } from '@weir/operation-table';

const rows = new WeakMap<OperationRow, OperationRow>();

/** The row itself where it has none of them. One object for each row, since what is known of a row is kept with it. */
export const withEncodedSlashes = (row: OperationRow, names: readonly string[]): OperationRow => {
  const known = rows.get(row);
  if (known !== undefined) return known;
  const takes = ({ in: place, style, name }: OperationRow['parameters'][number]): boolean => place === 'path' && style === 'plain' && names.includes(name);
  const made = row.parameters.some(takes)
    ? { ...row, parameters: row.parameters.map(parameter => (takes(parameter) ? { ...parameter, style: 'segments' as const } : parameter)) }
    : row;
  rows.set(row, made);
  return made;
};
