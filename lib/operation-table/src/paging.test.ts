/**
 * What comes after a page, and what is a list. The public cases are those of lists that ended too early.
 */
import { verifies } from '@weir/requirements';
import { describe, expect, test } from 'vitest';
import { row, parameter, rows } from '../tests/rows.ts';
import { itemsOf, type NextPage, nextPage, type PageFacts, type PageWalk, pagingParameters, type PaginationStyle, WALK_START } from './index.ts';
import { parseLinkHeader } from './link-header.ts';

const ORIGIN = 'https://forge.example';
const many = (count: number, from = 0): { id: number }[] => Array.from({ length: count }, (_, i) => ({ id: from + i }));

const facts = (more: Partial<PageFacts> & { link?: string } = {}): PageFacts => ({
  url: `${ORIGIN}/items?per_page=3`,
  headers: more.link === undefined ? {} : { link: more.link },
  value: null,
  items: many(3),
  fullPage: 3,
  walk: WALK_START,
  parameter: 'page',
  ...more,
});

const plain = (next: NextPage): Partial<NextPage> => Object.fromEntries(Object.entries(next).filter(([name]) => name !== 'walk'));

const after = (style: PaginationStyle, more: Partial<PageFacts> & { link?: string } = {}): Partial<NextPage> => plain(nextPage(style, facts(more)));

const walked = (pages: number, items: number): PageWalk => ({ ...WALK_START, pages, items });

describe(`${verifies('PRV-11')} Link header`, () => {
  test.each<[string, string, [string, string[]][]]>([
    [
      'several relations',
      '<https://a/?page=2>; rel="next", <https://a/?page=9>; rel="last"',
      [
        ['https://a/?page=2', ['next']],
        ['https://a/?page=9', ['last']],
      ],
    ],
    ['several words of one relation', '<a>; rel="next Last"', [['a', ['next', 'last']]]],
    ['commas and semicolons in the target and in quotes', '<https://a/?x=1,2;3>; title="a, <b>; rel=\\"prev\\""; rel=next', [['https://a/?x=1,2;3', ['next']]]],
    ['the first relation counts', '<a>; rel=next; rel=prev', [['a', ['next']]]],
    [
      'spaces, tabs and empty members',
      ' ,\t<a> ; rel = "next" ;, , <b>;rel=prev ,',
      [
        ['a', ['next']],
        ['b', ['prev']],
      ],
    ],
    ['upper case', '<a>; REL="NEXT"', [['a', ['next']]]],
    ['another context', '<a>; rel=next; anchor="/other"', []],
    ['no relation', '<a>', [['a', []]]],
    ['nothing', ' , ', []],
  ])('%s', (_, header, links) => {
    expect(parseLinkHeader(header)).toEqual({ ok: true, links: links.map(([target, rels]) => ({ target, rels })) });
  });

  test.each([
    'https://a/?page=2; rel="next"',
    '<https://a/?page=2; rel="next"',
    '<https://a/?page=2>; rel="next',
    '<https://a/?page=2> rel="next"',
    '<a b>; rel=next',
    '<<a>>; rel=next',
    'null',
    '[object Object]',
    `<a>; rel=next, ${'<a>; rel=x, '.repeat(64)}`,
    `<${'a'.repeat(20_000)}>; rel=next`,
    `<a>${'; x'.repeat(40)}`,
  ])('malformed: %.50s', header => {
    expect(parseLinkHeader(header).ok).toBe(false);
    expect(after('link', { link: header, items: many(1) })).toMatchObject({ kind: 'malformed' });
  });
});

describe(`${verifies('PRV-11')} by link`, () => {
  test.each<[string, Partial<PageFacts> & { link?: string }, Partial<NextPage>]>([
    ['next', { link: `<${ORIGIN}/repositories/1/items?page=2>; rel="next"` }, { kind: 'next', url: `${ORIGIN}/repositories/1/items?page=2` }],
    ['a short page with next goes on', { link: `<${ORIGIN}/items?page=2>; rel="next"`, items: many(1) }, { kind: 'next', url: `${ORIGIN}/items?page=2` }],
    ['a relative target', { link: '</items?page=2>; rel="next"' }, { kind: 'next', url: `${ORIGIN}/items?page=2` }],
    ['a target that is a query', { link: '<?page=2>; rel="next"' }, { kind: 'next', url: `${ORIGIN}/items?page=2` }],
    [
      'the default port and upper case are the same origin',
      { link: '<HTTPS://Forge.Example:443/i?page=2>; rel=next' },
      { kind: 'next', url: 'HTTPS://Forge.Example:443/i?page=2' },
    ],
    ['only other relations: the last', { link: `<${ORIGIN}/items?page=1>; rel="prev"` }, { kind: 'last' }],
    ['case 1: a full page without a header is probed', {}, { kind: 'probe', query: { page: 2 } }],
    ['relations that say nothing of pages', { link: '<https://docs.example>; rel="help"' }, { kind: 'probe', query: { page: 2 } }],
    ['a short page without a header', { items: many(2) }, { kind: 'last' }],
    ['an empty page', { items: [] }, { kind: 'last' }],
    ['the walk counts the pages', { walk: walked(4, 12) }, { kind: 'probe', query: { page: 6 } }],
  ])('%s', (_, more, expected) => {
    expect(after('link', more)).toEqual(expected);
  });

  test('without a parameter to probe with, it says that there may be more', () => {
    const { url, headers, value, items, fullPage, walk } = facts();
    expect(nextPage('link', { url, headers, value, items, fullPage, walk })).toMatchObject({ kind: 'maybe-more' });
  });

  test.each([
    'https://evil.example/items?page=2',
    'http://forge.example/items?page=2',
    'https://forge.example:8443/items?page=2',
    'https://forge.example@evil.example/items',
    'https://user:pw@forge.example/items',
    '//evil.example/items',
    '/\\\\evil.example',
    'https:/\\\\evil.example',
    'javascript:alert(1)',
    'items?page=2',
    '',
  ])('case 4: %s is not at the origin', target => {
    expect(after('link', { link: `<${target}>; rel="next"` })).toMatchObject({ kind: 'malformed' });
  });
});

describe(`${verifies('PRV-11')} by number`, () => {
  test.each<[string, PaginationStyle, Partial<PageFacts>, Partial<NextPage>]>([
    ['a full page', 'page', {}, { kind: 'probe', query: { page: 2 } }],
    ['a short page', 'page', { items: many(2) }, { kind: 'last' }],
    ['a walk that starts later', 'page', { first: 5 }, { kind: 'probe', query: { page: 6 } }],
    ['the header of the next page', 'page', { headers: { 'x-next-page': '7' } }, { kind: 'next', query: { page: 7 } }],
    ['the empty header of the last page', 'page', { headers: { 'x-next-page': '' } }, { kind: 'last' }],
    ['a total that says more', 'page', { headers: { 'x-total-count': '9' } }, { kind: 'next', query: { page: 2 } }],
    ['a total that is reached is not believed on a full page', 'page', { headers: { 'x-total-count': '3' } }, { kind: 'probe', query: { page: 2 } }],
    [
      'case 5: the server gives less than asked',
      'page',
      { items: many(50), fullPage: 1_000, headers: { 'x-total-count': '120' } },
      { kind: 'next', query: { page: 2 } },
    ],
    ['case 5: its own maximum is the full page', 'page', { items: many(50), fullPage: 50 }, { kind: 'probe', query: { page: 2 } }],
    ['an empty page ends it whatever the total says', 'page', { items: [], headers: { 'x-total-count': '9' }, walk: walked(3, 6) }, { kind: 'last' }],
    ['a total in the answer', 'page', { value: { total_count: 9 } }, { kind: 'next', query: { page: 2 } }],
    ['an offset', 'offset', { parameter: 'offset', walk: walked(2, 6) }, { kind: 'probe', query: { offset: 9 } }],
    ['the short page of an offset', 'offset', { parameter: 'offset', items: many(1) }, { kind: 'last' }],
    ['an offset that starts at one', 'offset', { parameter: 'startIndex', first: 1, value: { totalResults: 8 } }, { kind: 'next', query: { startIndex: 4 } }],
    ['since the last entry', 'since', { parameter: 'since', items: many(3, 40) }, { kind: 'probe', query: { since: 42 } }],
    ['the short page of since', 'since', { parameter: 'since', items: many(2) }, { kind: 'last' }],
    ['not the last page', 'start', { parameter: 'start', value: { isLastPage: false, nextPageStart: 27 } }, { kind: 'next', query: { start: 27 } }],
    [
      'an empty page that is not the last',
      'start',
      { parameter: 'start', items: [], value: { isLastPage: false, nextPageStart: 27 } },
      { kind: 'next', query: { start: 27 } },
    ],
    ['the last page', 'start', { parameter: 'start', value: { isLastPage: true, nextPageStart: null } }, { kind: 'last' }],
    ['a full page that does not say', 'start', { parameter: 'start', value: {} }, { kind: 'probe', query: { start: 3 } }],
    ['none', 'none', {}, { kind: 'last' }],
  ])('%s', (_, style, more, expected) => {
    expect(after(style, more)).toEqual(expected);
  });

  test.each<[PaginationStyle, Partial<PageFacts>]>([
    ['start', { value: { isLastPage: false } }],
    ['start', { value: { isLastPage: false, nextPageStart: null } }],
    ['start', { value: { isLastPage: false, nextPageStart: 0 } }],
    ['start', { value: { isLastPage: false, nextPageStart: 1.5 } }],
    ['start', { value: { isLastPage: 'no', nextPageStart: 5 } }],
    ['since', { items: [1, 2, 3] }],
    ['page', { headers: { 'x-next-page': 'two' } }],
  ])('malformed: %s %j', (style, more) => {
    expect(after(style, more)).toMatchObject({ kind: 'malformed' });
  });
});

describe(`${verifies('PRV-11')} by cursor and by URL in the answer`, () => {
  test.each<[string, PaginationStyle, Partial<PageFacts> & { link?: string }, Partial<NextPage>]>([
    ['page info', 'cursor', { value: { pageInfo: { hasNextPage: true, endCursor: 'c2' } } }, { kind: 'next', query: { page: 'c2' } }],
    ['page info at the end', 'cursor', { value: { pageInfo: { hasNextPage: false, endCursor: 'c2' } } }, { kind: 'last' }],
    ['a cursor', 'cursor', { value: { next_cursor: 'c2' } }, { kind: 'next', query: { page: 'c2' } }],
    ['null', 'cursor', { value: { next_cursor: null } }, { kind: 'last' }],
    ['a header', 'cursor', { headers: { 'x-next-cursor': 'c2' } }, { kind: 'next', query: { page: 'c2' } }],
    ['an empty header', 'cursor', { headers: { 'x-next-cursor': '' } }, { kind: 'last' }],
    ['a link', 'cursor', { link: '</items?after=c2>; rel="next"' }, { kind: 'next', url: `${ORIGIN}/items?after=c2` }],
    ['a short page that says nothing', 'cursor', { items: many(1) }, { kind: 'last' }],
    ['next', 'next-url', { value: { values: [], next: `${ORIGIN}/items?page=abc` } }, { kind: 'next', url: `${ORIGIN}/items?page=abc` }],
    ['no next', 'next-url', { value: { values: [] } }, { kind: 'last' }],
    ['next is null', 'next-url', { value: { values: [], next: null } }, { kind: 'last' }],
  ])('%s', (_, style, more, expected) => {
    expect(after(style, more)).toEqual(expected);
  });

  test.each<[PaginationStyle, Partial<PageFacts>]>([
    ['cursor', { value: { pageInfo: { hasNextPage: true, endCursor: null } } }],
    ['cursor', { value: { has_more: true } }],
    ['cursor', { value: { next_cursor: {} } }],
    ['next-url', { value: { next: 5 } }],
    ['next-url', { value: { next: 'https://evil.example/items?page=2' } }],
  ])('malformed: %s %j', (style, more) => {
    expect(after(style, more)).toMatchObject({ kind: 'malformed' });
  });

  test('a full page without any cursor may have more', () => {
    expect(after('cursor', { value: [] })).toMatchObject({ kind: 'maybe-more' });
  });
});

describe(`${verifies('PRV-11')} bounds and loops`, () => {
  test('case 4: a walk that reaches a bound is no short list', () => {
    expect(after('page', { walk: walked(99, 297) })).toMatchObject({ kind: 'BoundExceeded' });
    expect(after('page', { walk: walked(99, 297), items: many(2) })).toMatchObject({ kind: 'last' });
    expect(after('page', { walk: walked(5, 9_998) })).toMatchObject({ kind: 'BoundExceeded' });
    expect(after('page', { walk: walked(1, 2), maxPages: 2 })).toMatchObject({ kind: 'BoundExceeded' });
    expect(after('next-url', { value: { next: `${ORIGIN}/2` }, maxItems: 3 })).toMatchObject({ kind: 'BoundExceeded' });
    expect(after('page', { maxItems: 3 })).toMatchObject({ kind: 'probe' });
    expect(after('page', { maxItems: 3, items: many(2) })).toMatchObject({ kind: 'last' });
  });

  const walk = (style: PaginationStyle, answer: (page: number) => Partial<PageFacts> & { link?: string }): Partial<NextPage> & { pages: number } => {
    let state = WALK_START;
    for (let page = 1; ; page += 1) {
      const next = nextPage(style, facts({ ...answer(page), walk: state }));
      if (next.kind !== 'next' && next.kind !== 'probe') return { ...next, pages: page };
      state = next.walk;
    }
  };

  test('a cursor that comes back', () => {
    expect(walk('cursor', page => ({ value: { next_cursor: `c${page % 3}` }, items: many(3, page) }))).toMatchObject({ kind: 'malformed', pages: 4 });
  });

  test('a link that comes back, also to the start', () => {
    expect(walk('link', page => ({ link: '</items?page=2>; rel=next', items: many(3, page) }))).toMatchObject({ kind: 'malformed', pages: 2 });
    expect(walk('link', page => ({ link: `<${ORIGIN}/items?per_page=3>; rel=next`, items: many(3, page) }))).toMatchObject({ kind: 'malformed', pages: 1 });
  });

  test('a server that ignores the parameter', () => {
    expect(walk('page', () => ({}))).toMatchObject({ kind: 'malformed', pages: 2 });
  });

  test('an endless list', () => {
    expect(walk('page', page => ({ items: many(3, page * 3) }))).toMatchObject({ kind: 'BoundExceeded', pages: 100 });
    expect(walk('page', page => ({ items: many(1_000, page * 1_000), fullPage: 1_000 }))).toMatchObject({ kind: 'BoundExceeded', pages: 11 });
  });

  test('a list that ends', () => {
    expect(walk('page', page => ({ items: page < 4 ? many(3, page * 3) : [] }))).toMatchObject({ kind: 'last', pages: 4, walk: { pages: 4, items: 9 } });
    expect(
      walk('start', page => ({ items: many(3, page), value: page < 3 ? { isLastPage: false, nextPageStart: page * 3 } : { isLastPage: true } })),
    ).toMatchObject({ kind: 'last', pages: 3 });
  });
});

describe(`${verifies('PRV-4')} what is a list`, () => {
  test.each<[string, unknown, string | undefined, unknown]>([
    ['an array', [1], undefined, { kind: 'list', items: [1] }],
    ['an array, though the descriptor knows an envelope', [1], 'values', { kind: 'list', items: [1] }],
    ['a named member', { data: { nodes: [1], edges: [2] } }, 'data.nodes', { kind: 'list', items: [1] }],
    ['a counted envelope', { total_count: 1, incomplete_results: false, items: [1] }, undefined, { kind: 'list', items: [1] }],
    ['a paged envelope', { size: 1, isLastPage: true, values: [1] }, undefined, { kind: 'list', items: [1] }],
    ['an object with a list', { id: 1, labels: [1] }, undefined, { kind: 'single' }],
    ['an envelope with two lists', { total_count: 1, a: [1], b: [2] }, undefined, { kind: 'single' }],
    ['text', 'a', undefined, { kind: 'single' }],
    ['null', null, undefined, { kind: 'single' }],
  ])('%s', (_, value, path, expected) => {
    expect(itemsOf(value, path)).toEqual(expected);
  });

  test.each([{}, { values: null }, { values: {} }, null, 'text'])('the descriptor names a list and %j has none', value => {
    expect(itemsOf(value, 'values')).toMatchObject({ kind: 'malformed' });
  });

  test('members of every object are no members', () => {
    expect(itemsOf({}, 'constructor.name')).toMatchObject({ kind: 'malformed' });
  });
});

test(`${verifies('PRV-11')} the paging parameters are the row's own`, () => {
  expect(pagingParameters(rows.listPulls)).toEqual({ parameter: 'page', perPage: 'per_page' });
  expect(pagingParameters(row('/a', { pagination: 'start', parameters: [parameter('start'), parameter('limit')] }))).toEqual({
    parameter: 'start',
    perPage: 'limit',
  });
  expect(pagingParameters(row('/a', { pagination: 'page' }))).toEqual({ parameter: undefined, perPage: undefined });
  const described = row('/a', { pagination: 'page', parameters: [parameter('pageNumber'), parameter('page'), parameter('size')] });
  expect(pagingParameters(described, { page: 'pageNumber', perPage: 'size' })).toEqual({ parameter: 'pageNumber', perPage: 'size' });
});
