/**
 * What a description claims of the answers: statuses, content types, and the kind of value of a success. Hints, never trusted (PRV-4).
 */
import type { OperationRow } from '@weir/operation-table';
import { asArray, asObject, compareText, type JsonObject, sortedEntries } from './json-value.ts';
import { isJsonType, mediaRank, plainType } from './media-types.ts';
import { type Located, lookUp } from './look-up.ts';
import { MAX_DEPTH, type OperationReading } from './operation-reading.ts';
import { readSchema } from './read-schema.ts';
import type { SchemaFacts } from './schema-facts.ts';

export interface ReadResponses extends Pick<OperationRow, 'success' | 'errors' | 'produces' | 'responseShape'> {
  /** Facts of the first success that has a schema; undefined where none has. */
  readonly facts: SchemaFacts | undefined;
}

interface Answer {
  readonly status: number;
  readonly types: readonly string[];
  readonly schema: unknown;
  readonly place: string;
}

/** Reads the declared answers. `fields` also reads the fields of the success. A fault inside a response never fails a compile here. */
export function readResponses(reading: OperationReading, fields: boolean): ReadResponses {
  const answers = answersOf(reading);
  const good = answers.filter(answer => answer.status < 400);
  const bodied = good.find(answer => answer.status < 300 && answer.types.length > 0);
  const facts = bodied === undefined ? undefined : readSchema(reading, bodied.schema, bodied.place, fields ? 'object' : 'value');
  return {
    success: good.map(answer => answer.status),
    errors: answers.filter(answer => answer.status >= 400).map(answer => answer.status),
    produces: [...new Set(good.flatMap(answer => answer.types))].sort((left, right) => mediaRank(left) - mediaRank(right) || compareText(left, right)),
    responseShape: bodied === undefined || facts === undefined ? 'none' : shapeOf(bodied, facts),
    facts,
  };
}

function answersOf(reading: OperationReading): readonly Answer[] {
  const { operation, place } = reading.published;
  const found: Answer[] = [];
  for (const [status, response] of sortedEntries(operation['responses'])) {
    const number = statusOf(status);
    const located = referenced(reading, response, `${place}/responses/${status}`);
    if (number !== undefined && located !== undefined && !found.some(answer => answer.status === number))
      found.push({ status: number, ...contentOf(reading, located) });
  }
  return found.sort((left, right) => left.status - right.status);
}

/** `200` and `2XX` (the first status of the range); other keys, such as `default`, name no status. */
const statusOf = (key: string): number | undefined => (/^[1-5](\d\d|XX)$/i.test(key) ? Number(key.replace(/x/gi, '0')) : undefined);

/** As `follow`, without a problem: faults of references are reported by the walk over the whole operation. */
function referenced(reading: OperationReading, response: unknown, place: string): Located | undefined {
  let here: Located | undefined = asObject(response) === undefined ? undefined : { value: response as JsonObject, place };
  for (let step = 0; here !== undefined && typeof here.value['$ref'] === 'string'; step += 1) {
    const found = step < MAX_DEPTH ? lookUp(reading.description, here.value['$ref']) : 'too deep';
    here = typeof found === 'string' ? undefined : found;
  }
  return here;
}

function contentOf(reading: OperationReading, { value, place }: Located): Omit<Answer, 'status'> {
  if (reading.description.format === 'swagger-2.0') return swaggerContent(reading, value, place);
  const offered = sortedEntries(value['content']).map(([type, media]) => ({ type, schema: asObject(media)?.['schema'] }));
  const [best] = [...offered].sort((left, right) => mediaRank(left.type) - mediaRank(right.type));
  const types = [...new Set(offered.map(({ type }) => plainType(type)))].sort((left, right) => mediaRank(left) - mediaRank(right) || compareText(left, right));
  return { types, schema: best?.schema, place: `${place}/content` };
}

function swaggerContent(reading: OperationReading, value: JsonObject, place: string): Omit<Answer, 'status'> {
  if (value['schema'] === undefined) return { types: [], schema: undefined, place };
  const { operation } = reading.published;
  const stated = asArray(Array.isArray(operation['produces']) ? operation['produces'] : reading.description.root['produces']);
  const types = stated.filter(type => typeof type === 'string').map(plainType);
  return { types: types.length === 0 ? ['application/json'] : types, schema: value['schema'], place: `${place}/schema` };
}

/** A JSON answer by its kind; a bare string counts as text, since vendors claim JSON for plain text. */
const SHAPES: Partial<Record<SchemaFacts['type'], OperationRow['responseShape']>> = { array: 'array', object: 'object', string: 'text' };

function shapeOf({ types }: Answer, { type, binary }: SchemaFacts): OperationRow['responseShape'] {
  const [best = ''] = [...types].sort((left, right) => mediaRank(left) - mediaRank(right));
  if (isJsonType(best)) return SHAPES[type] ?? 'any';
  if (binary || best === 'application/octet-stream' || /^(image|audio|video)\/|zip$/.test(best)) return 'binary';
  return best.startsWith('text/') ? 'text' : 'any';
}
