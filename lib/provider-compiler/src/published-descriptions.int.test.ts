/**
 * The compiler over the descriptions that the forges publish, from the shared folder (WEIR_SHARED, else ../shared beside the repository). Figures are literals: a change of one is a change of what Weir can call.
 */
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { type OperationRow, provesBuildable, readTable, writeTable } from '@weir/operation-table';
import { verifies } from '@weir/requirements';
import { expect, test as plainTest } from 'vitest';
import { parse } from 'yaml';
import { type CompiledTable, type CompileInput, compileTable } from './compile-table.ts';
import { structuralDiff } from './structural-diff.ts';

/** Shared descriptions are no part of the repository: where there are none, the tests say so and are skipped. */
const root = path.resolve(import.meta.dirname, '../../..');
const specs = path.resolve(root, process.env['WEIR_SHARED'] ?? '../shared', 'specs');

const found = existsSync(specs);
if (!found) console.warn(`SKIPPED: the published descriptions are not at ${specs}; set WEIR_SHARED to the folder that holds specs/`);

const GITEA = { '.SwaggerAppVer': '1.26.4', '.SwaggerAppSubUrl': '' };

type Facts = Pick<CompileInput, 'format' | 'pagination'> & Partial<Pick<CompileInput, 'templateValues' | 'keyBy'>> & { readonly file: string };

const DESCRIPTIONS = {
  github: { file: 'github/api.github.com.json', format: 'openapi-3.0', pagination: { style: 'link' } },
  ghec: { file: 'github/ghec.json', format: 'openapi-3.0', pagination: { style: 'link' } },
  'ghes-3.17': { file: 'github/ghes-3.17.json', format: 'openapi-3.0', pagination: { style: 'link' } },
  'ghes-3.19': { file: 'github/ghes-3.19.json', format: 'openapi-3.0', pagination: { style: 'link' } },
  'gitlab-2024': { file: 'gitlab/gitlab-openapi.2024-09.adamjcrawford.yaml', format: 'swagger-2.0', pagination: { style: 'link' } },
  'gitlab-2026': { file: 'gitlab/gitlab-openapi.voxgig.yaml', format: 'swagger-2.0', pagination: { style: 'link' } },
  gitea: { file: 'gitea/v1_json.tmpl', format: 'swagger-2.0', pagination: { style: 'link' }, templateValues: GITEA },
  'gitea-openapi': { file: 'gitea/v1_openapi3_json.tmpl', format: 'openapi-3.0', pagination: { style: 'link' }, templateValues: GITEA },
  'forgejo-11': { file: 'forgejo/swagger.v1.raohwork.json', format: 'swagger-2.0', pagination: { style: 'link' } },
  'forgejo-16': { file: 'forgejo/swagger.v1.denis-ev.json', format: 'swagger-2.0', pagination: { style: 'link' } },
  'bitbucket-cloud': { file: 'bitbucket-cloud/swagger.v3.json', format: 'openapi-3.0', pagination: { style: 'next-url' }, keyBy: 'path' },
  'bitbucket-dc': { file: 'bitbucket-dc/swagger.v3.json', format: 'openapi-3.0', pagination: { style: 'start' }, keyBy: 'path' },
  'azure-devops': { file: 'azure-devops/git-7.2.json', format: 'swagger-2.0', pagination: { style: 'offset' } },
} as const satisfies Record<string, Facts>;

type DescriptionName = keyof typeof DESCRIPTIONS;

/** YAML takes seconds to parse. */
const parsed = new Map<string, unknown>();

function sourceOf(file: string): CompileInput['source'] {
  const text = readFileSync(path.join(specs, file), 'utf8');
  if (!file.endsWith('.yaml')) return { text };
  const value: unknown = parsed.get(file) ?? parse(text);
  parsed.set(file, value);
  return { value };
}

/** Input of a compile of the whole surface. */
function inputOf(name: DescriptionName): CompileInput {
  const { file, ...facts } = DESCRIPTIONS[name];
  return { provider: name, apiVersion: '1', specDigest: `sha256:${'0'.repeat(64)}`, source: sourceOf(file), selection: {}, onUnsupported: 'gap', ...facts };
}

const compiled = new Map<DescriptionName, CompiledTable>();

/** The whole surface of a description, compiled once for each test file. */
function compiledOf(name: DescriptionName): CompiledTable {
  const before = compiled.get(name);
  if (before !== undefined) return before;
  const result = compileTable(inputOf(name));
  if (!result.ok) throw new Error(`${name} did not compile: ${JSON.stringify(result.problems.slice(0, 5))}`);
  compiled.set(name, result);
  return result;
}

const test = plainTest.skipIf(!found);
const NAMES = Object.keys(DESCRIPTIONS) as DescriptionName[];

const countBy = (texts: readonly string[]): Record<string, number> => {
  const counts: Record<string, number> = {};
  for (const text of texts) counts[text] = (counts[text] ?? 0) + 1;
  return counts;
};

const rowsByPath = (name: DescriptionName): ReadonlyMap<string, OperationRow> =>
  new Map(compiledOf(name).table.operations.map(row => [`${row.method} ${row.path}`, row]));
const rowOf = (name: DescriptionName, id: string): OperationRow | undefined => compiledOf(name).table.operations.find(row => row.id === id);

test.each([
  ['github', 1_223],
  ['ghec', 1_471],
  ['ghes-3.17', 966],
  ['ghes-3.19', 1_039],
  ['gitlab-2024', 1_005],
  ['gitlab-2026', 1_106],
  ['gitea', 482],
  ['gitea-openapi', 482],
  ['forgejo-11', 457],
  ['forgejo-16', 506],
  ['bitbucket-cloud', 331],
  ['bitbucket-dc', 516],
  ['azure-devops', 108],
] as const)(
  `${verifies('PRV-3', 'PRV-4', 'PRV-25a')} cases 10 and 14: %s: all %d published operations are compiled, none is a gap, each builds its request`,
  (name, published) => {
    const { table } = compiledOf(name);
    expect(table.gaps).toEqual([]);
    expect(table.operations.length).toBe(published);
    expect(new Set(table.operations.map(row => row.id)).size).toBe(published);
    expect(table.operations.filter(row => !/^[A-Za-z0-9_./-]{1,64}$/.test(row.id))).toEqual([]);
    expect(table.operations.filter(row => !provesBuildable(row).buildable)).toEqual([]);
  },
);

test(`${verifies('PRV-4')} what the descriptions leave open is noted: undeclared placeholders and parameters that stand elsewhere`, () => {
  const notes = (name: DescriptionName) => countBy(compiledOf(name).notes.map(({ note }) => note.replace(/^"[^"]*" /, '')));
  expect(Object.fromEntries(NAMES.map(name => [name, notes(name)]).filter(([, counts]) => Object.keys(counts as object).length > 0))).toEqual({
    'gitlab-2024': {
      'is declared for the query and stands in the path; it is sent in the path': 75,
      'is declared for the body and stands in the path; it is sent in the path': 9,
    },
    'gitlab-2026': {
      'is declared for the query and stands in the path; it is sent in the path': 75,
      'is declared for the body and stands in the path; it is sent in the path': 9,
    },
    'bitbucket-dc': { 'stands in the path and is not declared; it is read as a required text': 8 },
  });
});

test(`${verifies('PRV-3')} GitHub: every operation of an independent list is there, and what it has more is known`, () => {
  const list = parse(readFileSync(path.join(specs, 'github/go-github.openapi_operations.yaml'), 'utf8')) as {
    openapi_operations: { name: string; openapi_files?: string[] }[];
  };
  const key = (operation: string): string => operation.replace(/\{[^}]*\}/g, '{}');
  const difference = (name: DescriptionName, file: string) => {
    const theirs = new Set(list.openapi_operations.filter(one => one.openapi_files?.includes(file)).map(one => key(one.name)));
    const ours = new Set([...rowsByPath(name).keys()].map(key));
    return { theirs: theirs.size, missing: [...theirs].filter(one => !ours.has(one)), more: [...ours].filter(one => !theirs.has(one)).sort() };
  };
  // The operations beyond the list were added by the maintainers of the package that the description comes from.
  expect(difference('github', 'descriptions/api.github.com/api.github.com.json')).toEqual({
    theirs: 1_220,
    missing: [],
    more: ['GET /orgs/{}/organization-fine-grained-permissions', 'GET /repos/{}/{}/compare/{}...{}', 'GET /repos/{}/{}/stargazers/count'],
  });
  expect(difference('ghec', 'descriptions/ghec/ghec.json')).toEqual({
    theirs: 1_465,
    missing: [],
    more: [
      'GET /repos/{}/{}/compare/{}...{}',
      'GET /repos/{}/{}/stargazers/count',
      'POST /orgs/{}/credential-authorizations/revoke-all',
      'POST /orgs/{}/credential-authorizations/revoke-credential-type',
      'POST /orgs/{}/credential-authorizations/{}/revoke',
      'POST /orgs/{}/credential-authorizations/{}/revoke-credential-type',
    ],
  });
});

test(`${verifies('PRV-4')} GitHub: paths of several segments, another server, text and bytes as bodies, notifications`, () => {
  expect(rowOf('github', 'repos/get-content')?.parameters.find(parameter => parameter.name === 'path')?.style).toBe('segments');
  expect(rowOf('github', 'repos/get')?.parameters.map(parameter => parameter.style)).toEqual(['plain', 'plain']);
  expect(rowOf('github', 'repos/upload-release-asset')).toMatchObject({
    server: 'https://uploads.github.com',
    body: { shape: 'binary', contentTypes: ['application/octet-stream'] },
  });
  expect(rowOf('ghes-3.19', 'repos/upload-release-asset')?.server).toBe('/api/uploads');
  expect(rowOf('github', 'markdown/render-raw')?.body).toMatchObject({ shape: 'text', contentTypes: ['text/plain', 'text/x-markdown'] });
  expect(rowOf('github', 'pulls/create')).toMatchObject({
    notifies: true,
    appEnabled: true,
    category: 'pulls',
    pagination: 'none',
    docs: 'https://docs.github.com/rest/pulls/pulls#create-a-pull-request',
  });
  expect(rowOf('github', 'actions/download-workflow-run-logs')?.success).toEqual([302]);
  const github = compiledOf('github').table.operations;
  expect(countBy(github.map(row => row.pagination))).toEqual({ none: 943, link: 280 });
  expect(github.filter(row => row.removalDate !== undefined).length).toBe(34);
  expect(github.flatMap(row => row.parameters).filter(parameter => parameter.style === 'segments').length).toBe(66);
});

test(`${verifies('PRV-4')} the odd corners of the other descriptions`, () => {
  expect(
    rowsByPath('bitbucket-dc')
      .get('GET /api/latest/projects/{projectKey}/repos/{repositorySlug}/compare/diff{path}')
      ?.parameters.find(one => one.name === 'path')?.style,
  ).toBe('segments');
  expect(
    rowsByPath('bitbucket-dc')
      .get('GET /branch-utils/latest/projects/{projectKey}/repos/{repositorySlug}/branches/info/{commitId}')
      ?.parameters.find(one => one.name === 'commitId'),
  ).toMatchObject({ style: 'plain', type: 'string' });
  expect(rowsByPath('bitbucket-dc').get('POST /ssh/latest/keys')?.parameters).toMatchObject([{ name: 'user', style: 'json' }]);
  expect(countBy(compiledOf('bitbucket-cloud').table.operations.map(row => row.pagination))).toEqual({ none: 252, 'next-url': 79 });
  expect(countBy(compiledOf('bitbucket-dc').table.operations.map(row => row.pagination))).toEqual({ none: 424, start: 92 });
  expect(rowsByPath('bitbucket-cloud').get('GET /repositories/{workspace}/{repo_slug}/pullrequests/{pull_request_id}')?.id).toBe(
    'get/repositories/_/_/pullrequests/_',
  );
  expect(rowOf('gitlab-2026', 'getApiV4ProjectsIdMergeRequests')?.parameters.find(one => one.name === 'not[labels]')).toMatchObject({
    style: 'csv',
    items: 'string',
  });
  expect(
    rowsByPath('gitlab-2026')
      .get('GET /api/v4/projects/{id}/packages/maven/{path}/{file_name}')
      ?.parameters.map(one => one.style),
  ).toEqual(['plain', 'segments', 'plain']);
  expect(rowsByPath('gitlab-2026').get('POST /api/v4/projects/import')?.body).toMatchObject({ contentTypes: ['multipart/form-data'], required: true });
  expect(compiledOf('gitea').table.basePath).toBe('/api/v1');
  expect(rowOf('gitea', 'repoCreateReleaseAttachment')?.body).toMatchObject({ contentTypes: ['multipart/form-data', 'application/octet-stream'] });
  expect(
    countBy(
      NAMES.flatMap(name =>
        compiledOf(name)
          .table.operations.filter(row => row.id.includes('/../'))
          .map(() => name),
      ),
    ),
  ).toEqual({
    github: 2,
    ghec: 2,
    'ghes-3.19': 2,
    'gitlab-2024': 30,
    'gitlab-2026': 43,
    'bitbucket-cloud': 5,
    'bitbucket-dc': 23,
    'azure-devops': 15,
  });
});

test(`${verifies('PRV-4')} Gitea as Swagger 2.0 and as OpenAPI 3.0 of the same commit gives the same rows`, () => {
  const other = rowsByPath('gitea-openapi');
  const differing = compiledOf('gitea').table.operations.flatMap(row => {
    const twin = other.get(`${row.method} ${row.path}`);
    const members = Object.keys({ ...row, ...twin }) as (keyof OperationRow)[];
    return members.filter(member => JSON.stringify(row[member]) !== JSON.stringify(twin?.[member])).map(member => `${row.id} ${member}`);
  });
  // The OpenAPI file claims JSON where the Swagger file, and the forge, answer text: the two documents differ here, not the readings.
  expect(differing).toEqual([
    'getVerificationToken produces',
    'renderMarkdown produces',
    'renderMarkdownRaw produces',
    'renderMarkup produces',
    'repoCompareDiff produces',
    'repoDownloadCommitDiffOrPatch produces',
    'repoDownloadPullDiffOrPatch produces',
  ]);
});

test.each(NAMES)(`${verifies('PRV-2')} %s: compiled again, from its pruned description and through its file, the table is the same to the byte`, name => {
  const { table, prune } = compiledOf(name);
  const text = writeTable(table);
  const pruned = JSON.stringify(prune());
  expect(pruned.length).toBeLessThan(8 * 1024 * 1024);
  const input = inputOf(name);
  for (const source of [input.source, { text: pruned }]) {
    const again = compileTable({ ...input, source });
    expect(again.ok && writeTable(again.table) === text).toBe(true);
  }
  const read = readTable(text);
  expect(read.ok && writeTable(read.table) === text).toBe(true);
});

test(`${verifies('PRV-2', 'PRV-8')} the whole surface of GitHub is at most 800 KB, and 80 KB compressed`, () => {
  const text = writeTable(compiledOf('github').table);
  expect(Buffer.byteLength(text)).toBeLessThanOrEqual(800_000);
  expect(gzipSync(text).byteLength).toBeLessThanOrEqual(80_000);
});

const changes = (from: DescriptionName, to: DescriptionName, bound?: readonly string[]) =>
  structuralDiff(compiledOf(from).table, compiledOf(to).table, bound === undefined ? {} : { bound: new Set(bound) });

test(`${verifies('PRV-7')} the whole surface: GHES 3.17 to 3.19 breaks nothing, Forgejo 11 to 16 and GitLab 2024 to 2026 do`, () => {
  const kinds = (from: DescriptionName, to: DescriptionName) => countBy(changes(from, to).breaking.map(change => change.kind));
  expect(kinds('ghes-3.17', 'ghes-3.19')).toEqual({});
  expect(changes('ghes-3.17', 'ghes-3.19').added.length).toBe(73);
  expect(kinds('forgejo-11', 'forgejo-16')).toEqual({
    'success-gone': 5,
    'enum-narrowed': 4,
    'type-narrowed': 13,
    'parameter-required': 2,
    'field-required': 1,
  });
  expect(kinds('gitlab-2024', 'gitlab-2026')).toEqual({
    'operation-gone': 94,
    'enum-narrowed': 9,
    'style-narrowed': 48,
    'type-narrowed': 117,
    'field-gone': 8,
    'body-required': 4,
  });
});

test(`${verifies('PRV-7')} bound operations only: what a bump would touch is named`, () => {
  const gitlab = changes('gitlab-2024', 'gitlab-2026', [
    'getApiV4ProjectsIdMergeRequests',
    'getApiV4ProjectsIdMergeRequestsMergeRequestIid',
    'getApiV4Users',
    'getApiV4ProjectsIdRepositoryCompare',
  ]);
  expect(gitlab.breaking.map(change => `${change.kind} ${change.id} ${change.name}`)).toEqual([
    'style-narrowed getApiV4ProjectsIdMergeRequests assignee_username',
    'style-narrowed getApiV4ProjectsIdMergeRequests iids',
    'style-narrowed getApiV4ProjectsIdMergeRequests labels',
    'style-narrowed getApiV4ProjectsIdMergeRequests not[assignee_username]',
    'style-narrowed getApiV4ProjectsIdMergeRequests not[labels]',
    'operation-gone getApiV4Users ',
  ]);
  const forgejo = changes('forgejo-11', 'forgejo-16', [
    'repoSearch',
    'issueGetMilestone',
    'issueEditMilestone',
    'issueDeleteMilestone',
    'repoGetPullRequest',
    'issueCreateMilestone',
  ]);
  expect(forgejo.breaking.map(change => `${change.kind} ${change.id} ${change.name}`)).toEqual([
    'enum-narrowed repoSearch order',
    'enum-narrowed repoSearch sort',
    'type-narrowed issueDeleteMilestone id',
    'type-narrowed issueGetMilestone id',
    'type-narrowed issueEditMilestone id',
  ]);
});

test(`${verifies('PRV-2')} Gitea's template without values is refused by name`, () => {
  const { templateValues, ...input } = inputOf('gitea');
  expect(Object.keys(templateValues ?? {})).toEqual(['.SwaggerAppVer', '.SwaggerAppSubUrl']);
  const none = compileTable(input);
  expect(!none.ok && none.problems.map(problem => problem.reason)).toEqual(['the placeholder {{.SwaggerAppSubUrl}} has no value']);
  const some = compileTable({ ...input, templateValues: { '.SwaggerAppSubUrl': '' } });
  expect(!some.ok && some.problems.map(problem => problem.reason)).toEqual(['the placeholder {{.SwaggerAppVer}} has no value']);
});
