/**
 * Requests, spelled out: path, query, headers and body of each shape that providers ask for.
 */
import { verifies } from '@weir/requirements';
import { describe, expect, test } from 'vitest';
import { jsonBody, parameter, row, rows, segment } from '../tests/rows.ts';
import { type BuildResult, buildRequest, type BuiltRequest, checkArguments, type OperationRow, type RequestTarget } from './index.ts';

const target: RequestTarget = { baseUrl: 'https://forge.example', basePath: '', headers: { 'X-Api-Version': '2022-11-28', 'User-Agent': 'weir' } };

const attempt = (one: OperationRow, args: Record<string, unknown>, more: Partial<RequestTarget> = {}): BuildResult => {
  const check = checkArguments(one, args);
  if (!check.ok) throw new Error(JSON.stringify(check.problems));
  return buildRequest(one, check.checked, { ...target, ...more });
};

const built = (one: OperationRow, args: Record<string, unknown>, more: Partial<RequestTarget> = {}): BuiltRequest => {
  const result = attempt(one, args, more);
  if (!result.ok) throw new Error(JSON.stringify(result.problem));
  return result.request;
};

const urlOf = (one: OperationRow, args: Record<string, unknown>, more: Partial<RequestTarget> = {}): string =>
  built(one, args, more).url.slice('https://forge.example'.length);

const repo = { owner: 'o', repo: 'r' };

describe(`${verifies('PRV-4', 'PRV-9')} URLs`, () => {
  test.each<[string, OperationRow, Record<string, unknown>, string]>([
    ['path values', rows.getPull, { ...repo, pull_number: 7 }, '/repos/o/r/pulls/7'],
    ['a value that needs encoding', rows.getPull, { owner: "a b%?#é'(*)", repo: 'r', pull_number: 7 }, '/repos/a%20b%25%3F%23%C3%A9%27%28%2A%29/r/pulls/7'],
    ['two values in one segment', rows.compare, { ...repo, base: 'main', head: 'u:feat' }, '/repos/o/r/compare/main...u%3Afeat'],
    ['dots inside a value', rows.compare, { ...repo, base: 'v1..2', head: 'a' }, '/repos/o/r/compare/v1..2...a'],
    ['several segments', rows.getContent, { ...repo, path: 'src/a b.ts', ref: 'x/y' }, '/repos/o/r/contents/src/a%20b.ts?ref=x%2Fy'],
    ['several segments with a slash first', rows.getContent, { ...repo, path: '/src' }, '/repos/o/r/contents/src'],
    ['no segment at the end', rows.getContent, { ...repo, path: '' }, '/repos/o/r/contents'],
    ['segments after a word', rows.compareTree, { projectKey: 'P', path: 'src/a.ts' }, '/projects/P/compare/diff/src/a.ts'],
    ['no segments after a word', rows.compareTree, { projectKey: 'P' }, '/projects/P/compare/diff'],
    ['JSON in the query', rows.compareTree, { projectKey: 'P', filter: { a: ['b c'] } }, '/projects/P/compare/diff?filter=%7B%22a%22%3A%5B%22b%20c%22%5D%7D'],
    ['the order of the row', rows.listPulls, { page: 2, state: 'all', ...repo, per_page: 1 }, '/repos/o/r/pulls?state=all&per_page=1&page=2'],
    ['undefined and null are left out', rows.listPulls, { ...repo, state: undefined, head: null }, '/repos/o/r/pulls'],
    ['an empty text is sent', rows.listPulls, { ...repo, head: '' }, '/repos/o/r/pulls?head='],
    ['one pair for each entry', rows.exported, { org: 'o', exclude: ['a,b', 'c'] }, '/orgs/o/migrations?exclude=a%2Cb&exclude=c'],
    ['an empty list', rows.exported, { org: 'o', exclude: [] }, '/orgs/o/migrations'],
    ['a query is text, not encoded before', rows.search, { q: 'a+b c' }, '/search/issues?q=a%2Bb%20c'],
    ['the query stands in the URL of a write too', rows.uploadAsset, { ...repo, release_id: 1, name: 'a.zip' }, '/repos/o/r/releases/1/assets?name=a.zip'],
  ])('%s', (_, one, args, expected) => {
    expect(urlOf(one, args, { servers: { 'https://uploads.example': 'https://forge.example' } })).toBe(expected);
  });

  test('entries joined by commas, brackets as they are, truth values', () => {
    const args = { id: 'group/project', labels: ['a b', 'c,d'], 'not[labels]': ['x', 'y'], with_labels_details: false };
    expect(urlOf(rows.listMergeRequests, args)).toBe('/projects/group%2Fproject/merge_requests?labels=a%20b,c%2Cd&not[labels]=x,y&with_labels_details=false');
  });

  test(`${verifies('PRV-4')} slashes are encoded where the row says that the value is one segment, for each parameter`, () => {
    expect(urlOf(rows.getFile, { id: 12, file_path: 'src/a.ts' })).toBe('/projects/12/repository/files/src%2Fa.ts/raw');
    const mixed = row('/a/{one}/{two}', { parameters: [segment('one', { style: 'encoded-segments' }), segment('two', { style: 'segments' })] });
    expect(urlOf(mixed, { one: 'x/y', two: 'x/y' })).toBe('/a/x%2Fy/x/y');
    expect(urlOf(mixed, { one: '/x//y', two: '/x' })).toBe('/a/%2Fx%2F%2Fy/x');
  });

  test('a name can not start another parameter', () => {
    const odd = row('/a', { parameters: [parameter('b&c=d#'), parameter('$top', { type: 'integer' })] });
    expect(urlOf(odd, { 'b&c=d#': 'x', $top: 1 })).toBe('/a?b%26c%3Dd%23=x&$top=1');
  });

  test('the literal text of a template is encoded where a URL needs it', () => {
    expect(urlOf(row('/é/{x}/(y)%2F', { parameters: [segment('x')] }), { x: '1' })).toBe('/%C3%A9/1/(y)%2F');
  });

  test('the base has a path, a slash at its end, and the base path of the table', () => {
    const more = { baseUrl: 'https://forge.example/api/', basePath: '/v1' };
    expect(urlOf(rows.search, { q: 'x' }, more)).toBe('/api/v1/search/issues?q=x');
  });

  test("an operation's own server replaces base URL and base path, and an instance names its own", () => {
    const args = { ...repo, release_id: 1, name: 'n' };
    expect(built(rows.uploadAsset, args, { basePath: '/api/v1' }).url).toBe('https://uploads.example/repos/o/r/releases/1/assets?name=n');
    const servers = { 'https://uploads.example': 'https://own.example/api/uploads' };
    expect(built(rows.uploadAsset, args, { servers }).url).toBe('https://own.example/api/uploads/repos/o/r/releases/1/assets?name=n');
  });

  test.each([
    [{ baseUrl: 'ftp://forge.example' }, 'baseUrl'],
    [{ baseUrl: 'https://user:pw@forge.example' }, 'baseUrl'],
    [{ baseUrl: 'https://forge.example?x' }, 'baseUrl'],
    [{ baseUrl: 'https://{host}/api' }, 'baseUrl'],
    [{ basePath: 'v1' }, 'basePath'],
    [{ headers: { Authorization: 'x' } }, 'Authorization'],
    [{ headers: { 'X-Second-OTP': 'x' } }, 'X-Second-OTP'],
    [{ headers: { 'x-a': 'b\r\nc: d' } }, 'x-a'],
    [{ headers: { 'x a': 'b' } }, 'x a'],
    [{ accept: 'a\nb' }, 'accept'],
  ])('%j is refused', (more, argument) => {
    expect(attempt(rows.search, { q: 'x' }, more)).toMatchObject({ ok: false, problem: { argument } });
  });

  test('a URL of exactly the bound is built, and one character more is not', () => {
    const two = row('/a', { parameters: [parameter('b'), parameter('c')] });
    const rest = 16_384 - 'https://forge.example/a?b=&c='.length - 8_192;
    expect(built(two, { b: 'x'.repeat(8_192), c: 'x'.repeat(rest) }).url).toHaveLength(16_384);
    expect(attempt(two, { b: 'x'.repeat(8_192), c: 'x'.repeat(rest + 1) })).toMatchObject({ ok: false });
  });

  test('a URL that no server takes is refused', () => {
    const long = row('/a', { parameters: Array.from({ length: 3 }, (_, i) => parameter(`p${i}`)) });
    const value = 'x'.repeat(8_000);
    expect(attempt(long, { p0: value, p1: value, p2: value })).toMatchObject({ ok: false, problem: { code: 'too-large' } });
  });
});

describe(`${verifies('PRV-9')} headers`, () => {
  test('static ones in lower case, accept by preference', () => {
    expect(built(rows.search, { q: 'x' }).headers).toEqual({ 'x-api-version': '2022-11-28', 'user-agent': 'weir', accept: 'application/json' });
    expect(built(rows.renderText, { body: 'x' }).headers['accept']).toBe('text/html');
    expect(built(rows.getFile, { id: 1, file_path: 'a' }).headers['accept']).toBe('*/*');
    expect(built(rows.search, { q: 'x' }, { headers: { Accept: 'application/x+json' } }).headers['accept']).toBe('application/x+json');
    expect(built(rows.search, { q: 'x' }, { headers: { Accept: 'application/x+json' }, accept: 'text/x-diff' }).headers['accept']).toBe('text/x-diff');
  });

  test('arguments', () => {
    expect(built(rows.avatar, { slug: 's', 'X-Check': 'no' }).headers).toMatchObject({ 'x-check': 'no' });
  });
});

describe(`${verifies('PRV-9')} bodies`, () => {
  test('exactly the given fields, in the order of the row', () => {
    const { method, headers, body } = built(rows.createIssue, { ...repo, labels: [], milestone: null, title: 't' });
    expect([method, headers['content-type']]).toEqual(['POST', 'application/json']);
    expect(JSON.stringify(body)).toBe('{"kind":"json","value":{"title":"t","milestone":null,"labels":[]}}');
  });

  test('a list as the whole body', () => {
    expect(built(rows.setLabels, { ...repo, issue_number: 1, body: ['bug'] }).body).toEqual({ kind: 'json', value: ['bug'] });
  });

  test('a field that is named like a member of every object', () => {
    const open = row('/a', { method: 'POST', body: jsonBody([], { closed: false }) });
    expect(JSON.stringify(built(open, { 'body.__proto__': { x: 1 } }).body)).toBe('{"kind":"json","value":{"__proto__":{"x":1}}}');
  });

  test('no body, no content type', () => {
    const { headers, body } = built(rows.starRepository, repo);
    expect(body).toEqual({ kind: 'none' });
    expect(headers).not.toHaveProperty('content-type');
  });

  test('a form', () => {
    const { headers, body } = built(rows.token, { grant_type: 'a b&c', scopes: ['x', 'y'] });
    expect(headers['content-type']).toBe('application/x-www-form-urlencoded');
    expect(body).toEqual({ kind: 'form', value: 'grant_type=a%20b%26c&scopes=x&scopes=y' });
  });

  test("another content type of the row's own, and none besides", () => {
    expect(built(rows.token, { grant_type: 'a' }, { contentType: 'application/json' }).body).toEqual({ kind: 'json', value: { grant_type: 'a' } });
    expect(attempt(rows.token, { grant_type: 'a' }, { contentType: 'text/plain' })).toMatchObject({ ok: false, problem: { argument: 'contentType' } });
  });

  test('the wildcard is JSON for fields', () => {
    expect(built(rows.avatar, { slug: 's', link: 'l' }).headers['content-type']).toBe('application/json');
  });

  test('text and bytes', () => {
    const text = built(rows.renderText, { body: '# é' });
    expect([text.headers['content-type'], text.body]).toEqual(['text/plain; charset=utf-8', { kind: 'text', value: '# é' }]);
    const bytes = new Uint8Array([0, 255]);
    const binary = built(rows.uploadAsset, { ...repo, release_id: 1, name: 'n', body: bytes });
    expect([binary.headers['content-type'], binary.body]).toEqual(['application/octet-stream', { kind: 'binary', value: bytes }]);
  });

  test('multipart', () => {
    const content = new Uint8Array([1, 2]);
    const args = { ...repo, index: 1, title: 'a\r\n"b"', attachment: { filename: 'x"\r\n.png', contentType: 'image/png', content } };
    const { headers, body } = built(rows.attach, args, { boundary: 'b0' });
    expect(headers['content-type']).toBe('multipart/form-data; boundary=b0');
    expect(body).toEqual({
      kind: 'multipart',
      value: [
        '--b0\r\nContent-Disposition: form-data; name="attachment"; filename="x%22%0D%0A.png"\r\nContent-Type: image/png\r\n\r\n',
        content,
        '\r\n',
        '--b0\r\nContent-Disposition: form-data; name="title"\r\n\r\n',
        'a\r\n"b"',
        '\r\n',
        '--b0--\r\n',
      ],
    });
  });

  test('the bytes of a file come as base64, so that JSON can hold them', () => {
    const part = (content: string): unknown => {
      const { body } = built(rows.attach, { ...repo, index: 1, attachment: { filename: 'a', encoding: 'base64', content } }, { boundary: 'b0' });
      return body.kind === 'multipart' && body.value[1];
    };
    for (const bytes of [[], [0], [255, 254], [1, 2, 3], Array.from({ length: 256 }, (_, at) => at)])
      expect(part(Buffer.from(bytes).toString('base64'))).toEqual(Uint8Array.from(bytes));
    for (const content of ['a', 'ab=c', 'abc\n', '====', 'ab-_']) expect(() => part(content), content).toThrow(/type/);
  });

  test('text of a file field is a file', () => {
    const { body } = built(rows.attach, { ...repo, index: 1, attachment: 'hello' }, { boundary: 'b0' });
    expect(body.kind === 'multipart' && body.value[0]).toContain('filename="file"');
  });

  test.each([
    ['no boundary', {}, 'x'],
    ['a boundary of other characters', { boundary: 'a"b' }, 'x'],
    ['a boundary that occurs in text', { boundary: 'b0' }, 'xx b0 xx'],
    ['a boundary that occurs in bytes', { boundary: 'b0' }, new Uint8Array([120, 98, 98, 48])],
  ])('multipart with %s is refused', (_, more, attachment) => {
    expect(attempt(rows.attach, { ...repo, index: 1, attachment }, more)).toMatchObject({ ok: false, problem: { argument: 'boundary' } });
  });

  test('a form can not hold an object', () => {
    const open = row('/a', {
      method: 'POST',
      body: jsonBody([{ name: 'a', required: true, type: 'any' }], { contentTypes: ['application/x-www-form-urlencoded'] }),
    });
    expect(attempt(open, { a: { b: 1 } })).toMatchObject({ ok: false, problem: { code: 'type' } });
  });
});
