/**
 * How a parameter is written (PRV-4), from the style words of OpenAPI 3 or Swagger 2.0. Styles that the executor lacks are refused.
 */
import type { OperationParameter, ParameterStyle } from '@weir/operation-table';
import type { JsonObject } from './json-value.ts';
import { type OperationReading, refuse } from './operation-reading.ts';
import type { SchemaFacts } from './schema-facts.ts';

export interface StyledParameter {
  readonly value: JsonObject;
  readonly place: string;
  readonly name: string;
  readonly in: OperationParameter['in'];
  readonly facts: SchemaFacts;
  /** Described by `content`: written as JSON. */
  readonly json: boolean;
}

const MEND = 'exclude the operation, or correct the parameter with an overlay entry if the forge takes another style too';

/** The style of a parameter; undefined, with a problem, where it can't be written. */
export function readParameterStyle(reading: OperationReading, parameter: StyledParameter): ParameterStyle | undefined {
  const { value, place, name, facts, json } = parameter;
  const swagger = reading.description.format === 'swagger-2.0';
  if (json) return jsonStyle(reading, parameter);
  if (facts.type === 'object')
    return refused(reading, `${place}/schema`, `the parameter "${name}" is an object, which the executor writes only as JSON content`);
  if (facts.items === 'array' || facts.items === 'object')
    return refused(reading, place, `the parameter "${name}" is a list of ${facts.items}s, which no style of the executor writes`);
  const list = facts.type === 'array' || facts.items !== undefined;
  const style = swagger ? swaggerStyle(value, list) : openApiStyle(parameter, list);
  const stated = swagger ? value['collectionFormat'] : value['style'];
  return (
    style ??
    refused(
      reading,
      `${place}/${swagger ? 'collectionFormat' : 'style'}`,
      `the parameter "${name}" has the style ${JSON.stringify(stated)}, which the executor lacks`,
    )
  );
}

function refused(reading: OperationReading, place: string, reason: string): undefined {
  refuse(reading, place, reason, MEND);
  return undefined;
}

/** A single value in a path is written as it is: quotes around it are an artefact of generators. */
function jsonStyle(reading: OperationReading, { in: sent, facts, place, name }: StyledParameter): ParameterStyle | undefined {
  if (sent !== 'path') return 'json';
  if (facts.type !== 'object' && facts.type !== 'array' && facts.type !== 'any') return 'plain';
  return refused(reading, `${place}/content`, `the path parameter "${name}" is JSON`);
}

const SWAGGER_LISTS: Readonly<Record<string, ParameterStyle>> = { csv: 'csv', multi: 'form' };

function swaggerStyle({ collectionFormat }: JsonObject, list: boolean): ParameterStyle | undefined {
  if (!list) return 'plain';
  if (collectionFormat === undefined) return 'csv';
  return typeof collectionFormat === 'string' && Object.hasOwn(SWAGGER_LISTS, collectionFormat) ? SWAGGER_LISTS[collectionFormat] : undefined;
}

/** The one style of each place that is written, which is also the default. */
const OPENAPI_STYLE: Readonly<Record<OperationParameter['in'], string>> = { path: 'simple', query: 'form', header: 'simple' };

function openApiStyle({ value, in: sent }: StyledParameter, list: boolean): ParameterStyle | undefined {
  const { style, explode } = value;
  if (style !== undefined && style !== OPENAPI_STYLE[sent]) return undefined;
  if (!list) return 'plain';
  return sent === 'query' && explode !== false ? 'form' : 'csv';
}
