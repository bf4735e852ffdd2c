/** Rows written by hand for the tests: one for each shape of request that a provider asks for. */
import type { OperationBody, OperationParameter, OperationRow, OperationTable } from '../src/index.ts';

export const parameter = (name: string, more: Partial<OperationParameter> = {}): OperationParameter => ({
  name,
  in: 'query',
  required: more.in === 'path',
  type: 'string',
  style: 'plain',
  ...more,
});

export const segment = (name: string, more: Partial<OperationParameter> = {}): OperationParameter => parameter(name, { in: 'path', ...more });

export const jsonBody = (fields: OperationBody['fields'], more: Partial<OperationBody> = {}): OperationBody => ({
  required: true,
  contentTypes: ['application/json'],
  fields,
  closed: true,
  shape: 'object',
  ...more,
});

export const row = (path: string, more: Partial<OperationRow> = {}): OperationRow => ({
  id: 'test/operation',
  method: 'GET',
  path,
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

const repository = [segment('owner'), segment('repo')];
const paging = [parameter('per_page', { type: 'integer', minimum: 1, maximum: 100 }), parameter('page', { type: 'integer' })];

export const rows = {
  getPull: row('/repos/{owner}/{repo}/pulls/{pull_number}', {
    id: 'pulls/get',
    parameters: [...repository, segment('pull_number', { type: 'integer' })],
  }),
  listPulls: row('/repos/{owner}/{repo}/pulls', {
    id: 'pulls/list',
    parameters: [...repository, parameter('state', { enum: ['open', 'closed', 'all'] }), parameter('head'), ...paging],
    responseShape: 'array',
    pagination: 'link',
  }),
  createComment: row('/repos/{owner}/{repo}/issues/{issue_number}/comments', {
    id: 'issues/create-comment',
    method: 'POST',
    parameters: [...repository, segment('issue_number', { type: 'integer' })],
    body: jsonBody([{ name: 'body', required: true, type: 'string' }]),
    success: [201],
  }),
  createIssue: row('/repos/{owner}/{repo}/issues', {
    id: 'issues/create',
    method: 'POST',
    parameters: repository,
    body: jsonBody([
      { name: 'title', required: true, type: 'string' },
      { name: 'body', required: false, type: 'string' },
      { name: 'milestone', required: false, type: 'integer', nullable: true },
      { name: 'labels', required: false, type: 'array', items: 'string' },
      { name: 'state', required: false, type: 'string', enum: ['open', 'closed'] },
    ]),
    success: [201],
  }),
  getContent: row('/repos/{owner}/{repo}/contents/{path}', {
    id: 'repos/get-content',
    parameters: [...repository, segment('path', { style: 'segments' }), parameter('ref')],
  }),
  getBranch: row('/repos/{owner}/{repo}/branches/{branch}/protection', {
    id: 'repos/get-branch-protection',
    parameters: [...repository, segment('branch', { style: 'segments' })],
  }),
  compare: row('/repos/{owner}/{repo}/compare/{base}...{head}', {
    id: 'repos/compare-commits',
    parameters: [...repository, segment('base'), segment('head')],
  }),
  search: row('/search/issues', { id: 'search/issues', parameters: [parameter('q', { required: true }), ...paging], pagination: 'link' }),
  exported: row('/orgs/{org}/migrations', {
    id: 'migrations/list-for-org',
    parameters: [segment('org'), parameter('exclude', { type: 'array', items: 'string', style: 'form' }), ...paging],
  }),
  uploadAsset: row('/repos/{owner}/{repo}/releases/{release_id}/assets', {
    id: 'repos/upload-release-asset',
    method: 'POST',
    server: 'https://uploads.example',
    parameters: [...repository, segment('release_id', { type: 'integer' }), parameter('name', { required: true }), parameter('label')],
    body: { required: false, contentTypes: ['application/octet-stream'], fields: [], closed: false, shape: 'binary' },
    success: [201],
  }),
  updateVariable: row('/repos/{owner}/{repo}/actions/variables/{name}', {
    id: 'actions/update-repo-variable',
    method: 'PATCH',
    parameters: [...repository, segment('name')],
    body: jsonBody([
      { name: 'name', required: false, type: 'string' },
      { name: 'value', required: false, type: 'string' },
    ]),
    success: [204],
  }),
  starRepository: row('/user/starred/{owner}/{repo}', { id: 'activity/star', method: 'PUT', parameters: repository, success: [204], responseShape: 'none' }),
  renderText: row('/markdown/raw', {
    id: 'markdown/render-raw',
    method: 'POST',
    body: { required: false, contentTypes: ['text/plain', 'text/x-markdown'], fields: [], closed: false, shape: 'text' },
    produces: ['text/html'],
    responseShape: 'text',
  }),
  setLabels: row('/repos/{owner}/{repo}/issues/{issue_number}/labels', {
    id: 'issues/set-labels',
    method: 'PUT',
    parameters: [...repository, segment('issue_number', { type: 'integer' })],
    body: { required: false, contentTypes: ['application/json'], fields: [], closed: false, shape: 'any' },
  }),
  listMergeRequests: row('/projects/{id}/merge_requests', {
    id: 'mergeRequests',
    parameters: [
      segment('id', { type: 'any', style: 'encoded-segments' }),
      parameter('labels', { type: 'array', items: 'string', style: 'csv' }),
      parameter('not[labels]', { type: 'array', items: 'string', style: 'csv' }),
      parameter('with_labels_details', { type: 'boolean' }),
    ],
    pagination: 'page',
  }),
  getFile: row('/projects/{id}/repository/files/{file_path}/raw', {
    id: 'fileRaw',
    parameters: [segment('id', { type: 'any', style: 'encoded-segments' }), segment('file_path', { style: 'encoded-segments' }), parameter('ref')],
    produces: [],
    responseShape: 'any',
  }),
  attach: row('/repos/{owner}/{repo}/issues/{index}/assets', {
    id: 'issueCreateIssueAttachment',
    method: 'POST',
    parameters: [...repository, segment('index', { type: 'integer' })],
    body: {
      required: true,
      contentTypes: ['multipart/form-data'],
      fields: [
        { name: 'attachment', required: true, type: 'string', binary: true },
        { name: 'title', required: false, type: 'string' },
      ],
      closed: true,
      shape: 'object',
    },
    success: [201],
  }),
  token: row('/oauth/token', {
    id: 'oauthToken',
    method: 'POST',
    body: jsonBody(
      [
        { name: 'grant_type', required: true, type: 'string' },
        { name: 'scopes', required: false, type: 'array', items: 'string' },
      ],
      { contentTypes: ['application/x-www-form-urlencoded', 'application/json'] },
    ),
  }),
  compareTree: row('/projects/{projectKey}/compare/diff{path}', {
    id: 'streamDiff',
    parameters: [segment('projectKey'), segment('path', { style: 'segments', required: false }), parameter('filter', { type: 'object', style: 'json' })],
    pagination: 'start',
  }),
  avatar: row('/users/{slug}/avatar', {
    id: 'uploadAvatar',
    method: 'POST',
    parameters: [segment('slug'), parameter('X-Check', { in: 'header' }), parameter('Authorization', { in: 'header' })],
    body: jsonBody([{ name: 'link', required: false, type: 'string' }], { contentTypes: ['*/*'], closed: false, required: false }),
  }),
  graphql: row('/graphql', { id: 'graphql', method: 'POST', body: jsonBody([{ name: 'query', required: true, type: 'string' }]) }),
} as const;

export const table: OperationTable = {
  compiler: 'test',
  provider: 'test',
  apiVersion: '1',
  specDigest: 'sha256:0',
  specFormat: 'openapi-3.0',
  basePath: '',
  operations: Object.values(rows).toSorted((a, b) => (a.id < b.id ? -1 : 1)),
  gaps: [],
};
