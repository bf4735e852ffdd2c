/**
 * Answers of each vendor and of what stands in front of them, and what they mean. Bodies are written from the vendors'
 * documented shapes and from public bug reports.
 */
import { verifies } from '@weir/requirements';
import { describe, expect, test } from 'vitest';
import { row, rows } from '../tests/rows.ts';
import { classifyResponse, type OperationRow, type ResponseFacts, type ResponseFailure, type ResponseOutcome } from './index.ts';

const NOW = Date.UTC(2026, 10, 30, 12, 0, 0);
const json = { 'content-type': 'application/json; charset=utf-8' };

const classify = (
  status: number,
  bodyText: unknown = '',
  headers: Record<string, string> = json,
  one: OperationRow = rows.getPull,
  more: Partial<ResponseFacts> = {},
): ResponseOutcome =>
  classifyResponse(one, { status, headers, bodyText: typeof bodyText === 'string' ? bodyText : JSON.stringify(bodyText), nowMs: NOW, ...more });

const failed = (...facts: Parameters<typeof classify>): ResponseFailure => {
  const outcome = classify(...facts);
  if (!('message' in outcome)) throw new Error(`not a failure: ${outcome.kind}`);
  return outcome;
};

describe(`${verifies('PRV-10')} limits`, () => {
  const reset = String(NOW / 1_000 + 90);
  test.each<[string, number, unknown, Record<string, string>, number]>([
    ['primary, 403', 403, { message: 'API rate limit exceeded for user ID 1.' }, { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': reset }, 90_000],
    ['primary, 429', 429, { message: 'API rate limit exceeded' }, { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': reset }, 90_000],
    ['secondary with retry-after', 403, { message: 'You have exceeded a secondary rate limit.' }, { 'retry-after': '37' }, 37_000],
    [
      'secondary without',
      403,
      { message: 'You have exceeded a secondary rate limit and have been temporarily blocked' },
      { 'x-ratelimit-remaining': '4999' },
      60_000,
    ],
    [
      'secondary, 429 without',
      429,
      { message: 'You have exceeded a secondary rate limit.' },
      { 'x-ratelimit-remaining': '4999', 'x-ratelimit-reset': reset },
      60_000,
    ],
    [
      'secondary when the counter is at its end too',
      403,
      { message: 'secondary rate limit' },
      { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': String(NOW / 1_000 + 5) },
      60_000,
    ],
    ['abuse', 403, { message: 'You have triggered an abuse detection mechanism.' }, {}, 60_000],
    ['abuse as a code', 422, { message: 'Validation Failed', errors: [{ resource: 'Comment', code: 'abuse', field: 'x' }] }, {}, 60_000],
    ['abuse as the code of the answer', 403, { code: 'abuse' }, {}, 60_000],
    ['content created too fast', 422, { message: 'Validation Failed', errors: ['was submitted too quickly'] }, {}, 60_000],
    ['secondary, 422', 422, { message: 'You have exceeded a secondary rate limit' }, { 'retry-after': '61' }, 61_000],
    ['RateLimit headers with an epoch', 429, 'Retry later\n', { 'ratelimit-remaining': '0', 'ratelimit-reset': reset, 'content-type': 'text/plain' }, 90_000],
    ['RateLimit headers with seconds', 429, '', { 'ratelimit-remaining': '0', 'ratelimit-reset': '12' }, 12_000],
    ['too many times', 429, { message: { error: 'This endpoint has been requested too many times. Try again later.' } }, {}, 60_000],
    ['a nested error', 429, { type: 'error', error: { message: 'Rate limit for this resource has been exceeded' } }, {}, 60_000],
    ['a list of errors', 429, { errors: [{ context: null, message: 'You have been rate limited.', exceptionName: null }] }, { 'retry-after': '1' }, 1_000],
    ['nothing readable', 429, '\u0000\u0001', { 'retry-after': 'soon', 'x-ratelimit-reset': 'x' }, 60_000],
    ['a date', 429, '', { 'retry-after': new Date(NOW + 120_000).toUTCString() }, 120_000],
    ['a date that is over', 429, '', { 'retry-after': new Date(NOW - 120_000).toUTCString() }, 1_000],
    ['a wait of centuries', 429, '', { 'retry-after': '99999999999' }, 86_400_000],
    ['a page', 403, '<html><head><title>Rate limit exceeded</title></head></html>', { 'content-type': 'text/html' }, 60_000],
  ])('%s', (_, status, body, headers, retryAfterMs) => {
    expect(failed(status, body, { ...json, ...headers })).toMatchObject({ kind: 'RateLimited', retry: 'later', retryAfterMs });
  });

  test.each<[string, number, unknown, Record<string, string>, string]>([
    [
      '403 with calls left',
      403,
      { message: 'Resource not accessible by integration' },
      { 'x-ratelimit-remaining': '12', 'x-ratelimit-reset': reset },
      'Forbidden',
    ],
    ['422 that quotes the caller', 422, { message: 'label "rate limit exceeded" is taken' }, {}, 'Unprocessable'],
    ['404 with nothing left', 404, { message: 'Not Found' }, { 'x-ratelimit-remaining': '0' }, 'NotFound'],
  ])('no limit: %s', (_, status, body, headers, kind) => {
    const failure = failed(status, body, { ...json, ...headers });
    expect(failure).toMatchObject({ kind, retry: 'never' });
    expect(failure).not.toHaveProperty('retryAfterMs');
  });
});

describe(`${verifies('PRV-9')} kinds`, () => {
  test.each<[number, string, ResponseFailure['kind']]>([
    [400, 'GET', 'Unprocessable'],
    [401, 'GET', 'Unauthorized'],
    [403, 'GET', 'Forbidden'],
    [404, 'GET', 'NotFound'],
    [405, 'GET', 'Unprocessable'],
    [405, 'PUT', 'Conflict'],
    [406, 'GET', 'Unprocessable'],
    [406, 'PUT', 'Conflict'],
    [409, 'POST', 'Conflict'],
    [410, 'GET', 'NotFound'],
    [412, 'PUT', 'Conflict'],
    [413, 'POST', 'BoundExceeded'],
    [418, 'GET', 'Unprocessable'],
    [422, 'POST', 'Unprocessable'],
    [423, 'PUT', 'Conflict'],
    [451, 'GET', 'Forbidden'],
    [500, 'GET', 'Unavailable'],
    [502, 'POST', 'Unavailable'],
    [599, 'GET', 'Unavailable'],
    [0, 'GET', 'Unavailable'],
    [102, 'GET', 'Unavailable'],
    [300, 'GET', 'Unavailable'],
    [Number.NaN, 'GET', 'Unavailable'],
  ])('%s of a %s is %s', (status, method, kind) => {
    const failure = failed(status, '', {}, row('/a', { method: method as OperationRow['method'] }));
    expect(failure.kind).toBe(kind);
    expect(failure.message).toBe(`status ${status} without a message`);
    expect(failure.hint).not.toBe('');
  });

  test('B15: a diff that is too large is a bound, and never tried again', () => {
    const body = {
      message: 'Sorry, the diff exceeded the maximum number of files (300).',
      errors: [{ resource: 'PullRequest', field: 'diff', code: 'too_large' }],
    };
    const tooLarge = [{ status: 406, code: 'too_large' }, { status: 406, says: 'exceeded the maximum number' }, { status: 555 }];
    const marked = (status: number, text: unknown) => failed(status, text, json, rows.getPull, { tooLarge });
    expect(marked(406, body)).toMatchObject({ kind: 'BoundExceeded', retry: 'never', hint: expect.stringContaining('paged list of files') });
    expect(marked(406, { message: 'Sorry, the diff Exceeded the maximum number of lines' })).toMatchObject({ kind: 'BoundExceeded' });
    expect(marked(555, '')).toMatchObject({ kind: 'BoundExceeded', retry: 'never' });
    expect(marked(406, { message: 'Not Acceptable' })).toMatchObject({ kind: 'Unprocessable' });
    expect(marked(403, body)).toMatchObject({ kind: 'Forbidden' });
    expect(failed(555, '')).toMatchObject({ kind: 'Unavailable', retry: 'later' });
  });

  test('404 says that it may be a matter of permission', () => {
    expect(failed(404, { message: 'Not Found' }).hint).toMatch(/may not see/);
  });

  test.each([
    [410, { message: 'gone' }, { sunset: 'Sat, 01 Aug 2026 00:00:00 GMT' }],
    [410, { message: 'This endpoint was deprecated and is removed' }, {}],
    [400, { message: 'The X-Api-Version "2020-01-01" is not supported' }, {}],
  ])('%s %j %j is the end of an operation', (status, body, headers) => {
    expect(failed(status, body, { ...json, ...headers })).toMatchObject({ kind: 'Deprecated', retry: 'never' });
  });

  test('a deprecated operation that still works answers 404 for what is missing', () => {
    expect(failed(404, { message: 'Not Found' }, { ...json, deprecation: '@1700000000', sunset: 'Sat, 01 Aug 2027 00:00:00 GMT' }).kind).toBe('NotFound');
  });

  test('503 with retry-after', () => {
    expect(failed(503, '', { 'retry-after': '30' })).toMatchObject({ kind: 'Unavailable', retry: 'later', retryAfterMs: 30_000 });
    expect(failed(501, '', {})).toMatchObject({ kind: 'Unavailable', retry: 'never' });
  });

  test.each(['x-github-request-id', 'x-request-id', 'x-arequestid', 'x-request-uuid', 'request-id'])('the request id stands in %s', name => {
    expect(failed(500, '', { date: 'x', [name]: 'AB:12\n' }).requestId).toBe('AB:12');
    expect(classify(200, {}, { ...json, [name]: 'AB' })).toMatchObject({ kind: 'ok', requestId: 'AB' });
  });
});

describe(`${verifies('PRV-9')} messages`, () => {
  test.each<[string, unknown, string]>([
    [
      'errors as objects with codes',
      { message: 'Validation Failed', errors: [{ resource: 'Issue', field: 'title', code: 'missing_field' }], documentation_url: 'https://docs' },
      'Validation Failed: Issue.title missing_field',
    ],
    [
      'errors as objects with messages',
      { message: 'Validation Failed', errors: [{ resource: 'PullRequest', code: 'custom', message: 'A pull request already exists for o:b.' }] },
      'Validation Failed: A pull request already exists for o:b.',
    ],
    [
      'errors as texts',
      { message: 'Unprocessable Entity', errors: ['Review comments is invalid', 'Line must be part of the diff'] },
      'Unprocessable Entity: Review comments is invalid; Line must be part of the diff',
    ],
    ['errors as one text', { message: 'Validation Failed', errors: 'Position is invalid' }, 'Validation Failed: Position is invalid'],
    ['a text alone', { message: 'Invalid request.\n\nNo subschema in "anyOf" matched.' }, 'Invalid request. No subschema in "anyOf" matched.'],
    ['a message that is a list', { message: ['Another open merge request already exists: !12'] }, 'Another open merge request already exists: !12'],
    [
      'a message that is an object of lists',
      { message: { title: ["can't be blank", 'is too short'], type: ['is unknown'] } },
      "title: can't be blank; is too short, type: is unknown",
    ],
    ['a message that is an object of objects', { message: { base: { a: ['x'] } } }, 'base: a: x'],
    ['error beside nothing', { error: 'title is missing, id is invalid' }, 'title is missing, id is invalid'],
    [
      'an OAuth error',
      { error: 'insufficient_scope', error_description: 'The request requires higher privileges', scope: 'api' },
      'insufficient_scope: The request requires higher privileges',
    ],
    [
      'message and url',
      { message: 'label does not exist [label_id: 0]', url: 'https://forge/api/swagger', errors: null },
      'label does not exist [label_id: 0]',
    ],
    ['errors that repeat the message', { message: 'user does not exist', errors: ['user does not exist'] }, 'user does not exist'],
    [
      'a nested error with fields',
      { type: 'error', error: { message: 'Bad request', detail: 'You must specify a valid source branch', fields: { source: ['This field is required.'] } } },
      'Bad request: You must specify a valid source branch: source: This field is required.',
    ],
    ['a nested error', { type: 'error', error: { message: 'Repository not found' } }, 'Repository not found'],
    [
      'errors with contexts',
      {
        errors: [
          { context: 'name', message: 'is required', exceptionName: null },
          { context: null, message: 'no', exceptionName: 'x' },
        ],
      },
      'name: is required; no',
    ],
    ['a problem document', { type: 'about:blank', title: 'Bad Request', status: 400, detail: 'page is out of range' }, 'Bad Request: page is out of range'],
    ['an object that nobody knows', { reason: { inner: [1, true, null, {}] } }, 'reason: inner: 1; true'],
    ['a list', ['a', { message: 'b' }], 'a; b'],
    ['a text in JSON', '"just text"', 'just text'],
    ['a text', 'upstream connect error\r\n', 'upstream connect error'],
    ['JSON that is cut', '{"errors":[{"a":1}],"message":"Too \\"much\\"","x":[', 'Too "much"'],
    ['JSON that is no JSON', '{oops', 'status 422 without a message'],
    ['null', 'null', 'null'],
    ['an empty object', {}, 'status 422 without a message'],
    ['a page', '<!DOCTYPE html><html><head><TITLE lang="en">502\nBad Gateway</TITLE></head><body>secret</body>', '502 Bad Gateway'],
    ['a page without a title', '<html><body>hello', 'status 422 without a message'],
    ['control and direction characters', { message: 'a\u001b[31mb\u0000c\u202ed\u2028e' }, 'a [31mb c d e'],
  ])('%s', (_, body, message) => {
    expect(failed(422, body)).toMatchObject({ kind: 'Unprocessable', message });
  });

  test('a message of exactly the bound is whole', () => {
    expect(failed(422, { message: 'x'.repeat(600) }).message).toBe('x'.repeat(600));
  });

  test('is one bounded line, however large the answer', () => {
    const { message } = failed(500, { message: 'ab😀'.repeat(100_000) });
    expect(message.length).toBeLessThanOrEqual(600);
    expect(message.endsWith('…')).toBe(true);
    expect(message).not.toMatch(/\p{Surrogate}/u);
  });

  test.each([
    ['nested objects', `{"message":${'{"a":'.repeat(2_000)}1${'}'.repeat(2_000)}}`],
    ['many errors', JSON.stringify({ errors: Array(700).fill('e') })],
    ['open titles', '<title'.repeat(2_000)],
    ['open quotes', `{"message": "${'\\"'.repeat(8_000)}`],
  ])('survives %s', (_, body) => {
    expect(failed(422, body).message.length).toBeLessThanOrEqual(600);
  });
});

describe(`${verifies('PRV-9', 'PRV-12a')} successes`, () => {
  const text = row('/a', { produces: ['text/plain'], responseShape: 'text' });
  const list = row('/a', { responseShape: 'array', produces: [] });
  test.each<[string, number, string, Record<string, string>, OperationRow, unknown]>([
    ['JSON', 200, '{"a":1}', json, rows.getPull, { a: 1 }],
    ['another shape than the row says', 200, '[1]', json, rows.getPull, [1]],
    ['204', 204, '', {}, rows.starRepository, null],
    ['202 without a body', 202, '', json, rows.getPull, null],
    ['spaces alone', 200, ' \r\n', json, rows.getPull, null],
    ['null', 200, 'null', json, rows.getPull, null],
    ['a vendor type', 200, '{"a":1}', { 'content-type': 'application/vnd.forge.v3+json' }, rows.getPull, { a: 1 }],
    ['a raw file in a type that ends in json', 200, '{"a":1}', { 'content-type': 'application/vnd.forge.raw+json; charset=utf-8' }, rows.getContent, '{"a":1}'],
    ['a rendered text in a type that ends in json', 200, '<p>a</p>', { 'content-type': 'application/vnd.forge.html+json' }, rows.getContent, '<p>a</p>'],
    ['a diff where JSON was declared', 200, 'diff --git a/a b/a', { 'content-type': 'application/vnd.forge.diff' }, rows.getPull, 'diff --git a/a b/a'],
    ['JSON without a content type', 200, '[1]', {}, list, [1]],
    ['JSON called text', 200, '[1]', { 'content-type': 'text/plain' }, list, [1]],
    ['text that starts like JSON', 200, '[draft] a', { 'content-type': 'text/plain' }, text, '[draft] a'],
    ['JSON as a text, where text is expected', 200, '{"a":1}', { 'content-type': 'text/plain' }, text, '{"a":1}'],
    ['a page where pages are expected', 200, '<html></html>', { 'content-type': 'text/html' }, rows.renderText, '<html></html>'],
    ['a file that is a page', 200, '<html></html>', { 'content-type': 'text/html' }, rows.getFile, '<html></html>'],
    ['a HEAD', 200, 'x', json, row('/a', { method: 'HEAD' }), null],
  ])('%s', (_, status, body, headers, one, value) => {
    expect(classify(status, body, headers, one)).toMatchObject({ kind: 'ok', value });
  });

  test.each<[string, string, Record<string, string>]>([
    ['JSON that is cut', '{"a":[1,2', json],
    ['garbage', '\u0000\u0001', json],
    ['a page called JSON', '<html>', json],
    ['a page of a proxy', '<html><title>Sign in</title>', { 'content-type': 'text/html; charset=utf-8' }],
    ['a page without a type', '<!doctype html><title>Sign in</title>', {}],
    ['cut JSON without a type', '{"a":', {}],
  ])('%s is no success', (_, body, headers) => {
    expect(classify(200, body, headers)).toMatchObject({ kind: 'Unavailable', retry: 'later' });
    expect(classify(201, body, headers, rows.createIssue)).toMatchObject({ kind: 'Unavailable', retry: 'never' });
  });

  test('an answer over the bound is no short answer', () => {
    expect(classify(200, '[1]', json, rows.getPull, { truncated: true })).toMatchObject({ kind: 'BoundExceeded', retry: 'never' });
  });

  test('a success that the row does not declare is one, and says so', () => {
    expect(classify(203, '{}', json)).toMatchObject({ kind: 'ok', declared: false });
    expect(classify(200, '{}', json)).toMatchObject({ kind: 'ok', declared: true });
  });

  test('304', () => {
    expect(classify(304, '', { 'x-request-id': 'a' })).toEqual({ kind: 'not-modified', status: 304, requestId: 'a' });
  });

  test.each([
    [{ deprecation: 'true' }, 'the vendor marks this operation as deprecated'],
    [{ warning: '299 - "Deprecated: use /v2 instead"' }, 'the vendor warns: Deprecated: use /v2 instead'],
    [{ deprecation: '@1688169599', sunset: 'Sun, 30 Jun 2027 23:59:59 GMT' }, 'the vendor removes this operation on Sun, 30 Jun 2027 23:59:59 GMT'],
  ])('%j is noted', (headers, deprecated) => {
    expect(classify(200, '{}', { ...json, ...headers })).toMatchObject({ kind: 'ok', deprecated });
  });

  test('no deprecation, no note', () => {
    expect(classify(200, '{}', { ...json, deprecation: 'false' })).not.toHaveProperty('deprecated');
    for (const warning of ['110 cache "Response is stale, deprecated"', '299 - "Results are cut"', '299 - deprecated', '299 - "'])
      expect(classify(200, '{}', { ...json, warning })).not.toHaveProperty('deprecated');
  });
});

describe(`${verifies('PRV-12')} redirects are handed on, never followed`, () => {
  test.each([301, 302, 303, 307, 308])('%s', status => {
    expect(classify(status, '', { location: '/a?b' })).toMatchObject({ kind: 'redirect', location: '/a?b', declared: false });
  });

  test('the success of a download', () => {
    const download = row('/a', { success: [302] });
    expect(classify(302, '', { location: 'https://cdn.example/a' }, download)).toMatchObject({ kind: 'redirect', declared: true });
  });

  test.each([{}, { location: '' }, { location: 'https://a/b c' }, { location: `https://a/${'x'.repeat(9_000)}` }])(
    'without a usable location: %.60j',
    headers => {
      expect(classify(302, '', headers)).toMatchObject({ kind: 'Unavailable', retry: 'never' });
    },
  );
});

describe(`${verifies('PRV-17a')} errors inside a 200`, () => {
  const errors = (...list: unknown[]): ResponseOutcome => classify(200, { data: null, errors: list }, json, rows.graphql);
  test.each([
    ['RATE_LIMITED', 'RateLimited'],
    ['NOT_FOUND', 'NotFound'],
    ['FORBIDDEN', 'Forbidden'],
    ['INSUFFICIENT_SCOPES', 'Forbidden'],
    ['MAX_NODE_LIMIT_EXCEEDED', 'BoundExceeded'],
    ['undefinedField', 'Unprocessable'],
  ])('%s', (type, kind) => {
    expect(errors({ type, path: ['repository', 'x'], message: 'm' })).toMatchObject({ kind, message: 'repository.x: m' });
  });

  test('a secondary limit waits', () => {
    expect(errors({ message: 'You have exceeded a secondary rate limit' })).toMatchObject({ kind: 'RateLimited', retryAfterMs: 60_000 });
  });

  test('errors beside data are errors', () => {
    expect(classify(200, { data: { a: 1 }, errors: [{ message: 'm' }] }, json, rows.graphql)).toMatchObject({ kind: 'Unprocessable' });
  });

  test('no errors, and a REST answer whose content is errors', () => {
    expect(classify(200, { data: {}, errors: [] }, json, rows.graphql)).toMatchObject({ kind: 'ok' });
    expect(classify(200, { errors: [{ message: 'Unknown owner', line: 3 }] })).toMatchObject({ kind: 'ok' });
  });
});
