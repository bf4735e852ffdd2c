/** Cutting a list into pages as each vendor does: page numbers in links, in headers, or a next URL in the body. */
import type { Answer, Call } from './call.ts';
import type { Fault } from './faults.ts';

export interface PageRule {
  readonly pageParam: string;
  readonly sizeParam: string;
  readonly defaultSize: number;
  readonly maxSize: number;
}

export interface Page {
  readonly items: readonly unknown[];
  readonly page: number;
  readonly size: number;
  readonly pages: number;
  readonly total: number;
  readonly hasNext: boolean;
}

/** Reads the page that a call asks for. A size above the maximum is the maximum, without a word, as the vendors do. */
export function cutPage(call: Call, items: readonly unknown[], rule: PageRule, fault: Fault | null): Page {
  const asked = Number(call.query.get(rule.sizeParam) ?? rule.defaultSize);
  const size = Math.min(Number.isInteger(asked) && asked > 0 ? asked : rule.defaultSize, rule.maxSize);
  const page = Math.max(1, Number(call.query.get(rule.pageParam) ?? 1) || 1);
  const total = items.length;
  const pages = Math.max(1, Math.ceil(total / size));
  const endless = fault?.kind === 'endless-pages';
  const from = endless ? 0 : (page - 1) * size;
  const hasNext = endless || (page < pages && fault?.kind !== 'no-next-page');
  return { items: items.slice(from, from + size), page, size, pages, total, hasNext };
}

export function pageUrl(call: Call, pageParam: string, page: number): string {
  const url = new URL(call.url);
  url.searchParams.set(pageParam, String(page));
  return url.href;
}

/** `<url>; rel="next", …` with the relations in the order given; empty when there is but one page. */
export function linkHeader(call: Call, page: Page, rule: PageRule, order: readonly ('prev' | 'next' | 'last' | 'first')[]): string {
  const numbers = {
    prev: page.page > 1 ? page.page - 1 : null,
    next: page.hasNext ? page.page + 1 : null,
    last: page.page < page.pages ? page.pages : null,
    first: page.page > 1 ? 1 : null,
  };
  return order.flatMap(relation => (numbers[relation] === null ? [] : [`<${pageUrl(call, rule.pageParam, numbers[relation])}>; rel="${relation}"`])).join(', ');
}

/** What a client that trusts the syntax falls over: no closing bracket, no relation. */
export const MALFORMED_LINK = '<https://forge.invalid/?page=2; rel=next, ,;';

export function pageBody(answer: Answer, page: Page): unknown {
  return answer.list?.wrap === undefined ? page.items : answer.list.wrap(page.items, page.total);
}
