/**
 * What a row says of a schema: kind of value, closed set, fields of an object. Facts of several schemas are met (`allOf`: all hold)
 * or joined (`oneOf`, `anyOf`: one of them holds).
 */
import type { BodyField, ValueType } from '@weir/operation-table';
import type { Scalar } from './json-value.ts';

export interface SchemaFacts {
  /** `null` where nothing but null is allowed. */
  readonly type: ValueType | 'null';
  readonly nullable: boolean;
  /** The bytes of a file. */
  readonly binary: boolean;
  readonly items?: ValueType;
  readonly enum?: readonly Scalar[];
  readonly default?: Scalar;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly fields: ReadonlyMap<string, FieldFacts>;
  /** Names that an object must hold, also where no schema describes them. */
  readonly required: ReadonlySet<string>;
  /** Fields that are not named are allowed, by the description's own word. */
  readonly open: boolean;
}

/** How much is asked of a schema: `object`: fields too; `value`: kind, set and entries; `kind`: no entries either. */
export type SchemaDetail = 'object' | 'value' | 'kind';

/** Facts that were read without a problem or a cut, with what they cost. */
export interface KnownSchema {
  readonly facts: SchemaFacts;
  readonly nodes: number;
  /** Compositions between the schema and the deepest one below it. */
  readonly height: number;
}

export interface FieldFacts extends Omit<BodyField, 'required'> {
  /** Sent by the server alone; never required of a request. */
  readonly readOnly: boolean;
}

const NO_FIELDS: ReadonlyMap<string, FieldFacts> = new Map();
const NO_NAMES: ReadonlySet<string> = new Set();

/** Nothing is known. */
export const UNKNOWN: SchemaFacts = { type: 'any', nullable: false, binary: false, fields: NO_FIELDS, required: NO_NAMES, open: false };

/** Both hold. What is known wins over what is not; where two say different things the first wins. */
export function meet(left: SchemaFacts, right: SchemaFacts): SchemaFacts {
  if (left === UNKNOWN) return right;
  if (right === UNKNOWN) return left;
  return {
    ...right,
    ...left,
    type: meetTypes(left.type, right.type),
    nullable: left.nullable || right.nullable,
    binary: left.binary || right.binary,
    ...closedSet(meetSets(left.enum, right.enum)),
    fields: mergeFields(left.fields, right.fields, meetFields),
    required: right.required.size === 0 ? left.required : new Set([...left.required, ...right.required]),
    open: left.open || right.open,
  };
}

const meetTypes = <T extends ValueType | 'null'>(left: T, right: T): T => {
  if (left === 'any') return right;
  // An integer is a number: the narrower holds.
  return left === 'number' && right === 'integer' ? right : left;
};

const meetSets = (left: readonly Scalar[] | undefined, right: readonly Scalar[] | undefined): readonly Scalar[] | undefined =>
  left === undefined || right === undefined ? (left ?? right) : left.filter(value => right.includes(value));

const closedSet = (values: readonly Scalar[] | undefined): { enum?: readonly Scalar[] } => (values === undefined ? {} : { enum: values });

function mergeFields(
  left: ReadonlyMap<string, FieldFacts>,
  right: ReadonlyMap<string, FieldFacts>,
  merge: (left: FieldFacts, right: FieldFacts) => FieldFacts,
): ReadonlyMap<string, FieldFacts> {
  if (right.size === 0) return left;
  if (left.size === 0) return right;
  const merged = new Map(left);
  for (const [name, field] of right) {
    const before = merged.get(name);
    merged.set(name, before === undefined ? field : merge(before, field));
  }
  return merged;
}

const meetFields = (left: FieldFacts, right: FieldFacts): FieldFacts => ({
  ...right,
  ...left,
  type: meetTypes(left.type, right.type),
  ...closedSet(meetSets(left.enum, right.enum)),
  readOnly: left.readOnly || right.readOnly,
});

/** One of them holds. Fields of all are kept; required is what all require. */
export function join(branches: readonly SchemaFacts[]): SchemaFacts {
  const valued = branches.filter(branch => branch.type !== 'null');
  const [first, ...rest] = valued;
  if (first === undefined) return branches.length === 0 ? UNKNOWN : { ...UNKNOWN, type: 'null', nullable: true };
  const sets = valued.map(branch => branch.enum);
  const items = new Set(valued.map(branch => branch.items).filter(kind => kind !== undefined));
  return {
    type: valued.map(branch => branch.type).reduce(joinTypes),
    nullable: branches.some(branch => branch.nullable || branch.type === 'null'),
    binary: valued.some(branch => branch.binary),
    ...(items.size === 0 ? {} : { items: [...items].reduce(joinTypes) }),
    ...closedSet(sets.every(set => set !== undefined) ? [...new Set(sets.flat())] : undefined),
    ...(rest.length === 0 ? bounds(first) : {}),
    fields: valued.map(branch => branch.fields).reduce((left, right) => mergeFields(left, right, joinFields)),
    required: valued.map(branch => branch.required).reduce((left, right) => new Set([...left].filter(name => right.has(name)))),
    open: valued.some(branch => branch.open),
  };
}

const bounds = ({ minimum, maximum, default: preset }: SchemaFacts): Partial<SchemaFacts> => ({
  ...(minimum === undefined ? {} : { minimum }),
  ...(maximum === undefined ? {} : { maximum }),
  ...(preset === undefined ? {} : { default: preset }),
});

function joinTypes<T extends ValueType | 'null'>(left: T, right: T): T {
  if (left === right) return left;
  const pair = `${left} ${right}`;
  return (pair === 'integer number' || pair === 'number integer' ? 'number' : 'any') as T;
}

function joinFields(left: FieldFacts, right: FieldFacts): FieldFacts {
  const { name, items } = left;
  const both = left.enum !== undefined && right.enum !== undefined;
  return {
    name,
    type: joinTypes(left.type, right.type),
    ...(items === undefined || right.items === undefined ? {} : { items: joinTypes(items, right.items) }),
    ...closedSet(both ? [...new Set([...(left.enum ?? []), ...(right.enum ?? [])])] : undefined),
    ...(left.nullable === true || right.nullable === true ? { nullable: true } : {}),
    ...(left.binary === true || right.binary === true ? { binary: true } : {}),
    readOnly: left.readOnly && right.readOnly,
  };
}
