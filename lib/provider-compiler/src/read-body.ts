/**
 * The body of an operation: OpenAPI's `requestBody`, or the `body` and `formData` parameters of Swagger 2.0.
 */
import type { BodyField, OperationBody } from '@weir/operation-table';
import { isJsonType, mediaRank, plainType } from './media-types.ts';
import { asArray, asObject, asString, compareText, sortedEntries } from './json-value.ts';
import type { Located } from './look-up.ts';
import { follow, type OperationReading, refuse, remark } from './operation-reading.ts';
import { readSchema } from './read-schema.ts';
import type { SchemaFacts } from './schema-facts.ts';

const MEND = 'exclude the operation, or correct its body with an overlay entry';

/** The body, or undefined where the operation takes none or a problem was found. */
export function readBody(reading: OperationReading, swaggerParts: readonly Located[]): OperationBody | undefined {
  return reading.description.format === 'swagger-2.0' ? swaggerBody(reading, swaggerParts) : openApiBody(reading);
}

function openApiBody(reading: OperationReading): OperationBody | undefined {
  const { operation, place } = reading.published;
  if (operation['requestBody'] === undefined) return undefined;
  const body = follow(reading, operation['requestBody'], `${place}/requestBody`);
  if (body === undefined) return undefined;
  const offered = sortedEntries(body.value['content']).map(([type, media]) => ({ type, schema: asObject(media)?.['schema'] }));
  if (offered.length === 0) {
    remark(reading, body.place, 'the body has no content type; the operation is read as one without a body');
    return undefined;
  }
  const [best] = [...offered].sort((left, right) => mediaRank(left.type) - mediaRank(right.type));
  const place3 = `${body.place}/content/${(best?.type ?? '').replaceAll('~', '~0').replaceAll('/', '~1')}/schema`;
  const facts = readSchema(reading, best?.schema, place3, 'object');
  return written(reading, {
    types: offered.map(one => one.type),
    facts,
    required: body.value['required'] === true,
    place: `${body.place}/content`,
    described: best?.schema !== undefined,
  });
}

function swaggerBody(reading: OperationReading, parts: readonly Located[]): OperationBody | undefined {
  const { operation, place } = reading.published;
  const [body, second] = parts.filter(part => part.value['in'] === 'body');
  const fields = parts.filter(part => part.value['in'] === 'formData');
  if (body === undefined && fields.length === 0) return undefined;
  if (second !== undefined || (body !== undefined && fields.length > 0)) {
    refuse(reading, (second ?? body)?.place ?? place, 'the operation declares two bodies', MEND);
    return undefined;
  }
  const stated = Array.isArray(operation['consumes']) ? operation['consumes'] : asArray(reading.description.root['consumes']);
  const types = stated.filter(type => typeof type === 'string');
  if (body === undefined) return formBody(reading, fields, types);
  const facts = readSchema(reading, body.value['schema'], `${body.place}/schema`, 'object');
  return written(reading, {
    types: types.length === 0 ? ['application/json'] : types,
    facts,
    required: body.value['required'] === true,
    place: body.place,
    described: body.value['schema'] !== undefined,
  });
}

function formBody(reading: OperationReading, parts: readonly Located[], stated: readonly string[]): OperationBody | undefined {
  const facts = parts.map(part => ({ part, facts: readSchema(reading, part.value, part.place, 'value') }));
  const fields = facts.flatMap(({ part, facts: { type, items, nullable, binary, ...found } }): BodyField[] => [
    {
      name: asString(part.value['name']) ?? '',
      required: part.value['required'] === true,
      type: type === 'null' ? 'any' : type,
      ...(items === undefined ? {} : { items }),
      ...(found.enum === undefined ? {} : { enum: found.enum }),
      ...(nullable ? { nullable } : {}),
      ...(binary ? { binary } : {}),
    },
  ]);
  // A form can't be sent as JSON or text, whatever the description consumes elsewhere.
  const forms = stated.filter(
    type =>
      plainType(type) === 'multipart/form-data' || plainType(type) === 'application/x-www-form-urlencoded' || plainType(type) === 'application/octet-stream',
  );
  const types = forms.length > 0 ? forms : [fields.some(field => field.binary === true) ? 'multipart/form-data' : 'application/x-www-form-urlencoded'];
  const contentTypes = writableTypes(reading, types, 'object', parts[0]?.place ?? reading.published.place);
  if (contentTypes === undefined) return undefined;
  return { required: fields.some(field => field.required), contentTypes, fields: fields.sort(byName), closed: true, shape: 'object' };
}

interface ReadableBody {
  readonly types: readonly string[];
  readonly facts: SchemaFacts;
  readonly required: boolean;
  readonly place: string;
  readonly described: boolean;
}

function written(reading: OperationReading, { types, facts, required, place, described }: ReadableBody): OperationBody | undefined {
  const fields = fieldsOf(facts);
  const shape = shapeOf(facts, types, described);
  const contentTypes = writableTypes(
    reading,
    types.map(type => narrowed(type, shape, fields)),
    shape,
    place,
  );
  if (contentTypes === undefined) return undefined;
  // A form with a required field can't be left out, whatever the description says of the body as a whole.
  const form = contentTypes.some(type => FORMS.includes(type)) && fields.some(field => field.required);
  return { required: required || form, contentTypes, fields, closed: fields.length > 0 && !facts.open && shape === 'object', shape };
}

const FORMS = ['multipart/form-data', 'application/x-www-form-urlencoded'];

/** Named fields and names that are only required, by name. */
function fieldsOf({ fields, required }: SchemaFacts): readonly BodyField[] {
  const named = [...fields.values()].map(({ readOnly, ...field }): BodyField => ({ ...field, required: required.has(field.name) && !readOnly }));
  const unnamed = [...required].filter(name => !fields.has(name)).map((name): BodyField => ({ name, required: true, type: 'any' }));
  return [...named, ...unnamed].map(ordered).sort(byName);
}

/** Members in the order of `BodyField`, so that equal fields are written alike. */
const ordered = ({ name, required, type, items, enum: set, nullable, binary }: BodyField): BodyField => ({
  name,
  required,
  type,
  ...(items === undefined ? {} : { items }),
  ...(set === undefined ? {} : { enum: set }),
  ...(nullable === undefined ? {} : { nullable }),
  ...(binary === undefined ? {} : { binary }),
});

const byName = (left: BodyField, right: BodyField): number => compareText(left.name, right.name);

function shapeOf({ type, binary }: SchemaFacts, types: readonly string[], described: boolean): OperationBody['shape'] {
  if (type === 'object' || type === 'array') return type;
  if (binary || types.every(one => plainType(one) === 'application/octet-stream')) return 'binary';
  const text = types.every(one => (one.startsWith('text/') && !isJsonType(one)) || (described && plainType(one) === '*/*'));
  return text && (type === 'string' || !described) ? 'text' : 'any';
}

/** The type that is sent where a description allows every type. */
function narrowed(type: string, shape: OperationBody['shape'], fields: readonly BodyField[]): string {
  if (plainType(type) !== '*/*') return plainType(type);
  if (shape === 'object' && fields.some(field => field.binary === true)) return 'multipart/form-data';
  return shape === 'text' ? 'text/plain' : shape === 'binary' ? 'application/octet-stream' : 'application/json';
}

/** Content types that the executor writes for this shape, the preferred one first; undefined, with a problem, where there is none. */
function writableTypes(reading: OperationReading, types: readonly string[], shape: OperationBody['shape'], place: string): readonly string[] | undefined {
  const writable = [...new Set(types.map(plainType))]
    .filter(type => isWritable(type, shape))
    .sort((left, right) => mediaRank(left) - mediaRank(right) || compareText(left, right));
  if (writable.length > 0) return writable;
  refuse(reading, place, `the body is sent as ${types.join(', ').slice(0, 200)}, which the executor does not write`, MEND);
  return undefined;
}

function isWritable(type: string, shape: OperationBody['shape']): boolean {
  const structured = shape === 'object' || shape === 'array';
  if (type.startsWith('text/') && !isJsonType(type)) return !structured;
  return mediaRank(type) < UNKNOWN_RANK || shape === 'binary';
}

const UNKNOWN_RANK = mediaRank('');
