/**
 * What comes after a page (PRV-11). A list is never ended by guess: a full page without a next marker is probed, what can't
 * be read is malformed, a bound that is hit is BoundExceeded.
 */
import type { PaginationStyle } from './operation-row.ts';
import { MAX_ITEMS, MAX_PAGES, type PageFacts, type PageWalk, walkWith } from './page-walk.ts';
import { type NextPlace, PLACE_AFTER } from './page-styles.ts';

export type NextPage =
  /** The server says that there is more. `url` is asked as it is; `query` replaces these arguments of the call. */
  | { readonly kind: 'next'; readonly url: string; readonly walk: PageWalk }
  | { readonly kind: 'next'; readonly query: Readonly<Record<string, string | number>>; readonly walk: PageWalk }
  /** Nobody says whether there is more: ask, and an empty page is the end. */
  | { readonly kind: 'probe'; readonly query: Readonly<Record<string, string | number>>; readonly walk: PageWalk }
  | { readonly kind: 'last'; readonly walk: PageWalk }
  /** A full page, no marker, and no parameter to probe with: the list may be longer, and the result has to say so. */
  | { readonly kind: 'maybe-more'; readonly reason: string; readonly walk: PageWalk }
  | { readonly kind: 'malformed'; readonly reason: string }
  | { readonly kind: 'BoundExceeded'; readonly reason: string };

/** Ask once for each page, with the `walk` that the page before gave. Never throws on parsed JSON. */
export const nextPage = (style: PaginationStyle, facts: PageFacts): NextPage => {
  const walk = walkWith(facts);
  if (walk.items > (facts.maxItems ?? MAX_ITEMS)) return tooMany(facts);
  if (facts.walk.pages > 0 && facts.items.length > 0 && walk.fingerprint === facts.walk.fingerprint) {
    return { kind: 'malformed', reason: 'the same page came twice: the server ignores the paging parameter' };
  }
  const place = PLACE_AFTER[style](facts, walk);
  if (place.kind === 'malformed') return place;
  if (place.kind === 'last' || place.kind === 'maybe-more') return { ...place, walk };
  return goOn(place, facts, walk);
};

const tooMany = ({ maxItems = MAX_ITEMS }: PageFacts): NextPage => ({ kind: 'BoundExceeded', reason: `the list has more than ${maxItems} entries` });

function goOn(place: Extract<NextPlace, { kind: 'next' | 'probe' }>, facts: PageFacts, walk: PageWalk): NextPage {
  const { maxPages = MAX_PAGES, maxItems = MAX_ITEMS } = facts;
  if (walk.pages >= maxPages) return { kind: 'BoundExceeded', reason: `${maxPages} pages are read and the list goes on` };
  if (place.kind === 'next' && walk.items >= maxItems) return tooMany(facts);
  const name = 'url' in place ? place.url : JSON.stringify(place.query);
  if (walk.places.has(name)) return { kind: 'malformed', reason: 'the next page is one that was asked for already' };
  return { ...place, walk: { ...walk, places: new Set([...walk.places, name]) } };
}
