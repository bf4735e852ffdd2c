/** A table of rows of 36 px. Columns are data; the first column that leads somewhere is a link, so a row needs no script to be opened. */
import type { JSX, ReactNode } from 'react';

export interface Column<Row> {
  readonly title: ReactNode;
  readonly cell: (row: Row) => ReactNode;
  /** `fill` takes what is left and cuts what is too long; `wrap` breaks its lines. */
  readonly kind?: 'right' | 'fill' | 'wrap';
}

/** Heading of a column that holds links or buttons: there is nothing to see, and something to hear. */
export const ACTIONS: ReactNode = <span className="hidden-text">Actions</span>;

interface DataTableProps<Row> {
  /** For people who do not see where it stands. */
  readonly label: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  readonly rowKey: (row: Row) => string;
  readonly chosen?: number;
}

export function DataTable<Row>({ label, columns, rows, rowKey, chosen = -1 }: DataTableProps<Row>): JSX.Element {
  // Reached by the keyboard, so that it can be scrolled without a mouse.
  return (
    <div className="wide-table" role="region" aria-label={label} tabIndex={0}>
      <table aria-label={label}>
        <thead>
          <tr>
            {columns.map((column, index) => (
              <th key={index} scope="col" className={column.kind}>
                {column.title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, index) => (
            <tr key={rowKey(row)} data-selected={index === chosen}>
              {columns.map((column, place) => (
                <td key={place} className={column.kind}>
                  {column.cell(row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
