/**
 * What is known of a walk over pages, and what one page adds to it.
 */

/** Bounds of a walk where the descriptor names none (page 30, `pagination`). */
export const MAX_PAGES = 100;
export const MAX_ITEMS = 10_000;

/** The walk up to a page. Start with `WALK_START`, go on with the `walk` of each answer. */
export interface PageWalk {
  readonly pages: number;
  readonly items: number;
  /** Every place that was asked for, so that a place that comes back is seen. */
  readonly places: ReadonlySet<string>;
  /** Marks the entries of the page before. */
  readonly fingerprint: string;
}

export const WALK_START: PageWalk = { pages: 0, items: 0, places: new Set(), fingerprint: '' };

export interface PageFacts {
  /** URL that this page was asked at. */
  readonly url: string;
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, string>>;
  /** The parsed answer. */
  readonly value: unknown;
  /** The entries of this page, from `itemsOf`. */
  readonly items: readonly unknown[];
  /** Entries of a full page: the smaller of what was asked for and the server's own maximum (PRV-11). */
  readonly fullPage: number;
  /** Query parameter that moves the walk: `page`, `cursor`, `since`, `offset`, `start` or as the row calls it. */
  readonly parameter?: string;
  /** Its value on the first page; 1 for pages and 0 for offsets where absent. */
  readonly first?: number;
  readonly walk: PageWalk;
  readonly maxPages?: number;
  readonly maxItems?: number;
}

/** The walk with this page in it. */
export const walkWith = ({ walk, items, url }: PageFacts): PageWalk => ({
  pages: walk.pages + 1,
  items: walk.items + items.length,
  places: walk.pages === 0 ? new Set([url]) : walk.places,
  fingerprint: fingerprintOf(items),
});

/** Count, first and last entry: enough to see that a server ignores the paging parameter and answers the same page again. */
function fingerprintOf(items: readonly unknown[]): string {
  return items.length === 0 ? '' : `${items.length}:${JSON.stringify(items[0])}:${JSON.stringify(items.at(-1))}`;
}
