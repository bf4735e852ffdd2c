/** What a check of rows answers: the row, or what is wrong with it, each a sentence with its place. */
export interface RowProblem {
  /** Dotted path in the row; empty for the row itself. */
  readonly path: string;
  readonly message: string;
}

export type RowCheck<Row> = { readonly ok: true; readonly row: Row } | { readonly ok: false; readonly problems: readonly RowProblem[] };
