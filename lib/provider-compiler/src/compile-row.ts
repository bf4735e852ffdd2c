/**
 * One row of the table from one published operation.
 */
import type { OperationParameter, OperationRow } from '@weir/operation-table';
import { MAX_BODY_FIELDS, MAX_PARAMETERS, provesBuildable } from '@weir/operation-table';
import { asArray, asObject, asString, type JsonObject } from './json-value.ts';
import { serverOf } from './open-description.ts';
import { type OperationReading, refuse, remark } from './operation-reading.ts';
import { type PaginationDefault, paginationHint } from './pagination-hint.ts';
import { readBody } from './read-body.ts';
import { readParameters } from './read-parameters.ts';
import { readResponses } from './read-responses.ts';
import { partsOf, type ReferenceGraph } from './reference-graph.ts';
import { type SlashNames, slashStyle } from './slash-style.ts';

export interface RowFacts {
  /** Absent where the whole description was walked before and no fault was found. */
  readonly graph: ReferenceGraph | undefined;
  readonly pagination: PaginationDefault;
  readonly slash: SlashNames;
}

/** The row, or undefined when a problem was found; problems and notes are in the reading. */
export function compileRow(reading: OperationReading, id: string, { graph, pagination, slash }: RowFacts): OperationRow | undefined {
  const { published } = reading;
  if (!published.readable) refuse(reading, published.itemPlace, 'the path is no template of segments and {names}', 'correct the path with an overlay entry');
  for (const fault of graph?.reach(partsOf(published)).faults ?? []) refuse(reading, fault.place, fault.reason, fault.mend);
  const { parameters: declared, body: parts, undeclared } = readParameters(reading, slash);
  const described = readBody(reading, parts);
  const parameters = [...withUndeclared(reading, declared, undeclared, { body: described, slash })];
  const body = described === undefined ? undefined : { ...described, fields: described.fields.filter(field => !undeclared.includes(field.name)) };
  const { facts: answer, ...responses } = readResponses(reading, pagination.style === 'next-url');
  checkBounds(reading, parameters.length, body?.fields.length ?? 0);
  if (reading.problems.length > 0) return undefined;
  const row: OperationRow = {
    id,
    method: published.method,
    path: published.template.path,
    ...serverMember(reading),
    parameters,
    ...(body === undefined ? {} : { body }),
    ...responses,
    pagination: paginationHint({ method: published.method, parameters, answer }, pagination),
    ...vendorFacts(published.operation),
  };
  return isBuildable(reading, row) ? row : undefined;
}

/** The last word is the executor's: an operation is compiled only if its generated cases build their requests (PRV-25a). */
function isBuildable(reading: OperationReading, row: OperationRow): boolean {
  const proof = provesBuildable(row);
  if (!proof.buildable)
    refuse(
      reading,
      reading.published.place,
      `the executor can't build its request: ${proof.reason}`,
      'exclude the operation, or correct it with an overlay entry',
    );
  return proof.buildable;
}

/** A placeholder without a parameter is a required text; its place in the path is kept. */
function withUndeclared(
  reading: OperationReading,
  declared: readonly OperationParameter[],
  undeclared: readonly string[],
  { body, slash }: { readonly body: OperationRow['body']; readonly slash: SlashNames },
): readonly OperationParameter[] {
  if (undeclared.length === 0) return declared;
  const { names } = reading.published.template;
  const added = undeclared.map((name): OperationParameter => {
    const inBody = body?.fields.some(field => field.name === name) === true;
    remark(
      reading,
      reading.published.itemPlace,
      inBody
        ? `"${name}" is declared for the body and stands in the path; it is sent in the path`
        : `"${name}" stands in the path and is not declared; it is read as a required text`,
    );
    return { name, in: 'path', required: true, type: 'string', style: slashStyle(reading, { name, type: 'string' }, slash) ?? 'plain' };
  });
  const inPath = [...declared.filter(parameter => parameter.in === 'path'), ...added].sort(
    (left, right) => names.indexOf(left.name) - names.indexOf(right.name),
  );
  return [...inPath, ...declared.filter(parameter => parameter.in !== 'path')];
}

function checkBounds(reading: OperationReading, parameters: number, fields: number): void {
  const { place } = reading.published;
  const mend = 'exclude the operation, or shorten the list with an overlay entry';
  if (parameters > MAX_PARAMETERS) refuse(reading, place, `the operation has ${parameters} parameters, more than ${MAX_PARAMETERS}`, mend);
  if (fields > MAX_BODY_FIELDS) refuse(reading, place, `the body has ${fields} fields, more than ${MAX_BODY_FIELDS}`, mend);
}

/** The server of the operation or of its path, where it is another one: a URL, or a path on the provider's own host. */
function serverMember({ description, published }: OperationReading): { server?: string } {
  const holder = [published.operation, published.item].find(candidate => serverOf(candidate).url !== '');
  if (holder === undefined) return {};
  const { host, path, url } = serverOf(holder);
  if (host === description.host) return path === description.basePath ? {} : { server: path === '' ? '/' : path };
  return { server: url };
}

type VendorFacts = Pick<
  OperationRow,
  'deprecated' | 'deprecationDate' | 'removalDate' | 'cloudOnly' | 'appEnabled' | 'notifies' | 'docs' | 'category' | 'subcategory'
>;

const DATE = /^\d{4}-\d{2}-\d{2}$/;

/** Facts that only the vendor can know; GitHub publishes them as `x-github`. */
function vendorFacts(operation: JsonObject): VendorFacts {
  const vendor = asObject(operation['x-github']) ?? {};
  const url = asString(asObject(operation['externalDocs'])?.['url']);
  const category = asString(vendor['category']) ?? asString(asArray(operation['tags'])[0]);
  const subcategory = asString(vendor['subcategory']);
  return {
    deprecated: operation['deprecated'] === true,
    ...dateMember('deprecationDate', vendor['deprecationDate']),
    ...dateMember('removalDate', vendor['removalDate']),
    cloudOnly: vendor['githubCloudOnly'] === true,
    ...(typeof vendor['enabledForGitHubApps'] === 'boolean' ? { appEnabled: vendor['enabledForGitHubApps'] } : {}),
    notifies: vendor['triggersNotification'] === true,
    ...(url !== undefined && /^https?:\/\//.test(url) ? { docs: url } : {}),
    ...(category === undefined ? {} : { category }),
    ...(subcategory === undefined ? {} : { subcategory }),
  };
}

const dateMember = (member: 'deprecationDate' | 'removalDate', value: unknown): Partial<VendorFacts> =>
  typeof value === 'string' && DATE.test(value) ? { [member]: value } : {};
