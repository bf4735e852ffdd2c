/**
 * An operation table as a file: JSON with one entry a line, sorted, without timestamps. Parameters and body fields that several
 * operations share stand once and are named by their index; members with their usual value are left out.
 */
import {
  type BodyField,
  MAX_ARTIFACT_BYTES,
  MAX_BODY_FIELDS,
  MAX_OPERATIONS,
  MAX_PARAMETERS,
  type OperationBody,
  type OperationGap,
  type OperationParameter,
  type OperationRow,
  type OperationTable,
} from './operation-row.ts';

/** Version of the file's form; a reader takes no other. */
export const TABLE_FILE_VERSION = 2;

export type ReadTable = { readonly ok: true; readonly table: OperationTable } | { readonly ok: false; readonly problem: string };

type Json = Record<string, unknown>;

const PARAMETER_USUAL = { in: 'query', required: false, type: 'string', style: 'plain' } as const;
const FIELD_USUAL = { required: false, type: 'string' } as const;
const BODY_USUAL = { required: true, contentTypes: ['application/json'], closed: true, shape: 'object' } as const;
const ROW_USUAL = {
  method: 'GET',
  success: [200],
  errors: [],
  produces: ['application/json'],
  responseShape: 'object',
  pagination: 'none',
  deprecated: false,
  cloudOnly: false,
  notifies: false,
} as const;

const ROW_MEMBERS = [
  'id',
  'method',
  'path',
  'server',
  'parameters',
  'body',
  'success',
  'errors',
  'produces',
  'responseShape',
  'pagination',
  'deprecated',
  'deprecationDate',
  'removalDate',
  'cloudOnly',
  'appEnabled',
  'notifies',
  'docs',
  'category',
  'subcategory',
] as const satisfies readonly (keyof OperationRow)[];
const PARAMETER_MEMBERS = [
  'name',
  'in',
  'required',
  'type',
  'items',
  'style',
  'enum',
  'default',
  'minimum',
  'maximum',
] as const satisfies readonly (keyof OperationParameter)[];
const FIELD_MEMBERS = ['name', 'required', 'type', 'items', 'enum', 'nullable', 'binary'] as const satisfies readonly (keyof BodyField)[];
const BODY_MEMBERS = ['required', 'contentTypes', 'fields', 'closed', 'shape'] as const satisfies readonly (keyof OperationBody)[];
const HEAD_MEMBERS = ['compiler', 'provider', 'apiVersion', 'specDigest', 'specFormat', 'basePath'] as const satisfies readonly (keyof OperationTable)[];

/** The file's text, ending with a line feed. Equal tables give equal texts, whatever the order of members in memory. */
export function writeTable(table: OperationTable): string {
  const parameters = shared(table.operations.flatMap(row => row.parameters.map(parameter => compact(parameter, PARAMETER_MEMBERS, PARAMETER_USUAL))));
  const fields = shared(table.operations.flatMap(row => (row.body?.fields ?? []).map(field => compact(field, FIELD_MEMBERS, FIELD_USUAL))));
  const docs = commonStart(table.operations.flatMap(row => row.docs ?? []));
  const rows = table.operations.map(row =>
    compact(
      {
        ...row,
        parameters: row.parameters.map(parameter => parameters.get(compact(parameter, PARAMETER_MEMBERS, PARAMETER_USUAL))),
        ...(row.body === undefined ? {} : { body: JSON.parse(compactBody(row.body, fields)) as unknown }),
        ...(row.docs === undefined ? {} : { docs: row.docs.slice(docs.length) }),
      },
      ROW_MEMBERS,
      { ...ROW_USUAL, parameters: [] },
    ),
  );
  const head = HEAD_MEMBERS.map(member => `${JSON.stringify(member)}:${JSON.stringify(table[member])}`);
  const gaps = table.gaps.map(({ method, path, reason }) => JSON.stringify({ method, path, reason }));
  return [
    `{"file":${TABLE_FILE_VERSION},${head.join(',')},"docs":${JSON.stringify(docs)},`,
    `"parameters":${lines([...parameters.keys()])},`,
    `"fields":${lines([...fields.keys()])},`,
    `"operations":${lines(rows)},`,
    `"gaps":${lines(gaps)}}`,
    '',
  ].join('\n');
}

const lines = (entries: readonly string[]): string => (entries.length === 0 ? '[]' : `[\n${entries.join(',\n')}\n]`);

/** Distinct texts, sorted, each with its index. */
const shared = (texts: readonly string[]): ReadonlyMap<string, number> => new Map([...new Set(texts)].sort().map((text, index) => [text, index]));

/** An object as JSON with its members in the given order, without those that have their usual value. */
function compact(value: object, members: readonly string[], usual: Readonly<Json>): string {
  const source = value as Json;
  const written: string[] = [];
  for (const member of members) {
    if (source[member] === undefined) continue;
    const text = JSON.stringify(source[member]);
    if (!(Object.hasOwn(usual, member) && JSON.stringify(usual[member]) === text)) written.push(`${JSON.stringify(member)}:${text}`);
  }
  return `{${written.join(',')}}`;
}

const compactBody = (body: OperationBody, fields: ReadonlyMap<string, number>): string =>
  compact({ ...body, fields: body.fields.map(field => fields.get(compact(field, FIELD_MEMBERS, FIELD_USUAL))) }, BODY_MEMBERS, { ...BODY_USUAL, fields: [] });

/** The longest start that all texts share, cut after a slash. */
function commonStart(texts: readonly string[]): string {
  let start = texts[0] ?? '';
  for (const text of texts) while (!text.startsWith(start)) start = start.slice(0, start.lastIndexOf('/', start.length - 2) + 1);
  return start.slice(0, start.lastIndexOf('/') + 1);
}

/** The table of a file's text, or one sentence that says what is wrong with the file. Rows share their parameters and fields. */
export function readTable(text: string): ReadTable {
  if (text.length > MAX_ARTIFACT_BYTES) return bad(`it is longer than ${MAX_ARTIFACT_BYTES} characters`);
  let file: unknown;
  try {
    file = JSON.parse(text);
  } catch {
    return bad('it is not JSON');
  }
  if (!isObject(file)) return bad('it is not an object');
  if (file['file'] !== TABLE_FILE_VERSION) return bad(`its form is not version ${TABLE_FILE_VERSION}; compile the provider again`);
  const fault = headFault(file) ?? listFault(file);
  if (fault !== undefined) return bad(fault);
  return { ok: true, table: expand(file as unknown as TableFile) };
}

const bad = (reason: string): ReadTable => ({ ok: false, problem: `The operation table can't be read: ${reason}.` });

/** A file whose members have been checked. */
interface TableFile extends Omit<OperationTable, 'operations'> {
  readonly docs: string;
  readonly parameters: readonly Partial<OperationParameter>[];
  readonly fields: readonly Partial<BodyField>[];
  readonly operations: readonly FileRow[];
}

interface FileRow extends Partial<Omit<OperationRow, 'parameters' | 'body'>> {
  readonly id: string;
  readonly path: string;
  readonly parameters?: readonly number[];
  readonly body?: Partial<Omit<OperationBody, 'fields'>> & { readonly fields?: readonly number[] };
}

function expand(file: TableFile): OperationTable {
  const parameters = file.parameters.map(parameter => ({ ...PARAMETER_USUAL, ...parameter }) as OperationParameter);
  const fields = file.fields.map(field => ({ ...FIELD_USUAL, ...field }) as BodyField);
  const { compiler, provider, apiVersion, specDigest, specFormat, basePath, docs, gaps } = file;
  const operations = file.operations.map(row => expandRow(row, { parameters, fields, docs }));
  return { compiler, provider, apiVersion, specDigest, specFormat, basePath, operations, gaps };
}

interface SharedParts {
  readonly parameters: readonly OperationParameter[];
  readonly fields: readonly BodyField[];
  readonly docs: string;
}

type Mutable<T> = { -readonly [K in keyof T]: T[K] };

/** One literal of one form for all rows: spreading each row costs ten times as much. */
function expandRow(row: FileRow, { parameters, fields, docs }: SharedParts): OperationRow {
  const full: Mutable<OperationRow> = {
    id: row.id,
    method: or(row.method, ROW_USUAL.method),
    path: row.path,
    parameters: partsAt(parameters, row.parameters),
    success: or(row.success, ROW_USUAL.success),
    errors: or(row.errors, ROW_USUAL.errors),
    produces: or(row.produces, ROW_USUAL.produces),
    responseShape: or(row.responseShape, ROW_USUAL.responseShape),
    pagination: or(row.pagination, ROW_USUAL.pagination),
    deprecated: or(row.deprecated, ROW_USUAL.deprecated),
    cloudOnly: or(row.cloudOnly, ROW_USUAL.cloudOnly),
    notifies: or(row.notifies, ROW_USUAL.notifies),
  };
  if (row.body !== undefined) full.body = expandBody(row.body, fields);
  if (row.docs !== undefined) full.docs = docs + row.docs;
  addOptional(full, row);
  return full;
}

/** Members that are copied where they are there; spelled out, since a loop over their names is slower. */
function addOptional(full: Mutable<OperationRow>, row: FileRow): void {
  if (row.server !== undefined) full.server = row.server;
  if (row.category !== undefined) full.category = row.category;
  if (row.subcategory !== undefined) full.subcategory = row.subcategory;
  if (row.appEnabled !== undefined) full.appEnabled = row.appEnabled;
  if (row.deprecationDate !== undefined) full.deprecationDate = row.deprecationDate;
  if (row.removalDate !== undefined) full.removalDate = row.removalDate;
}

const or = <T>(value: T | undefined, usual: T): T => value ?? usual;

const expandBody = (body: NonNullable<FileRow['body']>, fields: readonly BodyField[]): OperationBody => ({
  required: body.required ?? BODY_USUAL.required,
  contentTypes: body.contentTypes ?? BODY_USUAL.contentTypes,
  fields: partsAt(fields, body.fields),
  closed: body.closed ?? BODY_USUAL.closed,
  shape: body.shape ?? BODY_USUAL.shape,
});

/** The parts at indexes that have been checked. */
const partsAt = <T>(parts: readonly T[], places: readonly number[] | undefined): readonly T[] =>
  places === undefined ? [] : places.map(place => parts[place] as T);

const isObject = (value: unknown): value is Json => typeof value === 'object' && value !== null && !Array.isArray(value);

type Check = (value: unknown) => boolean;

const isText: Check = value => typeof value === 'string';
const isTruth: Check = value => typeof value === 'boolean';
const isNumber: Check = value => typeof value === 'number';
const isScalar: Check = value => typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
/** These two run over ten thousand numbers for a table, hence plain loops. */
const isStatuses: Check = value => isWholeNumbers(value, 100, 600);
const indexes =
  (count: number, most: number): Check =>
  value =>
    isWholeNumbers(value, 0, count) && (value as readonly number[]).length <= most;

function isWholeNumbers(value: unknown, least: number, below: number): boolean {
  if (!Array.isArray(value)) return false;
  const numbers: readonly unknown[] = value;
  for (const number of numbers) if (typeof number !== 'number' || number < least || number >= below || number % 1 !== 0) return false;
  return true;
}

const listOf =
  (check: Check, most = MAX_OPERATIONS): Check =>
  value =>
    Array.isArray(value) && value.length <= most && value.every(check);

/** A short list is searched faster than a set: the texts of a file have no hash yet. */
const oneOf =
  (...values: readonly unknown[]): Check =>
  value =>
    values.includes(value);

const TYPE = oneOf('string', 'integer', 'number', 'boolean', 'array', 'object', 'any');
const VALUE_CHECKS = { name: isText, required: isTruth, type: TYPE, items: TYPE, enum: listOf(isScalar) };
const PARAMETER_CHECKS = new Map<string, Check>(
  Object.entries({
    ...VALUE_CHECKS,
    in: oneOf('path', 'query', 'header'),
    style: oneOf('plain', 'form', 'csv', 'json', 'segments', 'encoded-segments'),
    default: isScalar,
    minimum: isNumber,
    maximum: isNumber,
  }),
);
const FIELD_CHECKS = new Map<string, Check>(Object.entries({ ...VALUE_CHECKS, nullable: isTruth, binary: isTruth }));
const GAP_CHECKS = new Map<string, Check>(Object.entries({ method: isText, path: isText, reason: isText } satisfies Record<keyof OperationGap, Check>));
const HEAD_CHECKS: Readonly<Record<string, Check>> = {
  compiler: isText,
  provider: isText,
  apiVersion: isText,
  specDigest: isText,
  specFormat: oneOf('openapi-3.0', 'openapi-3.1', 'swagger-2.0'),
  basePath: isText,
  docs: isText,
};

const isPath: Check = value => typeof value === 'string' && value.startsWith('/');
const isId: Check = value => typeof value === 'string' && /^[\w./-]{1,64}$/.test(value);
const isDate: Check = value => typeof value === 'string' && /^\d{4}-\d{2}-\d{2}$/.test(value);

const rowChecks = (parameters: number, fields: number): ReadonlyMap<string, Check> => {
  const bodyChecks = new Map<string, Check>([
    ['required', isTruth],
    ['contentTypes', listOf(isText)],
    ['fields', indexes(fields, MAX_BODY_FIELDS)],
    ['closed', isTruth],
    ['shape', oneOf('object', 'array', 'text', 'binary', 'any')],
  ]);
  return new Map<string, Check>([
    ['id', isId],
    ['method', oneOf('GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS')],
    ['path', isPath],
    ['server', isText],
    ['parameters', indexes(parameters, MAX_PARAMETERS)],
    ['body', value => isObject(value) && memberFault(value, bodyChecks, []) === undefined],
    ['success', isStatuses],
    ['errors', isStatuses],
    ['produces', listOf(isText)],
    ['responseShape', oneOf('array', 'object', 'text', 'binary', 'none', 'any')],
    ['pagination', oneOf('none', 'link', 'page', 'cursor', 'since', 'offset', 'start', 'next-url')],
    ['deprecated', isTruth],
    ['deprecationDate', isDate],
    ['removalDate', isDate],
    ['cloudOnly', isTruth],
    ['appEnabled', isTruth],
    ['notifies', isTruth],
    ['docs', isText],
    ['category', isText],
    ['subcategory', isText],
  ]);
};

function headFault(file: Json): string | undefined {
  for (const member in HEAD_CHECKS) if (HEAD_CHECKS[member]?.(file[member]) !== true) return `"${member}" is missing or not what it has to be`;
  return undefined;
}

function listFault(file: Json): string | undefined {
  const { parameters, fields, operations, gaps } = file;
  if (!Array.isArray(parameters) || !Array.isArray(fields) || !Array.isArray(operations) || !Array.isArray(gaps)) return 'one of its four lists is missing';
  if (operations.length > MAX_OPERATIONS) return `it has more than ${MAX_OPERATIONS} operations`;
  return (
    entriesFault('parameters', parameters, PARAMETER_CHECKS, ['name']) ??
    entriesFault('fields', fields, FIELD_CHECKS, ['name']) ??
    entriesFault('operations', operations, rowChecks(parameters.length, fields.length), ['id', 'path']) ??
    entriesFault('gaps', gaps, GAP_CHECKS, ['method', 'path', 'reason']) ??
    orderFault(operations as readonly { id: string }[])
  );
}

function entriesFault(list: string, entries: readonly unknown[], checks: ReadonlyMap<string, Check>, needed: readonly string[]): string | undefined {
  for (const [index, entry] of entries.entries()) {
    const fault = isObject(entry) ? memberFault(entry, checks, needed) : 'not an object';
    if (fault !== undefined) return `${list}/${index} is ${fault}`;
  }
  return undefined;
}

function memberFault(entry: Json, checks: ReadonlyMap<string, Check>, needed: readonly string[]): string | undefined {
  for (const member of needed) if (entry[member] === undefined) return `without "${member}"`;
  for (const member in entry) if (checks.get(member)?.(entry[member]) !== true) return `wrong at ${JSON.stringify(member.slice(0, 40))}`;
  return undefined;
}

/** Rows are sorted by id and ids are unique, so that a lookup may count on it. */
function orderFault(operations: readonly { readonly id: string }[]): string | undefined {
  for (let index = 1; index < operations.length; index += 1) {
    if ((operations[index - 1]?.id ?? '') >= (operations[index]?.id ?? '')) return `operations/${index} is not in the order of ids`;
  }
  return undefined;
}
