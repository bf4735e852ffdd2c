import { verifies } from '@weir/requirements';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { OperationRow, OperationTable } from './operation-row.ts';
import { readTable, writeTable } from './table-file.ts';

const row = (id: string, more: Partial<OperationRow> = {}): OperationRow => ({
  id,
  method: 'GET',
  path: `/${id}`,
  parameters: [],
  success: [200],
  errors: [],
  produces: ['application/json'],
  responseShape: 'object',
  pagination: 'none',
  deprecated: false,
  cloudOnly: false,
  notifies: false,
  ...more,
});

const owner = { name: 'owner', in: 'path', required: true, type: 'string', style: 'plain' } as const;

const table = (operations: readonly OperationRow[], more: Partial<OperationTable> = {}): OperationTable => ({
  compiler: '1',
  provider: 'small',
  apiVersion: '2026-01-01',
  specDigest: `sha256:${'0'.repeat(64)}`,
  specFormat: 'openapi-3.0',
  basePath: '/api/v1',
  operations,
  gaps: [],
  ...more,
});

const full = table(
  [
    row('a', {
      parameters: [
        owner,
        { name: 'q', in: 'query', required: false, type: 'array', items: 'string', style: 'form', enum: ['x', 1, true], default: 'x', minimum: 0, maximum: 9 },
      ],
    }),
    row('b', {
      method: 'POST',
      server: 'https://uploads.example',
      parameters: [owner],
      body: {
        required: false,
        contentTypes: ['multipart/form-data'],
        fields: [{ name: 'file', required: true, type: 'string', binary: true, nullable: true }],
        closed: false,
        shape: 'any',
      },
      success: [201, 204],
      errors: [404],
      produces: [],
      responseShape: 'none',
      pagination: 'link',
      deprecated: true,
      deprecationDate: '2026-01-01',
      removalDate: '2027-01-01',
      cloudOnly: true,
      appEnabled: false,
      notifies: true,
      docs: 'https://docs.example/rest/b#one',
      category: 'c',
      subcategory: 'd',
    }),
    row('c', {
      docs: 'https://docs.example/rest/c',
      appEnabled: true,
      body: { required: true, contentTypes: ['application/json'], fields: [], closed: true, shape: 'object' },
    }),
  ],
  { gaps: [{ method: 'GET', path: '/x', reason: 'it is "odd"' }] },
);

test(`${verifies('PRV-2', 'PRV-3')} a table comes back from its file as it was, and the file again byte for byte`, () => {
  const text = writeTable(full);
  const read = readTable(text);
  expect(read.ok && read.table).toStrictEqual(full);
  expect(read.ok && writeTable(read.table)).toBe(text);
});

test(`${verifies('PRV-2')} the file has one entry a line, shares parameters and leaves out what is usual`, () => {
  expect(writeTable(full).split('\n')).toEqual([
    `{"file":2,"compiler":"1","provider":"small","apiVersion":"2026-01-01","specDigest":"sha256:${'0'.repeat(64)}","specFormat":"openapi-3.0","basePath":"/api/v1","docs":"https://docs.example/rest/",`,
    '"parameters":[',
    '{"name":"owner","in":"path","required":true},',
    '{"name":"q","type":"array","items":"string","style":"form","enum":["x",1,true],"default":"x","minimum":0,"maximum":9}',
    '],',
    '"fields":[',
    '{"name":"file","required":true,"nullable":true,"binary":true}',
    '],',
    '"operations":[',
    '{"id":"a","path":"/a","parameters":[0,1]},',
    '{"id":"b","method":"POST","path":"/b","server":"https://uploads.example","parameters":[0],"body":{"required":false,"contentTypes":["multipart/form-data"],"fields":[0],"closed":false,"shape":"any"},"success":[201,204],"errors":[404],"produces":[],"responseShape":"none","pagination":"link","deprecated":true,"deprecationDate":"2026-01-01","removalDate":"2027-01-01","cloudOnly":true,"appEnabled":false,"notifies":true,"docs":"b#one","category":"c","subcategory":"d"},',
    '{"id":"c","path":"/c","body":{},"appEnabled":true,"docs":"c"}',
    '],',
    '"gaps":[',
    '{"method":"GET","path":"/x","reason":"it is \\"odd\\""}',
    ']}',
    '',
  ]);
});

test(`${verifies('PRV-2')} the order of members in memory does not show in the file`, () => {
  const reversed = (value: unknown): unknown =>
    Array.isArray(value)
      ? value.map(reversed)
      : typeof value === 'object' && value !== null
        ? Object.fromEntries(
            Object.entries(value)
              .reverse()
              .map(([key, inner]) => [key, reversed(inner)]),
          )
        : value;
  expect(writeTable(reversed(full) as OperationTable)).toBe(writeTable(full));
});

const good = writeTable(full);
const spoiled = (from: string, to: string): string => {
  if (!good.includes(from)) throw new Error(`the file has no ${from}`);
  return good.replace(from, to);
};

test.each([
  ['empty text', '', 'it is not JSON'],
  ['a cut file', good.slice(0, -20), 'it is not JSON'],
  ['a list', '[]', 'it is not an object'],
  ['another version', spoiled('"file":2', '"file":1'), 'its form is not version 2; compile the provider again'],
  ['a missing head', spoiled('"provider":"small",', ''), '"provider" is missing or not what it has to be'],
  ['an unknown format', spoiled('openapi-3.0', 'openapi-4.0'), '"specFormat" is missing or not what it has to be'],
  ['a missing list', spoiled('"gaps":[', '"graps":['), 'one of its four lists is missing'],
  ['a parameter without a name', spoiled('"name":"owner",', ''), 'parameters/0 is without "name"'],
  ['an unknown style', spoiled('"style":"form"', '"style":"deepObject"'), 'parameters/1 is wrong at "style"'],
  ['an unknown member', spoiled('"nullable":true', '"nullable":true,"__proto__":1'), 'fields/0 is wrong at "__proto__"'],
  ['an index that names nothing', spoiled('[0,1]', '[0,2]'), 'operations/0 is wrong at "parameters"'],
  ['an index that is no number', spoiled('[0,1]', '[0,"length"]'), 'operations/0 is wrong at "parameters"'],
  ['a bad status', spoiled('[201,204]', '[201,99]'), 'operations/1 is wrong at "success"'],
  ['a bad body', spoiled('"shape":"any"', '"shape":"tree"'), 'operations/1 is wrong at "body"'],
  ['a bad path', spoiled('"path":"/c"', '"path":"c"'), 'operations/2 is wrong at "path"'],
  ['a bad id', spoiled('"id":"c"', '"id":"c d"'), 'operations/2 is wrong at "id"'],
  ['an id twice', spoiled('"id":"c"', '"id":"b"'), 'operations/2 is not in the order of ids'],
  ['a row that is text', spoiled('{"id":"a","path":"/a","parameters":[0,1]}', '"a"'), 'operations/0 is not an object'],
  ['a gap without a reason', spoiled(',"reason":"it is \\"odd\\""', ''), 'gaps/0 is without "reason"'],
  ['a file beyond the bound', ' '.repeat(8 * 1024 * 1024 + 1), 'it is longer than 8388608 characters'],
])(`${verifies('PRV-8')} a bad file is refused with a sentence: %s`, (_, text, reason) => {
  expect(readTable(text)).toEqual({ ok: false, problem: `The operation table can't be read: ${reason}.` });
});

test(`${verifies('PRV-8')} more operations than a table holds are refused`, () => {
  const ids = Array.from({ length: 2_049 }, (_, index) => `o${String(index).padStart(5, '0')}`);
  expect(readTable(writeTable(table(ids.map(id => row(id)))))).toEqual({
    ok: false,
    problem: "The operation table can't be read: it has more than 2048 operations.",
  });
});

test(`${verifies('PRV-8')} no text makes the reader throw`, () => {
  const at = fc.tuple(fc.nat(good.length), fc.nat(12), fc.constantFrom('', '0', '"', '{', ']', 'null', '"__proto__"', '-1', ','));
  fc.assert(
    fc.property(at, ([start, length, put]) => {
      const result = readTable(good.slice(0, start) + put + good.slice(start + length));
      if (!result.ok) expect(result.problem).toMatch(/^The operation table can't be read: .+\.$/);
    }),
    { numRuns: 2_000 },
  );
});
