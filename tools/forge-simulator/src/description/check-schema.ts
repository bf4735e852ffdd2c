/**
 * Checks a JSON value against the part of JSON Schema that forge descriptions use: types, enums, required fields,
 * lists, alternatives, references. Fields that the schema does not name are problems unless it allows more.
 */
import { isRecord } from '../http/fields.ts';
import type { Schema } from './operation-rule.ts';
import type { Problem } from './problem.ts';

const DEPTH_LIMIT = 24;

export interface SchemaCheck {
  readonly resolve: (reference: string) => Schema;
  /** Forms carry text only: "3" is then an integer. */
  readonly textual: boolean;
  /** A text stands for a list. */
  readonly textLists: boolean;
}

export function checkSchema(schema: Schema, value: unknown, check: SchemaCheck, place = '', depth = 0): readonly Problem[] {
  if (depth > DEPTH_LIMIT) return [];
  const flat = flatten(schema, check, depth);
  const choices = (flat['oneOf'] ?? flat['anyOf']) as readonly Schema[] | undefined;
  if (Array.isArray(choices)) return checkChoices(flat, choices, value, { check, place, depth });
  const wrong = value === null ? wrongNull(flat) : (wrongType(flat, value, check) ?? wrongWord(flat, value));
  if (wrong !== null) return [problem('bad-field', place, wrong)];
  const items = flat['items'] as Schema | undefined;
  if (Array.isArray(value)) return items === undefined ? [] : value.flatMap((one, at) => checkSchema(items, one, check, `${place}[${at}]`, depth + 1));
  return isRecord(value) ? checkFields(flat, value, { check, place, depth }) : [];
}

interface Spot {
  readonly check: SchemaCheck;
  readonly place: string;
  readonly depth: number;
}

const problem = (kind: Problem['kind'], place: string, detail: string): Problem => ({ kind, place, detail });

function wrongNull(schema: Schema): string | null {
  const untyped = schema['type'] === undefined || [schema['type']].flat().includes('null');
  return schema['nullable'] === true || schema['x-nullable'] === true || untyped ? null : 'is null';
}

function wrongWord(schema: Schema, value: unknown): string | null {
  const allowed = schema['enum'];
  if (!Array.isArray(allowed) || Array.isArray(value) || allowed.some(one => String(one) === String(value))) return null;
  return `${String(value)} is none of ${allowed.join(', ')}`;
}

/** Follows references and lays the parts of `allOf` over each other. */
function flatten(schema: Schema, check: SchemaCheck, depth: number): Schema {
  if (depth > DEPTH_LIMIT) return {};
  const reference = schema['$ref'];
  if (typeof reference === 'string') return flatten(check.resolve(reference), check, depth + 1);
  const parts = schema['allOf'];
  if (!Array.isArray(parts)) return schema;
  return [...(parts as Schema[]).map(part => flatten(part, check, depth + 1)), { ...schema, allOf: undefined }].reduce<Schema>(
    (whole, part) => ({
      ...whole,
      ...part,
      properties: { ...(whole['properties'] as object | undefined), ...(part['properties'] as object | undefined) },
      required: [...((whole['required'] as string[] | undefined) ?? []), ...((part['required'] as string[] | undefined) ?? [])],
    }),
    {},
  );
}

/** The alternative that fits best speaks; alternatives of bare `required` lists add to the schema around them. */
function checkChoices(schema: Schema, choices: readonly Schema[], value: unknown, spot: Spot): readonly Problem[] {
  const around = { ...schema, oneOf: undefined, anyOf: undefined };
  if (value === null && schema['nullable'] === true) return [];
  const attempts = choices.map(choice => {
    const flat = flatten(choice, spot.check, spot.depth + 1);
    const bare = flat['type'] === undefined && flat['properties'] === undefined && flat['oneOf'] === undefined && flat['anyOf'] === undefined;
    return checkSchema(bare ? { ...around, required: flat['required'] } : flat, value, spot.check, spot.place, spot.depth + 1);
  });
  return attempts.reduce((best, attempt) => (attempt.length < best.length ? attempt : best));
}

function checkFields(schema: Schema, value: Record<string, unknown>, spot: Spot): readonly Problem[] {
  const properties = schema['properties'] as Readonly<Record<string, Schema>> | undefined;
  const at = (name: string): string => (spot.place === '' ? name : `${spot.place}.${name}`);
  const required = (schema['required'] as readonly string[] | undefined) ?? [];
  const missing = required.filter(name => value[name] === undefined).map(name => problem('missing-field', at(name), 'is required'));
  if (properties === undefined || Object.keys(properties).length === 0) return missing;
  const more = schema['additionalProperties'];
  return [
    ...missing,
    ...Object.entries(value).flatMap(([name, one]) => {
      const inner = properties[name];
      if (inner !== undefined) return checkSchema(inner, one, spot.check, at(name), spot.depth + 1);
      return more === true || isRecord(more) ? [] : [problem('unknown-field', at(name), 'is no field of this operation')];
    }),
  ];
}

const TYPES: Readonly<Record<string, (value: unknown, check: SchemaCheck) => boolean>> = {
  string: value => typeof value === 'string',
  integer: (value, { textual }) => Number.isInteger(value) || (textual && typeof value === 'string' && /^-?\d+$/.test(value)),
  number: (value, { textual }) => typeof value === 'number' || (textual && typeof value === 'string' && value !== '' && Number.isFinite(Number(value))),
  boolean: (value, { textual }) => typeof value === 'boolean' || (textual && (value === 'true' || value === 'false')),
  array: (value, { textual, textLists }) => Array.isArray(value) || ((textual || textLists) && typeof value === 'string'),
  object: value => isRecord(value),
  null: value => value === null,
};

function wrongType(schema: Schema, value: unknown, check: SchemaCheck): string | null {
  const types = [schema['type']].flat().filter(type => typeof type === 'string');
  if (types.length === 0 || types.some(type => TYPES[type]?.(value, check) ?? true)) return null;
  return `is no ${types.join(' or ')}`;
}
