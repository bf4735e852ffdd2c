/**
 * Look-up of operations and the check of arguments: every refusal with its name, its code and its suggestion.
 */
import { verifies } from '@weir/requirements';
import { describe, expect, test } from 'vitest';
import { jsonBody, parameter, row, rows, segment, table } from '../tests/rows.ts';
import { checkArguments, findOperation, nearestName, type OperationRow } from './index.ts';

const pull = { owner: 'o', repo: 'r', pull_number: 1 };
const issue = { owner: 'o', repo: 'r', title: 't' };

const problems = (one: OperationRow, args: Record<string, unknown>, fromCommandLine = false): string[] => {
  const check = checkArguments(one, args, { fromCommandLine });
  return check.ok ? [] : check.problems.map(({ argument, code, suggestion }) => `${code} ${argument}${suggestion === undefined ? '' : ` -> ${suggestion}`}`);
};

describe(`${verifies('PRV-9')} look-up`, () => {
  test.each([
    ['pulls/get', 'pulls/get'],
    ['GET /search/issues', 'search/issues'],
  ])('%s is found', (id, expected) => {
    expect(findOperation(table, id)).toMatchObject({ kind: 'found', row: { id: expected } });
  });

  test.each([
    ['pulls/gett', 'pulls/get'],
    ['pulls.list', 'pulls/list'],
    ['Issues/Create', 'issues/create'],
    ['issues/create-coment', 'issues/create-comment'],
    ['GET /search/issue', 'GET /search/issues'],
    ['completely-different-thing', undefined],
    ['', undefined],
    ['constructor', undefined],
    ['x'.repeat(100_000), undefined],
  ])('%.40s is unknown and suggests %s', (id, suggestion) => {
    expect(findOperation(table, id)).toEqual({ kind: 'unknown', suggestion });
  });

  test('the nearest name wins, the first of equals, and a far one is none', () => {
    expect(nearestName('title', ['tile', 'titles', 'body'])).toBe('tile');
    expect(nearestName('titel', ['tail', 'title'])).toBe('title');
    expect(nearestName('ab', ['cd', 'xyz'])).toBeUndefined();
    expect(nearestName('pull_nmber', ['pull_number', 'number'])).toBe('pull_number');
  });
});

describe(`${verifies('PRV-9', 'PRV-12a')} refused before anything is sent`, () => {
  test.each<[string, OperationRow, Record<string, unknown>, string[]]>([
    ['a required parameter is missing', rows.getPull, { owner: 'o', repo: 'r' }, ['missing pull_number']],
    ['null is not given', rows.getPull, { ...pull, repo: null }, ['missing repo']],
    ['an unknown name, with the nearest', rows.getPull, { ...pull, pull_numbr: 1 }, ['unknown pull_numbr -> pull_number']],
    ['a number as text', rows.getPull, { ...pull, pull_number: '1' }, ['type pull_number']],
    ['a fraction', rows.getPull, { ...pull, pull_number: 1.5 }, ['type pull_number']],
    ['not a number', rows.getPull, { ...pull, pull_number: Number.NaN }, ['type pull_number']],
    ['a number for text', rows.getPull, { ...pull, owner: 1 }, ['type owner']],
    ['a closed set, with the nearest value', rows.listPulls, { owner: 'o', repo: 'r', state: 'opne' }, ['enum state -> open']],
    ['a closed set in another case', rows.listPulls, { owner: 'o', repo: 'r', state: 'Open' }, ['enum state -> open']],
    ['under the minimum', rows.listPulls, { owner: 'o', repo: 'r', per_page: 0 }, ['range per_page']],
    ['over the maximum', rows.listPulls, { owner: 'o', repo: 'r', per_page: 101 }, ['range per_page']],
    ['a list where one value stands', rows.listPulls, { owner: 'o', repo: 'r', head: ['a'] }, ['type head']],
    ['a slash', rows.getPull, { ...pull, owner: 'a/b' }, ['slash owner']],
    ['a backslash', rows.getPull, { ...pull, owner: 'a\\b' }, ['slash owner']],
    ['a dot segment', rows.getPull, { ...pull, owner: '..' }, ['slash owner']],
    ['an empty segment', rows.getPull, { ...pull, owner: '' }, ['missing owner']],
    ['a line feed in the path', rows.getPull, { ...pull, owner: 'a\nb' }, ['character owner']],
    ['half of a surrogate pair', rows.getPull, { ...pull, owner: '\ud800' }, ['character owner']],
    ['half of a surrogate pair in the query', rows.search, { q: 'a\udc00' }, ['character q']],
    ['a dot segment among segments', rows.getContent, { owner: 'o', repo: 'r', path: 'a/../b' }, ['slash path']],
    ['an empty segment among segments', rows.getContent, { owner: 'o', repo: 'r', path: 'a//b' }, ['slash path']],
    ['empty segments in the middle of a path', rows.getBranch, { owner: 'o', repo: 'r', branch: '' }, ['missing branch']],
    ['a value that is too long', rows.search, { q: 'x'.repeat(8_193) }, ['too-large q']],
    ['too many entries', rows.exported, { org: 'o', exclude: Array(1_001).fill('a') }, ['too-large exclude']],
    ['an entry of another type', rows.exported, { org: 'o', exclude: ['a', 1] }, ['type exclude']],
    ['a line feed in a header', rows.avatar, { slug: 's', 'X-Check': 'no\r\nHost: evil' }, ['character X-Check']],
    ['a credential as an argument', rows.avatar, { slug: 's', Authorization: 'token x' }, ['credential Authorization']],
    ['a required field is missing', rows.createIssue, { owner: 'o', repo: 'r', body: 'b' }, ['missing title']],
    ['a field of another type', rows.createIssue, { ...issue, labels: 'bug' }, ['type labels']],
    ['null for a field that takes none', rows.createIssue, { ...issue, body: null }, ['type body']],
    ['a closed set of a field', rows.createIssue, { ...issue, state: 'opened' }, ['enum state -> open']],
    ['an unknown field', rows.createIssue, { ...issue, lables: ['a'] }, ['unknown lables -> labels']],
    ['one field under two names', rows.createIssue, { ...issue, 'body.title': 't2' }, ['twice body.title']],
    ['a required body without a field', rows.setLabels, { owner: 'o', repo: 'r', issue_number: 1, body: new Date() }, ['type body']],
    ['the whole body beside a field', rows.token, { body: { grant_type: 'a' }, grant_type: 'b' }, ['twice body']],
    ['an unknown field in the whole body', rows.token, { body: { grant_type: 'a', scope: [] } }, ['unknown body.scope -> scopes']],
    ['a missing field in the whole body', rows.token, { body: {} }, ['missing body.grant_type']],
    ['everything at once', rows.getPull, { owner: 1, nope: 2 }, ['unknown nope', 'type owner', 'missing repo', 'missing pull_number']],
  ])('%s', (_, one, args, expected) => {
    expect(problems(one, args)).toEqual(expected);
  });

  test('a body that must be there is named with what it takes', () => {
    const update = row('/issues', { method: 'PATCH', body: jsonBody([{ name: 'title', required: false, type: 'string' }]) });
    const check = checkArguments(update, {});
    expect(check).toMatchObject({ ok: false, problems: [{ argument: 'body', code: 'missing', reason: expect.stringContaining('title') }] });
    expect(problems(update, { body: {} })).toEqual([]);
  });

  test('more names than a row can have are not looked at one by one', () => {
    expect(problems(rows.starRepository, Object.fromEntries(Array.from({ length: 500 }, (_, i) => [`a${i}`, 1])))).toContain('too-large ');
  });

  test('the reason never holds the value', () => {
    const check = checkArguments(rows.getPull, { ...pull, owner: 's3cret/value', pull_number: 's3cret' });
    expect(JSON.stringify(check)).not.toContain('s3cret');
  });

  test.each([
    ['dates', new Date(0)],
    ['functions', () => 1],
    ['big integers', 1n],
    ['infinity', Number.POSITIVE_INFINITY],
    ['maps', new Map()],
  ])('%s are not JSON', (_, value) => {
    expect(problems(rows.setLabels, { owner: 'o', repo: 'r', issue_number: 1, body: { a: [value] } })).toEqual(['type body']);
  });

  test('a cycle and a deep value are not JSON of bounded size', () => {
    const cycle: Record<string, unknown> = {};
    cycle['self'] = cycle;
    let deep: unknown = 1;
    for (let i = 0; i < 40; i += 1) deep = [deep];
    for (const body of [cycle, deep, Array(100_001).fill(1)]) {
      expect(problems(rows.setLabels, { owner: 'o', repo: 'r', issue_number: 1, body })).toEqual(['type body']);
    }
  });
});

describe(`${verifies('PRV-9')} what a command line says`, () => {
  test.each<[string, OperationRow, Record<string, unknown>, string[]]>([
    ['a number', rows.getPull, { ...pull, pull_number: '12' }, []],
    ['not quite a number', rows.getPull, { ...pull, pull_number: '12a' }, ['type pull_number']],
    ['a number beyond safe integers', rows.getPull, { ...pull, pull_number: '9999999999999999' }, ['type pull_number']],
    ['a truth value', rows.listMergeRequests, { id: '1', with_labels_details: 'true' }, []],
    ['another word', rows.listMergeRequests, { id: '1', with_labels_details: 'yes' }, ['type with_labels_details']],
    ['one entry of a list', rows.exported, { org: 'o', exclude: 'a' }, []],
    ['the range holds too', rows.listPulls, { owner: 'o', repo: 'r', per_page: '101' }, ['range per_page']],
  ])('%s', (_, one, args, expected) => {
    expect(problems(one, args, true)).toEqual(expected);
  });

  test('the values have the type of the row', () => {
    const check = checkArguments(rows.getPull, { ...pull, pull_number: '12' }, { fromCommandLine: true });
    expect(check.ok && check.checked.path.get('pull_number')).toBe(12);
  });
});

describe(`${verifies('PRV-9')} names`, () => {
  test('a name of both a parameter and a field is the parameter; the field is reached as body.<name>', () => {
    const check = checkArguments(rows.updateVariable, { owner: 'o', repo: 'r', name: 'OLD', 'body.name': 'NEW', value: 'v' });
    expect(check.ok && check.checked.path.get('name')).toBe('OLD');
    expect(check.ok && check.checked.body).toEqual({
      kind: 'fields',
      fields: [
        ['name', 'NEW'],
        ['value', 'v'],
      ],
    });
  });

  test('body is the field of that name where there is one', () => {
    const check = checkArguments(rows.createComment, { owner: 'o', repo: 'r', issue_number: 1, body: 'text' });
    expect(check.ok && check.checked.body).toEqual({ kind: 'fields', fields: [['body', 'text']] });
  });

  test('two parameters of one name are told apart by their place', () => {
    const both = row('/a/{id}', { parameters: [segment('id'), parameter('id', { type: 'integer' })] });
    const check = checkArguments(both, { id: 'x', 'query.id': 1 });
    expect(check.ok && [check.checked.path.get('id'), check.checked.query[0]?.value]).toEqual(['x', 1]);
  });

  test('an open body takes a field that it does not describe, and only when it is called a field', () => {
    expect(problems(rows.avatar, { slug: 's', extra: 1 })).toEqual(['unknown extra']);
    const check = checkArguments(rows.avatar, { slug: 's', 'body.extra': { a: [1] }, link: 'l' });
    expect(check.ok && check.checked.body).toMatchObject({
      fields: [
        ['link', 'l'],
        ['extra', { a: [1] }],
      ],
    });
  });

  test('names of every object are names like others', () => {
    expect(problems(rows.getPull, JSON.parse('{"owner":"o","repo":"r","pull_number":1,"__proto__":1,"constructor":2}'))).toEqual([
      'unknown __proto__',
      'unknown constructor',
    ]);
  });
});

describe(`${verifies('PRV-4')} rows that can't be built are refused whatever the arguments`, () => {
  test.each<[string, OperationRow, string]>([
    ['a placeholder without a parameter', row('/a/{b}'), 'b'],
    ['a path parameter without a placeholder', row('/a', { parameters: [segment('b')] }), 'b'],
    ['a query in the path', row('/a?b=c'), '/a?b=c'],
    ['a dot segment in the path', row('/a/../b'), '/a/../b'],
    ['no slash at the start', row('a'), 'a'],
    ['an object without JSON', row('/a', { parameters: [parameter('f', { type: 'object', style: 'form' })] }), 'f'],
    ['several segments in the query', row('/a', { parameters: [parameter('f', { style: 'segments' })] }), 'f'],
    ['a list in plain style', row('/a', { parameters: [parameter('f', { type: 'array' })] }), 'f'],
    ['a required credential', row('/a', { parameters: [parameter('Cookie', { in: 'header', required: true })] }), 'Cookie'],
    ['a content type that nothing writes', row('/a', { method: 'POST', body: jsonBody([], { contentTypes: ['application/xml'] }) }), 'body'],
    ['too many parameters', row('/a', { parameters: Array.from({ length: 65 }, (_, i) => parameter(`p${i}`)) }), ''],
    [
      'too many fields',
      row('/a', { body: jsonBody(Array.from({ length: 129 }, (_, i) => ({ name: `f${i}`, required: false, type: 'any' as const }))) }),
      'body',
    ],
  ])('%s', (_, one, argument) => {
    const check = checkArguments(one, {});
    expect(check).toMatchObject({ ok: false, problems: expect.arrayContaining([expect.objectContaining({ argument, code: 'row' })]) });
  });
});
