/**
 * Lists the operations of a description in the order of path and method, each with its place. TRACE is never sent and not listed.
 */
import type { OperationRow } from '@weir/operation-table';
import { type CompileProblem } from './compile-problem.ts';
import { pointer } from './json-pointer.ts';
import { asArray, asObject, asString, type JsonObject, sortedEntries } from './json-value.ts';
import type { Description } from './open-description.ts';
import { type Located, lookUp, MEND_REFERENCE } from './look-up.ts';
import type { PublishedOperation } from './operation-reading.ts';
import { readPathTemplate } from './path-template.ts';

const METHODS: readonly (readonly [member: string, method: OperationRow['method']])[] = [
  ['delete', 'DELETE'],
  ['get', 'GET'],
  ['head', 'HEAD'],
  ['options', 'OPTIONS'],
  ['patch', 'PATCH'],
  ['post', 'POST'],
  ['put', 'PUT'],
];

export interface Listing {
  readonly operations: readonly PublishedOperation[];
  /** Path items that can't be read at all. */
  readonly problems: readonly CompileProblem[];
}

export function listOperations(description: Description): Listing {
  const operations: PublishedOperation[] = [];
  const problems: CompileProblem[] = [];
  for (const [path, entry] of sortedEntries(description.root['paths'])) {
    // Vendors put extensions beside the paths.
    if (path.startsWith('x-')) continue;
    const item = itemOf(description, path, entry, problems);
    if (item === undefined) continue;
    for (const [member, method] of METHODS) {
      const operation = asObject(item.value[member]);
      // In a pruned description every operation has an id; another one is a fragment that something refers to.
      if (operation === undefined || (description.pruned && operation['operationId'] === undefined)) continue;
      operations.push(listOne(description, { path, item, member, method, operation }));
    }
  }
  return { operations, problems };
}

function itemOf(description: Description, path: string, entry: unknown, problems: CompileProblem[]): Located | undefined {
  const value = asObject(entry);
  const place = pointer('paths', path);
  const reference = asString(value?.['$ref']);
  if (value === undefined || reference === undefined) return value === undefined ? undefined : { value, place };
  const found = lookUp(description, reference);
  if (typeof found !== 'string') return found;
  problems.push({ operation: path, place: `${place}/$ref`, reason: found, mend: MEND_REFERENCE });
  return undefined;
}

interface Candidate {
  readonly path: string;
  readonly item: Located;
  readonly member: string;
  readonly method: OperationRow['method'];
  readonly operation: JsonObject;
}

function listOne(description: Description, { path, item, member, method, operation }: Candidate): PublishedOperation {
  const read = readPathTemplate(path, name => mustBeGiven(description, [item.value, operation], name));
  const template = read ?? { path, names: [], splats: new Set<string>() };
  const place = `${item.place}/${member}`;
  return {
    method,
    publishedPath: path,
    template,
    readable: read !== undefined,
    item: item.value,
    operation,
    itemPlace: item.place,
    place,
    label: `${method} ${template.path}`,
  };
}

/** Whether a declared parameter stands in the path or is required elsewhere. */
function mustBeGiven(description: Description, holders: readonly JsonObject[], name: string): boolean {
  for (const entry of holders.flatMap(holder => asArray(holder['parameters']))) {
    const reference = asString(asObject(entry)?.['$ref']);
    const found = reference === undefined ? entry : lookUp(description, reference);
    const parameter = asObject(found !== undefined && reference !== undefined ? asObject(found)?.['value'] : found);
    if (parameter?.['name'] === name && (parameter['in'] === 'path' || parameter['required'] === true)) return true;
  }
  return false;
}
