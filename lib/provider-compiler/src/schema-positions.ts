/**
 * Where a description holds schemas, parameters, bodies and responses: a grammar as data. Everything else is data of the vendor, also where it
 * holds a member named `$ref` (examples, defaults, enums, extensions).
 */

import { pointer } from './json-pointer.ts';

export type PositionKind = 'operation' | 'parameter' | 'body' | 'media' | 'response' | 'header' | 'schema';

/** `one`: the member is such a thing; `list`: an array of them; `map`: an object of them by name. */
export type PositionShape = 'one' | 'list' | 'map';

export interface Position {
  readonly kind: PositionKind;
  readonly shape: PositionShape;
}

const one = (kind: PositionKind): Position => ({ kind, shape: 'one' });
const list = (kind: PositionKind): Position => ({ kind, shape: 'list' });
const map = (kind: PositionKind): Position => ({ kind, shape: 'map' });

const valueMembers = { schema: one('schema'), items: one('schema'), content: map('media') };

/** Members of each kind that lead on. */
export const POSITIONS: Readonly<Record<PositionKind, Readonly<Record<string, Position>>>> = {
  operation: { parameters: list('parameter'), requestBody: one('body'), responses: map('response') },
  parameter: valueMembers,
  header: valueMembers,
  body: { content: map('media') },
  media: { schema: one('schema') },
  response: { content: map('media'), headers: map('header'), schema: one('schema') },
  schema: {
    properties: map('schema'),
    patternProperties: map('schema'),
    dependentSchemas: map('schema'),
    $defs: map('schema'),
    definitions: map('schema'),
    allOf: list('schema'),
    anyOf: list('schema'),
    oneOf: list('schema'),
    prefixItems: list('schema'),
    items: one('schema'),
    additionalItems: one('schema'),
    additionalProperties: one('schema'),
    unevaluatedProperties: one('schema'),
    unevaluatedItems: one('schema'),
    contains: one('schema'),
    propertyNames: one('schema'),
    not: one('schema'),
    if: one('schema'),
    then: one('schema'),
    else: one('schema'),
  },
};

/** The position of a member of a kind; undefined where it holds the vendor's data. */
export const positionOf = (kind: PositionKind, member: string): Position | undefined => {
  const members = POSITIONS[kind];
  return Object.hasOwn(members, member) ? members[member] : undefined;
};

/** Things at a position: their steps below the member and their values. A list of `items` (old drafts) counts as a list. */
export function thingsAt(position: Position, value: unknown): readonly (readonly [step: string, thing: unknown])[] {
  if (position.shape === 'map')
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? Object.entries(value).map(([name, thing]) => [pointer(name), thing]) : [];
  if (Array.isArray(value)) return value.map((thing, index) => [`/${index}`, thing]);
  return position.shape === 'one' ? [['', value]] : [];
}
