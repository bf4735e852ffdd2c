/**
 * Where the next page is, style by style. Bounds and loops are `nextPage`'s.
 */
import { memberAt } from './items-of.ts';
import { parseLinkHeader } from './link-header.ts';
import type { PaginationStyle } from './operation-row.ts';
import type { PageFacts, PageWalk } from './page-walk.ts';
import { resolveSameOrigin } from './same-origin.ts';

type Query = Readonly<Record<string, string | number>>;

export type NextPlace =
  | { readonly kind: 'next'; readonly url: string }
  | { readonly kind: 'next'; readonly query: Query }
  | { readonly kind: 'probe'; readonly query: Query }
  | { readonly kind: 'last' }
  | { readonly kind: 'maybe-more'; readonly reason: string }
  | { readonly kind: 'malformed'; readonly reason: string };

type PlaceAfter = (facts: PageFacts, walk: PageWalk) => NextPlace;

const LAST: NextPlace = { kind: 'last' };

const isFull = ({ items, fullPage }: PageFacts): boolean => items.length > 0 && items.length >= fullPage;

const urlPlace = (asked: string, target: string): NextPlace => {
  const resolved = resolveSameOrigin(asked, target);
  return resolved.ok ? { kind: 'next', url: resolved.url } : { kind: 'malformed', reason: resolved.reason };
};

/** What a Link header says; undefined where there is none. Links without `next` are the server's word that this is the last. */
function linkPlace({ url, headers }: PageFacts): NextPlace | undefined {
  const header = headers['link'];
  if (header === undefined || header.trim() === '') return undefined;
  const read = parseLinkHeader(header);
  if (!read.ok) return { kind: 'malformed', reason: read.reason };
  const next = read.links.find(link => link.rels.includes('next'));
  if (next !== undefined) return urlPlace(url, next.target);
  return read.links.some(link => link.rels.some(rel => PAGE_RELS.has(rel))) ? LAST : undefined;
}

const PAGE_RELS: ReadonlySet<string> = new Set(['first', 'prev', 'previous', 'last']);

/** Entries of the whole list, where a header or the answer counts them. */
function totalOf({ headers, value }: PageFacts): number | undefined {
  const counted = headers['x-total-count'] ?? headers['x-total'];
  if (counted !== undefined && /^\d{1,12}$/.test(counted)) return Number(counted);
  const member = memberAt(value, 'total_count') ?? memberAt(value, 'totalResults');
  return typeof member === 'number' && Number.isSafeInteger(member) && member >= 0 ? member : undefined;
}

/**
 * By the short-page rule and what the server counts. A total that is larger than what came means that there is more, though
 * the page looks short: the server's maximum is below the one that we know. A smaller or equal one ends nothing, since some
 * count the page alone; an empty page is the end whatever the total says.
 */
function countedPlace(facts: PageFacts, walk: PageWalk, query: Query): NextPlace {
  if (facts.items.length === 0) return LAST;
  const total = totalOf(facts);
  if (total !== undefined && walk.items < total) return { kind: 'next', query };
  return isFull(facts) ? { kind: 'probe', query } : LAST;
}

const byPage: PlaceAfter = (facts, walk) => {
  const { parameter, first = 1 } = facts;
  const linked = linkPlace(facts);
  if (linked !== undefined) return linked;
  if (parameter === undefined) return isFull(facts) ? NO_PROBE : LAST;
  const following = facts.headers['x-next-page']?.trim();
  if (following === '') return LAST;
  if (following !== undefined && !/^\d{1,9}$/.test(following)) return { kind: 'malformed', reason: 'the number of the next page is not a number' };
  if (following !== undefined) return { kind: 'next', query: { [parameter]: Number(following) } };
  return countedPlace(facts, walk, { [parameter]: first + walk.pages });
};

const NO_PROBE: NextPlace = { kind: 'maybe-more', reason: 'a full page without a next marker, and no parameter to probe with' };

const byOffset: PlaceAfter = (facts, walk) => {
  const { parameter, first = 0 } = facts;
  if (parameter === undefined) return isFull(facts) ? NO_PROBE : LAST;
  return linkPlace(facts) ?? countedPlace(facts, walk, { [parameter]: first + walk.items });
};

const MORE_MARKS = ['pageInfo.hasNextPage', 'page_info.has_next_page', 'has_more', 'hasMore'];
const CURSORS = ['pageInfo.endCursor', 'page_info.end_cursor', 'next_cursor', 'nextCursor', 'next_page_token', 'cursor.next'];

const firstMember = (value: unknown, paths: readonly string[]): unknown => paths.map(path => memberAt(value, path)).find(member => member !== undefined);

const byCursor: PlaceAfter = facts => {
  const linked = linkPlace(facts);
  if (linked !== undefined) return linked;
  const more = firstMember(facts.value, MORE_MARKS);
  const cursor = facts.headers['x-next-cursor'] ?? firstMember(facts.value, CURSORS);
  if (more === false) return LAST;
  if (more !== true && cursor === undefined) return isFull(facts) ? NO_PROBE : LAST;
  if (more !== true && (cursor === null || cursor === '')) return LAST;
  return cursorPlace(facts.parameter, cursor);
};

const cursorPlace = (parameter: string | undefined, cursor: unknown): NextPlace => {
  const usable = (typeof cursor === 'string' && cursor !== '') || typeof cursor === 'number';
  return usable && parameter !== undefined
    ? { kind: 'next', query: { [parameter]: cursor } }
    : { kind: 'malformed', reason: 'there is more, but no cursor to ask with' };
};

const bySince: PlaceAfter = facts => {
  const linked = linkPlace(facts);
  if (linked !== undefined) return linked;
  if (!isFull(facts)) return LAST;
  const id = memberAt(facts.items.at(-1), 'id');
  if (facts.parameter === undefined) return NO_PROBE;
  if (typeof id !== 'number' && typeof id !== 'string') return { kind: 'malformed', reason: 'the last entry has no id to go on from' };
  return { kind: 'probe', query: { [facts.parameter]: id } };
};

const byStart: PlaceAfter = (facts, walk) => {
  const { parameter = 'start', value, first = 0 } = facts;
  const isLast = memberAt(value, 'isLastPage');
  if (isLast === true) return LAST;
  if (isLast === undefined) return countedPlace(facts, walk, { [parameter]: first + walk.items });
  const start = memberAt(value, 'nextPageStart');
  if (isLast !== false || typeof start !== 'number' || !Number.isSafeInteger(start) || start <= first) {
    return { kind: 'malformed', reason: 'not the last page, but no start of the next' };
  }
  return { kind: 'next', query: { [parameter]: start } };
};

/** The envelope always names the next page where there is one, so its absence is the end. */
const byNextUrl: PlaceAfter = ({ url, value }) => {
  const next = memberAt(value, 'next');
  if (next === undefined || next === null || next === '') return LAST;
  return typeof next === 'string' ? urlPlace(url, next) : { kind: 'malformed', reason: 'the next page is not a URL' };
};

export const PLACE_AFTER: Readonly<Record<PaginationStyle, PlaceAfter>> = {
  none: () => LAST,
  link: byPage,
  page: byPage,
  cursor: byCursor,
  since: bySince,
  offset: byOffset,
  start: byStart,
  'next-url': byNextUrl,
};
