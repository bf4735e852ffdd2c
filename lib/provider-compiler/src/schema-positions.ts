/**
 * Where a description holds schemas, parameters, bodies and responses: a grammar as data. Everything else is data of the vendor, also where it
 * holds a member named `$ref` (examples, defaults, enums, extensions).
 */

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

/** Calls for each thing at a position, with its key below the member; no key where the member itself is the thing. A list at `items` (old drafts) counts as a list. */
export function forThingsAt({ shape }: Position, value: unknown, visit: (thing: unknown, key: string | undefined) => void): void {
  if (Array.isArray(value)) {
    if (shape !== 'map') for (let index = 0; index < value.length; index += 1) visit(value[index], String(index));
  } else if (shape === 'one') visit(value, undefined);
  else if (shape === 'map' && typeof value === 'object' && value !== null)
    for (const name of Object.keys(value)) visit((value as Readonly<Record<string, unknown>>)[name], name);
}
