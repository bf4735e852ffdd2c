/**
 * The JSON Schema of descriptors, made from the zod schema, for editors and for docs/reference.
 */
import { ProviderDescriptor } from '@weir/contract';
import { z } from 'zod';
import { isTree } from './merge-descriptor.ts';

type Schema = Readonly<Record<string, unknown>>;

/** The schema of a whole descriptor. */
const wholeSchema = (): Schema => z.toJSONSchema(ProviderDescriptor, { io: 'input', unrepresentable: 'any' }) as Schema;

/** A member of `properties`, `items` and the like may be left out or set to null where a descriptor extends another. */
const relaxed = (schema: unknown): unknown => {
  if (Array.isArray(schema)) return schema.map(relaxed);
  if (!isTree(schema)) return schema;
  const entries = Object.entries(schema).filter(([key, value]) => key !== 'required' || !Array.isArray(value));
  return Object.fromEntries(entries.map(([key, value]) => [key, key === 'properties' && isTree(value) ? nullable(value) : relaxed(value)]));
};

const nullable = (properties: Schema): Schema =>
  Object.fromEntries(Object.entries(properties).map(([name, schema]) => [name, { anyOf: [relaxed(schema), { type: 'null' }] }]));

/** JSON Schema (2020-12): a descriptor that stands alone needs every required key, one that extends another needs what it changes. */
export const descriptorJsonSchema = (): Schema => {
  const { $schema, ...whole } = wholeSchema();
  return {
    $schema,
    $id: 'https://weir.dev/schema/provider-descriptor.schema.json',
    title: 'Weir provider descriptor',
    if: { type: 'object', required: ['extends'] },
    then: { ...(relaxed(whole) as Schema), required: ['version', 'name', 'extends'] },
    else: whole,
  };
};

/** Keys that the schema knows at a path of a descriptor; empty where any key is allowed. */
export const knownKeysAt = (path: readonly PropertyKey[]): readonly string[] => {
  let here: unknown = wholeSchema();
  for (const key of path) here = isTree(here) ? childSchema(here, key) : undefined;
  return isTree(here) ? alternatives(here).flatMap(one => (isTree(one['properties']) ? Object.keys(one['properties']) : [])) : [];
};

const alternatives = (schema: Schema): readonly Schema[] => [schema, ...(Array.isArray(schema['anyOf']) ? schema['anyOf'].filter(isTree) : [])];

function childSchema(schema: Schema, key: PropertyKey): unknown {
  for (const one of alternatives(schema)) {
    const { properties, additionalProperties, items } = one;
    if (isTree(properties) && typeof key === 'string' && Object.hasOwn(properties, key)) return properties[key];
    if (typeof key === 'number' && items !== undefined) return items;
    if (isTree(additionalProperties)) return additionalProperties;
  }
  return undefined;
}
