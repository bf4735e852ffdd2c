/**
 * From an operation's name and arguments to the request that would be sent, without a credential and before a socket opens.
 */
import type { ProviderDescriptor } from '@weir/contract';
import { buildRequest, type BuiltRequest, checkArguments, findOperation, nearestName, type OperationRow, type OperationTable } from '@weir/operation-table';
import { documentKind, documentRow, documentVariables } from './graphql-document.ts';
import { argumentsFailure, failed, type Outcome } from './provider-failure.ts';
import type { CallForm } from './provider-options.ts';
import { serverBase } from './server-base.ts';

/** One request with what the engine has to know of it. */
export interface PlannedCall {
  readonly row: OperationRow;
  /** The operation's id, or `graphql/<document>`. It stands in the audit log. */
  readonly operation: string;
  readonly mutates: boolean;
  readonly request: BuiltRequest;
  readonly expect: 'json' | 'text';
}

export interface CallPlanner {
  find(operation: string): Outcome<OperationRow>;
  plan(row: OperationRow, args: Readonly<Record<string, unknown>>, form?: CallForm): Outcome<PlannedCall>;
  planDocument(name: string, variables: Readonly<Record<string, unknown>>): Outcome<PlannedCall>;
}

export interface PlannerParts {
  readonly descriptor: ProviderDescriptor;
  readonly table: OperationTable;
  readonly documents: ReadonlyMap<string, string>;
  readonly baseUrl: string;
  readonly random: () => number;
}

const READS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS']);
const PRODUCT = 'weir';

export const createCallPlanner = (parts: PlannerParts): CallPlanner => {
  const { descriptor, table, baseUrl } = parts;
  const headers = { 'user-agent': PRODUCT, ...descriptor.auth.headers };

  function find(operation: string): Outcome<OperationRow> {
    const found = findOperation(table, operation);
    if (found.kind === 'found') return { ok: true, value: found.row };
    const meant = found.suggestion === undefined ? '' : ` (did you mean ${found.suggestion}?)`;
    return failed('UnknownOperation', `there is no such operation${meant}`);
  }

  function plan(row: OperationRow, args: Readonly<Record<string, unknown>>, form: CallForm = {}): Outcome<PlannedCall> {
    const check = checkArguments(row, args, { fromCommandLine: form.fromCommandLine ?? false });
    if (!check.ok) return argumentsFailure(check.problems);
    const server = serverBase(row.server, { published: descriptor.base_url, baseUrl });
    if (!server.ok) return server;
    const built = buildRequest(row, check.checked, {
      ...{ baseUrl, basePath: table.basePath, headers: { ...headers, ...form.headers } },
      ...(isMultipart(row) ? { boundary: boundaryFrom(parts.random) } : {}),
      ...(row.server === undefined ? {} : { servers: { [row.server]: server.value } }),
      ...(form.contentType === undefined ? {} : { contentType: form.contentType }),
    });
    if (!built.ok) return argumentsFailure([built.problem]);
    return { ok: true, value: { row, operation: row.id, mutates: !READS.has(row.method), request: built.request, expect: form.expect ?? 'json' } };
  }

  return { find, plan, planDocument: (name, variables) => planDocument(parts, headers, name, variables) };
};

function planDocument(
  { descriptor, documents, baseUrl }: PlannerParts,
  headers: Readonly<Record<string, string>>,
  name: string,
  variables: Readonly<Record<string, unknown>>,
): Outcome<PlannedCall> {
  const query = documents.get(name);
  const { graphql } = descriptor;
  if (graphql === undefined || query === undefined) return failed('UnknownOperation', `there is no document ${name}`);
  const kind = documentKind(query);
  if (kind === 'unknown') return failed('UnknownOperation', `the document ${name} is neither one query nor one mutation`);
  const known = documentVariables(query);
  const stray = Object.keys(variables).find(variable => !known.has(variable));
  if (stray !== undefined) {
    const suggestion = nearestName(stray, known);
    return argumentsFailure([
      { argument: stray, code: 'unknown', reason: 'is no variable of the document', ...(suggestion === undefined ? {} : { suggestion }) },
    ]);
  }
  const row = documentRow(name);
  const request: BuiltRequest = {
    method: 'POST',
    url: endpointAt(graphql.endpoint, descriptor.base_url, baseUrl),
    headers: { ...headers, accept: 'application/json', 'content-type': 'application/json' },
    body: { kind: 'json', value: { query, variables } },
  };
  return { ok: true, value: { row, operation: row.id, mutates: kind === 'mutation', request, expect: 'json' } };
}

/** On another origin than the published one, the endpoint keeps its path. */
const endpointAt = (endpoint: string, published: string | undefined, baseUrl: string): string => {
  const at = new URL(endpoint, baseUrl);
  return published === undefined || new URL(published).origin === new URL(baseUrl).origin ? at.href : new URL(at.pathname, baseUrl).href;
};

const isMultipart = ({ body }: OperationRow): boolean => body?.contentTypes.some(type => type.startsWith('multipart/')) ?? false;

const BOUNDARY_PARTS = 3;
const boundaryFrom = (random: () => number): string =>
  `weir-${Array.from({ length: BOUNDARY_PARTS }, () =>
    Math.floor(random() * 0x1_0000_0000)
      .toString(16)
      .padStart(8, '0'),
  ).join('')}`;
