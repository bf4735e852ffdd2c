import type { InlineProjection } from './event-log.port.ts';

/** Columns by which the list is asked; the adapter reads nothing else of a row. */
export interface ReviewColumns {
  readonly forge: string | null;
  readonly origin: string | null;
  /** `owner/name`. */
  readonly repository: string | null;
  readonly change: number | null;
  readonly status: string | null;
  readonly archived: boolean;
  readonly updatedAt: string;
  /** When its status began. */
  readonly since: string;
  /** Of its open findings. */
  readonly openBlockers: number;
  /** What a search for a text looks through, in lower case. */
  readonly words: string;
}

/** How the folds of core/ become rows; handed in by the composition. */
export interface ReviewFolds<Event, Row, Page> {
  readonly list: (row: Row | undefined, event: Event) => Row;
  readonly page: (page: Page | undefined, event: Event) => Page;
  readonly columns: (row: Row) => ReviewColumns;
}

export interface ReviewFilter {
  readonly status?: readonly string[];
  readonly archived?: boolean;
  /** `owner/name`. */
  readonly repository?: string;
  readonly change?: number;
  /** Only those with open blockers. */
  readonly blockers?: true;
  /** A part of the words of the row, however it is written. */
  readonly text?: string;
}

/** Over what is not archived. */
export interface ReviewTotals {
  /** Null: no status. */
  readonly byStatus: readonly { readonly status: string | null; readonly count: number; readonly since: number }[];
  readonly openBlockers: number;
}

/** The read model of reviews, written with the events (REV-3a). Throws the failures of SqlPort. */
export interface ReviewViews<Row, Page> {
  /** For the event log. */
  readonly projection: InlineProjection;
  get(reviewId: string): Promise<{ readonly row: Row; readonly page: Page } | undefined>;
  /** Newest change first; `next` goes on where the page ended, null at the end. */
  list(
    filter: ReviewFilter,
    page: { readonly limit: number; readonly after: string | null },
  ): Promise<{ readonly rows: readonly Row[]; readonly next: string | null }>;
  /** `since` counts those whose status began at the moment or after it, in the form of the events. */
  totals(moment: string): Promise<ReviewTotals>;
  /** Rows whose status is one of these and began before that moment. */
  stuck(statuses: readonly string[], updatedBefore: string, limit: number): Promise<readonly Row[]>;
}
