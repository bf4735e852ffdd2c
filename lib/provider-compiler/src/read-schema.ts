/**
 * Reads the facts of a schema. Goes down through composition (`allOf`, `oneOf`, `anyOf`, references), one level of fields and one of
 * entries; a circle and a schema beyond the bounds end at a cut that is noted.
 */
import type { ValueType } from '@weir/operation-table';
import { asArray, asObject, isScalar, type JsonObject, type Scalar, sortedEntries } from './json-value.ts';
import { follow, MAX_DEPTH, type OperationReading, remark } from './operation-reading.ts';
import { MAX_SCHEMA_NODES } from './reference-graph.ts';
import { type FieldFacts, join, meet, type SchemaDetail, type SchemaFacts, UNKNOWN } from './schema-facts.ts';

interface SchemaWalk {
  readonly reading: OperationReading;
  /** Schemas between the one that was asked for and here, through composition only. */
  readonly above: readonly object[];
  readonly budget: { nodes: number; deepest: number };
  readonly detail: SchemaDetail;
}

/** Facts of a request's schema. `object` reads its fields, `value` does not. */
export const readSchema = (reading: OperationReading, schema: unknown, place: string, detail: 'object' | 'value'): SchemaFacts =>
  readNode({ reading, above: [], budget: { nodes: 0, deepest: 0 }, detail }, schema, place);

function readNode(walk: SchemaWalk, schema: unknown, place: string): SchemaFacts {
  const written = asObject(schema);
  if (written === undefined) return UNKNOWN;
  const { reading, above, budget, detail } = walk;
  const memory = reading.description.schemas[detail];
  const known = memory.get(written);
  if (known !== undefined && above.length + known.height <= MAX_DEPTH && budget.nodes + known.nodes <= MAX_SCHEMA_NODES) {
    budget.nodes += known.nodes;
    budget.deepest = Math.max(budget.deepest, above.length + known.height);
    return known.facts;
  }
  const before = { nodes: budget.nodes, said: reading.notes.length + reading.problems.length, deepest: budget.deepest };
  budget.deepest = above.length;
  const facts = readFresh(walk, written, place);
  const height = budget.deepest - above.length;
  budget.deepest = Math.max(budget.deepest, before.deepest);
  if (reading.notes.length + reading.problems.length === before.said) memory.set(written, { facts, nodes: budget.nodes - before.nodes, height });
  return facts;
}

function readFresh(walk: SchemaWalk, written: JsonObject, place: string): SchemaFacts {
  const { reading, above, budget } = walk;
  budget.nodes += 1;
  const circle = above.includes(written);
  if (circle || above.length > MAX_DEPTH || budget.nodes > MAX_SCHEMA_NODES) {
    remark(reading, place, circle ? 'a circle of schemas is cut here' : 'a schema beyond the bounds is cut here');
    return { ...UNKNOWN, open: true };
  }
  const inner = { ...walk, above: [...above, written] };
  if (written['$ref'] !== undefined) return readReference(inner, written, place);
  return composed(inner, written, place, ownFacts(inner, written, place));
}

/** What a reference names; in OpenAPI 3.1 what stands beside it holds too. */
function readReference(walk: SchemaWalk, written: JsonObject, place: string): SchemaFacts {
  const found = follow(walk.reading, written, place);
  const named = found === undefined ? UNKNOWN : readNode(walk, found.value, found.place);
  if (walk.reading.description.format !== 'openapi-3.1') return named;
  return meet(composed(walk, written, place, ownFacts(walk, written, place)), named);
}

function composed(walk: SchemaWalk, schema: JsonObject, place: string, own: SchemaFacts): SchemaFacts {
  const part = (member: string) => asArray(schema[member]).map((entry, index) => readNode(walk, entry, `${place}/${member}/${index}`));
  return [...part('allOf'), join(part('oneOf')), join(part('anyOf'))].reduce(meet, own);
}

const KINDS: readonly string[] = ['string', 'integer', 'number', 'boolean', 'array', 'object', 'null'] satisfies (ValueType | 'null')[];

function ownFacts(walk: SchemaWalk, schema: JsonObject, place: string): SchemaFacts {
  const kinds = kindsOf(schema);
  const set = closedSet(schema);
  const type = kinds.length > 0 && kinds.every(kind => kind === 'null') ? 'null' : (oneKind(kinds.filter(kind => kind !== 'null')) ?? impliedKind(schema, set));
  return {
    type,
    nullable: kinds.includes('null') || schema['nullable'] === true || schema['x-nullable'] === true || set?.includes(null) === true,
    binary: isBinary(schema),
    ...entries(walk, schema, place),
    ...(set === undefined || !set.some(isScalar) ? {} : { enum: set.filter(isScalar) }),
    ...scalars(schema),
    ...members(walk, schema, place),
  };
}

const isBinary = ({ type, format, contentMediaType }: JsonObject): boolean =>
  type === 'file' || (format === 'binary' && type === 'string') || contentMediaType === 'application/octet-stream';

function kindsOf({ type }: JsonObject): readonly (ValueType | 'null')[] {
  if (type === 'file') return ['string'];
  return (Array.isArray(type) ? type : [type]).filter((kind): kind is ValueType | 'null' => typeof kind === 'string' && KINDS.includes(kind));
}

function oneKind(kinds: readonly (ValueType | 'null')[]): ValueType | 'null' | undefined {
  if (kinds.length === 0) return undefined;
  if (kinds.every(kind => kind === 'integer' || kind === 'number')) return kinds.includes('number') ? 'number' : 'integer';
  return kinds.length === 1 ? kinds[0] : 'any';
}

/** The kind that a schema without `type` implies. */
function impliedKind(schema: JsonObject, set: readonly (Scalar | null)[] | undefined): ValueType {
  if (asObject(schema['properties']) !== undefined) return 'object';
  if (asObject(schema['items']) !== undefined) return 'array';
  if (set !== undefined && set.length > 0 && set.every(value => typeof value === 'string')) return 'string';
  return 'any';
}

/** `enum` or `const`; null where it is listed; undefined where there is none or it lists other things than scalars. */
function closedSet(schema: JsonObject): readonly (Scalar | null)[] | undefined {
  const listed = Object.hasOwn(schema, 'const') ? [schema['const']] : schema['enum'];
  if (!Array.isArray(listed)) return undefined;
  const scalars = listed.filter((value): value is Scalar | null => value === null || isScalar(value));
  return scalars.length === listed.length ? [...new Set(scalars)] : undefined;
}

function scalars(schema: JsonObject): Partial<SchemaFacts> {
  const { default: preset, minimum, maximum } = schema;
  return {
    ...(isScalar(preset) ? { default: preset } : {}),
    ...(typeof minimum === 'number' && isScalar(minimum) ? { minimum } : {}),
    ...(typeof maximum === 'number' && isScalar(maximum) ? { maximum } : {}),
  };
}

function entries(walk: SchemaWalk, schema: JsonObject, place: string): { items?: ValueType } {
  if (walk.detail === 'kind' || asObject(schema['items']) === undefined) return {};
  const { type } = readNode({ ...walk, above: [], detail: 'kind' }, schema['items'], `${place}/items`);
  return { items: type === 'null' ? 'any' : type };
}

function members(walk: SchemaWalk, schema: JsonObject, place: string): Pick<SchemaFacts, 'fields' | 'required' | 'open'> {
  if (walk.detail !== 'object') return UNKNOWN_MEMBERS;
  const fields = new Map<string, FieldFacts>();
  for (const [name, property] of sortedEntries(schema['properties'])) fields.set(name, fieldOf(walk, name, property, `${place}/properties/${name}`));
  const rest = schema['additionalProperties'];
  return {
    fields,
    required: new Set(asArray(schema['required']).filter(name => typeof name === 'string')),
    open: rest === true || asObject(rest) !== undefined || asObject(schema['patternProperties']) !== undefined,
  };
}

const UNKNOWN_MEMBERS = { fields: UNKNOWN.fields, required: UNKNOWN.required, open: false };

function fieldOf(walk: SchemaWalk, name: string, property: unknown, place: string): FieldFacts {
  const facts = readNode({ ...walk, above: [], detail: 'value' }, property, place);
  return {
    name,
    type: facts.type === 'null' ? 'any' : facts.type,
    ...(facts.items === undefined ? {} : { items: facts.items }),
    ...(facts.enum === undefined ? {} : { enum: facts.enum }),
    ...(facts.nullable ? { nullable: true } : {}),
    ...(facts.binary ? { binary: true } : {}),
    readOnly: asObject(property)?.['readOnly'] === true,
  };
}
