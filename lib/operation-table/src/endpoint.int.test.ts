/**
 * The same requests as the vendor's own client library, for every operation of the pinned description (PRV-25a).
 */
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { compileTable } from '@weir/provider-compiler';
import { verifies } from '@weir/requirements';
import { describe, expect, test } from 'vitest';
import { compareWithEndpoint, type Comparison, type Endpoint, type Exception, spiced } from '../tests/endpoint-comparison.ts';
import { rows } from '../tests/rows.ts';
import { contractCases, type OperationRow, provesBuildable, runContractCase, sampleArgs } from './index.ts';

const shared = path.resolve(import.meta.dirname, '../../..', process.env['WEIR_SHARED'] ?? '../shared');
const description = path.join(shared, 'specs/github/api.github.com.json');
const described = existsSync(description);
if (!described) console.warn(`SKIPPED: the whole table, since ${description} is not there; set WEIR_SHARED`);

const package_ = '@octokit/endpoint';
const endpoint: Endpoint | undefined = await import(package_).then(
  (module: { endpoint: Endpoint }) => module.endpoint,
  () => undefined,
);
if (endpoint === undefined) console.warn(`SKIPPED: ${package_} is not installed`);

const compiled = (): readonly OperationRow[] => {
  const result = compileTable({
    provider: 'github',
    apiVersion: '2022-11-28',
    format: 'openapi-3.0',
    specDigest: `sha256:${'0'.repeat(64)}`,
    source: { text: readFileSync(description, 'utf8') },
    selection: {},
    pagination: { style: 'link' },
    onUnsupported: 'gap',
  });
  if (!result.ok) throw new Error(JSON.stringify(result.problems.slice(0, 3)));
  return result.table.operations;
};

const table = described ? compiled() : [];

const differences = (comparisons: readonly Comparison[]): string[] => comparisons.flatMap(({ difference }) => (difference === undefined ? [] : [difference]));

const counts = (comparisons: readonly Comparison[]): Partial<Record<Exception, number>> => {
  const counted: Partial<Record<Exception, number>> = {};
  for (const { exceptions } of comparisons) for (const name of exceptions) counted[name] = (counted[name] ?? 0) + 1;
  return counted;
};

describe.skipIf(endpoint === undefined)(`${verifies('PRV-25a')} the client library builds the same request`, () => {
  const compare = (row: OperationRow, args: Record<string, unknown>): Comparison => compareWithEndpoint(endpoint as Endpoint, row, args);
  const repo = { owner: 'o', repo: 'r' };

  test.each<[string, OperationRow, Record<string, unknown>, Exception[]]>([
    ['a read', rows.getPull, { ...repo, pull_number: 1 }, []],
    ['a list', rows.listPulls, { ...repo, state: 'open', head: 'u:b c', per_page: 100 }, []],
    ['a field named body', rows.createComment, { ...repo, issue_number: 1, body: 'é' }, ['JSON has no charset']],
    ['a field named like a parameter', rows.updateVariable, { ...repo, name: 'A', 'body.name': 'B' }, ['JSON has no charset']],
    ['a change without a body', rows.starRepository, repo, ['no body is no body']],
    ['a range of two refs', rows.compare, { ...repo, base: 'a', head: 'u:b' }, []],
    ['a path without slashes', rows.getContent, { ...repo, path: 'a b.ts' }, []],
    ['no path at all', rows.getContent, { ...repo, path: '' }, []],
    ['a path with slashes', rows.getContent, { ...repo, path: 'src/a b.ts' }, ['segments keep their slash']],
    ['a list of one', rows.exported, { org: 'o', exclude: ['a'] }, []],
    ['a list of two', rows.exported, { org: 'o', exclude: ['a', 'b'] }, ['lists repeat their name']],
    ['a query', rows.search, { q: 'is:pr "a b"' }, []],
    ['a query with a plus sign', rows.search, { q: 'c++' }, ['a plus sign is text']],
    ['bytes, at another server', rows.uploadAsset, { ...repo, release_id: 1, name: 'a b', body: new Uint8Array([1]) }, ['no dangling ampersand']],
    ['text', rows.renderText, { body: '# a' }, []],
    ['a list as the whole body', rows.setLabels, { ...repo, issue_number: 1, body: ['a'] }, ['JSON has no charset']],
  ])('%s', (_, row, args, exceptions) => {
    expect(compare(row, args)).toEqual({ exceptions: new Set(exceptions) });
  });

  test.skipIf(!described)('every operation with what it requires, with everything, and with texts that need encoding', () => {
    const required = table.map(row => compare(row, { ...sampleArgs(row, 'required') }));
    const everything = table.map(row => compare(row, { ...sampleArgs(row, 'everything') }));
    const encoded = table.map(row => compare(row, spiced(row, sampleArgs(row, 'everything'))));
    for (const comparisons of [required, everything, encoded]) expect(differences(comparisons)).toEqual([]);
    expect([counts(required), counts(everything), counts(encoded)]).toMatchInlineSnapshot(`
      [
        {
          "JSON has no charset": 279,
          "no body is no body": 79,
          "no dangling ampersand": 8,
          "segments keep their slash": 66,
        },
        {
          "JSON has no charset": 342,
          "lists repeat their name": 9,
          "no body is no body": 36,
          "segments keep their slash": 66,
        },
        {
          "JSON has no charset": 342,
          "lists repeat their name": 9,
          "marks in a query": 8,
          "no body is no body": 36,
          "segments keep their slash": 66,
        },
      ]
    `);
  });
});

test.skipIf(!described)(`${verifies('PRV-25')} every contract case of every operation holds`, () => {
  let cases = 0;
  const failures = table.flatMap(row =>
    contractCases(row).flatMap(one => {
      cases += 1;
      const failure = runContractCase(row, one);
      return failure === undefined ? [] : [`${row.id}, ${one.name}: ${failure}`];
    }),
  );
  expect(failures).toEqual([]);
  expect(cases).toBeGreaterThan(20_000);
  expect(table.filter(row => !provesBuildable(row).buildable)).toEqual([]);
});
