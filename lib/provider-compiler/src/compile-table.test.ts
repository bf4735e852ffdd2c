import { verifies } from '@weir/requirements';
import { expect, test } from 'vitest';
import { compile, getOf, jsonBody, oneRow, openApi, postOf, problemsOf, rowsOf, swagger } from '../tests/small-descriptions.ts';

const text = { type: 'string' };
const parameter = (more: object) => ({ name: 'q', in: 'query', schema: text, ...more });

test(`${verifies('PRV-3')} a row is flat and holds all that a request needs`, () => {
  const row = oneRow(
    openApi({
      '/repos/{owner}/pulls': {
        parameters: [{ name: 'owner', in: 'path', required: true, schema: text }],
        post: {
          operationId: 'pulls/create',
          deprecated: true,
          tags: ['other'],
          externalDocs: { url: 'https://docs.example/pulls#create' },
          parameters: [{ name: 'dry', in: 'query', schema: { type: 'boolean', default: false } }],
          ...jsonBody({ type: 'object', required: ['title'], properties: { title: text, base: { type: 'string', nullable: true } } }, { required: true }),
          responses: {
            201: { description: '', content: { 'application/json': { schema: { type: 'object' } } } },
            422: { description: '' },
            default: { description: '' },
          },
          'x-github': {
            category: 'pulls',
            subcategory: 'all',
            githubCloudOnly: true,
            enabledForGitHubApps: false,
            triggersNotification: true,
            deprecationDate: '2026-01-02',
            removalDate: '2027-01-02',
          },
        },
      },
    }),
  );
  expect(row).toEqual({
    id: 'pulls/create',
    method: 'POST',
    path: '/repos/{owner}/pulls',
    parameters: [
      { name: 'owner', in: 'path', required: true, type: 'string', style: 'plain' },
      { name: 'dry', in: 'query', required: false, type: 'boolean', style: 'plain', default: false },
    ],
    body: {
      required: true,
      contentTypes: ['application/json'],
      fields: [
        { name: 'base', required: false, type: 'string', nullable: true },
        { name: 'title', required: true, type: 'string' },
      ],
      closed: true,
      shape: 'object',
    },
    success: [201],
    errors: [422],
    produces: ['application/json'],
    responseShape: 'object',
    pagination: 'none',
    deprecated: true,
    deprecationDate: '2026-01-02',
    removalDate: '2027-01-02',
    cloudOnly: true,
    appEnabled: false,
    notifies: true,
    docs: 'https://docs.example/pulls#create',
    category: 'pulls',
    subcategory: 'all',
  });
});

test(`${verifies('PRV-4')} a parameter of the operation wins over the same one of its path`, () => {
  const row = oneRow(
    openApi({
      '/a': { parameters: [parameter({ schema: { type: 'integer' } }), parameter({ name: 'r' })], ...getOf({ parameters: [parameter({ required: true })] }) },
    }),
  );
  expect(row.parameters).toEqual([
    { name: 'q', in: 'query', required: true, type: 'string', style: 'plain' },
    { name: 'r', in: 'query', required: false, type: 'string', style: 'plain' },
  ]);
});

test(`${verifies('PRV-4')} referenced parameters, bodies and answers are followed`, () => {
  const row = oneRow(
    openApi(
      {
        '/a': postOf({
          parameters: [{ $ref: '#/components/parameters/page~1size' }],
          requestBody: { $ref: '#/components/requestBodies/b' },
          responses: { 200: { $ref: '#/components/responses/list' } },
        }),
      },
      {
        components: {
          parameters: { 'page/size': parameter({ name: 'size', schema: { $ref: '#/components/schemas/size' } }) },
          requestBodies: { b: { content: { 'application/json': { schema: { $ref: '#/components/schemas/body' } } } } },
          responses: { list: { description: '', content: { 'application/json': { schema: { type: 'array', items: {} } } } } },
          schemas: { size: { type: 'integer', minimum: 1, maximum: 100 }, body: { properties: { a: text } } },
        },
      },
    ),
  );
  expect(row.parameters).toEqual([{ name: 'size', in: 'query', required: false, type: 'integer', style: 'plain', minimum: 1, maximum: 100 }]);
  expect(row.body).toMatchObject({ fields: [{ name: 'a' }], shape: 'object', required: false });
  expect(row.responseShape).toBe('array');
});

test.each([
  [
    'OpenAPI, a list, exploded by default',
    openApi,
    { schema: { type: 'array', items: { type: 'string', enum: ['a', 'b'] } } },
    { type: 'array', items: 'string', style: 'form', enum: ['a', 'b'] },
  ],
  [
    'OpenAPI, a list that is not exploded',
    openApi,
    { explode: false, schema: { type: 'array', items: text } },
    { type: 'array', items: 'string', style: 'csv' },
  ],
  ['OpenAPI, a text or a list', openApi, { schema: { oneOf: [text, { type: 'array', items: text }] } }, { type: 'any', items: 'string', style: 'form' }],
  ['OpenAPI, JSON content', openApi, { schema: undefined, content: { 'application/json': { schema: { type: 'object' } } } }, { type: 'object', style: 'json' }],
  [
    'OpenAPI 3.1, several types',
    (paths: object) => ({ ...openApi({ ...paths }), openapi: '3.1.0' }),
    { schema: { type: ['integer', 'null'] } },
    { type: 'integer', style: 'plain' },
  ],
  ['Swagger, a list without a format', swagger, { type: 'array', items: text, schema: undefined }, { type: 'array', items: 'string', style: 'csv' }],
  [
    'Swagger, a list as multi',
    swagger,
    { type: 'array', items: text, collectionFormat: 'multi', schema: undefined },
    { type: 'array', items: 'string', style: 'form' },
  ],
  [
    'Swagger, a name with brackets',
    swagger,
    { name: 'not[labels]', type: 'string', schema: undefined },
    { name: 'not[labels]', type: 'string', style: 'plain' },
  ],
])(`${verifies('PRV-4')} parameter styles: %s`, (_, description, more, expected) => {
  const row = oneRow(description({ '/a': getOf({ parameters: [parameter(more)] }) }));
  expect(row.parameters).toEqual([{ name: 'q', in: 'query', required: false, ...expected }]);
});

const refused: readonly (readonly [string, unknown, { place: string; reason: string }])[] = [
  [
    'deepObject',
    openApi({ '/a': getOf({ parameters: [parameter({ style: 'deepObject', schema: { type: 'object' } })] }) }),
    { place: '/paths/~1a/get/parameters/0/schema', reason: 'is an object' },
  ],
  [
    'pipes',
    openApi({ '/a': getOf({ parameters: [parameter({ style: 'pipeDelimited', schema: { type: 'array', items: text } })] }) }),
    { place: '/paths/~1a/get/parameters/0/style', reason: '"pipeDelimited"' },
  ],
  [
    'Swagger pipes',
    swagger({ '/a': getOf({ parameters: [parameter({ type: 'array', items: text, collectionFormat: 'pipes' })] }) }),
    { place: '/paths/~1a/get/parameters/0/collectionFormat', reason: '"pipes"' },
  ],
  [
    'Swagger ssv',
    swagger({ '/a': getOf({ parameters: [parameter({ type: 'array', items: text, collectionFormat: 'ssv' })] }) }),
    { place: '/paths/~1a/get/parameters/0/collectionFormat', reason: '"ssv"' },
  ],
  ['a cookie', openApi({ '/a': getOf({ parameters: [parameter({ in: 'cookie' })] }) }), { place: '/paths/~1a/get/parameters/0/in', reason: '"cookie"' }],
  [
    'a list of lists',
    openApi({ '/a': getOf({ parameters: [parameter({ schema: { type: 'array', items: { type: 'array', items: text } } })] }) }),
    { place: '/paths/~1a/get/parameters/0', reason: 'a list of arrays' },
  ],
  [
    'XML inside a parameter',
    openApi({ '/a': getOf({ parameters: [parameter({ content: { 'application/xml': {} } })] }) }),
    { place: '/paths/~1a/get/parameters/0/content', reason: 'application/xml' },
  ],
  [
    'an XML body',
    openApi({ '/a': postOf({ requestBody: { content: { 'application/xml': { schema: { type: 'object' } } } } }) }),
    { place: '/paths/~1a/post/requestBody/content', reason: 'application/xml' },
  ],
  [
    'two bodies',
    swagger({
      '/a': postOf({
        parameters: [
          { name: 'a', in: 'body', schema: {} },
          { name: 'b', in: 'formData', type: 'string' },
        ],
      }),
    }),
    { place: '/paths/~1a/post/parameters/0', reason: 'two bodies' },
  ],
  [
    'an external reference',
    openApi({ '/a': getOf({ parameters: [{ $ref: 'other.json#/p' }] }) }),
    { place: '/paths/~1a/get/parameters/0/$ref', reason: 'leaves the description' },
  ],
  [
    'an external reference in an answer',
    openApi({ '/a': getOf({ responses: { 200: { content: { 'application/json': { schema: { items: { $ref: 'https://x.example/y.json' } } } } } } }) }),
    { place: '/paths/~1a/get/responses/200/content/application~1json/schema/items/$ref', reason: 'leaves the description' },
  ],
  [
    'a reference to nothing',
    openApi({ '/a': postOf(jsonBody({ $ref: '#/components/schemas/gone' })) }),
    { place: '/paths/~1a/post/requestBody/content/application~1json/schema/$ref', reason: 'names nothing' },
  ],
  ['a path that is no template', openApi({ '/a/{b': getOf() }), { place: '/paths/~1a~1{b', reason: 'no template' }],
  [
    'a parameter without a name',
    openApi({ '/a': getOf({ parameters: [{ in: 'query', schema: text }] }) }),
    { place: '/paths/~1a/get/parameters/0', reason: 'no name' },
  ],
];

test.each(refused)(`${verifies('PRV-4')} case 9: refused with operation, place and mend: %s`, (_, description, { place, reason }) => {
  const problems = problemsOf(compile(description));
  expect(problems).toContainEqual({
    operation: expect.stringMatching(/^(GET|POST) \/a/) as unknown,
    place,
    reason: expect.stringContaining(reason) as unknown,
    mend: expect.stringMatching(/overlay/) as unknown,
  });
});

test(`${verifies('PRV-4')} what is refused is a gap where that is asked for, and no failure where it is not selected`, () => {
  const description = openApi({ '/a': getOf({ parameters: [parameter({ in: 'cookie' })] }), '/b': getOf({ operationId: 'two' }) });
  const gaps = compile(description, { onUnsupported: 'gap' });
  expect(gaps.ok && gaps.table.gaps).toEqual([{ method: 'GET', path: '/a', reason: 'a parameter in "cookie" is never sent' }]);
  const selected = compile(description, { selection: { exclude: ['GET /a'] } });
  expect(rowsOf(selected).map(row => row.id)).toEqual(['two']);
  expect(selected.ok && selected.table.gaps).toEqual([{ method: 'GET', path: '/a', reason: 'not selected by the descriptor' }]);
});

test(`${verifies('PRV-2a')} a reference inside an example, a default, an enum or an extension is data`, () => {
  const data = { $ref: 'https://elsewhere.example/x.json' };
  const description = openApi({
    '/a': postOf({
      'x-ms-examples': { one: data },
      parameters: [parameter({ example: data, examples: { a: { value: data } } })],
      ...jsonBody({ type: 'object', default: data, example: data, properties: { $ref: text, enum: { enum: [data] } } }),
    }),
  });
  expect(oneRow(description).body?.fields.map(field => field.name)).toEqual(['$ref', 'enum']);
});

test(`${verifies('PRV-2a')} case 10: circles end: a field may hold its own kind, and a circle of compositions is cut and noted`, () => {
  const schemas = {
    node: {
      type: 'object',
      properties: { parent: { $ref: '#/components/schemas/node' }, children: { type: 'array', items: { $ref: '#/components/schemas/node' } } },
    },
    loop: { allOf: [{ $ref: '#/components/schemas/loop' }, { type: 'object', properties: { a: text } }] },
    chain: { $ref: '#/components/schemas/chain' },
  };
  expect(oneRow(openApi({ '/a': postOf(jsonBody({ $ref: '#/components/schemas/node' })) }, { components: { schemas } })).body?.fields).toEqual([
    { name: 'children', required: false, type: 'array', items: 'object' },
    { name: 'parent', required: false, type: 'object' },
  ]);
  const cut = compile(openApi({ '/a': postOf(jsonBody({ $ref: '#/components/schemas/loop' })) }, { components: { schemas } }));
  expect(rowsOf(cut)[0]?.body).toMatchObject({ closed: false, fields: [{ name: 'a' }] });
  expect(cut.ok && cut.notes).toContainEqual({ operation: 'POST /a', place: '/components/schemas/loop', note: 'a circle of schemas is cut here' });
  expect(problemsOf(compile(openApi({ '/a': postOf(jsonBody({ $ref: '#/components/schemas/chain' })) }, { components: { schemas } })))[0]?.reason).toMatch(
    /goes round/,
  );
});

test(`${verifies('PRV-4', 'PRV-8')} a schema beyond the bounds is refused, a body and a parameter list too`, () => {
  let deep: object = text;
  for (let depth = 0; depth < 40; depth += 1) deep = { type: 'array', items: deep };
  const wide = Object.fromEntries(Array.from({ length: 4_200 }, (_, index) => [`f${index}`, text]));
  const reasons = (description: unknown) => problemsOf(compile(description)).map(problem => problem.reason);
  expect(reasons(openApi({ '/a': postOf(jsonBody({ properties: { deep } })) }))).toEqual(['the schema nests deeper than 32']);
  expect(reasons(openApi({ '/a': getOf({ responses: { 200: { content: { 'application/json': { schema: { properties: wide } } } } } }) }))).toEqual([
    'the schema has more than 4096 nodes',
  ]);
  const fields = Object.fromEntries(Array.from({ length: 129 }, (_, index) => [`f${index}`, text]));
  expect(reasons(openApi({ '/a': postOf(jsonBody({ properties: fields })) }))).toEqual(['the body has 129 fields, more than 128']);
  const parameters = Array.from({ length: 65 }, (_, index) => parameter({ name: `p${index}` }));
  expect(reasons(openApi({ '/a': getOf({ parameters }) }))).toEqual(['the operation has 65 parameters, more than 64']);
  const paths = Object.fromEntries(Array.from({ length: 2_049 }, (_, index) => [`/p${index}`, getOf({ operationId: `p${index}` })]));
  expect(reasons(openApi(paths))).toEqual(['2049 operations are selected, more than 2048']);
});

test(`${verifies('PRV-3')} allOf merges fields, oneOf and anyOf unite them and require what all require`, () => {
  const all = {
    allOf: [
      { type: 'object', required: ['a'], properties: { a: text } },
      { properties: { a: { enum: ['x', 'y'] }, b: { type: 'integer' } }, required: ['b'] },
    ],
  };
  expect(oneRow(openApi({ '/a': postOf(jsonBody(all)) })).body).toMatchObject({
    closed: true,
    fields: [
      { name: 'a', required: true, type: 'string', enum: ['x', 'y'] },
      { name: 'b', required: true, type: 'integer' },
    ],
  });
  const one = {
    oneOf: [
      { type: 'object', required: ['a', 'b'], properties: { a: { type: 'integer' }, b: { type: 'string', enum: ['x'] } } },
      { type: 'object', required: ['a', 'c'], properties: { a: { type: 'number' }, b: { type: 'string', enum: ['y'] }, c: text } },
    ],
  };
  expect(oneRow(openApi({ '/a': postOf(jsonBody(one)) })).body?.fields).toEqual([
    { name: 'a', required: true, type: 'number' },
    { name: 'b', required: false, type: 'string', enum: ['x', 'y'] },
    { name: 'c', required: false, type: 'string' },
  ]);
  const either = { type: 'object', properties: { a: text, b: text }, anyOf: [{ required: ['a'] }, { required: ['b'] }] };
  expect(oneRow(openApi({ '/a': postOf(jsonBody(either)) })).body?.fields.map(field => field.required)).toEqual([false, false]);
  const mixed = {
    oneOf: [
      { type: 'object', properties: { labels: { type: 'array', items: text } } },
      { type: 'array', items: text },
    ],
  };
  expect(oneRow(openApi({ '/a': postOf(jsonBody(mixed)) })).body).toMatchObject({ shape: 'any', closed: false, fields: [{ name: 'labels', items: 'string' }] });
});

test(`${verifies('PRV-3')} a body is open where the description says so, and readOnly fields are never required`, () => {
  const body = (schema: object) => oneRow(openApi({ '/a': postOf(jsonBody(schema)) })).body;
  expect(body({ type: 'object', properties: { a: text }, additionalProperties: true })?.closed).toBe(false);
  expect(body({ type: 'object', properties: { a: text }, additionalProperties: false })?.closed).toBe(true);
  expect(body({ type: 'object' })).toMatchObject({ closed: false, fields: [] });
  expect(body({ type: 'object', required: ['id', 'x'], properties: { id: { type: 'integer', readOnly: true } } })?.fields).toEqual([
    { name: 'id', required: false, type: 'integer' },
    { name: 'x', required: true, type: 'any' },
  ]);
});

test(`${verifies('PRV-4')} OpenAPI 3.1: null in a list of types, const, and members beside a reference`, () => {
  const description = {
    ...openApi(
      { '/a': postOf(jsonBody({ $ref: '#/components/schemas/base', required: ['kind'] })) },
      { components: { schemas: { base: { properties: { kind: { const: 'k' }, at: { type: ['string', 'null'] }, gone: { type: 'null' } } } } } },
    ),
    openapi: '3.1.0',
  };
  expect(oneRow(description).body?.fields).toEqual([
    { name: 'at', required: false, type: 'string', nullable: true },
    { name: 'gone', required: false, type: 'any', nullable: true },
    { name: 'kind', required: true, type: 'string', enum: ['k'] },
  ]);
});

test(`${verifies('PRV-4')} Swagger 2.0: body, forms, files, inherited and own content types, x-nullable, shared parameters`, () => {
  const body = (operation: object) =>
    oneRow(swagger({ '/a': postOf({ ...operation }) }, { parameters: { shared: { name: 'limit', in: 'query', type: 'integer' } } }));
  expect(
    body({
      parameters: [
        { name: 'b', in: 'body', required: true, schema: { type: 'object', properties: { a: { type: 'string', 'x-nullable': true } } } },
        { $ref: '#/parameters/shared' },
      ],
    }),
  ).toMatchObject({
    parameters: [{ name: 'limit', type: 'integer' }],
    body: { required: true, contentTypes: ['application/json'], fields: [{ name: 'a', nullable: true }] },
  });
  expect(body({ consumes: ['text/plain'], parameters: [{ name: 'b', in: 'body', schema: text }] }).body).toMatchObject({
    shape: 'text',
    contentTypes: ['text/plain'],
  });
  expect(
    body({
      parameters: [
        { name: 'file', in: 'formData', type: 'file', required: true },
        { name: 'configuration[url]', in: 'formData', type: 'string' },
      ],
    }).body,
  ).toEqual({
    required: true,
    contentTypes: ['multipart/form-data'],
    fields: [
      { name: 'configuration[url]', required: false, type: 'string' },
      { name: 'file', required: true, type: 'string', binary: true },
    ],
    closed: true,
    shape: 'object',
  });
  expect(body({ parameters: [{ name: 'a', in: 'formData', type: 'string' }] }).body?.contentTypes).toEqual(['application/x-www-form-urlencoded']);
  expect(oneRow(swagger({ '/a': getOf({ produces: ['text/html'], responses: { 200: { description: '', schema: text } } }) }))).toMatchObject({
    produces: ['text/html'],
    responseShape: 'text',
  });
});

test(`${verifies('PRV-4')} content types: JSON first, kinds of JSON kept, wildcards by the shape of the body`, () => {
  const content = (types: Record<string, object>) => oneRow(openApi({ '/a': postOf({ requestBody: { content: types } }) })).body;
  expect(content({ 'multipart/form-data': {}, 'application/json; charset=utf-8': {}, 'application/xml': {} })?.contentTypes).toEqual([
    'application/json',
    'multipart/form-data',
  ]);
  expect(content({ 'application/vnd.bulk+json': { schema: { type: 'array', items: text } } })).toMatchObject({
    contentTypes: ['application/vnd.bulk+json'],
    shape: 'array',
  });
  expect(content({ '*/*': { schema: { type: 'object', properties: { a: text } } } })?.contentTypes).toEqual(['application/json']);
  expect(content({ '*/*': { schema: text } })).toMatchObject({ contentTypes: ['text/plain'], shape: 'text' });
  expect(content({ '*/*': { schema: { type: 'object', properties: { a: { type: 'string', format: 'binary' } } } } })?.contentTypes).toEqual([
    'multipart/form-data',
  ]);
  expect(content({ 'application/octet-stream': { schema: { type: 'string', format: 'binary' } } })).toMatchObject({ shape: 'binary' });
});

test(`${verifies('PRV-4')} whether a path value's slashes are kept or encoded comes from the description, its overlay or the descriptor`, () => {
  const inPath = (name: string, more: object = {}) => ({ name, in: 'path', required: true, schema: text, ...more });
  const description = openApi({
    '/contents/{path}': { get: { operationId: 'flagged', parameters: [inPath('path', { 'x-multi-segment': true })], responses: {} } },
    '/kept/{ref}/{path}': {
      get: {
        operationId: 'kept',
        parameters: [inPath('path', { 'x-multi-segment': 'encode' }), inPath('ref', { 'x-multi-segment': 'keep' })],
        responses: {},
      },
    },
    '/raw/{filepath}': { get: { operationId: 'named', parameters: [inPath('filepath')], responses: {} } },
    '/n/{number}/{ref}': { get: { operationId: 'number', parameters: [inPath('number', { schema: { type: 'integer' } })], responses: {} } },
    '/compare/diff{path}': { get: { operationId: 'tail', parameters: [inPath('path')], responses: {} } },
    '/pulls/{index}.{kind}': { get: { operationId: 'dot', parameters: [inPath('index'), inPath('kind')], responses: {} } },
  });
  const styles = new Map(
    rowsOf(compile(description, { slash: { keep: ['filepath'], encode: ['path', 'ref', 'number'] } })).map(row => [
      row.id,
      row.parameters.map(one => one.style),
    ]),
  );
  expect(Object.fromEntries(styles)).toEqual({
    flagged: ['encoded-segments'],
    kept: ['segments', 'encoded-segments'],
    named: ['segments'],
    tail: ['encoded-segments'],
    dot: ['plain', 'plain'],
    number: ['plain', 'encoded-segments'],
  });
  const unnamed = new Map(rowsOf(compile(description)).map(row => [row.id, row.parameters.map(one => one.style)]));
  expect(Object.fromEntries(unnamed)).toEqual({
    flagged: ['segments'],
    kept: ['segments', 'encoded-segments'],
    named: ['plain'],
    tail: ['segments'],
    dot: ['plain', 'plain'],
    number: ['plain', 'plain'],
  });
});

test(`${verifies('PRV-4')} a placeholder that is not declared is a required text, and JSON in a path is written plain`, () => {
  const result = compile(
    openApi({ '/p/{key}/r/{slug}': getOf({ parameters: [{ name: 'slug', in: 'path', required: true, content: { 'application/json': { schema: text } } }] }) }),
  );
  expect(rowsOf(result)[0]?.parameters).toEqual([
    { name: 'key', in: 'path', required: true, type: 'string', style: 'plain' },
    { name: 'slug', in: 'path', required: true, type: 'string', style: 'plain' },
  ]);
  expect(result.ok && result.notes).toEqual([
    {
      operation: 'GET /p/{key}/r/{slug}',
      place: '/paths/~1p~1{key}~1r~1{slug}',
      note: '"key" stands in the path and is not declared; it is read as a required text',
    },
  ]);
});

test(`${verifies('PRV-4')} splats, optional groups and escaped brackets of GitLab's paths`, () => {
  const q = (name: string, required: boolean) => ({ name, in: 'query', type: 'string', required });
  const p = (name: string) => ({ name, in: 'path', type: 'string', required: true });
  const operation = (operationId: string, ...parameters: object[]) => ({ get: { operationId, parameters, responses: {} } });
  const rows = rowsOf(
    compile(
      swagger({
        '/g/{id}/(-/)search': operation('a', p('id')),
        '/p/(ref/{ref}/)trigger': operation('b', p('ref')),
        '/maven/*path/{file_name}': operation('c', q('path', true), p('file_name')),
        '/generic/(*path/){file_name}': operation('d', q('path', false), p('file_name')),
        '/latest(/)(*suffix)': operation('e', q('suffix', true)),
        "/v2/Packages\\(Id='*name'\\)": operation('f', q('name', true)),
        '/odata/find(period={period})': operation('g', p('period')),
      }),
    ),
  );
  expect(rows.map(row => [row.id, row.path, row.parameters.map(one => `${one.in} ${one.name} ${one.style}`)])).toEqual([
    ['a', '/g/{id}/search', ['path id plain']],
    ['b', '/p/ref/{ref}/trigger', ['path ref plain']],
    ['c', '/maven/{path}/{file_name}', ['path path segments', 'path file_name plain']],
    ['d', '/generic/{file_name}', ['path file_name plain', 'query path plain']],
    ['e', '/latest/{suffix}', ['path suffix segments']],
    ['f', "/v2/Packages(Id='{name}')", ['path name segments']],
    ['g', '/odata/find(period={period})', ['path period plain']],
  ]);
  const moved = compile(
    swagger({
      '/npm/*name/tags': {
        put: { operationId: 'h', parameters: [{ name: 'b', in: 'body', schema: { properties: { name: text, tag: text } } }], responses: {} },
      },
    }),
  );
  expect(rowsOf(moved)[0]).toMatchObject({
    path: '/npm/{name}/tags',
    parameters: [{ name: 'name', in: 'path', style: 'segments' }],
    body: { fields: [{ name: 'tag' }] },
  });
});

test(`${verifies('PRV-2a')} case 14: ids are the vendor's where they are short, clean and unique, else made from method and path`, () => {
  const long = 'x'.repeat(65);
  const rows = rowsOf(
    compile(
      openApi({
        '/a': { get: { operationId: 'same', responses: {} }, post: { operationId: 'same', responses: {} } },
        '/b/{id}': { get: { operationId: long, responses: {} }, delete: { operationId: 'b*del', responses: {} }, put: { responses: {} } },
        '/clean': { get: { operationId: 'c/clean-1.x_y', responses: {} } },
        [`/very/${'long/'.repeat(20)}{end}`]: { get: { responses: {} } },
        '/twin/{a}': { get: { responses: {} } },
        '/twin/_': { get: { responses: {} } },
      }),
    ),
  );
  expect(rows.map(row => row.id)).toEqual([
    'c/clean-1.x_y',
    'delete/b/_',
    'get/../long/long/long/long/long/long/long/long/long/_-7342d630',
    'get/a',
    'get/b/_',
    'get/twin/_-85a1dc34',
    'get/twin/_-9bd7a20e',
    'post/a',
    'put/b/_',
  ]);
  expect(new Set(rows.map(row => row.id)).size).toBe(rows.length);
  for (const row of rows) expect(row.id).toMatch(/^[A-Za-z0-9_./-]{1,64}$/);
  expect(rowsOf(compile(openApi({ '/a/{b}': getOf({ operationId: 'get_3' }) }), { keyBy: 'path' }))[0]?.id).toBe('get/a/_');
});

test(`${verifies('PRV-2')} the selection takes categories and operations, and names what it does not find`, () => {
  const tagged = (operationId: string, tag: string) => ({ get: { operationId, tags: [tag], responses: {} } });
  const description = openApi({ '/a': tagged('a', 'x'), '/b': tagged('b', 'y'), '/c': tagged('c', 'x') });
  const ids = (selection: object) => rowsOf(compile(description, { selection })).map(row => row.id);
  expect(ids({ includeCategories: ['x'], include: ['GET /b'], exclude: ['c'] })).toEqual(['a', 'b']);
  expect(problemsOf(compile(description, { selection: { include: ['nope'], includeCategories: ['z'] } })).map(problem => problem.reason)).toEqual([
    'the description has no operation "nope"',
    'the description has no category "z"',
  ]);
  expect(problemsOf(compile(description, { selection: { include: [] } }))[0]).toMatchObject({ reason: 'no operation is selected' });
  const stale = compile(description, { selection: { exclude: ['gone'] } });
  expect(stale.ok && stale.notes).toEqual([{ operation: '', place: 'operations/exclude', note: '"gone" names no operation of the description' }]);
});

test(`${verifies('PRV-3')} pagination is a hint from parameter names and the forge's own style`, () => {
  const hint = (names: readonly (string | object)[], style: 'link' | 'page' | 'start' | 'cursor' | 'next-url' | 'since' | 'offset', more: object = {}) =>
    oneRow(openApi({ '/a': getOf({ parameters: names.map(name => (typeof name === 'string' ? parameter({ name }) : name)), ...more }) }), {
      pagination: { style },
    }).pagination;
  expect(hint(['page', 'per_page'], 'link')).toBe('link');
  expect(hint(['page', 'limit'], 'page')).toBe('page');
  expect(hint(['page'], 'cursor')).toBe('page');
  expect(hint(['after', 'per_page'], 'page')).toBe('cursor');
  expect(hint(['after', 'per_page'], 'link')).toBe('link');
  expect(hint(['start', 'limit'], 'start')).toBe('start');
  expect(hint(['offset', 'limit'], 'page')).toBe('offset');
  expect(hint(['since', 'per_page'], 'page')).toBe('none');
  expect(hint([parameter({ name: 'since', schema: { type: 'integer' } }), 'per_page'], 'since')).toBe('since');
  expect(hint(['q'], 'link')).toBe('none');
  // The parameter that the descriptor names says the forge's own style, whatever its name would say.
  const named = (pageParameter: string, style: 'start' | 'offset' | 'link' | 'page'): string =>
    oneRow(openApi({ '/a': getOf({ parameters: [parameter({ name: pageParameter })] }) }), { pagination: { style, pageParameter } }).pagination;
  expect([named('start', 'start'), named('from', 'offset'), named('page', 'link'), named('p', 'page')]).toEqual(['start', 'offset', 'link', 'page']);
  const envelope = {
    responses: { 200: { content: { 'application/json': { schema: { allOf: [{ properties: { next: text } }, { properties: { values: {} } }] } } } } },
  };
  expect(hint([], 'next-url', envelope)).toBe('next-url');
  expect(hint([], 'link', envelope)).toBe('none');
});

test(`${verifies('PRV-3')} answers: statuses, shapes, redirects and ranges`, () => {
  const answers = (responses: object) => oneRow(openApi({ '/a': getOf({ responses }) }));
  const json = (schema: object) => ({ content: { 'application/json': { schema } } });
  expect(answers({ 302: {}, 304: {}, 404: {}, '5XX': {}, default: {} })).toMatchObject({
    success: [302, 304],
    errors: [404, 500],
    produces: [],
    responseShape: 'none',
  });
  expect(answers({ 200: json({ type: 'array' }), 202: {} })).toMatchObject({ success: [200, 202], responseShape: 'array', produces: ['application/json'] });
  expect(answers({ 200: { content: { 'application/octet-stream': {} } } }).responseShape).toBe('binary');
  expect(answers({ 200: { content: { 'text/plain': {} } } }).responseShape).toBe('text');
  expect(answers({ 200: json({ oneOf: [{ type: 'array' }, { type: 'object' }] }) }).responseShape).toBe('any');
});

test(`${verifies('PRV-3')} case 13: a server of an operation is kept where it is another one`, () => {
  const server = (url: string, root = 'https://forge.example/api/v1') =>
    oneRow(
      openApi(
        { '/a': getOf({ servers: [{ url, variables: { h: { default: 'HOST' } } }] }) },
        { servers: [{ url: root, variables: { h: { default: 'HOST' } } }] },
      ),
    ).server;
  expect(server('https://uploads.example')).toBe('https://uploads.example');
  expect(server('https://forge.example/api/v1/')).toBeUndefined();
  expect(server('https://HOST/api/uploads', 'http://{h}/api/v3')).toBe('/api/uploads');
  expect(server('http://{h}', 'http://{h}/api/v3')).toBe('/');
});

test(`${verifies('PRV-2')} text: BOM, JSON that is broken, placeholders with and without a value`, () => {
  const text = '\uFEFF{"swagger":"2.0","basePath":"{{.Sub}}/api","paths":{"/a":{"get":{"operationId":"one","summary":"{{AppVer | JSEscape}}"}}}}';
  const compileText = (source: string, templateValues?: Record<string, string>) =>
    compile({ swagger: '2.0' }, { source: { text: source }, ...(templateValues === undefined ? {} : { templateValues }) });
  const good = compileText(text, { '.Sub': '/git"x', 'AppVer | JSEscape': '1' });
  expect(good.ok && good.table.basePath).toBe('/git"x/api');
  expect(problemsOf(compileText(text, { '.Sub': '' }))).toEqual([
    {
      operation: '',
      place: '',
      reason: 'the placeholder {{AppVer | JSEscape}} has no value',
      mend: 'add "AppVer | JSEscape" to spec.template_values of the descriptor',
    },
  ]);
  expect(problemsOf(compileText(text))).toEqual([
    { operation: '', place: '/', reason: 'the placeholder {{.Sub}} has no value', mend: 'add ".Sub" to spec.template_values of the descriptor' },
  ]);
  expect(problemsOf(compileText('{'))[0]?.reason).toMatch(/^the description is not JSON/);
  expect(problemsOf(compile({ openapi: '3.0.1' }, { format: 'swagger-2.0' }))[0]?.reason).toBe('the description is not written as swagger-2.0');
});

test(`${verifies('PRV-2')} a supplement adds operations; one that is there already, or another base path, is refused`, () => {
  const main = swagger({ '/a': getOf() });
  const supplement = (paths: Record<string, unknown>, url = 'https://forge.example/api/v1') => ({
    format: 'openapi-3.0' as const,
    value: openApi(paths, { servers: [{ url }] }),
  });
  expect(rowsOf(compile(main, { supplements: [supplement({ '/b': getOf({ operationId: 'two' }) })] })).map(row => row.id)).toEqual(['one', 'two']);
  expect(problemsOf(compile(main, { supplements: [supplement({ '/a': getOf({ operationId: 'two' }) })] }))[0]?.reason).toBe('GET /a is there twice');
  expect(problemsOf(compile(main, { supplements: [supplement({ '/b': getOf() }, 'https://forge.example/other')] }))[0]?.reason).toMatch(/base path/);
});

test(`${verifies('PRV-2')} the pruned description has no prose and gives the same table`, () => {
  const description = openApi(
    {
      '/a/{id}': {
        summary: 'prose',
        parameters: [{ $ref: '#/components/parameters/id' }],
        post: {
          operationId: 'x'.repeat(70),
          summary: 'prose',
          description: 'prose',
          tags: ['t', 'u'],
          externalDocs: { url: 'https://docs.example/a', description: 'prose' },
          'x-github': { category: 'c', previews: ['prose'] },
          ...jsonBody({ $ref: '#/components/schemas/body' }),
          responses: { 200: { description: 'prose', content: { 'application/json': { schema: { $ref: '#/components/schemas/answer' }, example: 'prose' } } } },
          'x-octokit': 'prose',
        },
      },
      '/unused': getOf({ operationId: 'unused', responses: { 200: { $ref: '#/components/responses/unused' } } }),
    },
    {
      components: {
        parameters: { id: { name: 'id', in: 'path', required: true, description: 'prose', schema: { type: 'integer', title: 'prose' }, example: 'prose' } },
        responses: { unused: { description: 'prose' } },
        schemas: {
          body: {
            type: 'object',
            description: 'prose',
            properties: { description: { type: 'string', description: 'prose', default: 'kept' }, title: text, self: { $ref: '#/components/schemas/body' } },
          },
          answer: { type: 'object', properties: { example: { $ref: '#/components/schemas/inner' } } },
          inner: { type: 'string' },
          unused: { type: 'string' },
        },
      },
    },
  );
  const first = compile(description, { selection: { include: ['POST /a/{id}'] } });
  if (!first.ok) throw new Error(JSON.stringify(first.problems));
  const pruned = first.prune();
  expect(JSON.stringify(pruned)).not.toMatch(/prose|"unused"/);
  expect(JSON.stringify(pruned)).toMatch(/"description":\{"default":"kept","type":"string"\}/);
  const second = compile(JSON.parse(JSON.stringify(pruned)), { selection: { include: ['POST /a/{id}'] } });
  expect(second.ok && second.table).toEqual(first.table);
  expect(second.ok && JSON.stringify(second.prune())).toBe(JSON.stringify(pruned));
});
