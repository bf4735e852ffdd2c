/**
 * Parameters of an operation: those of the path item, overridden by the operation's own; in the order of the path, then
 * query and headers by name. What the executor can't write is refused with its place.
 */
import type { OperationParameter } from '@weir/operation-table';
import { asArray, asString, compareText, type JsonObject } from './json-value.ts';
import type { Located } from './look-up.ts';
import { follow, type OperationReading, refuse, remark } from './operation-reading.ts';
import { readParameterStyle } from './parameter-style.ts';
import { readSchema } from './read-schema.ts';
import type { SchemaFacts } from './schema-facts.ts';
import { type SlashNames, slashStyle } from './slash-style.ts';

export interface ReadParameters {
  readonly parameters: readonly OperationParameter[];
  /** Swagger 2.0 puts the body among the parameters. */
  readonly body: readonly Located[];
  /** Placeholders of the path that no parameter is declared for. */
  readonly undeclared: readonly string[];
}

const PLACES = ['path', 'query', 'header'] as const;
type Place = (typeof PLACES)[number];

/** OpenAPI has these three described elsewhere: as content types and as security. */
const DESCRIBED_ELSEWHERE = ['accept', 'content-type', 'authorization'];

/** Reads all parameters. `slash` names path parameters whose values hold slashes though the description does not say so. */
export function readParameters(reading: OperationReading, slash: SlashNames): ReadParameters {
  const declared = declaredParameters(reading);
  const { names } = reading.published.template;
  const body = declared.filter(({ value }) => value['in'] === 'body' || value['in'] === 'formData');
  const inRequest = declared.filter(found => !body.includes(found)).map(found => placed(reading, found));
  const parameters = inRequest.flatMap(found => (found === undefined ? [] : (readOne(reading, found, slash) ?? [])));
  const known = new Set(parameters.filter(parameter => parameter.in === 'path').map(parameter => parameter.name));
  const order = (parameter: OperationParameter): number =>
    parameter.in === 'path' ? names.indexOf(parameter.name) : names.length + PLACES.indexOf(parameter.in);
  return {
    parameters: parameters.sort((left, right) => order(left) - order(right) || compareText(left.name, right.name)),
    body,
    undeclared: [...new Set(names)].filter(name => !known.has(name)),
  };
}

/** Declared parameters by place and name; the operation's own win. */
function declaredParameters(reading: OperationReading): readonly Located[] {
  const { item, itemPlace, operation, place } = reading.published;
  const shared = listed(reading, item, itemPlace);
  const own = listed(reading, operation, place);
  return [...new Map([...shared, ...own].map(found => [`${asString(found.value['in'])} ${asString(found.value['name'])}`, found])).values()];
}

const listed = (reading: OperationReading, holder: JsonObject, place: string): readonly Located[] =>
  asArray(holder['parameters'])
    .map((entry, index) => follow(reading, entry, `${place}/parameters/${index}`))
    .filter(found => found !== undefined);

interface Placed extends Located {
  readonly name: string;
  readonly in: Place;
}

/** The parameter with its name and the place where it is sent; undefined for one that is not an argument. */
function placed(reading: OperationReading, { value, place }: Located): Placed | undefined {
  const name = asString(value['name']);
  if (name === undefined || name === '') return refuseAs(reading, place, 'a parameter has no name', 'name it with an overlay entry');
  const stated = value['in'];
  if (reading.published.template.names.includes(name) && stated === 'query') {
    // GitLab's generator lists the splats of a path as query parameters.
    if (!reading.published.template.splats.has(name)) return { value, place, name, in: 'query' };
    remark(reading, place, `"${name}" is declared for the query and stands in the path; it is sent in the path`);
    return { value, place, name, in: 'path' };
  }
  const sent = PLACES.find(one => one === stated);
  if (sent === undefined)
    return refuseAs(
      reading,
      `${place}/in`,
      `a parameter in "${asString(stated)?.slice(0, 40)}" is never sent`,
      'remove it with an overlay entry if it is optional',
    );
  if (sent === 'header' && DESCRIBED_ELSEWHERE.includes(name.toLowerCase())) return undefined;
  if (sent === 'path' && !reading.published.template.names.includes(name)) {
    remark(reading, place, `"${name}" is declared for the path and does not stand in it; it is left out`);
    return undefined;
  }
  return { value, place, name, in: sent };
}

function refuseAs(reading: OperationReading, place: string, reason: string, mend: string): undefined {
  refuse(reading, place, reason, mend);
  return undefined;
}

function readOne(reading: OperationReading, found: Placed, slash: SlashNames): OperationParameter | undefined {
  const swagger = reading.description.format === 'swagger-2.0';
  const { schema, json } = swagger ? { schema: { value: found.value as unknown, place: found.place }, json: false } : schemaOf(reading, found);
  if (schema === undefined) return undefined;
  const facts = readSchema(reading, schema.value, schema.place, 'value');
  const written = readParameterStyle(reading, { ...found, facts, json });
  if (written === undefined) return undefined;
  const type = facts.type === 'null' ? 'any' : facts.type;
  const slashed = found.in === 'path' ? slashStyle(reading, { name: found.name, type, stated: found.value['x-multi-segment'] }, slash) : undefined;
  return {
    name: found.name,
    in: found.in,
    required: found.in === 'path' || found.value['required'] === true,
    type,
    ...(facts.items === undefined ? {} : { items: facts.items }),
    style: slashed ?? written,
    ...setsOf(facts, entryFacts(reading, schema)),
  };
}

interface ParameterSchema {
  readonly schema: { readonly value: unknown; readonly place: string } | undefined;
  /** Written as JSON: the parameter has `content` instead of `schema`. */
  readonly json: boolean;
}

function schemaOf(reading: OperationReading, { value, place, name }: Placed): ParameterSchema {
  const content = value['content'];
  if (typeof content !== 'object' || content === null) return { schema: { value: value['schema'], place: `${place}/schema` }, json: false };
  const [type, media] = Object.entries(content)[0] ?? ['', undefined];
  if (Object.keys(content).length === 1 && /^application\/([\w.-]+\+)?json$/.test(type)) {
    return { schema: { value: (media as JsonObject | undefined)?.['schema'], place: `${place}/content/${type.replace('/', '~1')}/schema` }, json: true };
  }
  refuse(
    reading,
    `${place}/content`,
    `the parameter "${name}" is written as ${type.slice(0, 80) || 'nothing'}`,
    'only JSON is written inside a parameter; correct it with an overlay entry',
  );
  return { schema: undefined, json: true };
}

/** Facts of the entries of a list: the closed set and the range of a list hold for each entry. */
function entryFacts(reading: OperationReading, schema: { readonly value: unknown; readonly place: string }): SchemaFacts | undefined {
  const found = follow(reading, schema.value, schema.place);
  return found?.value['items'] === undefined ? undefined : readSchema(reading, found.value['items'], `${found.place}/items`, 'value');
}

function setsOf(facts: SchemaFacts, entry: SchemaFacts | undefined): Partial<OperationParameter> {
  const source = facts.type === 'array' ? (entry ?? facts) : facts;
  return {
    ...(source.enum === undefined || source.enum.length === 0 ? {} : { enum: source.enum }),
    ...(facts.default === undefined ? {} : { default: facts.default }),
    ...(source.minimum === undefined ? {} : { minimum: source.minimum }),
    ...(source.maximum === undefined ? {} : { maximum: source.maximum }),
  };
}
