/**
 * What a newer version of an API takes away from its callers (PRV-7), from two operation tables. An empty list means a safe bump.
 */
import type { BodyField, OperationBody, OperationParameter, OperationRow, OperationTable, ValueType } from '@weir/operation-table';
import { compareText } from './json-value.ts';

export type BreakingKind =
  | 'operation-gone'
  | 'path-changed'
  | 'success-gone'
  | 'parameter-gone'
  | 'parameter-required'
  | 'field-gone'
  | 'field-required'
  | 'body-required'
  | 'content-type-gone'
  | 'type-narrowed'
  | 'enum-narrowed'
  | 'style-narrowed';

export interface BreakingChange {
  /** Id in the older table. */
  readonly id: string;
  readonly method: string;
  readonly path: string;
  readonly kind: BreakingKind;
  /** Parameter, field or status that is meant; empty where the operation is. */
  readonly name: string;
  readonly detail: string;
}

export interface StructuralDiff {
  /** By path, method, kind and name. */
  readonly breaking: readonly BreakingChange[];
  /** Ids of the newer table that the older has not. */
  readonly added: readonly string[];
  /** Operations of the older table that were compared. */
  readonly compared: number;
}

/**
 * Compares two tables. Operations meet by method and path, names of placeholders aside.
 * @param bound ids in the older table; only these are compared. All, where absent.
 */
export function structuralDiff(from: OperationTable, to: OperationTable, { bound }: { readonly bound?: ReadonlySet<string> } = {}): StructuralDiff {
  const older = from.operations.filter(row => bound === undefined || bound.has(row.id));
  const known = new Set(from.operations.map(keyOf));
  const newer = new Map(to.operations.map(row => [keyOf(row), row]));
  const byId = new Map(to.operations.map(row => [row.id, row]));
  const breaking = older.flatMap(row => {
    const same = newer.get(keyOf(row));
    return same === undefined ? [goneOrMoved(row, byId.get(row.id))] : compareRows(row, same);
  });
  return { breaking: breaking.sort(inOrder), added: to.operations.filter(row => !known.has(keyOf(row))).map(row => row.id), compared: older.length };
}

/** Method and path with the placeholders' names left out: a renamed placeholder moves no operation. */
const keyOf = ({ method, path }: OperationRow): string => `${method} ${path.replace(/\{[^{}]*\}/g, '{}')}`;

const inOrder = (left: BreakingChange, right: BreakingChange): number =>
  compareText(left.path, right.path) || compareText(left.method, right.method) || compareText(left.kind, right.kind) || compareText(left.name, right.name);

const change = ({ id, method, path }: OperationRow, kind: BreakingKind, name: string, detail: string): BreakingChange => ({
  id,
  method,
  path,
  kind,
  name,
  detail,
});

const goneOrMoved = (row: OperationRow, moved: OperationRow | undefined): BreakingChange =>
  moved === undefined ? change(row, 'operation-gone', '', 'the operation is gone') : change(row, 'path-changed', '', `it is ${moved.method} ${moved.path} now`);

function compareRows(older: OperationRow, newer: OperationRow): readonly BreakingChange[] {
  return [...comparedStatuses(older, newer), ...comparedParameters(older, newer), ...comparedBodies(older, newer)];
}

/** A success that became another kind of success is gone; statuses of an operation that declares none now say nothing. */
const comparedStatuses = (older: OperationRow, newer: OperationRow): readonly BreakingChange[] =>
  newer.success.length === 0
    ? []
    : older.success
        .filter(status => !newer.success.includes(status))
        .map(status => change(older, 'success-gone', String(status), `it answers ${newer.success.join(', ')} now`));

function comparedParameters(older: OperationRow, newer: OperationRow): readonly BreakingChange[] {
  const before = new Map(older.parameters.map(parameter => [slotOf(older, parameter), parameter]));
  const after = new Map(newer.parameters.map(parameter => [slotOf(newer, parameter), parameter]));
  const found: BreakingChange[] = [];
  for (const [slot, parameter] of before) {
    const now = after.get(slot);
    if (now === undefined) found.push(change(older, 'parameter-gone', parameter.name, `the ${parameter.in} parameter is gone`));
    else found.push(...comparedParameter(older, parameter, now));
  }
  for (const [slot, parameter] of after) {
    if (!before.has(slot) && parameter.required) found.push(change(older, 'parameter-required', parameter.name, 'a new parameter is required'));
  }
  return found;
}

/** A path parameter is known by its place in the path, another one by its name. */
const slotOf = ({ path }: OperationRow, { name, in: sent }: OperationParameter): string =>
  sent === 'path' ? `path ${path.slice(0, path.indexOf(`{${name}}`)).split('{').length}` : `${sent} ${sent === 'header' ? name.toLowerCase() : name}`;

function comparedParameter(row: OperationRow, before: OperationParameter, now: OperationParameter): readonly BreakingChange[] {
  const found = comparedValues(row, before, now, WRITTEN_AS);
  if (!before.required && now.required) found.push(change(row, 'parameter-required', before.name, 'the parameter is required now'));
  // Another type comes with another style; that is one change.
  const taken = found.every(({ kind }) => kind !== 'type-narrowed');
  if (taken && !(STYLE_TAKES[now.style] ?? [now.style]).includes(before.style)) {
    found.push(change(row, 'style-narrowed', before.name, `it is written as ${now.style} now, not as ${before.style}`));
  }
  return found;
}

/** Styles that a newer style still takes: a single value reads the same in several of them. */
const STYLE_TAKES: Partial<Record<OperationParameter['style'], readonly OperationParameter['style'][]>> = {
  segments: ['segments', 'plain'],
  'encoded-segments': ['encoded-segments', 'segments', 'plain'],
  form: ['form', 'plain'],
  csv: ['csv', 'plain'],
};

/** For each newer type the older types whose values it still takes. In a URL everything is text; in a body nothing is converted. */
type Takes = Readonly<Record<ValueType, readonly ValueType[]>>;

const ALL: readonly ValueType[] = ['string', 'integer', 'number', 'boolean', 'array', 'object', 'any'];
const WRITTEN_AS: Takes = {
  any: ALL,
  string: ['string', 'integer', 'number', 'boolean'],
  number: ['number', 'integer'],
  integer: ['integer'],
  boolean: ['boolean'],
  array: ['array', 'string', 'integer', 'number', 'boolean'],
  object: ['object'],
};
const AS_JSON: Takes = { ...WRITTEN_AS, string: ['string'], array: ['array'] };

function comparedValues(row: OperationRow, before: OperationParameter | BodyField, now: OperationParameter | BodyField, takes: Takes): BreakingChange[] {
  const found: BreakingChange[] = [];
  if (!takes[now.type].includes(before.type)) found.push(change(row, 'type-narrowed', before.name, `it takes ${now.type} now, not ${before.type}`));
  else if (before.type === now.type && now.items !== undefined && !takes[now.items].includes(before.items ?? 'any')) {
    found.push(change(row, 'type-narrowed', before.name, `its entries are ${now.items} now, not ${before.items ?? 'any'}`));
  }
  const gone = lostValues(before, now);
  if (gone !== undefined) found.push(change(row, 'enum-narrowed', before.name, gone));
  return found;
}

function lostValues({ enum: before }: OperationParameter | BodyField, { enum: now }: OperationParameter | BodyField): string | undefined {
  if (now === undefined) return undefined;
  if (before === undefined) return `it takes only ${now.slice(0, 8).join(', ')} now`;
  const lost = before.filter(value => !now.includes(value));
  return lost.length === 0 ? undefined : `it takes ${lost.slice(0, 8).join(', ')} no longer`;
}

function comparedBodies(older: OperationRow, newer: OperationRow): readonly BreakingChange[] {
  const now = newer.body;
  const before = older.body ?? NO_BODY;
  if (now === undefined) return before.fields.map(field => change(older, 'field-gone', field.name, 'the operation has no body now'));
  const found = comparedFields(older, before.fields, now);
  // A body with a field that is required is reported by that field.
  if (now.required && !before.required && now.fields.every(field => !field.required))
    found.push(change(older, 'body-required', '', 'the body is required now'));
  const [first] = before.contentTypes;
  if (first !== undefined && !before.contentTypes.some(type => now.contentTypes.includes(type))) {
    found.push(change(older, 'content-type-gone', first, `it takes ${now.contentTypes.join(', ')} now`));
  }
  return found;
}

const NO_BODY: Pick<OperationBody, 'required' | 'fields' | 'contentTypes'> = { required: false, fields: [], contentTypes: [] };

function comparedFields(row: OperationRow, before: readonly BodyField[], now: OperationBody): BreakingChange[] {
  const after = new Map(now.fields.map(field => [field.name, field]));
  const known = new Set(before.map(field => field.name));
  const found: BreakingChange[] = [];
  for (const field of before) {
    const same = after.get(field.name);
    if (same === undefined) {
      if (now.closed) found.push(change(row, 'field-gone', field.name, 'the body has no such field now'));
      continue;
    }
    found.push(...comparedValues(row, field, same, AS_JSON));
    if (!field.required && same.required) found.push(change(row, 'field-required', field.name, 'the field is required now'));
  }
  for (const field of now.fields) {
    if (field.required && !known.has(field.name)) found.push(change(row, 'field-required', field.name, 'a new field is required'));
  }
  return found;
}
