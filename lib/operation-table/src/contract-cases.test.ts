/**
 * The generated contract cases: they hold for every shape of row, and they fail where the executor and the row disagree.
 */
import { verifies } from '@weir/requirements';
import { describe, expect, test } from 'vitest';
import { jsonBody, parameter, row, rows, segment } from '../tests/rows.ts';
import { contractCases, type OperationParameter, type OperationRow, provesBuildable, runContractCase } from './index.ts';

const failures = (one: OperationRow, against: OperationRow = one): string[] =>
  contractCases(one).flatMap(contractCase => {
    const failure = runContractCase(against, contractCase);
    return failure === undefined ? [] : [contractCase.name];
  });

describe(`${verifies('PRV-25')} contract cases`, () => {
  test.each(Object.entries<OperationRow>(rows))('all of %s hold', (_, one) => {
    expect(failures(one)).toEqual([]);
    const names = contractCases(one).map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
  });

  test('the kinds that a row with everything gets', () => {
    expect(contractCases(rows.listPulls).map(({ kind, name }) => `${kind} ${name}`)).toEqual([
      'positive required arguments',
      'positive everything arguments',
      'negative an unknown argument',
      'negative per_page is misspelt',
      'negative owner is missing',
      'negative owner has another type',
      'negative owner is a/b',
      'negative owner is a\\b',
      'negative owner is ..',
      'negative repo is missing',
      'negative repo has another type',
      'negative repo is a/b',
      'negative repo is a\\b',
      'negative repo is ..',
      'negative state has another type',
      'negative state is none of its values',
      'negative head has another type',
      'negative per_page has another type',
      'negative per_page is too small',
      'negative per_page is too large',
      'negative page has another type',
      'boundary 1 entries a page',
      'boundary 100 entries a page',
      'boundary an empty page',
      'boundary a short page',
      'boundary a full page without a marker',
      'boundary 429 with retry-after',
      'boundary an error body at the bound',
      'boundary an error body over the bound',
      'boundary a success that announces its end',
    ]);
  });

  test('the expected requests are spelled out', () => {
    const [, everything] = contractCases(rows.listMergeRequests);
    expect(everything).toMatchObject({
      request: {
        method: 'GET',
        path: '/projects/dir1%2Ffile1/merge_requests',
        query: 'labels=text1,text1&not[labels]=text1,text1&with_labels_details=true',
        headers: {},
      },
    });
    const [required] = contractCases(rows.updateVariable);
    expect(required).toMatchObject({ args: { 'body.name': 'text1' }, request: { fields: { name: 'text1' } } });
  });

  test('beyond the maximum: refused where the row knows it, else sent, since the server cuts it', () => {
    const open = row('/a', { parameters: [parameter('limit', { type: 'integer' })] });
    expect(contractCases(open, { perPageMax: 50 }).map(({ name }) => name)).toEqual(expect.arrayContaining(['50 entries a page', '51 entries a page']));
  });

  const without = (one: OperationParameter, name: 'enum' | 'maximum'): OperationParameter =>
    Object.fromEntries(Object.entries(one).filter(([key]) => key !== name)) as unknown as OperationParameter;
  const changed = (change: Partial<OperationRow>): OperationRow => ({ ...rows.listPulls, ...change });
  test.each<[string, OperationRow, string]>([
    ['method', changed({ method: 'POST' }), 'required arguments'],
    ['path', changed({ path: '/repositories/{owner}/{repo}/pulls' }), 'required arguments'],
    [
      'a parameter that became required',
      changed({ parameters: rows.listPulls.parameters.map(one => (one.name === 'head' ? { ...one, required: true } : one)) }),
      'required arguments',
    ],
    ['a parameter that is gone', changed({ parameters: rows.listPulls.parameters.filter(one => one.name !== 'head') }), 'everything arguments'],
    [
      'a style',
      changed({ parameters: rows.listPulls.parameters.map(one => (one.name === 'state' ? { ...one, style: 'json' as const } : one)) }),
      'everything arguments',
    ],
    [
      'a type that became wide',
      changed({ parameters: rows.listPulls.parameters.map(one => (one.name === 'page' ? { ...one, type: 'any' as const, style: 'json' as const } : one)) }),
      'page has another type',
    ],
    [
      'a path value that takes slashes',
      changed({ parameters: rows.listPulls.parameters.map(one => (one.name === 'repo' ? { ...one, style: 'segments' as const } : one)) }),
      'repo is a/b',
    ],
    ['a set that is open', changed({ parameters: rows.listPulls.parameters.map(one => without(one, 'enum')) }), 'state is none of its values'],
    ['a range that is gone', changed({ parameters: rows.listPulls.parameters.map(one => without(one, 'maximum')) }), 'per_page is too large'],
    ['pages that are not walked', changed({ pagination: 'none' }), 'a full page without a marker'],
  ])('a change of %s is seen', (_, against, name) => {
    expect(failures(rows.listPulls, against)).toContain(name);
  });

  test('a required field that is gone is seen', () => {
    const against = { ...rows.createIssue, body: jsonBody((rows.createIssue.body?.fields ?? []).map(field => ({ ...field, required: false }))) };
    expect(failures(rows.createIssue, against)).toContain('field title is missing');
  });
});

describe(`${verifies('PRV-25a')} buildable`, () => {
  test.each(Object.entries<OperationRow>(rows))('%s', (_, one) => {
    expect(provesBuildable(one)).toEqual({ buildable: true });
  });

  test.each<[string, OperationRow]>([
    ['a placeholder without a parameter', row('/a/{b}')],
    ['an object in the query', row('/a', { parameters: [parameter('f', { type: 'object' })] })],
    [
      'an unknown content type',
      row('/a', { method: 'POST', body: jsonBody([{ name: 'a', required: true, type: 'string' }], { contentTypes: ['application/xml'] }) }),
    ],
    [
      'a form with an object',
      row('/a', { method: 'POST', body: jsonBody([{ name: 'a', required: true, type: 'object' }], { contentTypes: ['application/x-www-form-urlencoded'] }) }),
    ],
    ['segments in the query', row('/a', { parameters: [parameter('f', { style: 'segments' })] })],
    ['a closed set that the type excludes', row('/a', { parameters: [segment('b', { type: 'integer', enum: ['x'] })] })],
  ])('%s is not', (_, one) => {
    expect(provesBuildable(one)).toMatchObject({ buildable: false });
  });
});
