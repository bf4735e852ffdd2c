/**
 * The part of a description that its selected operations need, without prose: enough to compile the same table again and
 * to validate requests against. An own iterative copy over schema positions; keys are sorted.
 */
import { parsePointer, valueAt } from './json-pointer.ts';
import { asArray, asObject, asString, compareText, type JsonObject, setOwn, sortedEntries } from './json-value.ts';
import { type Description, PRUNED_MARK } from './open-description.ts';
import { lookUp } from './look-up.ts';
import type { PublishedOperation } from './operation-reading.ts';
import { createReferenceGraph, partsOf } from './reference-graph.ts';
import { type PositionKind, positionOf } from './schema-positions.ts';

export interface PrunedOperation {
  readonly id: string;
  readonly published: PublishedOperation;
}

type Target = Record<string, unknown>;

/** A description of the same format with the given operations and all that they refer to. @param leftOut `METHOD /path` of the others. */
export function pruneDescription(description: Description, operations: readonly PrunedOperation[], leftOut: readonly string[]): JsonObject {
  const paths: Target = {};
  for (const { id, published } of operations) {
    const { operation, item, method, publishedPath } = published;
    const before = Object.hasOwn(paths, publishedPath) ? paths[publishedPath] : undefined;
    const target = (before ?? itemHead(item)) as Target;
    setOwn(paths, publishedPath, target);
    setOwn(target, method.toLowerCase(), { ...(copyOf(operation, 'operation') as Target), ...operationHead(id, operation) });
  }
  const references = createReferenceGraph(description).reach(operations.flatMap(({ published }) => partsOf(published))).references;
  const pruned: Target = { ...rootHead(description), [PRUNED_MARK]: leftOut.length === 0 ? true : [...leftOut].sort(compareText), paths };
  for (const [reference, kind] of [...references].sort(([left], [right]) => compareText(left, right))) put(pruned, description, reference, kind);
  return pruned;
}

/** Copies what a reference names to the same place of the pruned description. */
function put(pruned: Target, description: Description, reference: string, kind: PositionKind): void {
  const found = lookUp(description, reference);
  if (typeof found === 'string') return;
  const segments = parsePointer(found.place) ?? [];
  // A part of something that is there already: references are put in the order of their names, so the whole came first.
  if (valueAt(pruned, segments) !== undefined) return;
  let here = pruned;
  for (const segment of segments.slice(0, -1)) {
    const next = Object.hasOwn(here, segment) ? asObject(here[segment]) : undefined;
    const container = (next ?? {}) as Target;
    if (next === undefined) setOwn(here, segment, container);
    here = container;
  }
  setOwn(here, segments.at(-1) ?? '', copyOf(found.value, kind));
}

/** Root members that rows are made from; `info` is what the formats demand. */
function rootHead({ root, format }: Description): Target {
  const version = asString(asObject(root['info'])?.['version']) ?? '';
  const named = format === 'swagger-2.0' ? ['swagger', 'host', 'basePath', 'schemes', 'consumes', 'produces'] : ['openapi'];
  const kept = Object.fromEntries(named.filter(member => Object.hasOwn(root, member)).map(member => [member, root[member]]));
  return { ...kept, info: { title: '', version }, ...serversHead(root) };
}

const itemHead = (item: JsonObject): Target => ({
  ...(Array.isArray(item['parameters']) ? { parameters: item['parameters'].map(entry => copyOf(entry, 'parameter')) } : {}),
  ...serversHead(item),
});

const VENDOR_FACTS = ['category', 'subcategory', 'githubCloudOnly', 'enabledForGitHubApps', 'deprecationDate', 'removalDate', 'triggersNotification'];

/** The members of an operation that a copy leaves out, as far as rows are made from them. */
function operationHead(id: string, operation: JsonObject): Target {
  const tag = asArray(operation['tags'])[0];
  const url = asString(asObject(operation['externalDocs'])?.['url']);
  const vendor = asObject(operation['x-github']);
  return {
    operationId: id,
    ...(typeof tag === 'string' ? { tags: [tag] } : {}),
    ...(url === undefined ? {} : { externalDocs: { url } }),
    ...(vendor === undefined
      ? {}
      : { 'x-github': Object.fromEntries(VENDOR_FACTS.filter(fact => Object.hasOwn(vendor, fact)).map(fact => [fact, vendor[fact]])) }),
    ...serversHead(operation),
  };
}

/** The first server with the defaults of its variables. */
function serversHead(holder: JsonObject): Target {
  const server = asObject(asArray(holder['servers'])[0]);
  if (server === undefined) return {};
  const variables = sortedEntries(server['variables']).map(([name, variable]) => [name, { default: asObject(variable)?.['default'] }]);
  return { servers: [{ url: server['url'], ...(variables.length === 0 ? {} : { variables: Object.fromEntries(variables) as Target }) }] };
}

/** Members that are prose, or that rows and requests are not made from. */
const LEFT_OUT = new Set([
  'description',
  'summary',
  'title',
  'example',
  'examples',
  'externalDocs',
  'tags',
  'security',
  'callbacks',
  'links',
  'xml',
  '$comment',
  'servers',
]);
const KEPT_EXTENSIONS = new Set(['x-multi-segment', 'x-nullable']);

interface Copying {
  readonly source: JsonObject;
  readonly target: Target;
  readonly kind: PositionKind;
}

/** A copy without prose. What stands at no schema position is data and is kept as it is. */
function copyOf(thing: unknown, kind: PositionKind): unknown {
  const waiting: Copying[] = [];
  const started = (source: unknown, its: PositionKind): unknown => {
    const object = asObject(source);
    if (object === undefined) return source;
    // A response must have a description by its format, if an empty one.
    const target: Target = its === 'response' && !Object.hasOwn(object, '$ref') ? { description: '' } : {};
    waiting.push({ source: object, target, kind: its });
    return target;
  };
  const copy = started(thing, kind);
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) copyMembers(next, started);
  return copy;
}

function copyMembers({ source, target, kind }: Copying, started: (source: unknown, kind: PositionKind) => unknown): void {
  for (const [member, value] of sortedEntries(source)) {
    const position = positionOf(kind, member);
    if (position === undefined) {
      if (!LEFT_OUT.has(member) && (!member.startsWith('x-') || KEPT_EXTENSIONS.has(member))) setOwn(target, member, value);
    } else if (position.shape === 'map' && asObject(value) !== undefined) {
      const inner: Target = {};
      for (const [name, thing] of sortedEntries(value)) setOwn(inner, name, started(thing, position.kind));
      setOwn(target, member, inner);
    } else {
      setOwn(target, member, Array.isArray(value) ? value.map(thing => started(thing, position.kind)) : started(value, position.kind));
    }
  }
}
