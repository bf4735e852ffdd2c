/**
 * Whatever the arguments and the answers are: nothing throws, and no value leaves its place in the request.
 */
import { verifies } from '@weir/requirements';
import fc from 'fast-check';
import { describe, expect, test, vi } from 'vitest';
import { jsonBody, parameter, row, rows, segment, table } from '../tests/rows.ts';
import {
  buildRequest,
  type BuiltRequest,
  checkArguments,
  classifyResponse,
  findOperation,
  itemsOf,
  nextPage,
  type OperationRow,
  type PaginationStyle,
  WALK_START,
} from './index.ts';
import { parseLinkHeader } from './link-header.ts';

// A busy machine takes its time over thousands of runs; nothing here measures it.
vi.setConfig({ testTimeout: 60_000 });

const BASE = 'https://forge.example/api';

const build = (one: OperationRow, args: Record<string, unknown>): BuiltRequest | undefined => {
  const check = checkArguments(one, args);
  if (!check.ok) return undefined;
  const built = buildRequest(one, check.checked, { baseUrl: BASE, basePath: '/v1', headers: { 'x-static': '1' }, boundary: 'boundary-1' });
  return built.ok ? built.request : undefined;
};

/** Any text, and often one that means something to URLs and headers. */
const text = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.string(),
  fc.string({
    unit: fc.constantFrom('/', '\\', '.', '%2f', '%2e', '?', '#', '&', '=', '@', ':', ';', '+', ' ', '\r', '\n', '\t', '\0', 'a', 'é', '\ud800', '😀'),
  }),
);

const probe = row('/a/{one}/b{two}...{three}/{rest}', {
  parameters: [
    segment('one'),
    segment('two'),
    segment('three'),
    segment('rest', { style: 'segments' }),
    parameter('plain'),
    parameter('form', { type: 'array', items: 'string', style: 'form' }),
    parameter('csv', { type: 'array', items: 'string', style: 'csv' }),
    parameter('not[json]', { type: 'any', style: 'json' }),
    parameter('X-Extra', { in: 'header' }),
  ],
});

const args = fc.record({
  one: text,
  two: text,
  three: text,
  rest: text,
  plain: text,
  form: fc.array(text, { maxLength: 4 }),
  csv: fc.array(text, { maxLength: 4 }),
  'not[json]': fc.jsonValue(),
  'X-Extra': text,
});

/** The same with texts that each place takes, so that the properties below are about requests and not about refusals. */
const wellFormed = fc.string({ unit: 'binary' }).map(value => value.replace(/\p{Surrogate}/gu, ''));
const oneSegment = wellFormed.map(value => value.replace(/[/\\\p{Cc}]/gu, '')).filter(value => value !== '' && value !== '.' && value !== '..');
const good = fc.record({
  one: oneSegment,
  two: oneSegment,
  three: oneSegment,
  rest: fc.array(oneSegment, { minLength: 1, maxLength: 4 }).map(segments => segments.join('/')),
  plain: wellFormed,
  form: fc.array(wellFormed, { minLength: 1, maxLength: 4 }),
  csv: fc.array(wellFormed, { minLength: 1, maxLength: 4 }),
  'X-Extra': fc.string().map(value => value.replace(/[^ -~]/g, '')),
});

describe(`${verifies('PRV-9', 'PRV-12')} no argument leaves its place`, () => {
  test('scheme, host and port, count of segments, names of query parameters and of headers stay', () => {
    let sent = 0;
    fc.assert(
      fc.property(fc.oneof(args, good), given => {
        const request = build(probe, given);
        if (request === undefined) return;
        sent += 1;
        const url = new URL(request.url);
        expect(url.origin).toBe('https://forge.example');
        expect([url.hash, url.username, url.password]).toEqual(['', '', '']);
        const rest = given.rest.replace(/^\//, '').split('/');
        const tail = given.rest === '' ? [] : rest;
        const segments = url.pathname.split('/').slice(1);
        expect(segments.slice(0, 3)).toEqual(['api', 'v1', 'a']);
        expect(segments).toHaveLength(5 + tail.length);
        expect(segments.slice(5).map(decodeURIComponent)).toEqual(tail);
        for (const name of url.searchParams.keys()) expect(['plain', 'form', 'csv', 'not[json]']).toContain(name);
        expect(url.searchParams.getAll('form')).toHaveLength(given.form.length);
        expect(Object.keys(request.headers).sort()).toEqual(['accept', 'x-extra', 'x-static']);
        for (const value of Object.values(request.headers)) expect(value).toMatch(/^[ -~]*$/);
      }),
      { numRuns: 500 },
    );
    expect(sent).toBeGreaterThan(100);
  });

  test('what is sent is what was given: the encoding goes round', () => {
    fc.assert(
      fc.property(good, given => {
        const url = new URL(build(probe, given)?.url ?? '');
        const segments = url.pathname.split('/').slice(4);
        expect(decodeURIComponent(segments[0] ?? '')).toBe(given.one);
        expect(decodeURIComponent(segments[1] ?? '')).toBe(`b${given.two}...${given.three}`);
        expect(segments.slice(2).map(decodeURIComponent).join('/')).toBe(given.rest);
        const pairs = url.search
          .slice(1)
          .split('&')
          .map(pair => pair.split('='));
        const values = (name: string): string[] => pairs.filter(([key]) => key === name).map(([, value]) => value ?? '');
        expect(values('plain').map(decodeURIComponent)).toEqual([given.plain]);
        expect(values('form').map(decodeURIComponent)).toEqual(given.form);
        expect(
          values('csv')
            .flatMap(value => value.split(','))
            .map(decodeURIComponent),
        ).toEqual(given.csv);
      }),
      { numRuns: 300 },
    );
  });

  test('the same arguments in another order give the same request', () => {
    fc.assert(
      fc.property(good, given => {
        const turned = Object.fromEntries(Object.entries(given).toReversed());
        expect(build(probe, turned)).toEqual(build(probe, given));
      }),
    );
  });

  test('a URL is the same after another parser has read it', () => {
    fc.assert(
      fc.property(good, given => {
        const url = build(probe, given)?.url ?? '';
        // The parser also escapes an apostrophe in queries; nothing else may move.
        expect(new URL(url).href).toBe(url.replace(/\?.*/s, query => query.replaceAll("'", '%27')));
      }),
      { numRuns: 300 },
    );
  });

  test('JSON bodies hold exactly the given fields', () => {
    const open = row('/a', { method: 'POST', body: jsonBody([{ name: 'a', required: false, type: 'any' }], { closed: false, required: false }) });
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 4 }), fc.string(), fc.jsonValue({ maxDepth: 2 }), (a, name, extra) => {
        const request = build(open, { a, [`body.${name}`]: extra });
        if (name === 'a') expect(request).toBeUndefined();
        else if (a !== undefined) expect(request?.body).toMatchObject({ kind: 'json', value: expect.anything() });
        const value = request?.body.kind === 'json' ? request.body.value : undefined;
        if (name !== 'a')
          expect(JSON.parse(JSON.stringify(value))).toEqual(
            JSON.parse(
              JSON.stringify(
                Object.fromEntries([
                  ['a', a],
                  [name, extra],
                ]),
              ),
            ),
          );
      }),
    );
  });

  test('a part of a multipart body can not end early', () => {
    fc.assert(
      fc.property(text, text, (title, filename) => {
        const request = build(rows.attach, { owner: 'o', repo: 'r', index: 1, title, attachment: { filename, content: title } });
        if (request?.body.kind !== 'multipart') return;
        const chunks = request.body.value;
        expect(chunks).toHaveLength(7);
        for (const head of [chunks[0], chunks[3]]) expect(String(head).split('\r\n\r\n')).toHaveLength(2);
        expect(String(chunks[0]).split('\r\n')).toHaveLength(5);
        expect(chunks.filter(chunk => String(chunk).includes('boundary-1'))).toHaveLength(3);
      }),
    );
  });
});

const anything = fc.anything({
  withBigInt: true,
  withDate: true,
  withMap: true,
  withSet: true,
  withTypedArray: true,
  withNullPrototype: true,
  withSparseArray: true,
});

describe(`${verifies('PRV-9', 'PRV-11')} nothing throws`, () => {
  test('on any argument of any row', () => {
    const names = fc.oneof(
      fc.constantFrom(
        ...Object.values(rows).flatMap(one => [
          ...one.parameters.map(({ name }) => name),
          ...(one.body?.fields.map(({ name }) => name) ?? []),
          'body',
          'body.x',
        ]),
      ),
      fc.string(),
    );
    fc.assert(
      fc.property(
        fc.constantFrom<OperationRow>(...Object.values(rows)),
        fc.array(fc.tuple(names, anything), { maxLength: 8 }),
        fc.boolean(),
        (one, pairs, fromCommandLine) => {
          const check = checkArguments(one, Object.fromEntries(pairs), { fromCommandLine });
          if (check.ok) expect(buildRequest(one, check.checked, { baseUrl: BASE, basePath: '', boundary: 'b0' })).toHaveProperty('ok');
          else expect(check.problems.length).toBeGreaterThan(0);
        },
      ),
      { numRuns: 500 },
    );
  });

  const headers = fc.dictionary(
    fc.oneof(
      fc.constantFrom(
        'content-type',
        'retry-after',
        'x-ratelimit-remaining',
        'x-ratelimit-reset',
        'link',
        'location',
        'sunset',
        'deprecation',
        'x-request-id',
        'x-total-count',
        'x-next-page',
      ),
      fc.string(),
    ),
    fc.oneof(text, fc.constantFrom('application/json', 'text/html', '0', '1e9', '-1', '99999999999999')),
  );
  const bodies = fc.oneof(
    text,
    fc.json(),
    fc.jsonValue().map(value => JSON.stringify({ message: value, errors: value, error: value })),
  );

  test('on any answer, and the message is one bounded line', () => {
    fc.assert(
      fc.property(
        fc.constantFrom<OperationRow>(...Object.values(rows)),
        fc.oneof(fc.integer({ min: 100, max: 599 }), fc.integer()),
        headers,
        bodies,
        (one, status, given, bodyText) => {
          const outcome = classifyResponse(one, { status, headers: given, bodyText, nowMs: 1_700_000_000_000 });
          if (!('message' in outcome)) return;
          expect(outcome.message).toMatch(/^[^\p{Cc}\u202e\u2028]{1,600}$/u);
          expect(outcome.message).not.toContain('[object');
          if (outcome.retryAfterMs !== undefined) expect(outcome.retryAfterMs).toSatisfy((ms: number) => ms >= 1_000 && ms <= 86_400_000);
        },
      ),
      { numRuns: 500 },
    );
  });

  test('on any page, and no next page is at another origin', () => {
    const styles: PaginationStyle[] = ['none', 'link', 'page', 'cursor', 'since', 'offset', 'start', 'next-url'];
    const links = text.map(target => ({ link: `<${target.replace(/[<>\s]/g, '')}>; rel=next` }));
    const values = fc.oneof(
      fc.jsonValue(),
      fc.record({ next: text, isLastPage: fc.jsonValue(), nextPageStart: fc.jsonValue(), pageInfo: fc.jsonValue(), next_cursor: fc.jsonValue() }),
    );
    fc.assert(
      fc.property(fc.constantFrom(...styles), fc.oneof(headers, links), values, fc.nat(5), (style, given, value, fullPage) => {
        const items = itemsOf(value);
        const entries = items.kind === 'list' ? items.items : [1, 2, 3];
        const next = nextPage(style, { url: `${BASE}/items`, headers: given, value, items: entries, fullPage, parameter: 'p', walk: WALK_START });
        if (next.kind === 'next' && 'url' in next) expect(new URL(next.url).origin).toBe('https://forge.example');
      }),
      { numRuns: 500 },
    );
  });

  test('on any Link header and any operation id', () => {
    const pieces = fc.string({ unit: fc.constantFrom('<', '>', ';', ',', '=', '"', '\\', ' ', '\t', 'rel', 'next', 'a', '/', '😀') });
    fc.assert(
      fc.property(fc.oneof(pieces, text), header => void expect(parseLinkHeader(header)).toHaveProperty('ok')),
      { numRuns: 500 },
    );
    fc.assert(fc.property(text, id => void expect(findOperation(table, id)).toHaveProperty('kind')));
  });
});
